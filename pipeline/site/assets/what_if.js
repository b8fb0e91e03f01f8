// What-ifs: run the ledger's SQL rules in the browser, on a copy of this model's rows with the reader's figures in `runs` and `allocations`.
"use strict";
(() => {
  const place = document.getElementById("what-if");
  if (!place) return;
  const {model, base, flop, low, high, count, time, passes, utilization, hours, format, chip} = place.dataset;
  const slider = (name, label, least, most, value, shown) => `<label for="suppose-${name}">${label}</label>
<input type="range" id="suppose-${name}" min="${least}" max="${most}" step="any" value="${value}">
${shown ?? `<output for="suppose-${name}"></output>`}`;
  const choice = (name, label) => `<label for="suppose-${name}">${label}</label>
<select id="suppose-${name}"><option value=""></option></select><span></span>`;
  const percent = `<span><input type="number" id="suppose-utilization-percent" min="2" max="100" step="any"
 inputmode="decimal" aria-label="Utilization, %"> %</span>`;
  place.innerHTML = `<p class="soft">Change inputs of this model${base && ", but not of its base model"}. Your browser calculates
the answer by the ledger's own <a href="../rules.sql">rules</a>, as <code>flopledger estimate ${model}</code> does. Your
values count as certain, and the authors' own total is left out, because it describes the actual run.</p>
<div class="suppose">
${passes ? slider("passes", "Epochs", passes / 8, passes * 8, passes) : ""}
${utilization ? slider("utilization", "Utilization", 0.02, 1, utilization, percent) : ""}
${hours ? slider("time", "Chip-hours", -3, 3, 0) + choice("format", "Precision") + choice("chip", "Chip") : ""}
</div>
<p id="supposed" role="status"><b data-headline></b> <span data-interval></span><br>
<span class="soft" data-methods></span></p>
<p><button type="button" id="suppose-nothing">As recorded</button>
<span id="supposed-say" class="soft" role="status"></span></p>
<p class="soft"><small>If you choose another chip or precision, the utilization shown also counts as your value.</small></p>`;
  const control = (name) => document.getElementById(`suppose-${name}`);
  const answer = document.getElementById("supposed"), say = document.getElementById("supposed-say");
  const formats = control("format"), chips = control("chip");
  if (hours) [formats.options[0].text, chips.options[0].text] = [format.toUpperCase(), chip];
  const recorded = {
    training_flop: Number(flop), training_flop_low: Number(low), training_flop_high: Number(high),
    operation_count_flop: Number(count) || null, gpu_time_informed_flop: Number(time) || null,
  };
  const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
  const KEYS = {passes: "epochs", format: "precision", chip: "hardware"};
  const supposedInputs = {passes: null, utilization: null, time: null, format: null, chip: null};
  let connection = null, opening = null, busy = false, again = false;

  const opened = async () => {
    const [book] = await Promise.all([FLOP.open({isLocked: false}), FLOP.load("data/rules.js")]);
    connection = book.connection;
    for (const name of FLOP.rules.of_models) await connection.query(`create table stated_${name} as from ledger.${name} where model_id = ${quoted(model)} or model_id in (select part_id from ledger.lineages where model_id = ${quoted(model)})`);
    for (const name of FLOP.rules.others) await connection.query(`create table ${name} as from ledger.${name}`);
  };
  // Make the changes of `flopledger estimate MODEL --utilization … --epochs … --precision … --hardware …`, to this model but not to its base models.
  const suppose = async () => {
    for (const name of FLOP.rules.of_models) await connection.query(`create or replace table ${name} as from stated_${name}`);
    const supposed = Object.entries(supposedInputs).filter(([, value]) => value !== null).map(([name, value]) => [KEYS[name] ?? name, value]);
    if (!supposed.length) return;
    // The change "anything" is part of every what-if: it removes the authors' total.
    for (const [name, value] of [["anything", ""], ...supposed])
      for (const statement of FLOP.rules.supposed[name]) await connection.query(statement.replaceAll("$model", () => quoted(model)).replaceAll("$value", () => typeof value === "number" ? value : quoted(value)));
  };
  FLOP.estimate = async (changes = {}) => {
    Object.assign(supposedInputs, Object.fromEntries(Object.keys(supposedInputs).map((name) => [name, null])), changes);
    opening ??= opened().catch((problem) => { opening = null; throw problem; });
    await opening;
    await suppose();
    for (const statement of FLOP.rules.statements) await connection.query(statement);
    return FLOP.rows(await connection.query(`from estimates where model_id = ${quoted(model)}`))[0];
  };
  const changes = () => {
    const changed = {};
    for (const name of ["passes", "utilization", "time"]) { const input = control(name); if (input && input.value !== input.dataset.rest) changed[name] = name === "time" ? 2 ** Number(input.value) : Number(input.value); }
    for (const name of ["format", "chip"]) { const input = control(name); if (input && input.value !== input.dataset.rest) changed[name] = input.value; }
    return changed;
  };
  const figures = (row) => {
    answer.querySelector("[data-headline]").textContent = row.training_flop === null ? "unknown" : `${FLOP.power(row.training_flop)} FLOP`;
    answer.querySelector("[data-interval]").textContent = row.training_flop === null ? "" : `90 % interval ${FLOP.power(row.training_flop_low)} to ${FLOP.power(row.training_flop_high)}`;
    answer.querySelector("[data-methods]").textContent = `by operations ${FLOP.power(row.operation_count_flop)}, by GPU time ${FLOP.power(row.gpu_time_informed_flop)}`;
  };
  const labels = () => {
    for (const input of place.querySelectorAll("input[type=range]")) {
      const value = Number(input.value), output = place.querySelector(`output[for=${input.id}]`);
      if (input.id === "suppose-utilization") control("utilization-percent").value = Number((100 * value).toPrecision(4));
      else output.textContent = input.id === "suppose-time" ? FLOP.power(hours * 2 ** value) : String(Number(value.toPrecision(3)));
    }
  };
  // Show the two products immediately, before the database answers.
  const products = () => {
    const now = changes(), isPeakUnchanged = !now.format && !now.chip;
    const {operation_count_flop: counted, gpu_time_informed_flop: timed} = recorded;
    const byCount = counted && counted * (now.passes ? now.passes / passes : 1);
    const byTime = timed && timed * (now.time ?? 1) * (now.utilization ? now.utilization / utilization : 1);
    answer.querySelector("[data-methods]").textContent = `by operations ${FLOP.power(byCount)}, by GPU time ${isPeakUnchanged ? FLOP.power(byTime) : "…"}`;
  };
  const work = async () => {
    labels();
    products();
    answer.classList.add("stale");
    if (busy) { again = true; return; }
    busy = true;
    do {
      again = false;
      say.className = "soft";
      say.textContent = connection ? "calculating …" : "loading DuckDB and the ledger, 13 MB once …";
      try {
        const start = performance.now();
        const now = changes(), row = await FLOP.estimate(now);
        if (row.gpu_time_flop === null && (now.chip || now.format)) throw new Error("That chip has no peak at that precision: choose another.");
        figures(row);
        answer.classList.remove("stale");
        say.textContent = `by the ledger's own rules, in ${((performance.now() - start) / 1000).toFixed(1)} s`;
      } catch (problem) {
        say.className = "error";
        say.textContent = String(problem.message ?? problem).split("\n")[0];
      }
    } while (again);
    busy = false;
    place.dataset.worked = String(Number(place.dataset.worked ?? 0) + 1);
  };
  let later = 0;
  for (const input of place.querySelectorAll("input[type=range], select")) input.addEventListener("input", () => { labels(); products(); answer.classList.add("stale"); clearTimeout(later); later = setTimeout(work, 250); });
  document.getElementById("suppose-nothing").addEventListener("click", () => { for (const input of place.querySelectorAll("input[type=range], select")) input.value = input.dataset.rest; work(); });
  control("utilization-percent")?.addEventListener("change", (event) => {
    const range = control("utilization"), share = Number(event.target.value) / 100;
    if (share >= Number(range.min) && share <= Number(range.max)) { range.value = share; work(); } else labels();
  });
  const lacking = FLOP.lacks();
  if (lacking) { say.className = "error"; say.textContent = `This browser lacks ${lacking}, which what-ifs need.`; for (const input of place.querySelectorAll("input, select, button")) input.disabled = true; }
  else for (const event of ["pointerenter", "focusin"]) place.addEventListener(event, () => FLOP.fetchLedger(), {once: true});
  for (const input of place.querySelectorAll("input[type=range], select")) input.dataset.rest = input.value;
  formats?.addEventListener("focus", async () => {
    await FLOP.load("data/rules.js");
    if (formats.options.length > 1) return;
    for (const name of FLOP.rules.formats) formats.add(new Option(name.toUpperCase(), name));
  });
  chips?.addEventListener("focus", async () => {
    await FLOP.load("data/search.js");
    if (chips.options.length > 1) return;
    for (const [name, , path, about] of FLOP.search) if (about === "chip") chips.add(new Option(name, path.replace(/^chips\/|\.html$/g, "")));
  });
  figures(recorded);
  labels();
})();
