// The explorer: filter both tables, sort measurements by how close their number of chips is to the reader's choice, and show default, prediction and measurements.
"use strict";
(() => {
  const pick = (name) => document.getElementById(`u-${name}`), answer = pick("answer"), picture = pick("picture"), chip = pick("chip");
  const cells = [...pick("cells").tBodies[0].rows], table = document.getElementById("measurements");
  const percent = (value) => `${Number(value.toPrecision(3))} %`, start = answer.innerHTML;
  const quantile = (sorted, share) => { const place = share * (sorted.length - 1), low = Math.floor(place); return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]); };
  const line = (textContent) => FLOP.element("p", {textContent});
  const bar = (label, low, middle, high, words = percent(middle)) => {
    const clipped = (value) => Math.min(value, 100);
    const interval = low === high ? [] : [FLOP.element("i", {style: `left:${clipped(low)}%;width:${clipped(high) - clipped(low)}%`})];
    picture.append(FLOP.element("span", {textContent: label}), FLOP.element("span", {className: "value", textContent: words}),
      FLOP.element("span", {className: low === high ? "track dot" : "track main"}, ...interval, FLOP.element("b", {style: `left:${clipped(middle)}%`})));
  };
  const show = async () => {
    const network = pick("network").value, format = pick("precision").value, which = chip.value, number = Number(pick("chips").value) || 0;
    const isLine = chip.selectedOptions[0]?.dataset.generation !== undefined;
    const rows = await FLOP.table.rows(table), is = (row, withChip) => (!network || row.dataset.network === network) && (!format || row.dataset.precision === format) && (!which || (isLine ? row.dataset.generation === which : !withChip || row.dataset.chip === which));
    const line_of = isLine ? which : which && rows.find((row) => row.dataset.chip === which)?.dataset.generation;
    for (const row of cells) row.hidden = !is(row, false) || Boolean(which && row.dataset.generation !== line_of);
    const near = rows.filter((row) => is(row, true)), value = (row, column) => Number(row.cells[column].dataset.value);
    if (number) rows.sort((one, other) => Math.abs(Math.log(value(one, 4) / number)) - Math.abs(Math.log(value(other, 4) / number)));
    await FLOP.table.show(table, (row) => is(row, true));
    pick("cases").open = Boolean(network || format || which);
    if (!pick("cases").open && !number) { answer.innerHTML = start; picture.replaceChildren(); return; }
    const said = [], shares = near.map((row) => 100 * value(row, 5)).sort((one, other) => one - other);
    await FLOP.load("data/utilization.js");
    picture.replaceChildren();
    // Without a choice, the prediction is for a language model in the first of these precisions that the chip has.
    const taken = network || "language_transformer", kind = FLOP.predicted[taken], used = format || ["bf16", "fp16", "tf32", "fp32"].find((each) => kind?.[each]?.[which]);
    if (kind) { said.push(`Default for a ${taken.replaceAll("_", " ")}: ${percent(100 * kind.default)}.`); bar("default", 100 * kind.default, 100 * kind.default, 100 * kind.default); }
    const bands = kind?.[used]?.[which], places = [...pick("chips").options].slice(1).map((each) => Number(each.value));
    if (bands) {
      const asked = number ? [bands[places.indexOf(number)]] : bands, on = `${number ? "" : "1 to "}${(number || places.at(-1)).toLocaleString("en")} chip${number === 1 ? "" : "s"}`;
      const [low, measured, high, run] = [0, 1, 2, 3].map((place) => asked.map((band) => band[place]).sort((one, other) => one - other)), span = (every) => [...new Set([every[0], every.at(-1)].map(percent))].join(" to ");
      said.push(`In ${used.toUpperCase()}, assume ${span(run)} for a training run on ${on}. Similar measurements, mostly tuned benchmarks, reach ${span(measured)}, 90 % of them between ${percent(low[0])} and ${percent(high.at(-1))}.`);
      bar(`training run, ${on}`, run[0], run[0], run.at(-1), span(run));
      bar("similar measurements, predicted", low[0], measured[0], high.at(-1), span(measured));
    } else said.push(which && !isLine ? "This chip has no peak at this precision, so there is no prediction." : "For a prediction, choose one chip.");
    if (near.length) {
      const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(shares, share));
      said.push(`${near.length} measurement${near.length === 1 ? "" : "s"}: median ${percent(middle)}, the middle 80 % between ${percent(low)} and ${percent(high)}.${number ? ` In the table below, those nearest to ${number.toLocaleString("en")} chips come first.` : ""}`);
      bar("measured", low, middle, high);
    } else said.push("There is no such measurement.");
    answer.replaceChildren(...said.map(line));
    document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
  };
  const NAMES = ["network", "precision", "chip", "chips"], asked = new URLSearchParams(location.search);
  for (const name of NAMES) {
    if ([...pick(name).options].some((each) => each.value === asked.get(name))) pick(name).value = asked.get(name);
    pick(name).addEventListener("change", () => {
      history.replaceState(null, "", `${location.pathname}?${new URLSearchParams(NAMES.map((each) => [each, pick(each).value]).filter(([, value]) => value))}`);
      show();
    });
  }
  const strange = [...asked].filter(([name, value]) => !NAMES.includes(name) || pick(name).value !== value);
  answer.parentNode.dataset.asked = asked.size > 0;
  if (asked.size) show().then(() => answer.prepend(...strange.map(([name, value]) => line(`${name} ${value} is not in the lists.`))));
})();
