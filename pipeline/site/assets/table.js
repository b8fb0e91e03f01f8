// Tables that readers can sort by column and filter. Long tables have pages, and their later rows come as a script.
"use strict";
(() => {
  const PAGE = 50, state = (table) => table.state ??= {is: () => true, most: table.dataset.rest ? PAGE : Infinity};
  const rows = async (table) => {
    const own = state(table), name = table.dataset.rest;
    if (!own.rows && name) {
      await FLOP.load(`data/rows/${name}.js`);
      if (!own.rows) table.tBodies[0].insertAdjacentHTML("beforeend", FLOP[`rows_of_${table.id}`]);
      if (table.matches(".stack")) FLOP.label(table);
    }
    return own.rows ??= [...table.tBodies[0].rows];
  };
  // Show the first of the rows that pass (by default, those that passed last time), and return how many pass.
  const show = async (table, is, most) => {
    const every = await rows(table), own = Object.assign(state(table), is && {is}, most && {most}), fit = every.filter(own.is);
    table.tBodies[0].replaceChildren(...fit.slice(0, own.most));
    if (table.tFoot) {
      table.tFoot.hidden = fit.length <= own.most;
      table.tFoot.querySelector("span").textContent = `The first ${own.most} of ${fit.length.toLocaleString("en")} rows.`;
    }
    return fit.length;
  };
  // Without a column, rows keep the build's order.
  const sort = async (table, column, isRising) => {
    const every = await rows(table), own = state(table), heads = [...table.tHead.rows[0].cells], isNumber = heads[column]?.dataset.sort === "number";
    own.built ??= {rows: [...every], sorts: heads.map((each) => each.getAttribute("aria-sort"))};
    heads.forEach((each, place) => { const way = heads[column] ? (place === column ? (isRising ? "ascending" : "descending") : null) : own.built.sorts[place]; if (way) each.setAttribute("aria-sort", way); else each.removeAttribute("aria-sort"); });
    if (!heads[column]) { own.rows = [...own.built.rows]; return show(table); }
    const value = (row) => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent.trim(); };
    const valued = every.map((row) => [isNumber ? (value(row) === "" ? null : Number(value(row))) : value(row).toLowerCase(), row]);
    const empty = (each) => each[0] === null || each[0] === "" || each[0] === "–";
    valued.sort((one, other) => empty(one) - empty(other) || (isNumber ? one[0] - other[0] : one[0].localeCompare(other[0], "en")) * (isRising ? 1 : -1));
    every.splice(0, every.length, ...valued.map((each) => each[1]));
    await show(table);
  };
  // Show the row that the address names, even if it is on another page. Return whether there is such a row.
  const showNamed = async (table) => {
    const name = decodeURIComponent(location.hash.slice(1)), row = name && (await rows(table)).find((each) => each.id === name);
    if (!row) return false;
    const place = state(table).rows.filter(state(table).is).indexOf(row);
    await show(table, place < 0 && (() => true), PAGE * Math.ceil(((place < 0 ? state(table).rows.indexOf(row) : place) + 1) / PAGE));
    row.scrollIntoView();
    return true;
  };
  FLOP.table = {rows, show, showNamed, sort};
  for (const table of document.querySelectorAll("table[data-rest]")) {
    table.tFoot.querySelector("button").addEventListener("click", () => show(table, null, state(table).most + PAGE));
    if (!table.dataset.asks && location.hash && !document.getElementById(decodeURIComponent(location.hash.slice(1)))) showNamed(table);
  }
  for (const table of document.querySelectorAll("table:has(th[data-sort])")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.dataset.sort) return;
      const button = FLOP.element("button", {type: "button"}, ...head.childNodes), first = head.dataset.sort === "number" ? "descending" : "ascending";
      head.append(button);
      button.addEventListener("click", async () => {
        const isRising = head.getAttribute("aria-sort") === first ? first !== "ascending" : first === "ascending";
        await sort(table, column, isRising);
        table.dispatchEvent(new CustomEvent("sorted", {detail: `${column},${isRising ? "ascending" : "descending"}`}));
      });
    });
  }
  const filters = [...document.querySelectorAll("[data-filter]")];
  if (!filters.length) return;
  const said = document.querySelector("[data-count]"), table = document.querySelector("main table[id]");
  const text = (row) => row.words ??= row.textContent.toLowerCase();
  const filter = async () => {
    const number = await show(table, (row) => filters.every((each) => each.dataset.filter === "words" ? each.value.toLowerCase().split(/\s+/).every((word) => text(row).includes(word)) : !each.value || row.dataset[each.dataset.filter].split(" ").includes(each.value)));
    said.textContent = `${number.toLocaleString("en")} ${number === 1 ? said.dataset.count.replace(/s$/, "") : said.dataset.count}`;
  };
  for (const each of filters) each.addEventListener("input", filter);
  if (filters.some((each) => each.value)) filter(); // set by the page, or kept by the browser
})();
