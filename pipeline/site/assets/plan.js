// A plan, calculated by the ledger's rules from two models: one states operations, the other chips and time.
"use strict";
(() => {
  const form = document.getElementById("plan");
  if (!form) return;
  const say = document.getElementById("plan-say"), result = document.getElementById("plan-result"), slider = document.getElementById("plan-chips"), FIGURES = form.dataset.figures.split(" ");
  const quoted = (value) => value === null || value === undefined ? "null" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  let connection = null, opening = null;

  const opened = async () => {
    const [book] = await Promise.all([FLOP.open({isLocked: false}), FLOP.load("data/rules.js")]);
    connection = book.connection;
    for (const name of FLOP.rules.of_models) await connection.query(`create table ${name} as from ledger.${name} limit 0`);
    for (const name of [...FLOP.rules.others, ...FLOP.rules.plan.tables]) await connection.query(`create table ${name} as from ledger.${name}`);
  };
  const fill = async (name, rows) => {
    await connection.query(`delete from ${name}`);
    for (const row of rows) await connection.query(`insert into ${name} (${Object.keys(row).map((key) => `"${key}"`)}) values (${Object.values(row).map(quoted)})`);
  };
  // The rows of the records that the command line uses, with this plan's figures. `timed` holds chips and days by model.
  const put = async (plan, timed) => {
    const {rows} = FLOP.rules.plan, year = new Date().getFullYear(), dated = {published: String(year), published_year: year};
    const of = (name, model) => rows[name].filter((row) => row.model_id === model);
    const each = (name, of_work, of_timed) => fill(name, [...of(name, "work").map((row) => ({...row, ...of_work})), ...Object.entries(timed).flatMap(([model_id, time]) => of(name, "timed").map((row) => ({...row, model_id, ...of_timed(time, model_id)})))]);
    const model = {...dated, published_date: `${year}-07-02`, parameters: plan.parameters, trained_in: plan.trained_in};
    await each("models", model, ({chips}) => ({...model, hardware: plan.hardware, chips}));
    const said = (name, value) => value === null ? {} : {[`stated_${name}`]: value, [`stated_${name.replace("_fraction", "")}_basis`]: "reported"};
    const exact = plan.utilization === null ? {} : {stated_utilization_log_sd: 0};  // a stated utilization has no width
    const run = {...dated, active_parameters: plan.parameters};
    await each("runs", {...run, examples: plan.tokens}, () => ({...run, ...said("precision", plan.precision), ...said("utilization_fraction", plan.utilization), ...exact}));
    await each("allocations", {}, ({chips, days}) => ({chips, duration_seconds: 86400 * days, hardware_id: plan.hardware}));
    await each("lineages", {}, (time, model_id) => ({part_id: model_id}));
  };
  const asked = async (plan, timed, plans) => {
    await put(plan, timed);
    for (const statement of [...FLOP.rules.statements, ...FLOP.rules.plan.statements]) await connection.query(statement);
    await connection.query(`create or replace table plans as from (values ${plans.map((row) => `(${row.map(quoted)}::double)`)}) p(plan, solved_for, work_id, timed_id, amount)`);
    const found = FLOP.rows(await connection.query(FLOP.rules.plan.forecasts));
    return {row: found.find((row) => row.plan === "main"), curve: found.filter((row) => row.plan !== "main")};
  };
  // As in pipeline/engines/forecast.py: predict the quantity left out at a first amount, then again at the answer.
  const planned = async (plan) => {
    const missing = FIGURES.filter((name) => plan[name] === null);
    if (missing.length > 1) throw new Error(`State three of ${FIGURES.join(", ")}, or all four for the utilization; missing are ${missing.join(", ")}.`);
    if (!missing.length && plan.utilization !== null) throw new Error("The four figures give the utilization: leave out the utilization or one of them.");
    opening ??= opened().catch((problem) => { opening = null; throw problem; });
    await opening;
    const peaks = FLOP.rows(await connection.query(`select precision from peaks where hardware_id = ${quoted(plan.hardware)} order by 1`)).map((row) => row.precision);
    if (plan.precision && !peaks.includes(plan.precision)) throw new Error(`This chip has no ${plan.precision} peak; it has ${peaks.join(", ")}.`);
    const [name = "utilization"] = missing, isOfChips = name === "chips" || name === "days";
    let amount = FLOP.rules.plan.units[name] ?? 1, answer = null;
    for (let pass = 0; pass < (isOfChips ? 2 : 1); pass++) {
      const now = missing.length ? {...plan, [name]: amount} : plan, timed = {timed: {chips: now.chips, days: now.days}}, plans = [["main", name, "work", "timed", amount]];
      if (isOfChips && pass === 1) for (let power = 0; power < 16; power += 1) {
        timed[`timed-${power}`] = {chips: 2 ** power, days: 1};
        plans.push([String(2 ** power), "days", "work", `timed-${power}`, 1]);
      }
      answer = await asked(now, timed, plans);
      amount = name === "chips" ? Math.max(1, Math.round(answer.row.solved)) : answer.row.solved;
    }
    answer.nearest = FLOP.rows(await connection.query(`select coalesce(m.name, case_name) as run, utilization_fraction, h.name as chip, c.precision, c.chips
      from nearest_cases c left join ledger.models m on m.model_id = case_name join ledger.hardware h using (hardware_id)
      where c.model_id = 'timed' and is_whole_run and nearness <= 3 order by nearness`));
    return answer;
  };
  // Run one plan at a time, because all use the same tables.
  let last = Promise.resolve();
  FLOP.plan = (plan) => last = last.catch(() => {}).then(() => planned(plan));
  const UNITS = {"": 1, k: 1e3, K: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12};
  const stated = () => {
    const plan = Object.fromEntries(new FormData(form).entries().map(([name, value]) => [name, value.trim() || null]));
    if (!plan.hardware) throw new Error("Choose a chip: the chip in the address is not in the list.");
    for (const name of [...FIGURES, "utilization"]) {
      if (plan[name] === null) continue;
      const [, digits, unit] = plan[name].match(/^(\d+\.?\d*(?:e\d+)?)\s*([kKMBGT]?)$/) ?? [];
      const value = Number(digits) * UNITS[unit];
      if (!(value > 0 && value < 1e30)) throw new Error(`${name}: '${plan[name]}' is not a number above 0; write for example 7B, 350k or 1.5e12.`);
      if (name === "utilization" && value > 1) throw new Error(`utilization: ${plan[name]} is above the peak, which is 1; 40 per cent is 0.4.`);
      plan[name] = value;
    }
    return plan;
  };
  const words = (value) => value >= 1e7 ? FLOP.power(value) : Number(value.toPrecision(3)).toLocaleString("en");
  const shownOf = (row) => [["chip_hours", "Chip-hours", 1, ""], ["utilization", row.solved_for === "utilization" ? "Utilization of whole runs" : "Utilization", 100, " %"], ["energy_kwh", "Energy", 1e-3, " MWh"], ["cost_usd", "Cost", 1, " US dollars"], ["co2_kg", "CO2", 1e-3, " t"]];
  const described = (term, text) => [FLOP.element("dt", {textContent: term}), FLOP.element("dd", {textContent: text})];
  const show = ({row, nearest, curve}) => {
    const line = (label, name, factor, unit) => {
      if (row[name] === null) return [];
      const [middle, low, high] = ["", "_low", "_high"].map((end) => words(factor * row[name + end]));
      return described(label, `${middle}${unit}${low === high ? "" : ` (90 %: ${low} to ${high})`}`);
    };
    const chances = ["1e23", "1e25", "1e26"].map((threshold) => `${FLOP.chance(row[`probability_above_${threshold}_fraction`])} above ${FLOP.power(Number(threshold))}`);
    const isReached = row.solved_for === "utilization", solved = isReached ? "Utilization reached (MFU)" : row.solved_for[0].toUpperCase() + row.solved_for.slice(1);
    document.getElementById("plan-answer").replaceChildren(...line("Training compute", "training_flop", 1, " FLOP"), ...(isReached ? line(solved, "solved", 100, " %") : line(solved, "solved", 1, "")), ...shownOf(row).flatMap(([name, label, factor, unit]) => line(label, name, factor, unit)), ...described("Probability", chances.join(", ")));
    document.getElementById("plan-nearest").textContent = nearest.length ? `Nearest whole runs: ${nearest.map((near) => `${words(100 * near.utilization_fraction)} % (${near.run}, ${near.chips ? `${near.chips.toLocaleString("en")} × ` : ""}${near.chip}, ${near.precision.toUpperCase()})`).join("; ")}.` : "";
    return draw(curve);
  };
  const draw = async (curve) => {
    document.getElementById("plan-figure").hidden = !curve.length;
    if (!curve.length) return;
    await FLOP.load("assets/vega.js");
    const place = document.getElementById("plan-chart");
    const powers = (every) => { const low = Math.floor(Math.log10(Math.min(...every))), high = Math.ceil(Math.log10(Math.max(...every))); return Array.from({length: high - low + 1}, (_, step) => Number(`1e${low + step}`)); };
    const log = (field, title, ticks) => ({field, type: "quantitative", title, scale: {type: "log", nice: false}, axis: {values: ticks, labelColor: "var(--soft)", titleColor: "var(--soft)", titleFontWeight: "normal", gridColor: "var(--grid)", domainColor: "var(--axis)", tickColor: "var(--axis)", labelFontSize: 13, titleFontSize: 13, format: ",~r"}});
    const values = curve.map((row) => ({chips: Number(row.plan), days: row.solved, low: row.solved_low, high: row.solved_high}));
    await vegaEmbed(place, {background: null, config: {mark: {color: "var(--group-1)"}, view: {stroke: null}}, width: Math.max(220, place.clientWidth - 70), height: 260, data: {values}, encoding: {x: log("chips", "Chips", powers(values.map((row) => row.chips)))}, layer: [
      {mark: {type: "area", opacity: 0.25}, encoding: {y: log("low", "Days", powers(values.flatMap((row) => [row.low, row.high]))), y2: {field: "high"}}},
      {mark: {type: "line", point: true, tooltip: true}, encoding: {y: {field: "days", type: "quantitative"}}}]}, {ast: true, actions: false, renderer: "svg"});
  };
  let number = 0;
  const work = async () => {
    const mine = ++number;
    result.ariaBusy = "true"; // hides the answer to another plan
    history.replaceState(null, "", `#${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`);
    try {
      const plan = stated();
      say.className = "soft";
      say.textContent = connection ? "calculating …" : "loading the ledger, 13 MB once: some seconds …";
      const answer = await FLOP.plan(plan);
      if (mine !== number) return;
      result.hidden = false;
      await show(answer);
      say.textContent = "";
      result.ariaBusy = "false";
    } catch (problem) {
      if (mine !== number) return;
      say.className = "error";
      say.textContent = String(problem.message ?? problem).split("\n")[0];
      result.hidden = true;
    }
    form.dataset.worked = String(Number(form.dataset.worked ?? 0) + 1);
  };
  const kept = new URLSearchParams(location.hash.slice(1)), start = {parameters: "13B", tokens: "4T", chips: "512", hardware: "nvidia-h100-sxm5"};
  for (const [name, value] of kept.size ? kept : Object.entries(start)) if (form.elements[name]) form.elements[name].value = value;
  let later = 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  slider.addEventListener("input", () => { form.elements.chips.value = String(2 ** Number(slider.value)); });
  form.addEventListener("input", () => { result.ariaBusy = "true"; clearTimeout(later); later = setTimeout(work, 400); });
  slider.value = Math.round(Math.log2(Number(form.elements.chips.value) || 512));
  work();
})();
