// What every page has: the search box, and tools that are of use only with scripts.
"use strict";
(() => {
  const root = document.body.dataset.root;
  self.FLOP ??= {};
  // One script at a time by its name; a page opened from disk can load scripts, and nothing else.
  const loading = {};
  FLOP.load = (path) => loading[path] ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + path;
    script.onload = () => done();
    script.onerror = () => { delete loading[path]; failed(new Error(`${path} cannot be loaded`)); };
    document.head.append(script);
  });
  FLOP.save = (name, content, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const raised = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
  FLOP.power = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (Math.abs(value) >= 0.01 && Math.abs(value) < 1e4 || value === 0) return String(Number(value.toPrecision(3)));
    const [mantissa, exponent] = value.toExponential(2).split("e"), whole = `10${exponent.replace("+", "").replace(/./g, (each) => raised[each])}`;
    return value === Number(`1e${exponent}`) ? whole : `${mantissa} × ${whole}`;
  };
  for (const tools of document.querySelectorAll("[data-needs-script]")) tools.hidden = false;

  // A name as it is searched for. The point of a number stays: 1.3B is not 13B.
  FLOP.plain = (text) => text.normalize("NFKD").toLowerCase().replace(/(?<!\p{N})\.|\.(?!\p{N})|[^\p{L}\p{N}.]/gu, "");
  const plain = FLOP.plain;
  // As schemas/spelling.py ranks names: an exact name, id or alias first, then those that contain what is written, the share of it in the name descending.
  FLOP.best = (words, rows) => {
    const wanted = words.toLowerCase().split(/\s+/).map(plain).filter(Boolean), whole = plain(words);
    if (!whole) return [];
    const found = [];
    for (const row of rows) {
      row.names ??= [row[0], ...row[1].split("|")].map(plain).filter(Boolean);
      row.all ??= [...row.names, ...(row[4] ?? "").toLowerCase().split(/\s+/).map(plain)].join(" ");
      const holding = row.names.filter((name) => name.includes(whole));
      if (!holding.length && !wanted.every((word) => row.all.includes(word))) continue;
      found.push([row.names.includes(whole) ? 0 : holding.length ? 1 : 2, holding.length ? Math.min(...holding.map((name) => name.length)) : 0, row]);
    }
    return found.sort((one, other) => one[0] - other[0] || one[1] - other[1]).slice(0, 12).map((each) => each[2]);
  };
  document.querySelectorAll(".finder").forEach((finder, number) => {
    const input = finder.querySelector("input"), list = document.createElement("ul");
    let at = -1;
    list.hidden = true;
    list.id = `found-${number}`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Models and chips");
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
      const rows = FLOP.best(input.value, FLOP.search);
      list.replaceChildren(...rows.map((row, index) => {
        const item = document.createElement("li"), link = document.createElement("a"), name = document.createElement("bdi"), about = document.createElement("small");
        item.setAttribute("role", "option");
        item.id = `${list.id}-${index}`;
        link.href = root + row[2];
        link.tabIndex = -1;
        name.textContent = row[0];
        about.textContent = row[3];
        link.append(name, about);
        item.append(link);
        return item;
      }));
      if (!rows.length) {
        const item = document.createElement("li");
        item.style.padding = ".35rem .8rem";
        item.setAttribute("role", "option");
        item.textContent = "Neither a model nor a chip of the ledger";
        list.append(item);
      }
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
