"use strict";
// What every page has: its data, units and tooltips.
const data = JSON.parse(document.getElementById("data").textContent || "null") || {};

// The largest unit of which it is at least one, to three digits.
function scaled(number, step, units) {
  let unit = 0;
  while (unit + 1 < units.length && number >= step) {
    number /= step;
    unit += 1;
  }
  return Number(number.toPrecision(3)) + " " + units[unit];
}
const asBytes = bytes => scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);

function element(tag, text) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Tooltips: for a data attribute, the text of its value.
const tips = { t: text => text };
const tip = document.getElementById("tip");
function tipOf(target) {
  for (let at = target; at && at.dataset; at = at.parentElement)
    for (const key in tips)
      if (key in at.dataset) return tips[key](at.dataset[key]);
  return "";
}
function showTip(text, x, y) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = Math.max(0, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(0, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}
document.addEventListener("mousemove", event => showTip(tipOf(event.target), event.clientX, event.clientY));
