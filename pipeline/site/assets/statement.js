// Show the statement for the model that the address names. The build wrote all statements into one script.
"use strict";
(async () => {
  const place = document.getElementById("statement"), id = new URLSearchParams(location.search).get("model")?.replace(/\.html$/, "");
  const select = document.querySelector("[name=model]");
  select.addEventListener("change", () => { location.search = `?model=${select.value}`; });
  if (!id) return;
  select.value = id;
  await FLOP.load("data/statements.js");
  if (Object.hasOwn(FLOP.statements, id)) place.innerHTML = FLOP.statements[id]; // written and escaped by the build
  else place.append(FLOP.element("p", {className: "error", textContent: `No such statement: ${id}.`}));
  place.querySelectorAll(".stack").forEach(FLOP.label);
  document.title = `${place.querySelector("h1").textContent}: EU guidelines`;
})();
