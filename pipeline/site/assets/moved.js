// Go to the current address of a page that has moved.
"use strict";
(async () => {
  await FLOP.load("data/moved.js");
  const root = new URL(document.body.dataset.root || ".", document.baseURI).href;
  for (const [old, now] of Object.entries(FLOP.moved)) {
    const [start, end] = `${root}${old}`.split("*"), {href} = location;
    if (end === undefined ? href !== start : !href.startsWith(start)) continue;
    location.replace(`${root}${now.replace("*", () => href.slice(start.length))}`);
    return;
  }
})();
