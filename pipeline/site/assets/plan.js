// The plan page: it reads the form, and shows the answer of assets/plan_rules.js.
"use strict";
(async () => {
  const form = document.getElementById("plan"), by = (id) => document.getElementById(`plan-${id}`), {element} = FLOP;
  const say = by("say"), result = by("result");
  const names = [...new Set([...form.elements].map(({name}) => name).filter(Boolean))];
  const WORDS = ["hardware", "precision", "trained_in", "base_model", "config", "frozen"];
  const START = {parameters: "13B", tokens: "4T", chips: "512", hardware: "nvidia-h100-sxm5"};
  const POWERS = {"": 1, k: 1e3, K: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12};
  const refuse = (message) => { throw new Error(message); };
  const written = () => Object.fromEntries(names.map((name) => [name, new FormData(form).get(name)?.trim() || null]));

  const numbers = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => {
    if (text === null || WORDS.includes(name)) return [name, text];
    const [, digits, unit] = text.replace(/(\d),(?=\d{3}\b)/g, "$1").match(/^(\d+\.?\d*(?:e\+?\d+)?)\s*([kKMBGT]?)$/) ?? [];
    const value = Number(digits) * POWERS[unit];
    if (!(value > 0)) {
      const example = "write 7B, 350k or 1.5e12; for a range, use the command.";
      refuse(`${name}: '${text}' is not a number above 0; ${example}`);
    }
    if (name === "utilization" && value > 1) {
      refuse(`utilization: ${text} is above the peak, which is 1; 40 per cent is 0.4.`);
    }
    if (value > FLOP.coefficients.most[name]) refuse(`${name}: ${text} is more than possible.`);
    return [name, value];
  }));
  // The command line with the same figures. A config is a name or a file, because only the command counts networks.
  const command = (texts) => {
    const quoted = (text) => /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    const config = texts.config?.startsWith("{") ? "config.json" : texts.config;
    const without = config ? ["parameters", "active_parameters", "forward_flop", "base_model"] : [];
    const option = ([name, text]) => name === "frozen" ? "--frozen" : `--${name.replaceAll("_", "-")} ${quoted(text)}`;
    const stated = Object.entries({...texts, config, epochs: texts.images ? "1" : null})
      .filter(([name, text]) => text && !without.includes(name));
    return ["flopledger estimate", ...stated.map(option)].join(" ");
  };
  const configured = (text) => {
    const isText = text.startsWith("{");
    if (isText) try { JSON.parse(text); } catch {
      refuse("This config is not JSON: copy the whole config.json, from { to }, or state the model's name on the Hub.");
    }
    if (!isText && !/^[\w./~ -]+$/.test(text)) {
      refuse("This is neither JSON nor a name such as Qwen/Qwen3-8B or config.json.");
    }
    const first = isText ? "; save the text as config.json first" : "";
    return `A network is counted layer by layer only by the command below${first}.`;
  };

  const words = (value) => value >= 1e7 || value < 1e-3
    ? FLOP.power(value)
    : Number(value.toPrecision(3)).toLocaleString("en");
  const ends = ([middle, low, high], factor = 1, unit = "") => {
    const interval = low === high ? "" : ` (90 %: ${words(factor * low)} to ${words(factor * high)})`;
    return `${words(factor * middle)}${unit}${interval}`;
  };
  const show = (answer, data) => {
    const {plan, training_flop, own_training_flop, share_of_base, mfu} = answer, {whole_runs: runs} = data;
    const term = (label, textContent) =>
      textContent ? [element("dt", {textContent: label}), element("dd", {textContent})] : [];
    const line = (label, amounts, factor, unit) => amounts ? term(label, ends(amounts, factor, unit)) : [];
    const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;
    const isTuning = Boolean(plan.base_model), isOfText = plan.unit === "tokens";
    const solved = answer.solved_for && answer.solved_for[0].toUpperCase() + answer.solved_for.slice(1);
    const side = share_of_base > 1 / 3
      ? "above a third: under EU guidelines, whoever tunes it counts as the provider"
      : "below a third (EU guidelines, paragraph 63)";
    const share = share_of_base
      ? `${percent(share_of_base)}, ${side}`
      : "unknown, because the base's training is unknown";
    const ofRuns = `${runs.number}: ${percent(runs.low)} to ${percent(runs.high)}`;
    const chances = Object.entries(answer.probabilities ?? {})
      .map(([word, chance]) => `${FLOP.chance(chance)} above ${FLOP.power(Number(word))}`);
    by("answer").replaceChildren(
      ...line(isTuning ? "Its own training" : "Training compute", own_training_flop, 1, " FLOP"),
      ...isTuning ? term("Share of its base", share) : [],
      ...isTuning ? line("With its base", training_flop, 1, " FLOP") : [],
      ...answer.solved ? line(solved, answer.solved) : [],
      ...plan.isOneDay ? term("For", "one day, because neither data nor days are stated") : [],
      ...line("Utilization reached (MFU)", mfu, 100, " %"),
      ...mfu && !isTuning && isOfText ? term("Whole runs of this kind", ofRuns) : [],
      ...line("Chip-hours", answer.chip_hours), ...line("Utilization", answer.utilization, 100, " %"),
      ...line("Energy", answer.energy_kwh, 1e-3, " MWh"),
      ...line("Cost", answer.cost_usd, 1, " US dollars"),
      ...line("CO2", answer.co2_kg, 1e-3, " t"),
      ...term("Probability", chances.join(", ")),
      ...answer.precision ? term("Precision", answer.precision.toUpperCase()) : []);
    const isOfChips = answer.solved_for === "days" || answer.solved_for === "chips";
    const asked = {...plan, days: null, data: undefined, step_time: null, batch: null};
    const middle = Math.log2(answer.solved_for === "chips" ? answer.solved[0] : plan.chips ?? 1);
    const first = Math.max(0, Math.round(middle) - 3);
    by("curve").closest("div").hidden = !isOfChips;
    by("curve").replaceChildren(...(isOfChips ? [0, 1, 2, 3, 4, 5, 6] : []).map((step) => {
      const chips = 2 ** (first + step), [days, low, high] = FLOP.planned(data, {...asked, chips}).solved;
      const cells = [chips.toLocaleString("en"), words(days), `${words(low)} to ${words(high)}`];
      return element("tr", {}, ...cells.map((textContent) => element("td", {className: "n", textContent})));
    }));
  };
  const work = async () => {
    const texts = written();
    history.replaceState(null, "", `#${new URLSearchParams(Object.entries(texts).filter(([, text]) => text))}`);
    by("command").textContent = command(texts);
    try {
      await FLOP.load("data/plan.js");
      say.className = "soft";
      say.textContent = "";
      if (strange.length) {
        const pairs = strange.splice(0).map((pair) => pair.join(" ")).join(", ").slice(0, 200);
        refuse(`The address has values that are not in the lists: ${pairs}. Choose others.`);
      }
      if (!texts.hardware) refuse("Choose a chip.");
      result.hidden = Boolean(texts.config);
      if (texts.config) say.textContent = configured(texts.config);
      else show(FLOP.planned(FLOP.coefficients, {...numbers(texts), frozen: Boolean(texts.frozen)}), FLOP.coefficients);
    } catch (problem) {
      say.className = "error";
      say.textContent = String(problem.message ?? problem);
      result.hidden = true;
    }
    form.dataset.worked = String(Number(form.dataset.worked ?? 0) + 1);
  };
  const kept = new URLSearchParams(location.hash.slice(1) || location.search), strange = [];
  const stated = [...kept].filter(([name]) => names.includes(name));
  for (const [name, value] of stated.length ? stated : Object.entries(START)) {
    if (name === "frozen") {
      form.elements.frozen.checked = true;
      continue;
    }
    form.elements[name].value = value;
    if (form.elements[name].value !== value) strange.push([name, value]);
  }
  by("more").open = stated.some(([name]) => form.elements[name].closest("details"));
  form.addEventListener("input", work);
  form.addEventListener("submit", (event) => event.preventDefault());
  by("copy").addEventListener("click", ({target}) => FLOP.copy(target, by("command").textContent));
  await work();
})();
