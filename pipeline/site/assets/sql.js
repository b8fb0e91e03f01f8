// The SQL console: it runs one question at a time, with a button that stops it, and shows the answer as a table and as CSV.
"use strict";
(() => {
  const by = (id) => document.getElementById(id), MOST = 500;
  const text = by("sql"), go = by("run"), stop = by("stop"), say = by("say"), out = by("answer"), csv = by("csv");
  let book = null, number = 0, answer = null;
  const waiting = (is) => { go.disabled = is; stop.disabled = !is; };
  const isLong = (value) => typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) < 1e15);
  const shown = (value) => isLong(value) ? String(Number(value.toPrecision(6))) : FLOP.written(value);
  const draw = (names, rows) => {
    const {element} = FLOP, head = names.map((name) => element("th", {scope: "col", textContent: name}));
    const cell = (name, value) => typeof value === "string" && name === "model_id" ? element("td", {}, element("a", {href: `models/${encodeURIComponent(value)}.html`, textContent: value}))
      : element("td", {className: typeof value === "number" ? "n" : "", textContent: shown(value)});
    const body = rows.slice(0, MOST).map((row) => element("tr", {}, ...names.map((name) => cell(name, row[name]))));
    out.replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
  };
  const ask = async () => {
    const own = ++number, sql = text.value.trim().replace(/;\s*$/, ""), start = performance.now();
    if (!sql) return;
    history.replaceState(null, "", `#${encodeURIComponent(sql)}`);
    waiting(true);
    csv.disabled = true;
    say.className = "soft";
    say.textContent = book ? "running …" : "loading DuckDB and the ledger, 12 MB once …";
    try {
      book ??= await FLOP.open();
      if (own !== number) return;
      say.textContent = "running …";
      const reader = await book.connection.send(sql, true), names = [], rows = [];
      let total = 0;
      for await (const batch of reader) {
        if (own !== number) return;
        if (!names.length) names.push(...batch.schema.fields.map((field) => field.name));
        total += batch.numRows;
        if (rows.length < 200000) for (const row of batch) rows.push(Object.fromEntries(names.map((name) => [name, FLOP.plain(row[name])])));
        if (total > 1000000) { await book.connection.cancelSent(); break; }
      }
      if (!names.length && reader.schema) names.push(...reader.schema.fields.map((field) => field.name));
      answer = {names, rows};
      draw(names, rows);
      csv.disabled = !names.length;
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      say.textContent = `${total.toLocaleString("en")} row${total === 1 ? "" : "s"} in ${seconds} s${total > MOST ? `; the first ${MOST} are shown` : ""}${total > rows.length ? `; the CSV contains the first ${rows.length.toLocaleString("en")}` : ""}`;
    } catch (problem) {
      if (own !== number) return;
      out.replaceChildren();
      say.className = "error";
      say.textContent = String(problem.message ?? problem).split("\n\nLINE ")[0];
    } finally {
      if (own === number) { waiting(false); document.body.dataset.answered = String(own); }
    }
  };
  go.addEventListener("click", ask);
  stop.addEventListener("click", () => { number += 1; book?.close(); book = null; waiting(false); say.className = "soft"; say.textContent = "stopped"; });
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); ask(); } });
  csv.addEventListener("click", () => FLOP.save(FLOP.file("-answer.csv"), FLOP.csv(answer.names, answer.rows), "text/csv"));
  for (const button of document.querySelectorAll("[data-sql]")) button.addEventListener("click", () => { text.value = button.dataset.sql; ask(); text.scrollIntoView({block: "nearest"}); });
  stop.disabled = csv.disabled = true;
  if (location.hash.length > 1) text.value = decodeURIComponent(location.hash.slice(1));
  const lacking = FLOP.lacks();
  if (lacking) { go.disabled = true; say.className = "error"; say.textContent = `This browser lacks ${lacking}, which SQL needs; all tables, charts and downloads work without it.`; }
  else addEventListener("load", () => FLOP.fetchLedger());  // load it now, because a reader of this page will need it
})();
