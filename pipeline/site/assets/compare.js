// Compare the models whose ids the address contains.
"use strict";
(async () => {
  const by = (id) => document.getElementById(id), place = by("compared"), most = Number(place.dataset.most), say = by("compare-say"), {element} = FLOP;
  await Promise.all([FLOP.load("data/compare.js"), FLOP.load("data/search.js")]);
  const {labels, models} = FLOP.compare;
  by("names").append(...Object.values(models).map((model) => new Option(model.name)));
  let ids = (new URLSearchParams(location.search).get("models") ?? "gpt-3,palm-540b,llama-3-1-405b").split(",").filter(Boolean);
  const gone = ids.filter((id) => !Object.hasOwn(models, id));
  if (gone.length) say.textContent = `No model has the id ${gone.join(", ").slice(0, 200)}.`;
  ids = ids.filter((id) => Object.hasOwn(models, id)).slice(0, most);
  const draw = () => {
    const compared = ids.map((id) => models[id]), known = compared.filter((model) => model.flop !== null);
    const low = Math.floor(Math.log10(Math.min(...known.map((model) => model.low)))), high = Math.ceil(Math.log10(Math.max(...known.map((model) => model.high))));
    const at = (value) => 100 * (Math.log10(value) - low) / Math.max(1, high - low);
    const heads = ids.map((id) => {
      const {name} = models[id], remove = () => { ids = ids.filter((other) => other !== id); refresh(); };
      return element("th", {scope: "col"}, element("a", {href: `models/${id}.html`, textContent: name}), element("br"),
        element("button", {type: "button", className: "small", textContent: "remove", "aria-label": `remove ${name}`, onclick: remove}));
    });
    const body = element("tbody"), line = (label, cells) => body.append(element("tr", {}, element("th", {scope: "row", textContent: label}), ...cells));
    line("Training compute, FLOP", compared.map((model) => element("td", {style: "font-weight:600", textContent: model.total})));
    line(known.length ? `90 % interval, ${FLOP.power(Number(`1e${low}`))} to ${FLOP.power(Number(`1e${high}`))}` : "90 % interval", compared.map((model) => model.flop === null ? element("td") : element("td", {},
      element("span", {className: "track"}, element("i", {style: `left:${at(model.low)}%;width:${at(model.high) - at(model.low)}%`}), element("b", {style: `left:${at(model.flop)}%`})),
      element("small", {textContent: `${FLOP.power(model.low)} to ${FLOP.power(model.high)}`}))));
    if (known.length > 1) line(`As a multiple of ${known[0].name}`, compared.map((model) => element("td", {textContent: model.flop === null ? "–" : `${Number((model.flop / known[0].flop).toPrecision(3))}×`})));
    labels.forEach((label, number) => { if (compared.some((model) => model.cells[number] !== "–")) line(label, compared.map((model) => element("td", {innerHTML: model.cells[number]}))); }); // the build has escaped the cells' HTML
    const table = element("table", {style: `--models:${ids.length}`}, element("thead", {}, element("tr", {}, element("td"), ...heads)), body);
    place.replaceChildren(ids.length ? element("div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": "Compared models"}, table) : element("p", {textContent: "No model is chosen."}));
  };
  const refresh = () => { try { history.replaceState(null, "", `?models=${ids.join(",")}`); } catch { /* a file:// page cannot change its address */ } draw(); };
  const add = () => {
    const path = /^models\/(.+)\.html$/, [best] = FLOP.best(by("add").value, FLOP.search.filter((row) => path.test(row[2])));
    const id = best?.[2].match(path)[1];
    if (!Object.hasOwn(models, id)) say.textContent = "No model in the ledger has this name.";
    else if (ids.includes(id)) say.textContent = `${models[id].name} is already in the comparison.`;
    else if (ids.length >= most) say.textContent = `${most} models is the maximum: remove one first.`;
    else { ids.push(id); say.textContent = ""; by("add").value = ""; refresh(); }
  };
  by("add-it").addEventListener("click", add);
  by("add").addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
  draw();
  document.body.dataset.ready = "yes";
})();
