// The first page's explorer: one selection, kept in the address, drives the chart, table, counts, trends and files.
"use strict";
(async () => {
  const form = document.getElementById("explorer"), at = form.elements, place = document.getElementById("chart"), table = document.getElementById("models"), by = (id) => document.getElementById(id), {element} = FLOP;
  try { await FLOP.load("data/explorer.js"); } catch (problem) { console.warn(problem.message); return; } // keep the chart that the build drew
  const {models: given, groups, shapes, colours, quantities, named, trend, version, others: OTHERS, floors: FLOORS, places, letters, thresholds, possible} = FLOP.explorer;
  const parts = (text) => text?.split(" + ") ?? [], lower = (...texts) => texts.filter(Boolean).join(" ").toLowerCase(), spaced = (text) => text.replaceAll("_", " ");
  const columns = Object.keys(given), models = given.name.map((_, number) => {
    const model = Object.fromEntries(columns.map((name) => [name, given[name][number]]));
    const facets = {
      domain: [model.domain], organization: parts(model.parent_organization), country: parts(model.country), access: [model.weights_access ?? "unknown"],
      chip: parts(model.hardware), disputed: [model.is_disputed ? "yes" : "no"], base: [model.is_fine_tuned ? "yes" : "no"], tier: [model.tier],
    };
    return {...model, number, facets, year: Number(model.published?.slice(0, 4) ?? 0), words: lower(model.model_id, model.name, model.aliases, model.organization)};
  });

  // Whether a model passes each control, as in `flopledger list`. A facet can have several values.
  const FACETS = Object.keys(models[0].facets), isAny = (chosen, values) => chosen.split(",").some((each) => values.includes(each));
  const lets = {
    ...Object.fromEntries(FACETS.map((name) => [name, (model, chosen) => isAny(chosen, model.facets[name])])),
    from: (model, value) => model.year >= Number(value), to: (model, value) => model.year <= Number(value),
    // A threshold is compared by probability, as in `flopledger list`.
    least: (model, value) => { const column = thresholds[Number(value)]; return column ? model[column] >= Number(now.sure) : model.training_flop !== null && model.training_flop >= Number(value); },
    most: (model, value) => model.training_flop !== null && model.training_flop <= Number(value),
    search: (model, value) => value.toLowerCase().split(/\s+/).every((word) => model.words.includes(word)),
  };
  const counted = (name, among) => {
    const counts = new Map();
    for (const model of among) for (const each of model.facets[name]) counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  };
  const most = (name) => [...counted(name, models)].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).map(([value]) => value);
  const facet = (name) => form.querySelector(`[data-facet=${name}]`), summary = (name) => facet(name).querySelector("summary");
  for (const name of FACETS) facet(name).querySelector("fieldset").append(...most(name).map((value) => {
    const box = element("input", {type: "checkbox", name, value, defaultChecked: value === "record"});
    return element("label", {}, box, element("span", {textContent: spaced(value)}), element("small"));
  }));

  // The chosen values, by name of control. The address contains those that differ from the page's defaults.
  const names = [...new Set([...at].map(({name}) => name).filter(Boolean))];
  const state = () => {
    const data = new FormData(form);
    return Object.fromEntries(names.map((name) => [name, data.getAll(name).join(",").trim()]));
  };
  const rest = state();
  let now = rest;
  const read = () => {
    const asked = new URLSearchParams(location.search), values = (name) => [...at].filter((control) => control.name === name && control.type === "checkbox").map((control) => control.value);
    strange = [...asked].flatMap(([name, value]) => !names.includes(name) ? [`${name} is not a filter`] : FACETS.includes(name) ? value.split(",").filter((each) => each && !values(name).includes(each)).map((each) => `no model has ${name} ${each}`) : []);
    if (asked.get("zoom") && !/^\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d(,[\d.e+-]+){2}$/.test(asked.get("zoom"))) strange.push(`zoom ${asked.get("zoom")} is not part of the chart`), asked.delete("zoom");
    for (const control of [...at].filter(({name}) => name)) {
      const value = asked.get(control.name) ?? rest[control.name];
      if (control.type === "checkbox") control.checked = isAny(value, [control.value]); else control.value = value;
      if (control.selectedIndex === -1) control.value = rest[control.name];
    }
    now = state();
    by("more").open ||= [...by("more").querySelectorAll("[name]")].some(({name}) => now[name] !== rest[name]);
  };
  const write = (isNew) => {
    const words = String(new URLSearchParams(names.filter((name) => now[name] !== rest[name]).map((name) => [name, now[name]])));
    const address = location.pathname + (words && `?${words.replaceAll("%2C", ",")}`);
    if (address !== location.pathname + location.search) history[isNew ? "pushState" : "replaceState"](null, "", address);
  };

  let strange = [], fit = [], passed = [], ranked = [], lines = [], view = null, width = 0, turn = 0, book = null, elements = null;
  const select = () => {
    const active = Object.keys(lets).filter((name) => now[name] && (FACETS.includes(name) || at[name].validity.valid));
    const failing = models.map((model) => active.filter((name) => !lets[name](model, now[name])));
    const but = (name) => models.filter((model) => failing[model.number].every((each) => each === name));
    [fit, passed, ranked] = [but(null), but("least"), but("from")];
    for (const name of FACETS) {
      const counts = counted(name, but(name));
      summary(name).querySelector("b").textContent = spaced(now[name].replaceAll(",", ", ")) || "all";
      for (const box of facet(name).querySelectorAll("input")) {
        const count = counts.get(box.value) ?? 0;
        box.parentNode.lastChild.textContent = count;
        box.parentNode.hidden = !count && !box.checked;
      }
    }
  };
  const YES_OR_NO = ["disputed", "base"], bounds = {from: ["from", ""], to: ["to", ""], least: ["at least", " FLOP"], most: ["at most", " FLOP"], search: ["with", ""]};
  const told = () => [
    ...FACETS.filter((name) => now[name] && name !== "tier").map((name) =>
      (YES_OR_NO.includes(name) ? `${summary(name).firstChild.textContent.trim().toLowerCase()} ` : "") + spaced(now[name].replaceAll(",", " or "))),
    ...(now.tier === "record" ? [] : [now.tier === "catalogue" ? "catalogue" : "with the catalogue"]),
    ...Object.entries(bounds).filter(([name]) => now[name]).map(([name, [before, after]]) => `${before} ${now[name]}${after}`),
  ].join(", ");

  // Growth of the quantity on the vertical axis, calculated by publishing/trends.sql. Numbers get an exponent, so that DuckDB reads doubles, not decimals.
  const fitted = async () => {
    if (![...Object.keys(lets), "y", "sure"].some((name) => now[name] !== rest[name])) return trend.of_all;
    const own = ranked.filter((model) => model[now.y] > 0 && model.published_date && !model.is_fine_tuned), labs = [...new Set(own.map((model) => model.parent_organization))];
    if (!own.length) return [];
    await FLOP.load("assets/ledger.js");
    book ??= FLOP.open(false).catch((problem) => { book = null; throw problem; });
    const values = own.map((model) => `(${model.parent_organization && labs.indexOf(model.parent_organization)}, date '${model.published_date}', ${model[now.y].toExponential()}, ${model.year >= Number(now.from)})`);
    return FLOP.rows(await (await book).connection.query(`with trend_models as (from (values ${values}) models(parent_organization, published_date, training_flop, is_in_period))
      select * replace (first_published_date::varchar as first_published_date, last_published_date::varchar as last_published_date) from (${trend.sql})`));
  };

  const unique = (values) => [...new Set(values)], GROUPS = unique(Object.values(groups)), BANDS = [0, 2012, 2015, 2018, 2020, 2022, 2024];
  const largest = {country: most("country").slice(0, 6), organization: most("organization").slice(0, 6)};
  const band = (year) => { const first = BANDS.findLastIndex((each) => year >= each); return first ? BANDS[first + 1] ? `${BANDS[first]} to ${BANDS[first + 1] - 1}` : `${BANDS[first]} on` : `before ${BANDS[1]}`; };
  const kinds = {domain: GROUPS, country: [...largest.country, "other"], organization: [...largest.organization, "other"], access: ["open", "restricted", "closed", "unknown"], years: BANDS.map(band)};
  const kind = (model) => {
    const name = now.colour, first = name === "years" ? null : model.facets[name][0];
    return name === "domain" ? groups[first] ?? GROUPS.at(-1) : name === "years" ? band(model.year) : name === "access" ? first : largest[name].includes(first) ? first : "other";
  };
  // If there is no estimate: the lower bound from the parts that are known, otherwise a figure stated by others.
  const hollow = (point) => [FLOORS, OTHERS].includes(point.group);
  const drawn = (model) => model[now.y] ?? (now.y === "training_flop" ? model.training_flop_at_least ?? model.external_flop : null);
  const points = () => fit.filter((model) => drawn(model) > 0 && model.published_date).map((model) => {
    const flop = drawn(model), isFloor = model[now.y] === null && model.training_flop_at_least !== null, isOthers = model[now.y] === null && !isFloor, low = model[`${now.y}_low`] ?? flop, high = model[`${now.y}_high`] ?? flop;
    return {
      id: model.number, name: model.name, organization: model.organization, group: isFloor ? FLOORS : isOthers ? OTHERS : kind(model), date: model.published_date, time: Date.parse(model.published_date), published: model.published, flop, low, high, is_fine_tuned: model.is_fine_tuned,
      is_named: named.models.includes(model.model_id), words: isOthers ? `${model.external_bound ? `${model.external_bound.replace("_", " ")} ` : ""}${FLOP.power(flop)}, ${OTHERS.toLowerCase()}` : isFloor ? `at least ${FLOP.power(flop)}: a part of its training is not known` : FLOP.power(flop),
      interval: high > low ? `${FLOP.power(low)} to ${FLOP.power(high)}` : "–",
    };
  }).sort((one, other) => one.time - other.time);

  // The range that the frame shows: the zoomed range if there is one, otherwise all points with their intervals.
  const framed = (every) => {
    const [left, right, bottom, top] = now.zoom.split(","), times = every.map((point) => point.time), year = (time, more) => Date.UTC(new Date(time).getUTCFullYear() + more, 0);
    const x = left && right ? [Date.parse(left), Date.parse(right)] : [year(Math.min(...times), 0), year(Math.max(...times), 1)];
    const seen = every.filter((point) => point.time >= x[0] && point.time <= x[1]), isLog = now.scale === "log", ten = (value, round) => 10 ** Math[round](Math.log10(value));
    const low = Math.min(...seen.map((point) => point.low)), high = Math.max(...seen.map((point) => point.high));
    const y = bottom && top ? [Number(bottom), Number(top)] : !seen.length ? [1, 10] : isLog ? [ten(low, "floor"), Math.max(ten(high, "ceil"), 10 * ten(low, "floor"))] : [0, 1.05 * high];
    if (isLog && y[0] <= 0) y[0] = y[1] / 1e3;
    return {x, y, isLog, seen: seen.filter((point) => point.flop >= y[0] && point.flop <= y[1])};
  };
  const ticks = ({y: [low, high], isLog}) => {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9), every = Math.ceil((last - first + 1) / 9), decades = Array.from({length: Math.max(0, Math.ceil((last - first + 1) / every))}, (_, place) => Number(`1e${first + place * every}`));
    if (isLog && decades.length > 2) return decades;
    if (isLog) return Array.from({length: last - first + 3}, (_, place) => [1, 2, 5].map((each) => Number(`${each}e${first - 1 + place}`))).flat().filter((value) => value >= low && value <= high);
    const ten = 10 ** Math.floor(Math.log10((high - low) / 4)), step = [1, 2, 5, 10].find((each) => (high - low) / (each * ten) <= 7) * ten;
    return Array.from({length: Math.floor(high / step) - Math.ceil(low / step) + 1}, (_, place) => Number(((Math.ceil(low / step) + place) * step).toPrecision(6)));
  };
  // The positions of names, found as in overview.py's `placed`.
  const placed = ({x, y, isLog, seen}, size, {letter, line, margin}, limits) => {
    const scale = isLog ? Math.log : Number, back = isLog ? Math.exp : Number, [low, high] = y.map(scale);
    const at = (flop) => size.height * (scale(flop) - low) / (high - low), spots = seen.map((point) => [size.width * (point.time - x[0]) / (x[1] - x[0]), at(point.flop)]);
    const apart = ([left, right, bottom, top], [over, up]) => Math.hypot(Math.max(left - over, 0, over - right), Math.max(bottom - up, 0, up - top)), boxes = [[-size.width, margin, 0, size.height]], half = line / 2.5;
    const isFirst = (point) => named.models.includes(models[point.id].model_id), wanted = seen.map((point, own) => [point, own]).filter(([point]) => point.is_named).sort(([one], [other]) => isFirst(other) - isFirst(one) || other.flop - one.flop);
    for (const [point, own] of wanted) {
      const [over, up] = spots[own], width = letter * point.name.length;
      const place = places.list.find(([right, above, distance]) => {
        const left = over + right * distance - width * (1 - right) / 2, middle = up + above * distance, box = [left, left + width, middle - half, middle + half];
        const least = distance > places.near ? places.clear : Math.max(places.clear, places.clearly * apart(box, spots[own]));
        if (box[1] > size.width || box[2] < 0 || box[3] > size.height || limits.some((flop) => at(flop) > box[2] - places.clear / 2 && at(flop) < box[3] + places.clear / 2)) return false;
        const whole = distance > places.near ? [Math.min(box[0], over), Math.max(box[1], over), Math.min(box[2], up), Math.max(box[3], up)] : box;
        if (spots.some((spot, other) => other !== own && apart(box, spot) <= least) || boxes.some((other) => whole[0] < other[1] && other[0] < whole[1] && whole[2] < other[3] && other[2] < whole[3])) return false;
        boxes.push(whole);
        return true;
      });
      point.is_named = place !== undefined;
      if (place) Object.assign(point, {align: ["right", "center", "left"][place[0] + 1], is_far: place[2] > places.near, name_date: new Date(x[0] + (over + place[0] * place[2]) / size.width * (x[1] - x[0])).toISOString(), name_flop: back(low + (up + place[1] * place[2]) / size.height * (high - low))});
    }
    return seen;
  };
  // The build's chart with these points, scales and trend line.
  const dressed = (template, hues, every, size, letter) => {
    const spec = structuredClone(template), frame = framed(every), values = ticks(frame), isNarrow = size.width < 560, span = (frame.x[1] - frame.x[0]) / 31557600000;
    const shown = [...kinds[now.colour].map((name, number) => [name, hues[number], shapes[number]]), [FLOORS, hues.at(-1), "arrow"], [OTHERS, hues.at(-1), shapes.at(-1)]].filter(([name]) => every.some((point) => point.group === name)), names = shown.map(([name]) => name);
    const line = lines.find((each) => each.frontier === now.line), strength = {faint: 0.05, strong: 0.6, none: 0}[now.intervals];
    let estimated = 0, highest = 0; // as in growth.named
    for (const point of every.filter((each) => !each.is_fine_tuned)) {
      const isOthers = hollow(point);
      point.is_named ||= point.flop > (isOthers ? highest : estimated) && point.time >= Date.UTC(named.first_year, 0);
      highest = Math.max(highest, point.flop);
      if (!isOthers) estimated = Math.max(estimated, point.flop);
    }
    for (const point of every) point.hue = shown.find(([name]) => name === point.group)[1];
    const limits = spec.layer.filter(({data, encoding}) => data && encoding.x?.field !== "date").flatMap(({data}) => data.values.map((each) => each.flop));
    Object.assign(spec, size, {data: {values: placed(frame, size, letter, now.y === "training_flop" ? limits : [])}});
    spec.layer = spec.layer.filter(({mark, data, encoding}) => mark.type === "line" ? line : !data || now.y === "training_flop" && data.values.some(({flop}) => flop > frame.y[0] && flop < frame.y[1]) || encoding.x?.field === "date");
    for (const {mark, data, encoding} of spec.layer) {
      const {x, y, fill, shape, stroke, opacity, tooltip} = encoding;
      mark.clip = mark.type === "line" || encoding.y?.field === "low";
      if (mark.type === "line") { // a curve on a linear axis; it extends from the first to the last mark that reaches it, as in growth.line
        const [first, last] = [line.first_published_date, line.last_published_date].map(Date.parse), on = (time) => line.first_flop * (line.last_flop / line.first_flop) ** ((time - first) / (last - first));
        const reached = every.filter((point) => !hollow(point) && point.time >= first && point.time <= last && point.flop >= on(point.time)).map((point) => point.time), [from, to] = reached.length ? [reached[0], reached.at(-1)] : [first, last];
        data.values = Array.from({length: 41}, (_, step) => from + step / 40 * (to - from)).map((time) => ({date: new Date(time).toISOString(), flop: on(time)}));
      }
      else if (data) data.values = data.values.filter(({flop}) => flop > frame.y[0] && flop < frame.y[1]);
      if (x?.scale) {
        x.scale.domain = frame.x.map((time) => { const [year, month, date] = new Date(time).toISOString().split(/\D/).map(Number); return {year, month, date}; });
        x.axis = {...x.axis, format: span < 2.5 ? "%b %Y" : "%Y", tickCount: span < 2.5 ? (isNarrow ? 3 : 8) : {interval: "year", step: Math.ceil(span / (isNarrow ? 5 : 20))}};
      }
      if (y?.scale) Object.assign(y, {scale: {type: now.scale, domain: frame.y, nice: false, round: true}, title: isNarrow ? null : quantities[now.y], axis: {...y.axis, values, labelExpr: `${JSON.stringify(values.map(FLOP.power))}[round(datum.index * ${values.length - 1})]`}});
      if (fill) { fill.scale = {domain: names, range: shown.map((each) => each[1])}; fill.legend.columns = isNarrow ? 2 : 7; }
      if (stroke?.scale) stroke.scale = {domain: names, range: names.map((name) => [FLOORS, OTHERS].includes(name) ? stroke.scale.range.at(-1) : stroke.scale.range[0])};
      if (shape) { shape.scale = {domain: names, range: shown.map((each) => each[2])}; shape.legend = stroke.legend = fill.legend; }
      if (tooltip) { tooltip.find((each) => each.field === "words").title = quantities[now.y]; encoding.size = {condition: {test: "datum.is_fine_tuned", value: 10}, value: mark.size}; }
      if (y?.field === "low") opacity.value = strength, opacity.condition[1].value = Math.max(strength, strength && 0.3);
    }
    return spec;
  };
  const embed = (target, spec, more = {}) => vegaEmbed(target, spec, {ast: true, actions: false, renderer: "svg", ...more});

  const draw = async () => {
    if (!self.vegaEmbed) return;
    const own = turn, every = points(), target = element("div", {"aria-hidden": "true"}), isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    width = place.clientWidth;
    if (!every.length) { place.replaceChildren(element("p", {className: "soft", textContent: "No model matches and has this quantity."})); place.dataset.ready = "yes"; return; }
    const isNarrow = width < 620, spec = dressed(FLOP.explorer.page, colours.page, every, {width: width - (isNarrow ? 60 : 78), height: isNarrow ? 380 : 480}, letters.page);
    spec.params.push({name: "brush", select: {type: "interval", on: "[mousedown, window:mouseup] > window:mousemove!", translate: false, zoom: false}, views: spec.params[0].views});
    const made = await embed(target, spec, {tooltip: {theme: isDark ? "dark" : "light"}});
    if (own !== turn) return made.view.finalize();
    view?.finalize();
    view = made.view;
    view.addEventListener("click", (event, item) => { elements?.[item?.datum?.id]?.querySelector("a").click(); });
    let brushed = null;
    view.addSignalListener("brush", (name, value) => { brushed = value.date && value.flop ? value : null; });
    target.addEventListener("mouseup", () => setTimeout(() => { if (brushed) zoom(...brushed.date.map(Number), ...brushed.flop); }));
    // For readers who cannot see a chart, the table below it lists the same models.
    place.replaceChildren(element("div", {role: "img", "aria-label": `${quantities[now.y]}, of ${every.length} models by date of publication`}, target));
    place.dataset.ready = "yes";
  };
  const zoom = (left, right, ...y) => {
    at.zoom.value = [left, right].map((time) => new Date(time).toISOString().slice(0, 10)).concat(y.sort((one, other) => one - other).map((value) => value.toPrecision(3))).join(",");
    changed();
  };
  const moved = (factor, step) => {
    if (!factor) { at.zoom.value = ""; return changed(); }
    const [left, right] = framed(points()).x, half = (right - left) / 2 / factor, middle = (left + right) / 2 + step * half / 2;
    zoom(middle - half, middle + half);
  };

  // If there is a filter on compute: the models that it leaves out, and each listed model's probability of exceeding a threshold, with the total compared.
  const judged = () => {
    const column = thresholds[Number(now.least)], without = passed.filter((model) => model.training_flop === null && !fit.includes(model)), placed = without.filter((model) => model.external_flop >= Number(now.least));
    const near = column && now.sure > possible ? passed.filter((model) => model[column] >= possible && model[column] < now.sure).length : 0;
    table.classList.toggle("judged", Boolean(column));
    if (column) table.querySelector("th.chance").textContent = `Probability above ${FLOP.power(Number(now.least))}`;
    return now.least ? [...near ? [`${near} more have a probability of ${100 * possible} to ${100 * now.sure} %`] : [], ...without.length ? [`${without.length} have no estimate${placed.length ? `, ${placed.length} of which others place there` : ""}`] : []] : [];
  };
  const chance = (cell, model) => {
    const column = thresholds[Number(now.least)], total = model.threshold_total === "cumulative_flop" ? `of ${FLOP.power(model.cumulative_flop)}, with teachers and data` : "";
    cell.replaceChildren(FLOP.chance(model[column]), element("small", {textContent: ` ${total}`}));
  };

  const show = async () => {
    const own = ++turn;
    delete place.dataset.trend;
    select();
    const every = points();
    by("explorer-count").replaceChildren(element("strong", {textContent: fit.length.toLocaleString("en")}), ` models selected, ${every.length.toLocaleString("en")} drawn${[[FLOORS, "at their lower bounds"], [OTHERS, "as stated by others"]].map(([group, how]) => [every.filter((point) => point.group === group).length, how]).filter(([number]) => number).map(([number, how]) => `, ${number} ${how}`).join("")}; the rest lack this quantity or a date${[...judged(), ...strange, ...[...at].filter(({validity}) => !validity.valid).map(({name, value}) => `${name} ${value} is not a number`)].map((words) => `; ${words.slice(0, 200)}`).join("")}`);
    by("chart-words").textContent = [quantities[now.y], told()].filter(Boolean).join("; ");
    lines = [];
    const drawn = fitted().then((found) => { if (own === turn) lines = found; }, (problem) => console.warn(problem.message));
    const soon = await Promise.race([drawn.then(() => true), new Promise((done) => setTimeout(done, 60, false))]);
    if (own !== turn) return;
    const placed = FLOP.table.rows(table).then((found) => { elements ??= [...found]; if (thresholds[Number(now.least)]) for (const model of fit) chance(elements[model.number].querySelector(".chance"), model); const shown = new Set(fit.map((model) => elements[model.number])); return FLOP.table.show(table, (row) => shown.has(row), 50); });
    if (!soon) { by("trends").replaceChildren(item("calculating …")); await draw(); await drawn; }
    if (own !== turn) return;
    by("trends").replaceChildren(...trend.frontiers.map((name) => { const line = lines.find((each) => each.frontier === name); return item(`${name}: ${line ? line.growth_sentence : `no line, ${trend.few}`}`); }));
    await Promise.all([draw(), placed]);
    if (own === turn) place.dataset.trend = "yes";
  };
  const item = (textContent) => element("li", {textContent});
  const changed = (isNew = true) => { now = state(); write(isNew); return show(); };

  const name = (type) => FLOP.file(`.${type}`);
  const save = {
    csv: () => FLOP.save(name("csv"), FLOP.csv(columns, fit), "text/csv"),
    json: () => FLOP.save(name("json"), `${JSON.stringify({version, licence: "CC BY 4.0", selection: Object.fromEntries(Object.entries(now).filter(([, value]) => value)), trends: lines, models: fit.map((model) => Object.fromEntries(columns.map((each) => [each, model[each]])))}, null, 1)}\n`, "application/json"),
    drawn: async () => {
      const every = points(), spec = dressed(FLOP.explorer.picture, colours.picture, every, {width: 1040, height: 520}, letters.picture), line = lines.find((each) => each.frontier === now.line), target = element("div");
      spec.title.text = [quantities[now.y].split(",")[0], told()].filter(Boolean).join(": ");
      spec.title.subtitle = [...(line ? [`Line: ${line.frontier === "all sizes" ? "all sizes" : `the ${line.frontier.replace("top ", "")} largest when published`}, ${line.growth_sentence}`] : []), `${every.length} models, selected, not sampled; bars are 90 % intervals. FLOP Ledger ${version}, CC BY 4.0`];
      return (await embed(target, spec)).view;
    },
    picture: async (type) => {
      const view = await save.drawn(), content = type === "svg" ? await view.toSVG() : await new Promise(async (done) => (await view.toCanvas(2)).toBlob(done));
      view.finalize();
      FLOP.save(name(type), content, type === "svg" ? "image/svg+xml" : "image/png");
    },
  };
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", async () => {
    if (button.dataset.copy === "link") return FLOP.copy(button, location.href);
    const view = await save.drawn(), image = `data:image/svg+xml,${encodeURIComponent(await view.toSVG())}`;
    view.finalize();
    FLOP.copy(button, `<a href="${location.href.replaceAll("&", "&amp;")}"><img alt="${by("chart-words").textContent.replaceAll('"', "'")}, FLOP Ledger" src="${image}"></a>`);
  });
  for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => (save[button.dataset.save] ?? (() => save.picture(button.dataset.save)))());
  for (const button of document.querySelectorAll("[data-zoom], [data-move]")) button.addEventListener("click", () => moved(Number(button.dataset.zoom ?? 1), Number(button.dataset.move ?? 0)));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => { if (event.target.name === "y" || event.target.name === "scale") at.zoom.value = ""; changed(); });
  form.addEventListener("input", (event) => { if (event.target.matches("input:not([type=checkbox])")) changed(false); });
  table.addEventListener("sorted", ({detail}) => { at.sort.value = detail; now = state(); write(true); });
  const arrive = async () => {
    const [column, way] = now.sort.split(",");
    await show();
    if (now.sort || table.state?.built) await FLOP.table.sort(table, column ? Number(column) : null, way === "ascending");
    if (location.hash) await FLOP.table.showNamed(table);
  };
  form.addEventListener("reset", () => setTimeout(() => { at.zoom.value = at.sort.value = ""; now = state(); write(true); arrive(); }));
  addEventListener("popstate", () => { read(); arrive(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let later = 0;
  addEventListener("resize", () => { clearTimeout(later); later = setTimeout(() => { if (place.clientWidth !== width) draw(); }, 200); });
  read();
  const first = arrive();
  (self.requestIdleCallback ?? setTimeout)(async () => {
    try { await FLOP.load("assets/vega.js"); await first; await draw(); } catch (problem) { console.warn(problem.message); } // keep the chart that the build drew
  });
})();
