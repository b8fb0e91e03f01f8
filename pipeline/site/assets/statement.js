// The statement of the model that the address names, written by the build and packed with the others.
"use strict";
(async () => {
  const place = document.getElementById("statement"), id = new URLSearchParams(location.search).get("model")?.replace(/\.html$/, "");
  const select = document.querySelector("[name=model]");
  select.addEventListener("change", () => select.form.submit());
  if (!id || FLOP.lacks()) return;
  select.value = id;
  const every = JSON.parse(new TextDecoder().decode(await FLOP.unpack("data/statements.js", "statements")));
  if (Object.hasOwn(every, id)) place.innerHTML = every[id]; // made and escaped by the build
  else place.append(Object.assign(document.createElement("p"), {className: "error", textContent: `No such statement: ${id}.`}));
  document.title = `${place.querySelector("h1").textContent}: EU guidelines`;
})();
