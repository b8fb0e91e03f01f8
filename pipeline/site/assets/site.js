// Used on every page: the search box, and tools that need scripts.
"use strict";
(() => {
  const root = document.body.dataset.root;
  self.FLOP ??= {};
  // Unpack the bytes that pipeline/site/page.py packed into a script.
  FLOP.unpacked = (text) => {
    const bytes = new Uint8Array((text.length - 1) * 15 - text.charCodeAt(0) >> 3);
    for (let at = 1, place = 0, bits = 0, held = 0; at < text.length; at++) {
      held = held << 15 | text.charCodeAt(at);
      bits += 15;
      while (bits >= 8) bytes[place++] = held >> (bits -= 8);
    }
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  };
  // Load a script by name, and unpack its values. A page opened from disk can load only scripts.
  const loading = {}, read = async () => {
    const values = Object.entries(FLOP.values ?? {});
    FLOP.values = {};
    for (const [name, text] of values) FLOP[name] = await FLOP.unpacked(text).json();
  };
  FLOP.load = (path) => loading[path] ??= new Promise((done, failed) => {
    const onerror = () => { delete loading[path]; failed(new Error(`${path} cannot be loaded`)); };
    document.head.append(FLOP.element("script", {src: root + path, onload: () => done(read()), onerror}));
  });
  // A new element with these children. The properties may include attributes, such as aria-label.
  FLOP.element = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) if (name in element) element[name] = value; else element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  // The name of a file that a reader saves, with the version as Python packages write it (PEP 440).
  FLOP.file = (ending) => `flop-ledger-${document.body.dataset.version}${ending}`;
  FLOP.save = (name, content, type) => {
    const href = URL.createObjectURL(new Blob([content], {type}));
    FLOP.element("a", {href, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  };
  FLOP.written = (value) => value === null || value === undefined ? ""
    : value instanceof Date ? value.toISOString().slice(0, 10)
    : typeof value === "object" ? JSON.stringify(value, (key, each) => typeof each === "bigint" ? Number(each) : each)
    : String(value);
  // Rows as CSV, written so that spreadsheets run no text as a formula.
  FLOP.csv = (names, rows) => {
    const safe = (value) => typeof value === "string" ? value.replace(/(^|;)(?=[=+\-@\t\r\n＝＋－＠])/g, "$1'") : FLOP.written(value);
    const cell = (value) => /[",\n\r]/.test(safe(value)) ? `"${safe(value).replaceAll('"', '""')}"` : safe(value);
    return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join(",") + "\n").join("");
  };
  const raised = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
  FLOP.power = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (Math.abs(value) >= 0.01 && Math.abs(value) < 1e4 || value === 0) return String(Number(value.toPrecision(3)));
    const [mantissa, exponent] = value.toExponential(2).split("e"), whole = `10${exponent.replace("+", "").replace(/./g, (each) => raised[each])}`;
    return value === Number(`1e${exponent}`) ? whole : `${mantissa} × ${whole}`;
  };
  FLOP.chance = (share) => share > 0.999 ? "more than 99.9 %" : share < 0.001 ? "less than 0.1 %" : `${Number((100 * share).toPrecision(share > 0.99 ? 3 : 2))} %`;
  for (const tools of document.querySelectorAll("[data-needs-script]")) tools.hidden = false;
  // On a phone, rows are cards, and each cell shows its column's head.
  FLOP.label = (table) => {
    table.classList.add("labelled");
    const heads = [...table.tHead?.rows[0].cells ?? []].map((head) => head.textContent.trim());
    if (!heads.length) return;
    const label = (cell, place) => { cell.dataset.label = heads[place]; };
    for (const row of table.tBodies[0].rows) [...row.cells].forEach(label);
  };
  document.querySelectorAll(".stack").forEach(FLOP.label);
  // Add to each fact a link to report an error in it.
  const report = document.querySelector('main a[href*="/issues/new?"]');
  for (const row of report ? document.querySelectorAll("[data-path]") : []) {
    const address = new URL(report.href), link = report.cloneNode(true);
    address.searchParams.set("path", row.dataset.path);
    const [version] = address.searchParams.get("why").split(" says: "), value = row.cells[1].firstChild.textContent;
    address.searchParams.set("why", `${version} says: ${value}`);
    link.href = address;
    row.lastElementChild.append(FLOP.element("small", {}, FLOP.element("br"), link));
  }
  // On a phone only, fold these parts, and hide later rows of a table behind a button.
  const isNarrow = matchMedia("(max-width: 48rem)").matches, most = 10;
  for (const part of document.querySelectorAll("details[data-wide]")) part.open = !isNarrow;
  if (isNarrow) for (const body of document.querySelectorAll("main tbody")) {
    if (body.rows.length <= 1.5 * most || body.querySelector(":target")) continue;
    const table = body.closest("table"), show = () => { body.classList.remove("cut"); more.remove(); };
    const more = FLOP.element("button", {type: "button", textContent: `All ${body.rows.length} rows`, onclick: show});
    body.classList.add("cut");
    table.closest("main").querySelector(".tools")?.addEventListener("input", show);
    (table.closest(".scroll") ?? table).after(more);
  }
  // If the page is still long, show only the headings of its sections, and what is under the first.
  const fold = (place, head, lower) => {
    for (const title of place.querySelectorAll(head)) {
      const part = FLOP.element("details"), inside = [];
      for (let next = title.nextSibling; next && !next.matches?.("h1, h2") && !next.matches?.(head); next = next.nextSibling) inside.push(next);
      if (title.closest("summary") || !inside.length) continue;
      title.before(part);
      part.append(FLOP.element("summary", {}, title), ...inside);
      if (lower) fold(part, lower);
    }
  };
  if (isNarrow && document.documentElement.scrollHeight > 10000) {
    fold(document.querySelector("main"), "h2", "h3");
    let part = document.querySelector("main details:has(> summary > h2)");
    for (; part; part = part.querySelector(":scope > summary + details")) part.open = true;
  }

  // The rows of data/search.js that match what a reader typed, in the order of pipeline/site/pages/search.py: first names that match exactly, then names with the same words (names.py), names that begin with it, names that contain it, and rows with every word in their names or organization.
  const plain = (text) => text.normalize("NFKD").toLowerCase().replaceAll("+", "plus").replace(/(?<!\p{N})\.|\.(?!\p{N})|[^\p{L}\p{N}.]/gu, "");
  const keysOf = (row) => row.all ??= `|${plain(row[0])}${row[1]}`;
  const tuned = ["instruct", "it", "chat", "base", "hf", "uncased"];
  const wordsOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/^.*\/|[-_ @(]+20\d\d-?[01]\d-?[0-3]\d\)?$/g, "").replaceAll("+", " plus ")
    .split(/[^\p{L}\p{N}.]+|(?<!\p{N})\.|\.(?!\p{N})|(?<=\p{L}{2})(?=\p{N})/u).filter(Boolean).join(" ")
    .replace(/(?<![\w.])v(?=\d)/g, "").replace(/(?<![\w.])(\d{1,2}) (\d{1,2})(?![\w.])/g, "$1.$2").replace(/(?<=\d)\.0(?![\d.])/g, "").split(" ");
  // A question about a model's quantity, a chip's utilization, or a column leads to the page with the answer.
  const topics = {footprint: /energy|kwh|electricity|costs?|price|dollars|co2|carbon|emissions/, facts: /parameters|tokens|chips|facts/, sources: /sources?/, changes: /changed?|changes|history/};
  FLOP.answers = (text, rows) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}.+-]+/gu) ?? [], format = words.find((word) => /^(fp|bf|tf|int)\d+$/.test(word)), isShare = (word) => /^(utilization|mfu)$/.test(word) || word === format, rest = (is) => words.filter((word) => !is(word)).join(" ");
    const topic = Object.keys(topics).find((name) => words.some((word) => new RegExp(`^(${topics[name].source})$`).test(word)));
    const asked = /^(how|much|many|did|does|the|of|to|for|take|used?|by|what|is|was|training|train)$/, found = FLOP.best(text, rows);
    const about = topic && words.length > 1 ? FLOP.best(rest((word) => asked.test(word) || new RegExp(`^(${topics[topic].source})$`).test(word)), rows.filter((row) => row[2].startsWith("models/"))) : [];
    const chips = words.length > 1 && words.some(isShare) ? FLOP.best(rest(isShare), rows.filter((row) => row[2].startsWith("chips/"))) : [];
    const columns = /^\w+_\w+$/.test(text.trim()) ? [[`Look up ${text.trim()} among the columns`, "", `dictionary.html#:~:text=${text.trim()}`, "page"]] : [];
    return [...found, ...columns, ...about.map((row) => [`${row[0]}: ${topic.trim()}`, "", `${row[2]}#${topic.trim()}`, row[3]]),
      ...chips.map((row) => [[row[0], ...format ? [format.toUpperCase()] : []].join(", ") + ": utilization", "", `utilization.html?chip=${row[2].slice(6, -5)}${format ? `&precision=${format}` : ""}`, "answer"])].slice(0, 12);
  };
  FLOP.copy = async (button, text) => {
    await navigator.clipboard.writeText(text).catch(() => prompt("Copy this:", text)); // a page from disk may not write to the clipboard
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  };
  // An error report to copy, filled in from the page where the reader asked for it.
  const letter = document.getElementById("report");
  if (letter) {
    for (const [name, value] of new URLSearchParams(location.search)) letter.value = letter.value.replace(new RegExp(`^(${name}:).*`, "m"), (line, head) => `${head} ${value}`);
    letter.nextElementSibling.addEventListener("click", ({target}) => FLOP.copy(target, letter.value));
  }
  FLOP.best = (text, rows) => {
    const whole = plain(text), words = text.split(/\s+/).map(plain), asked = [...new Set(wordsOf(text))].sort();
    const hasSize = asked.some((word) => /^a?(\d+x)?\d+(\.\d+)?[mbt]$/.test(word));
    const without = asked.filter((word) => !tuned.includes(word) || (word === "base" && !hasSize));
    const has = (forms, words, organization) => words.length > 1 && [true, false].some((isMaker) =>
      forms.includes(`|${words.filter((word) => !isMaker || /\d/.test(word) || !organization.includes(word)).join(" ")}|`));
    const fits = [
      (row) => keysOf(row).includes(`|${whole}|`), ([, , , , organization, forms]) => forms && has(forms, asked, organization),
      ([, , , , organization, forms]) => forms && has(forms, without, organization),
      (row) => keysOf(row).startsWith(`|${whole}`), (row) => keysOf(row).includes(whole),
      (row) => words.every((word) => `${keysOf(row)} ${row[4]}`.includes(word)),
    ];
    return whole ? [...new Set(fits.flatMap((fit) => rows.filter(fit)))].slice(0, 12) : [];
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    document.querySelector(".finder input")?.focus();
  });
  document.querySelectorAll(".finder").forEach((finder, number) => {
    const input = finder.querySelector("input"), list = FLOP.element("ul", {id: `found-${number}`, hidden: true, role: "listbox", "aria-label": "Models, chips and pages"});
    let at = -1;
    for (const [name, value] of Object.entries({role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list"})) input.setAttribute(name, value);
    finder.append(list);
    const close = () => { list.hidden = true; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); at = -1; };
    const mark = (place) => {
      const all = [...list.children].filter((each) => each.id);
      at = all.length ? (place + all.length) % all.length : -1;
      all.forEach((each, index) => each.setAttribute("aria-selected", String(index === at)));
      if (at >= 0) { input.setAttribute("aria-activedescendant", all[at].id); all[at].scrollIntoView({block: "nearest"}); }
    };
    const show = async () => {
      if (!input.value.trim()) return close();
      await FLOP.load("data/search.js");
      const rows = FLOP.answers(input.value, FLOP.search);
      list.replaceChildren(...rows.map(([textContent, , path, about], index) => FLOP.element("li", {id: `${list.id}-${index}`, role: "option"},
        FLOP.element("a", {href: root + path, tabIndex: -1}, FLOP.element("bdi", {textContent}), FLOP.element("small", {textContent: about})))));
      if (!rows.length) list.append(FLOP.element("li", {role: "option", style: "padding:.35rem .8rem", textContent: "No model, chip or page in the ledger has this name"}));
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
      mark(rows.length ? 0 : -1);
    };
    input.addEventListener("focus", () => FLOP.load("data/search.js").catch(() => {}));
    input.addEventListener("input", show);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); mark(at + (event.key === "ArrowDown" ? 1 : -1)); }
      else if (event.key === "Enter" && at >= 0 && !list.hidden) list.children[at].querySelector("a").click();
      else if (event.key === "Escape") close();
    });
    document.addEventListener("click", (event) => { if (!finder.contains(event.target)) close(); });
  });
})();
