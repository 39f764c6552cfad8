// What pages with pictures share: elements, axes, and charts that are drawn as wide as the page is.
const asCount = number => number.toLocaleString("en-US");
const asTime = seconds => scaled(seconds * 1e9, 1000, ["ns", "us", "ms", "s"]);
const svgElement = (tag, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  return made;
};
const button = (text, action, kind) => {
  const made = element("button", text);
  made.type = "button";
  if (kind) made.className = kind;
  made.addEventListener("click", action);
  return made;
};
// Of a list that may be longer than the arguments of a call.
const least = values => values.reduce((a, b) => Math.min(a, b));
const most = values => values.reduce((a, b) => Math.max(a, b));
// Round numbers, at most `count` steps of 1, 2 or 5. Of a range that is narrower than numbers are exact, its ends.
function axisTicks(low, high, count) {
  const raw = (high - low) / count || 1, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw);
  if (Math.max(Math.abs(low), Math.abs(high)) > step * 1e11) return low === high ? [low] : [low, high];
  const ticks = [], first = Math.ceil(low / step);
  for (let at = first; at * step <= high + step * 1e-9; ++at) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

// A plot: maps numbers to places, draws axes. `mapY` is the scale of the axis upwards.
function makePlot(figure, { height, x, y, ticksY, textY, mapY = value => value, titleX, titleY, labelX = asCount }) {
  const width = Math.max(280, figure.clientWidth), left = width < 520 ? 52 : 66, right = 14, top = 36, bottom = 34;
  const svg = svgElement("svg", { width, height, viewBox: "0 0 " + width + " " + height, tabindex: 0, role: "img" });
  const span = mapY(y[1]) - mapY(y[0]) || 1;
  const plot = {
    svg, left, top, width: width - left - right, height: height - top - bottom, x, y,
    placeX: value => left + (value - x[0]) / (x[1] - x[0] || 1) * (width - left - right),
    placeY: value => top + (1 - (mapY(value) - mapY(y[0])) / span) * (height - top - bottom),
    valueX: place => x[0] + (place - left) / (width - left - right) * (x[1] - x[0] || 1),
    add: (tag, attributes, text) => {
      const made = svgElement(tag, attributes);
      if (text !== undefined) made.textContent = text;
      svg.append(made);
      return made;
    },
  };
  for (const value of ticksY) {
    const place = plot.placeY(value);
    plot.add("path", { class: "grid", d: "M" + left + " " + place + "H" + (width - right) });
    plot.add("text", { x: left - 6, y: place + 4, "text-anchor": "end" }, textY(value));
  }
  for (const value of axisTicks(x[0], x[1], width < 520 ? 4 : 9)) {
    if (!Number.isInteger(value)) continue;
    plot.add("text", { x: plot.placeX(value), y: height - bottom + 16, "text-anchor": "middle" }, labelX(value));
  }
  plot.add("text", { x: width - right, y: height - 4, "text-anchor": "end" }, titleX);
  plot.add("text", { x: 0, y: 11 }, titleY);
  plot.add("path", { class: "plot", d: "M" + left + " " + top + "V" + (height - bottom) + "H" + (width - right) });
  return plot;
}

// A line under a chart that tells what is at a place on it, for the pointer and the arrow keys.
function addReadout(figure, plot, first, last, describe) {
  const line = Object.assign(element("figcaption"), { className: "readout" });
  line.setAttribute("aria-live", "polite");
  line.textContent = "Point at the chart, or focus it and use the arrow keys.";
  const cursor = plot.add("path", { class: "peak", d: "" });
  let at = first;
  const move = to => {
    at = Math.min(Math.max(Math.round(to), first), last);
    const place = plot.placeX(at);
    cursor.setAttribute("d", "M" + place + " " + plot.top + "V" + (plot.top + plot.height));
    line.textContent = describe(at);
  };
  plot.svg.addEventListener("pointermove", event => {
    const box = plot.svg.getBoundingClientRect();
    move(plot.valueX((event.clientX - box.left) * plot.svg.viewBox.baseVal.width / box.width));
  });
  plot.svg.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (step) move(at + step * (event.shiftKey ? 10 : 1));
    else if (event.key === "Home") move(first);
    else if (event.key === "End") move(last);
    else return;
    event.preventDefault();
  });
  figure.append(line);
}

// Draws a chart for each figure of a class, and again when the width of the page changes.
const charts = [];
const drawCharts = () => { for (const chart of charts) chart(); };
function addCharts(selector, draw) {
  for (const figure of document.querySelectorAll(selector)) {
    charts.push(() => draw(figure));
    draw(figure);
  }
}
let lastWidth = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== lastWidth) drawCharts();
  lastWidth = innerWidth;
});
