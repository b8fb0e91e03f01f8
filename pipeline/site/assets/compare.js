// Compare the models whose ids the address contains.
"use strict";
(async () => {
  const by = (id) => document.getElementById(id), place = by("compared"), most = Number(place.dataset.most), say = by("compare-say");
  await Promise.all([FLOP.load("data/compare.js"), FLOP.load("data/search.js")]);
  const {labels, models} = FLOP.compare;
  by("names").append(...Object.values(models).map((model) => new Option(model.name)));
  let ids = (new URLSearchParams(location.search).get("models") ?? "gpt-3,palm-540b,llama-3-1-405b").split(",").filter(Boolean);
  const gone = ids.filter((id) => !Object.hasOwn(models, id));
  if (gone.length) say.textContent = `No model has the id ${gone.join(", ").slice(0, 200)}.`;
  ids = ids.filter((id) => Object.hasOwn(models, id)).slice(0, most);
  const cell = (tag, text, html) => { const element = document.createElement(tag); if (html !== undefined) element.innerHTML = html; else element.textContent = text; return element; }; // the build has escaped the cells' HTML
  const draw = () => {
    const compared = ids.map((id) => models[id]), known = compared.filter((model) => model.flop !== null);
    const low = Math.floor(Math.log10(Math.min(...known.map((model) => model.low)))), high = Math.ceil(Math.log10(Math.max(...known.map((model) => model.high))));
    const at = (value) => 100 * (Math.log10(value) - low) / Math.max(1, high - low);
    const scroll = document.createElement("div"), table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    scroll.className = "scroll";
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Compared models");
    head.append(cell("td", ""), ...ids.map((id) => {
      const th = cell("th", ""), link = document.createElement("a"), remove = document.createElement("button");
      th.scope = "col";
      link.href = `models/${id}.html`;
      link.textContent = models[id].name;
      remove.type = "button";
      remove.textContent = "remove";
      remove.className = "small";
      remove.setAttribute("aria-label", `remove ${models[id].name}`);
      remove.addEventListener("click", () => { ids = ids.filter((other) => other !== id); refresh(); });
      th.append(link, document.createElement("br"), remove);
      return th;
    }));
    const line = (label, cells) => { const row = body.insertRow(), th = cell("th", label); th.scope = "row"; row.append(th, ...cells); };
    line("Training compute, FLOP", compared.map((model) => { const td = cell("td", FLOP.power(model.flop)); td.style.fontWeight = 600; return td; }));
    line(known.length ? `90 % interval, ${FLOP.power(Number(`1e${low}`))} to ${FLOP.power(Number(`1e${high}`))}` : "90 % interval", compared.map((model) => {
      const td = document.createElement("td");
      if (model.flop === null) return td;
      const track = document.createElement("span"), bar = document.createElement("i"), middle = document.createElement("b"), words = document.createElement("small");
      track.className = "track";
      bar.style.cssText = `left:${at(model.low)}%;width:${at(model.high) - at(model.low)}%`;
      middle.style.left = `${at(model.flop)}%`;
      track.append(bar, middle);
      words.textContent = `${FLOP.power(model.low)} to ${FLOP.power(model.high)}`;
      td.append(track, words);
      return td;
    }));
    if (known.length > 1) line(`As a multiple of ${known[0].name}`, compared.map((model) => cell("td", model.flop === null ? "–" : `${Number((model.flop / known[0].flop).toPrecision(3))}×`)));
    labels.forEach((label, number) => { if (compared.some((model) => model.cells[number] !== "–")) line(label, compared.map((model) => cell("td", "", model.cells[number]))); });
    table.style.setProperty("--models", ids.length);
    scroll.append(table);
    place.replaceChildren(ids.length ? scroll : cell("p", "No model is chosen."));
  };
  const refresh = () => { try { history.replaceState(null, "", `?models=${ids.join(",")}`); } catch { /* a file:// page cannot change its address */ } draw(); };
  const add = () => {
    const path = /^models\/(.+)\.html$/, [best] = FLOP.best(by("add").value, FLOP.search.filter((row) => path.test(row[2])));
    const id = best?.[2].match(path)[1];
    if (!Object.hasOwn(models, id)) say.textContent = "No model in the ledger has this name.";
    else if (ids.includes(id)) say.textContent = `${models[id].name} is there already.`;
    else if (ids.length >= most) say.textContent = `${most} models is the maximum: remove one first.`;
    else { ids.push(id); say.textContent = ""; by("add").value = ""; refresh(); }
  };
  by("add-it").addEventListener("click", add);
  by("add").addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
  draw();
  document.body.dataset.ready = "yes";
})();
