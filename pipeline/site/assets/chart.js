// The interactive chart of the first page. It takes the place of the drawn one when Vega is there, in the page's colours and width.
"use strict";
(() => {
  const place = document.getElementById("chart"), pick = (name) => document.getElementById(`chart-${name}`);
  let view = null, width = 0;
  const described = () => {
    const spec = structuredClone(FLOP.overview.spec), isNarrow = width < 620, group = pick("group").value, shown = pick("intervals").value;
    spec.data.values = spec.data.values.filter((row) => !group || row.group === group);
    spec.layer = spec.layer.filter((layer) => !(isNarrow && layer.transform));
    for (const layer of spec.layer) {
      layer.width = width - (isNarrow ? 52 : 70);
      layer.height = isNarrow ? 360 : 480;
      const {x, y, color} = layer.encoding;
      if (isNarrow && x?.axis) x.axis.tickCount.step = 5;
      if (isNarrow && y?.axis) y.title = null;
      if (color?.legend) color.legend.columns = isNarrow ? 2 : 7;
      if (y?.field === "low" && shown !== "faint") {
        const {opacity} = layer.encoding, value = shown === "none" ? 0 : 0.8;
        opacity.condition[1].value = value;
      }
    }
    return spec;
  };
  const draw = async () => {
    width = place.clientWidth;
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const target = document.createElement("div");
    const made = await vegaEmbed(target, described(), {ast: true, actions: false, renderer: "svg", tooltip: {theme: isDark ? "dark" : "light"}});
    view?.finalize();
    view = made.view;
    view.addEventListener("click", (event, item) => { if (item?.datum?.link) location.href = item.datum.link; });
    // The table below has the same models for who cannot see a chart.
    const shown = document.createElement("div");
    shown.setAttribute("role", "img");
    shown.setAttribute("aria-label", FLOP.overview.words);
    target.setAttribute("aria-hidden", "true");
    shown.append(target);
    place.replaceChildren(shown);
    place.dataset.ready = "yes";
  };
  // The pictures are those of the build, with title, version and licence.
  const save = (type) => {
    const group = pick("group").value, link = document.createElement("a");
    if (group && !FLOP.overview.spec.data.values.some((row) => row.group === group)) return;
    link.href = group ? `pictures/compute_over_time-${group.toLowerCase().replace(/[^a-z]+/g, "-")}.${type}` : `latest/compute_over_time.${type}`;
    link.download = link.href.split("/").pop();
    link.click();
  };
  const start = async () => {
    try {
      await Promise.all([FLOP.load("assets/vega.js"), FLOP.load("data/overview.js")]);
      await draw();
    } catch (problem) {
      console.warn(problem.message); // the drawn chart stays
      return;
    }
    for (const name of ["group", "intervals"]) pick(name).addEventListener("input", draw);
    pick("png").addEventListener("click", () => save("png"));
    pick("svg").addEventListener("click", () => save("svg"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    let later = 0;
    addEventListener("resize", () => { clearTimeout(later); later = setTimeout(() => { if (place.clientWidth !== width) draw(); }, 200); });
  };
  (self.requestIdleCallback ?? setTimeout)(start);
})();
