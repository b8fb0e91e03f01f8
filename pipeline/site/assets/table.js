// Tables that sort by their heads; filters of tables, and those of the table of all models; the rows of a long table that its page leaves out.
"use strict";
(() => {
  // All rows of a table: those that the page leaves out come as a script.
  const whole = async (table) => {
    const name = table.dataset.rest;
    if (name) {
      await FLOP.load(`data/rows/${name}.js`);
      if (table.dataset.rest) {
        delete table.dataset.rest;
        table.tBodies[0].insertAdjacentHTML("beforeend", FLOP[`rows_of_${table.id}`]);
        table.tFoot.remove();
      }
    }
    return [...table.tBodies[0].rows];
  };
  const text = (row) => row.words ??= row.textContent.toLowerCase();
  for (const table of document.querySelectorAll("table[data-rest]")) {
    table.tFoot.querySelector("button").addEventListener("click", () => whole(table));
    const named = decodeURIComponent(location.hash.slice(1));
    if (named && !document.getElementById(named)) whole(table).then(() => document.getElementById(named)?.scrollIntoView());
  }
  for (const table of document.querySelectorAll("table:has(th[data-sort])")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.dataset.sort) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const isNumber = head.dataset.sort === "number";
      button.addEventListener("click", async () => {
        const every = await whole(table), rising = head.getAttribute("aria-sort") === (isNumber ? "descending" : "none") || (!isNumber && head.getAttribute("aria-sort") !== "ascending");
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        const value = (row) => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent.trim(); };
        const rows = every.map((row) => [isNumber ? (value(row) === "" ? null : Number(value(row))) : value(row).toLowerCase(), row]);
        const empty = (each) => each[0] === null || each[0] === "" || each[0] === "–";
        rows.sort((one, other) => empty(one) - empty(other) || (isNumber ? one[0] - other[0] : one[0].localeCompare(other[0], "en")) * (rising ? 1 : -1));
        table.tBodies[0].append(...rows.map((each) => each[1]));
      });
    });
  }
  const filters = [...document.querySelectorAll("[data-filter]")];
  if (filters.length) {
    const said = document.querySelector("[data-count]"), table = document.querySelector("main table[id]");
    const show = async () => {
      const rows = await whole(table);
      let number = 0;
      rows.forEach((row) => {
        const is = filters.every((each) => each.dataset.filter === "words" ? each.value.toLowerCase().split(/\s+/).every((word) => text(row).includes(word)) : !each.value || row.dataset[each.dataset.filter].split(" ").includes(each.value));
        row.hidden = !is;
        number += is;
      });
      said.textContent = `${number.toLocaleString("en")} ${number === 1 ? said.dataset.count.replace(/s$/, "") : said.dataset.count}`;
    };
    for (const each of filters) each.addEventListener("input", show);
    if (filters.some((each) => each.value)) show(); // chosen by the page, or kept by the browser
  }
  const table = document.getElementById("models"), pick = (name) => document.getElementById(`table-${name}`);
  if (!table) return;
  const count = pick("count"), names = ["search", "domain", "from", "least", "kind"];
  const filter = async () => {
    const rows = await whole(table);
    const words = pick("search").value.toLowerCase().split(/\s+/).filter(Boolean), domain = pick("domain").value, from = Number(pick("from").value) || 0, least = Number(pick("least").value) || 0, kind = pick("kind").value;
    let number = 0;
    rows.forEach((row) => {
      const own = row.dataset, is = words.every((word) => text(row).includes(word)) && (!domain || own.domain === domain) && Number(own.year) >= from && (!least || Number(own.flop) >= least)
        && (!kind || (kind === "estimate" ? own.flop !== "" : kind === "disputed" ? "disputed" in own : !("tuned" in own)));
      row.hidden = !is;
      number += is;
    });
    count.textContent = `${number} model${number === 1 ? "" : "s"}`;
  };
  for (const name of names) pick(name).addEventListener("input", filter);
  if (names.some((name) => pick(name).value)) filter(); // kept by the browser
})();
