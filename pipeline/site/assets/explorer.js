// The first page's explorer: one selection, kept in the address, drives the chart, table, counts, trends and files.
"use strict";
(async () => {
  const form = document.getElementById("explorer"), at = form.elements, place = document.getElementById("chart"),
    table = document.getElementById("models"), by = (id) => document.getElementById(id), {element} = FLOP;
  try {
    await FLOP.load("data/explorer.js");
  } catch (problem) { // keep the chart that the build drew
    console.warn(problem.message);
    return;
  }
  const {
    models: given, groups, shapes, colours, quantities, named, trend, version, others: OTHERS, floors: FLOORS, places,
    letters, thresholds, possible,
  } = FLOP.explorer;
  const parts = (text) => text?.split(" + ") ?? [], lower = (...texts) => texts.filter(Boolean).join(" ").toLowerCase(),
    spaced = (text) => text.replaceAll("_", " ");
  const columns = Object.keys(given), models = given.name.map((_, number) => {
    const model = Object.fromEntries(columns.map((name) => [name, given[name][number]]));
    const facets = {
      domain: [model.domain], organization: parts(model.parent_organization), country: parts(model.country),
      access: [model.weights_access ?? "unknown"], chip: parts(model.hardware), tier: [model.tier],
      disputed: [model.is_disputed ? "yes" : "no"], base: [model.is_fine_tuned ? "yes" : "no"],
    };
    const words = lower(model.model_id, model.name, model.aliases, model.organization);
    return {...model, number, facets, words, year: Number(model.published?.slice(0, 4) ?? 0)};
  });

  // Whether a model passes each control, as in `flopledger list`. A facet can have several values.
  const FACETS = Object.keys(models[0].facets),
    isAny = (chosen, values) => chosen.split(",").some((each) => values.includes(each));
  const lets = {
    ...Object.fromEntries(FACETS.map((name) => [name, (model, chosen) => isAny(chosen, model.facets[name])])),
    from: (model, value) => model.year >= Number(value), to: (model, value) => model.year <= Number(value),
    // A threshold is compared by probability, as in `flopledger list`.
    least: (model, value) => {
      const column = thresholds[Number(value)];
      if (column) return model[column] >= Number(now.sure);
      return model.training_flop !== null && model.training_flop >= Number(value);
    },
    most: (model, value) => model.training_flop !== null && model.training_flop <= Number(value),
    search: (model, value) => value.toLowerCase().split(/\s+/).every((word) => model.words.includes(word)),
  };
  const counted = (name, among) => {
    const counts = new Map();
    for (const model of among) for (const each of model.facets[name]) counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  };
  const most = (name) => [...counted(name, models)]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).map(([value]) => value);
  const facet = (name) => form.querySelector(`[data-facet=${name}]`),
    summary = (name) => facet(name).querySelector("summary");
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
    const asked = new URLSearchParams(location.search), zoomed = asked.get("zoom");
    const boxes = (name) => [...at].filter((control) => control.name === name && control.type === "checkbox");
    strange = [...asked].flatMap(([name, value]) => {
      if (!names.includes(name)) return [`${name} is not a filter`];
      if (!FACETS.includes(name)) return [];
      const values = boxes(name).map((box) => box.value);
      const unknown = value.split(",").filter((each) => each && !values.includes(each));
      return unknown.map((each) => `no model has ${name} ${each}`);
    });
    if (zoomed && !/^\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d(,[\d.e+-]+){2}$/.test(zoomed)) {
      strange.push(`zoom ${zoomed} is not part of the chart`);
      asked.delete("zoom");
    }
    for (const control of [...at].filter(({name}) => name)) {
      const value = asked.get(control.name) ?? rest[control.name];
      if (control.type === "checkbox") control.checked = isAny(value, [control.value]); else control.value = value;
      if (control.selectedIndex === -1) control.value = rest[control.name];
    }
    now = state();
    by("more").open ||= [...by("more").querySelectorAll("[name]")].some(({name}) => now[name] !== rest[name]);
  };
  const write = (isNew) => {
    const changes = names.filter((name) => now[name] !== rest[name]).map((name) => [name, now[name]]);
    const words = String(new URLSearchParams(changes)).replaceAll("%2C", ",");
    const address = location.pathname + (words && `?${words}`);
    if (address === location.pathname + location.search) return;
    history[isNew ? "pushState" : "replaceState"](null, "", address);
  };

  let strange = [], fit = [], passed = [], ranked = [], lines = [], view = null, width = 0, turn = 0, elements = null;
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
  const YES_OR_NO = ["disputed", "base"], bounds = {
    from: ["from", ""], to: ["to", ""], least: ["at least", " FLOP"], most: ["at most", " FLOP"], search: ["with", ""],
  };
  const label = (name) => YES_OR_NO.includes(name) ? `${lower(summary(name).firstChild.textContent.trim())} ` : "";
  const told = () => [
    ...FACETS.filter((name) => now[name] && name !== "tier")
      .map((name) => label(name) + spaced(now[name].replaceAll(",", " or "))),
    ...(now.tier === "record" ? [] : [now.tier === "catalogue" ? "catalogue" : "with the catalogue"]),
    ...Object.entries(bounds).filter(([name]) => now[name])
      .map(([name, [before, after]]) => `${before} ${now[name]}${after}`),
  ].join(", ");

  // Growth of the quantity on the vertical axis, as in publishing/trends.sql: a least-squares line through its
  // logarithm. The error of the slope is clustered by organization.
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const digits = (value) => value.toPrecision(3).replace(/e([+-])(\d)$/, "e$10$2");
  const growth = (frontier, points) => {
    const number = points.length, labs = new Set(points.map((point) => point.parent_organization).filter(Boolean)).size;
    const years = points.map((point) => (Date.parse(point.published_date) - Date.UTC(2000, 0)) / 31557600000);
    const start = Math.min(...years), end = Math.max(...years);
    const fewest = trend.least;
    if (number < fewest.models || end - start < fewest.years || labs < fewest.organizations) return [];
    const logs = points.map((point) => Math.log(point[now.y])), year = sum(years) / number, log = sum(logs) / number;
    const xs = years.map((each) => each - year), spread = sum(xs.map((x) => x ** 2)), scores = new Map();
    const slope = sum(xs.map((x, place) => x * (logs[place] - log))) / spread;
    points.forEach(({parent_organization: lab}, place) => {
      scores.set(lab, (scores.get(lab) ?? 0) + xs[place] * (logs[place] - log - slope * xs[place]));
    });
    // Student's t at 95 %: Abramowitz and Stegun, 26.7.5.
    const free = labs - 1, student = 1.644854 + 1.523769 / free + 1.420203 / free ** 2 + 0.983002 / free ** 3;
    const correction = labs / free * (number - 1) / (number - 2);
    const squares = sum([...scores.values()].map((score) => score ** 2));
    const half = student * Math.sqrt(correction * squares) / spread, isRising = slope > half;
    const [factor, low, high] = [slope, slope - half, slope + half].map(Math.exp);
    const [months, shortest, longest] = [slope, slope + half, slope - half].map((rate) => 12 * Math.LN2 / rate);
    const days = points.map((point) => point.published_date).sort(), first = days[0], last = days.at(-1);
    const [middle, least, most] = [months, shortest, longest].map((value) => value.toFixed(1));
    const doubling = isRising ? `doubling in ${middle} months (${least} to ${most})` : "no doubling time";
    return [{
      frontier, models_number: number, organizations_number: labs, first_published_date: first,
      last_published_date: last, growth_factor: factor, growth_factor_low: low, growth_factor_high: high,
      doubling_months: months, doubling_months_low: shortest, doubling_months_high: isRising ? longest : null,
      first_flop: Math.exp(log + slope * (start - year)), last_flop: Math.exp(log + slope * (end - year)),
      growth_sentence: `×${digits(factor)} a year (90 %: ${digits(low)} to ${digits(high)}), ${doubling}:`
        + ` ${number} models of ${labs} organizations, ${first.slice(0, 4)} to ${last.slice(0, 4)}`,
    }];
  };
  const fitted = () => {
    const every = ranked.filter((model) => model[now.y] > 0 && model.published_date && !model.is_fine_tuned);
    const larger = (model) =>
      every.filter((other) => other[now.y] > model[now.y] && other.published_date <= model.published_date).length;
    const recent = every.filter((model) => model.year >= Number(now.from)).map((model) => [model, larger(model)]);
    const among = (most) => recent.filter(([, number]) => number < most).map(([model]) => model);
    return trend.frontiers.flatMap((name) => growth(name, among(Number(name.split(" ")[1]) || Infinity)))
      .sort((one, other) => other.models_number - one.models_number);
  };

  const unique = (values) => [...new Set(values)], GROUPS = unique(Object.values(groups)),
    BANDS = [0, 2012, 2015, 2018, 2020, 2022, 2024];
  const largest = {country: most("country").slice(0, 6), organization: most("organization").slice(0, 6)};
  const band = (year) => {
    const first = BANDS.findLastIndex((each) => year >= each);
    if (!first) return `before ${BANDS[1]}`;
    return BANDS[first + 1] ? `${BANDS[first]} to ${BANDS[first + 1] - 1}` : `${BANDS[first]} on`;
  };
  const kinds = {
    domain: GROUPS, country: [...largest.country, "other"], organization: [...largest.organization, "other"],
    access: ["open", "restricted", "closed", "unknown"], years: BANDS.map(band),
  };
  const kind = (model) => {
    if (now.colour === "years") return band(model.year);
    const [first] = model.facets[now.colour];
    if (now.colour === "domain") return groups[first] ?? GROUPS.at(-1);
    return now.colour === "access" || largest[now.colour].includes(first) ? first : "other";
  };
  // If there is no estimate: the lower bound from the parts that are known, otherwise a figure stated by others.
  const hollow = (point) => [FLOORS, OTHERS].includes(point.group);
  const points = () => fit.filter((model) => model.published_date).map((model) => {
    const own = model[now.y], isCompute = now.y === "training_flop";
    const floor = isCompute ? model.training_flop_at_least : null;
    const flop = own ?? floor ?? (isCompute ? model.external_flop : null);
    const group = own !== null ? kind(model) : floor !== null ? FLOORS : OTHERS;
    const low = model[`${now.y}_low`] ?? flop, high = model[`${now.y}_high`] ?? flop, bound = model.external_bound;
    const words = {
      [FLOORS]: `at least ${FLOP.power(flop)}: a part of its training is not known`,
      [OTHERS]: `${bound ? `${bound.replace("_", " ")} ` : ""}${FLOP.power(flop)}, ${OTHERS.toLowerCase()}`,
    }[group] ?? FLOP.power(flop);
    return {
      id: model.number, name: model.name, organization: model.organization, group, date: model.published_date,
      time: Date.parse(model.published_date), published: model.published, flop, low, high, words,
      is_fine_tuned: model.is_fine_tuned, interval: high > low ? `${FLOP.power(low)} to ${FLOP.power(high)}` : "–",
    };
  }).filter((point) => point.flop > 0).sort((one, other) => one.time - other.time);

  // The range that the frame shows: the zoomed range if there is one, otherwise all points with their intervals.
  const framed = (every) => {
    const [left, right, bottom, top] = now.zoom.split(","), times = every.map((point) => point.time);
    const year = (time, more) => Date.UTC(new Date(time).getUTCFullYear() + more, 0);
    const whole = () => [year(Math.min(...times), 0), year(Math.max(...times), 1)];
    const x = left && right ? [left, right].map(Date.parse) : whole(), isLog = now.scale === "log";
    const seen = every.filter((point) => point.time >= x[0] && point.time <= x[1]);
    const low = Math.min(...seen.map((point) => point.low)), high = Math.max(...seen.map((point) => point.high));
    const ten = (value, round) => 10 ** Math[round](Math.log10(value));
    let y = [1, 10]; // by default, with room for names above the highest
    if (bottom && top) y = [Number(bottom), Number(top)];
    else if (seen.length && !isLog) y = [0, 1.15 * high];
    else if (seen.length) y = [ten(low, "floor"), 10 * Math.max(ten(high, "ceil"), ten(low, "floor"))];
    if (isLog && y[0] <= 0) y[0] = y[1] / 1e3;
    return {x, y, isLog, seen: seen.filter((point) => point.flop >= y[0] && point.flop <= y[1])};
  };
  const ticks = ({y: [low, high], isLog}) => {
    const count = (length, value) => Array.from({length: Math.max(0, length)}, (_, place) => value(place));
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.ceil((last - first + 1) / 9);
    const decades = count(Math.ceil((last - first + 1) / every), (place) => Number(`1e${first + place * every}`));
    if (isLog && decades.length > 2) return decades;
    const few = (place) => [1, 2, 5].map((each) => Number(`${each}e${first - 1 + place}`));
    if (isLog) return count(last - first + 3, few).flat().filter((value) => value >= low && value <= high);
    const ten = 10 ** Math.floor(Math.log10((high - low) / 4));
    const step = [1, 2, 5, 10].find((each) => (high - low) / (each * ten) <= 7) * ten, least = Math.ceil(low / step);
    return count(Math.floor(high / step) - least + 1, (place) => Number(((least + place) * step).toPrecision(6)));
  };
  // The points to name, the most important first, as in growth.named.
  const important = (seen) => {
    const yearAgo = Math.max(...seen.map((point) => point.time)) - 365 * 86400000, ranks = {}, shares = new Map();
    for (const point of seen.filter((each) => !each.is_fine_tuned).sort((one, other) => other.flop - one.flop)) {
      const year = point.date.slice(0, 4), isOthers = point.group === OTHERS, isRecent = point.time > yearAgo;
      const kinds = hollow(point) ? {others: isOthers} : {[year]: true, recent: isRecent};
      const chosen = Object.keys(kinds).filter((key) => kinds[key]);
      for (const key of chosen) ranks[key] = (ranks[key] ?? 0) + 1;
      if (chosen.length) shares.set(point, Math.min(...chosen.map((key) => ranks[key] / (named[key] ?? named.year))));
    }
    return [...shares.keys()].sort((one, other) => shares.get(one) - shares.get(other) || other.flop - one.flop)
      .slice(0, named.candidates);
  };
  // The positions of names, found as in overview.py's `placed`.
  const placed = ({x, y, isLog, seen}, size, {letter, line, margin}, limits) => {
    const scale = isLog ? Math.log : Number, back = isLog ? Math.exp : Number, [low, high] = y.map(scale);
    const at = (flop) => size.height * (scale(flop) - low) / (high - low), half = line / 2.5;
    const spots = seen.map((point) => [size.width * (point.time - x[0]) / (x[1] - x[0]), at(point.flop)]);
    const apart = ([left, right, bottom, top], [over, up]) =>
      Math.hypot(Math.max(left - over, 0, over - right), Math.max(bottom - up, 0, up - top));
    const overlap = (one, other) => one[0] < other[1] && other[0] < one[1] && one[2] < other[3] && other[2] < one[3];
    const isFar = ([, over, up]) => Math.max(Math.abs(over), Math.abs(up)) > places.near;
    const part = (spot, way, number) => spot.flatMap((start, axis) =>
      [0, 1].map((more) => start + way[axis] * (number + more) / places.parts).sort((one, other) => one - other));
    const boxes = [[-size.width, margin, 0, size.height]], numbers = new Map(seen.map((point, own) => [point, own]));
    let count = 0;
    for (const point of important(seen)) {
      if (count === named.most) break;
      const own = numbers.get(point), [over, up] = spots[own], width = letter * point.name.length;
      const place = places.list.find((each) => {
        const [side, ...way] = each, left = over + way[0] - width * (1 - side) / 2, middle = up + way[1];
        const box = [left, left + width, middle - half, middle + half], isLed = isFar(each);
        const least = isLed ? places.clear : Math.max(places.clear, places.clearly * apart(box, spots[own]));
        const isOn = (height) => height > box[2] - places.clear / 2 && height < box[3] + places.clear / 2;
        const isOutside = box[1] > size.width || box[2] < 0 || box[3] > size.height;
        if (isOutside || limits.some((flop) => isOn(at(flop)))) return false;
        const leader = isLed ? Array.from({length: places.parts}, (_, number) => part(spots[own], way, number)) : [];
        const covered = [box, ...leader];
        if (boxes.some((other) => covered.some((one) => overlap(one, other)))) return false;
        if (spots.some((spot, other) => other !== own && apart(box, spot) <= least)) return false;
        boxes.push(...covered);
        return true;
      });
      if (!place) continue;
      count += 1;
      const [side, right, above] = place, time = x[0] + (over + right) / size.width * (x[1] - x[0]);
      Object.assign(point, {
        is_named: true, align: ["right", "center", "left"][side + 1], is_far: isFar(place),
        name_date: new Date(time).toISOString(), name_flop: back(low + (up + above) / size.height * (high - low)),
      });
    }
    return seen;
  };
  // The build's chart with these points, scales and trend line.
  const dressed = (template, hues, every, size, letter) => {
    const spec = structuredClone(template), frame = framed(every), values = ticks(frame), isNarrow = size.width < 560;
    const span = (frame.x[1] - frame.x[0]) / 31557600000, isCompute = now.y === "training_flop";
    const isInside = ({flop}) => flop > frame.y[0] && flop < frame.y[1];
    const shown = [
      ...kinds[now.colour].map((name, number) => [name, hues[number], shapes[number]]),
      [FLOORS, hues.at(-1), shapes.at(-2)], [OTHERS, hues.at(-1), shapes.at(-1)],
    ].filter(([name]) => every.some((point) => point.group === name)), names = shown.map(([name]) => name);
    const line = lines.find((each) => each.frontier === now.line);
    const strength = {faint: 0.05, strong: 0.6, none: 0}[now.intervals];
    for (const point of every) point.hue = shown.find(([name]) => name === point.group)[1];
    const limits = spec.layer.filter(({data, encoding}) => data && encoding.x?.field !== "date")
      .flatMap(({data}) => data.values.map((each) => each.flop));
    Object.assign(spec, size, {data: {values: placed(frame, size, letter, isCompute ? limits : [])}});
    spec.layer = spec.layer.filter(({mark, data, encoding}) => {
      if (mark.type === "line") return line;
      return !data || isCompute && data.values.some(isInside) || encoding.x?.field === "date";
    });
    for (const {mark, data, encoding} of spec.layer) {
      const {x, y, fill, shape, stroke, opacity, tooltip} = encoding;
      mark.clip = mark.type === "line" || encoding.y?.field === "low";
      // A curve on a linear axis. It extends from the first to the last mark that reaches it, as in growth.line.
      if (mark.type === "line") {
        const [first, last] = [line.first_published_date, line.last_published_date].map(Date.parse);
        const on = (time) => line.first_flop * (line.last_flop / line.first_flop) ** ((time - first) / (last - first));
        const reached = every.filter((point) => !hollow(point) && point.time >= first && point.time <= last)
          .filter((point) => point.flop >= on(point.time)).map((point) => point.time);
        const [from, to] = reached.length ? [reached[0], reached.at(-1)] : [first, last];
        data.values = Array.from({length: 41}, (_, step) => from + step / 40 * (to - from))
          .map((time) => ({date: new Date(time).toISOString(), flop: on(time)}));
      } else if (data) data.values = data.values.filter(isInside);
      if (x?.scale) {
        x.scale.domain = frame.x.map((time) => {
          const [year, month, date] = new Date(time).toISOString().split(/\D/).map(Number);
          return {year, month, date};
        });
        const step = Math.ceil(span / (isNarrow ? 5 : 20)), few = isNarrow ? 3 : 8;
        const isShort = span < 2.5, tickCount = isShort ? few : {interval: "year", step};
        x.axis = {...x.axis, format: isShort ? "%b %Y" : "%Y", tickCount};
      }
      if (y?.scale) {
        y.scale = {type: now.scale, domain: frame.y, nice: false, round: true};
        y.title = isNarrow ? null : quantities[now.y];
        const words = JSON.stringify(values.map(FLOP.power));
        y.axis = {...y.axis, values, labelExpr: `${words}[round(datum.index * ${values.length - 1})]`};
      }
      if (fill) {
        fill.scale = {domain: names, range: shown.map((each) => each[1])};
        fill.legend.columns = isNarrow ? 2 : 9;
      }
      if (stroke?.scale) {
        const {range} = stroke.scale, ring = (name) => [FLOORS, OTHERS].includes(name) ? range.at(-1) : range[0];
        stroke.scale = {domain: names, range: names.map(ring)};
      }
      if (shape) {
        shape.scale = {domain: names, range: shown.map((each) => each[2])};
        shape.legend = stroke.legend = fill.legend;
      }
      if (tooltip) {
        tooltip.find((each) => each.field === "words").title = quantities[now.y];
        encoding.size = {condition: {test: "datum.is_fine_tuned", value: 10}, value: mark.size};
      }
      if (y?.field === "low") {
        opacity.value = strength;
        opacity.condition[1].value = Math.max(strength, strength && 0.3);
      }
    }
    return spec;
  };
  const embed = (target, spec, more = {}) =>
    vegaEmbed(target, spec, {ast: true, actions: false, renderer: "svg", ...more});

  const draw = async () => {
    if (!self.vegaEmbed) return;
    const own = turn, every = points(), target = element("div", {"aria-hidden": "true"});
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    width = place.clientWidth;
    if (!every.length) {
      place.replaceChildren(element("p", {className: "soft", textContent: "No model matches and has this quantity."}));
      place.dataset.ready = "yes";
      return;
    }
    const isNarrow = width < 620, size = {width: width - (isNarrow ? 60 : 78), height: isNarrow ? 380 : 480};
    const spec = dressed(FLOP.explorer.page, colours.page, every, size, letters.page);
    const on = "[mousedown, window:mouseup] > window:mousemove!", {views} = spec.params[0];
    spec.params.push({name: "brush", select: {type: "interval", on, translate: false, zoom: false}, views});
    const made = await embed(target, spec, {tooltip: {theme: isDark ? "dark" : "light"}});
    if (own !== turn) return made.view.finalize();
    view?.finalize();
    view = made.view;
    view.addEventListener("click", (event, item) => { elements?.[item?.datum?.id]?.querySelector("a").click(); });
    let brushed = null;
    view.addSignalListener("brush", (name, value) => { brushed = value.date && value.flop ? value : null; });
    const brush = () => { if (brushed) zoom(...brushed.date.map(Number), ...brushed.flop); };
    target.addEventListener("mouseup", () => setTimeout(brush));
    // For readers who cannot see a chart, the table below it lists the same models.
    const words = `${quantities[now.y]}, of ${every.length} models by date of publication`;
    place.replaceChildren(element("div", {role: "img", "aria-label": words}, target));
    place.dataset.ready = "yes";
  };
  const zoom = (left, right, ...y) => {
    at.zoom.value = [left, right].map((time) => new Date(time).toISOString().slice(0, 10))
      .concat(y.sort((one, other) => one - other).map((value) => value.toPrecision(3))).join(",");
    changed();
  };
  const moved = (factor, step) => {
    if (!factor) { at.zoom.value = ""; return changed(); }
    const [left, right] = framed(points()).x, half = (right - left) / 2 / factor;
    const middle = (left + right) / 2 + step * half / 2;
    zoom(middle - half, middle + half);
  };

  // If there is a filter on compute: the models that it leaves out, and each listed model's probability of exceeding a
  // threshold, with the total compared.
  const judged = () => {
    const column = thresholds[Number(now.least)];
    const without = passed.filter((model) => model.training_flop === null && !fit.includes(model));
    const placed = without.filter((model) => model.external_flop >= Number(now.least));
    const isNear = (model) => model[column] >= possible && model[column] < now.sure;
    const near = column && now.sure > possible ? passed.filter(isNear).length : 0;
    table.classList.toggle("judged", Boolean(column));
    if (column) table.querySelector("th.chance").textContent = `Probability above ${FLOP.power(Number(now.least))}`;
    if (!now.least) return [];
    const words = near ? [`${near} more have a probability of ${100 * possible} to ${100 * now.sure} %`] : [];
    const more = placed.length ? `, ${placed.length} of which others place there` : "";
    return without.length ? [...words, `${without.length} have no estimate${more}`] : words;
  };
  const chance = (cell, model) => {
    const column = thresholds[Number(now.least)], isCumulative = model.threshold_total === "cumulative_flop";
    const total = isCumulative ? `of ${FLOP.power(model.cumulative_flop)}, with teachers and data` : "";
    cell.replaceChildren(FLOP.chance(model[column]), element("small", {textContent: ` ${total}`}));
  };

  const show = async () => {
    const own = ++turn;
    delete place.dataset.trend;
    select();
    const every = points();
    const counts = [[FLOORS, "at their lower bounds"], [OTHERS, "as stated by others"]]
      .map(([group, how]) => [every.filter((point) => point.group === group).length, how])
      .filter(([number]) => number).map(([number, how]) => `${number} ${how}`).join(", ");
    const wrong = [...at].filter(({validity}) => !validity.valid)
      .map(({name, value}) => `${name} ${value} is not a number`);
    const remarks = [...judged(), ...strange, ...wrong].map((words) => `; ${words.slice(0, 200)}`).join("");
    const [selected, number] = [fit, every].map(({length}) => length.toLocaleString("en"));
    const words = ` models selected, ${number} drawn${counts && ` (${counts})`}; the rest lack this quantity or a date${remarks}`;
    by("explorer-count").replaceChildren(element("strong", {textContent: selected}), words);
    by("chart-words").textContent = [quantities[now.y], told()].filter(Boolean).join("; ");
    lines = fitted();
    const listed = FLOP.table.rows(table).then((found) => {
      elements ??= [...found];
      const rows = fit.map((model) => elements[model.number]), shown = new Set(rows);
      const cell = (place) => rows[place].querySelector(".chance");
      if (thresholds[Number(now.least)]) fit.forEach((model, place) => chance(cell(place), model));
      return FLOP.table.show(table, (row) => shown.has(row), 50);
    });
    by("trends").replaceChildren(...trend.frontiers.map((name) => {
      const words = lines.find((each) => each.frontier === name)?.growth_sentence ?? `no line, ${trend.few}`;
      return element("li", {textContent: `${name}: ${words}`});
    }));
    await Promise.all([draw(), listed]);
    if (own === turn) place.dataset.trend = "yes";
  };
  const changed = (isNew = true) => { now = state(); write(isNew); return show(); };

  const name = (type) => FLOP.file(`.${type}`);
  const save = {
    csv: () => FLOP.save(name("csv"), FLOP.csv(columns, fit), "text/csv"),
    json: () => {
      const selection = Object.fromEntries(Object.entries(now).filter(([, value]) => value));
      const rows = fit.map((model) => Object.fromEntries(columns.map((each) => [each, model[each]])));
      const content = {version, licence: "CC BY 4.0", selection, trends: lines, models: rows};
      FLOP.save(name("json"), `${JSON.stringify(content, null, 1)}\n`, "application/json");
    },
    drawn: async () => {
      const every = points(), line = lines.find((each) => each.frontier === now.line), target = element("div");
      const size = {width: 1040, height: 520};
      const spec = dressed(FLOP.explorer.picture, colours.picture, every, size, letters.picture);
      const drawn = line?.frontier.replace(/^top (.*)/, "the $1 largest when published");
      spec.title.text = [quantities[now.y].split(",")[0], told()].filter(Boolean).join(": ");
      spec.title.subtitle = [
        ...line ? [`Line: ${drawn}, ${line.growth_sentence}`] : [],
        `${every.length} models, selected, not sampled; bars are 90 % intervals. FLOP Ledger ${version}, CC BY 4.0`,
      ];
      return (await embed(target, spec)).view;
    },
    picture: async (type) => {
      const view = await save.drawn(), isVector = type === "svg";
      const drawn = await (isVector ? view.toSVG() : view.toCanvas(2));
      const content = isVector ? drawn : await new Promise((done) => drawn.toBlob(done));
      view.finalize();
      FLOP.save(name(type), content, isVector ? "image/svg+xml" : "image/png");
    },
  };
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", async () => {
    if (button.dataset.copy === "link") return FLOP.copy(button, location.href);
    const view = await save.drawn(), image = `data:image/svg+xml,${encodeURIComponent(await view.toSVG())}`;
    view.finalize();
    const href = location.href.replaceAll("&", "&amp;"), words = by("chart-words").textContent.replaceAll('"', "'");
    FLOP.copy(button, `<a href="${href}"><img alt="${words}, FLOP Ledger" src="${image}"></a>`);
  });
  const clicks = (selector, action) => {
    for (const button of document.querySelectorAll(selector)) {
      button.addEventListener("click", () => action(button.dataset));
    }
  };
  clicks("[data-save]", (data) => (save[data.save] ?? (() => save.picture(data.save)))());
  clicks("[data-zoom], [data-move]", (data) => moved(Number(data.zoom ?? 1), Number(data.move ?? 0)));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({target}) => {
    if (["y", "scale"].includes(target.name)) at.zoom.value = "";
    changed();
  });
  form.addEventListener("input", ({target}) => { if (target.matches("input:not([type=checkbox])")) changed(false); });
  table.addEventListener("sorted", ({detail}) => { at.sort.value = detail; now = state(); write(true); });
  const arrive = async () => {
    const [column, way] = now.sort.split(",");
    await show();
    const isSorted = now.sort || table.state?.built;
    if (isSorted) await FLOP.table.sort(table, column ? Number(column) : null, way === "ascending");
    if (location.hash) await FLOP.table.showNamed(table);
  };
  form.addEventListener("reset", () => setTimeout(() => {
    at.zoom.value = at.sort.value = "";
    now = state();
    write(true);
    arrive();
  }));
  addEventListener("popstate", () => { read(); arrive(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let later = 0;
  addEventListener("resize", () => {
    clearTimeout(later);
    later = setTimeout(() => { if (place.clientWidth !== width) draw(); }, 200);
  });
  read();
  const first = arrive();
  (self.requestIdleCallback ?? setTimeout)(async () => {
    try {
      await FLOP.load("assets/vega.js");
      await first;
      await draw();
    } catch (problem) { console.warn(problem.message); } // keep the chart that the build drew
  });
})();
