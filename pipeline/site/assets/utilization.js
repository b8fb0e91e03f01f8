// The explorer: filters both tables, and puts the measurements nearest in number of chips first.
"use strict";
(() => {
  const pick = (name) => document.getElementById(`u-${name}`), names = ["network", "precision", "generation"], answer = pick("answer");
  const cells = [...pick("cells").tBodies[0].rows], body = pick("rows").tBodies[0], rows = [...body.rows];
  const percent = (value) => `${(100 * value).toPrecision(3)} %`;
  const quantile = (sorted, share) => { const place = share * (sorted.length - 1), low = Math.floor(place); return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]); };
  const show = () => {
    const wanted = names.filter((name) => pick(name).value), is = (row) => wanted.every((name) => row.dataset[name] === pick(name).value), chips = Number(pick("chips").value) || 0;
    for (const row of [...cells, ...rows]) row.hidden = !is(row);
    const near = rows.filter(is), number = (row, column) => Number(row.cells[column].dataset.value);
    if (chips > 0) body.append(...rows.toSorted((one, other) => Math.abs(Math.log(number(one, 4) / chips)) - Math.abs(Math.log(number(other, 4) / chips))));
    if (!near.length) { answer.textContent = "Nothing of this kind was measured."; return; }
    const shares = near.map((row) => number(row, 5)).sort((one, other) => one - other);
    answer.textContent = `${near.length} measurement${near.length === 1 ? "" : "s"}: median ${percent(quantile(shares, 0.5))}, 10 to 90 % of them between ${percent(quantile(shares, 0.1))} and ${percent(quantile(shares, 0.9))}.${chips > 0 ? ` Nearest to ${chips} chips first in the table below.` : ""}`;
  };
  for (const name of [...names, "chips"]) pick(name).addEventListener("input", show);
})();
