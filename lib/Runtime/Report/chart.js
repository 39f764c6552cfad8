// Charts of memory and of training runs, drawn as wide as the page is.
function axisTicks(low, high, most) {
  const raw = (high - low) / most || 1, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw);
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) ticks.push(Number(at.toPrecision(12)));
  return ticks;
}
// Whole binary units.
function byteTicks(high, most) {
  let step = 1;
  while (high / step > most) step *= 2;
  const ticks = [];
  for (let at = 0; at <= high; at += step) ticks.push(at);
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
function addReadout(figure, plot, least, most, describe) {
  const line = Object.assign(element("figcaption"), { className: "readout" });
  line.setAttribute("aria-live", "polite");
  line.textContent = "Point at the chart, or focus it and use the arrow keys.";
  const cursor = plot.add("path", { class: "peak", d: "" });
  let at = least;
  const move = to => {
    at = Math.min(Math.max(Math.round(to), least), most);
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
    else if (event.key === "Home") move(least);
    else if (event.key === "End") move(most);
    else return;
    event.preventDefault();
  });
  figure.append(line);
}

// Memory: every program on the same scale.
const memoryTop = Math.max(1, ...data.memory.map(memory => memory.arena || 0));
const launchName = launch => launch[0] + (launch[1] ? " (" + launch[1] + ")" : "");
function drawMemory(figure) {
  const memory = data.memory[Number(figure.dataset.n)], count = memory.launches.length;
  figure.replaceChildren();
  const key = Object.assign(element("div"), { className: "bar" });
  const used = [...new Set(memory.launches.map(launch => launch[2]))].filter(phase => phase);
  for (const phase of used) {
    const entry = Object.assign(element("span"), { className: "key" });
    entry.append(Object.assign(element("i"), { className: phase }), "written in the " + phase + (phase === "loss" || phase === "update" ? "" : " pass"));
    key.append(entry);
  }
  if (used.length > 1) figure.append(key);
  const plot = makePlot(figure, { height: 380, x: [0, count], y: [0, memoryTop], ticksY: byteTicks(memoryTop, 7), textY: asBytes,
    titleX: "launch", titleY: "address in the arena" });
  plot.svg.setAttribute("aria-label", "The arena over the " + count + " launches of a run; at most " + asBytes(memory.live[memory.peak]) +
    " are live, at launch " + memory.peak);
  memory.buffers.forEach(([offset, bytes, first, last], at) => {
    const x = plot.placeX(first), y = plot.placeY(offset + bytes);
    const height = plot.placeY(offset) - y;
    plot.add("rect", { class: "value " + memory.launches[first][2] + (height < 3 ? " thin" : ""), x, y, width: Math.max(0.6, plot.placeX(last + 1) - x),
      height: Math.max(0.4, height), "data-m": figure.dataset.n + " " + at });
  });
  let path = "";
  memory.live.forEach((bytes, at) => { path += (at ? "L" : "M") + plot.placeX(at) + " " + plot.placeY(bytes) + "H" + plot.placeX(at + 1); });
  plot.add("path", { class: "live", d: path });
  const peak = plot.placeX(memory.peak + 0.5), isRight = peak > plot.left + plot.width * 0.6;
  plot.add("path", { class: "peak", d: "M" + peak + " " + plot.top + "V" + (plot.top + plot.height) });
  plot.add("text", { class: "mark", x: peak + (isRight ? -5 : 5), y: plot.top - 6, "text-anchor": isRight ? "end" : "start" },
    "peak " + asBytes(memory.live[memory.peak]) + ", launch " + asCount(memory.peak));
  figure.append(plot.svg);
  addReadout(figure, plot, 0, count - 1, at => "launch " + at + ", " + launchName(memory.launches[at]) + ": " + asBytes(memory.live[at]) + " live in " +
    memory.buffers.filter(buffer => buffer[2] <= at && buffer[3] >= at).length + " values");
}
tips.m = text => {
  const [program, at] = text.split(" ").map(Number), memory = data.memory[program];
  const [offset, bytes, first, last] = memory.buffers[at];
  return asBytes(bytes) + " at " + asBytes(offset) + ", written by " + launchName(memory.launches[first]) + "; launches " + first + " to " + last;
};

// Time: a row of launches for each thread.
function drawThreads(figure) {
  const time = data.time, end = time.spans.reduce((most, span) => Math.max(most, span[2] + span[3]), 1);
  figure.replaceChildren();
  const key = Object.assign(element("div"), { className: "bar" });
  const used = [...new Set(time.launches.map(launch => launch[2]))];
  for (const phase of used) {
    const entry = Object.assign(element("span"), { className: "key" });
    entry.append(Object.assign(element("i"), { className: phase }), phase);
    key.append(entry);
  }
  if (used.length > 1) figure.append(key);
  const row = Math.max(8, Math.min(34, 260 / time.threads)), us = end / 1000;
  const plot = makePlot(figure, { height: 70 + row * time.threads, x: [0, us], y: [time.threads, 0], ticksY: [], textY: String, titleX: us < 20000 ? "us" : "ms",
    titleY: "thread", labelX: us < 20000 ? asCount : value => asCount(value / 1000) });
  plot.svg.setAttribute("aria-label", "What each of " + time.threads + " threads did in a run of " + Math.round(us) + " microseconds");
  for (let thread = 0; thread < time.threads; ++thread)
    plot.add("text", { x: plot.left - 6, y: plot.placeY(thread) + row / 2 + 4, "text-anchor": "end" }, thread);
  time.spans.forEach(([launch, thread, begin, length], at) => plot.add("rect", { class: "value " + time.launches[launch][2], x: plot.placeX(begin / 1000),
    y: plot.placeY(thread) + 1, width: Math.max(0.5, plot.placeX((begin + length) / 1000) - plot.placeX(begin / 1000)), height: row - 2, "data-s": at }));
  figure.append(plot.svg);
  addReadout(figure, plot, 0, Math.floor(us), now => "at " + asCount(now) + " us: " + (time.spans.filter(span => span[2] <= now * 1000 && span[2] + span[3] >= now * 1000)
    .map(span => "thread " + span[1] + " runs " + launchName(time.launches[span[0]])).join("; ") || "nothing runs"));
}
tips.s = at => {
  const [launch, thread, begin, length] = data.time.spans[Number(at)];
  return launchName(data.time.launches[launch]) + ", " + data.time.launches[launch][3] + ": " + Number((length / 1000).toPrecision(4)) + " us on thread " + thread +
    ", from " + Number((begin / 1000).toPrecision(6)) + " us";
};

// Roofline, both axes by powers of ten.
function drawRoof(figure) {
  const kernels = data.time.kernels.filter(kernel => kernel.seconds > data.time.seconds / 1000);
  const points = kernels.filter(kernel => kernel.flops > 0 && kernel.bytes > 0)
    .map(kernel => ({ kernel, x: kernel.flops / kernel.bytes, y: kernel.flops / kernel.seconds / 1e9 }));
  figure.replaceChildren();
  if (!points.length) {
    figure.append(element("p", "No kernel has floating-point operations."));
    return;
  }
  const most = values => values.reduce((a, b) => Math.max(a, b)), least = values => values.reduce((a, b) => Math.min(a, b));
  const peak = most(points.map(point => point.y)), bandwidth = most(kernels.map(kernel => kernel.bytes / kernel.seconds / 1e9));
  const xs = points.map(point => point.x), decade = (value, up) => Math.pow(10, up ? Math.ceil(Math.log10(value)) : Math.floor(Math.log10(value)));
  const low = decade(least(points.map(point => point.y)), false), high = decade(peak * 1.01, true), ticksY = [];
  for (let at = low; at <= high * 1.01; at *= 10) ticksY.push(Number(at.toPrecision(3)));
  const x = [Math.log10(decade(least(xs), false)), Math.log10(decade(most(xs) * 1.01, true))];
  const plot = makePlot(figure, { height: 360, x, y: [low, high], ticksY, textY: value => value < 1000 ? String(value) : asCount(value), mapY: Math.log10, titleX: "", titleY: "Gflop/s", labelX: value => String(Number(Math.pow(10, value).toPrecision(3))) });
  plot.add("text", { x: plot.left + plot.width, y: 356, "text-anchor": "end" }, "flop per byte");
  plot.svg.setAttribute("aria-label", "Roofline of " + points.length + " kernels; at most " + Number(peak.toPrecision(4)) + " Gflop/s");
  const knee = Math.log10(peak / bandwidth), start = Math.max(x[0], Math.log10(low / bandwidth));
  const turn = Math.min(Math.max(knee, x[0]), x[1]);
  plot.add("path", { class: "roofline", d: "M" + plot.placeX(start) + " " + plot.placeY(bandwidth * Math.pow(10, start)) + "L" + plot.placeX(turn) + " " +
    plot.placeY(Math.min(peak, bandwidth * Math.pow(10, turn))) + "H" + plot.placeX(x[1]) });
  plot.add("text", { class: "mark", x: plot.left + plot.width, y: plot.placeY(peak) - 5, "text-anchor": "end" }, asCount(Number(peak.toPrecision(3))) + " Gflop/s");
  plot.add("text", { class: "mark", x: plot.placeX(start) + 6, y: plot.placeY(bandwidth * Math.pow(10, start)) - 12 }, Number(bandwidth.toPrecision(3)) + " GB/s");
  const longest = most(points.map(point => point.kernel.seconds));
  for (const point of points) {
    const dot = plot.add("circle", { class: "kernelDot", cx: plot.placeX(Math.log10(point.x)), cy: plot.placeY(point.y), r: 2.5 + 9 * Math.sqrt(point.kernel.seconds / longest) });
    dot.dataset.t = point.kernel.kernel + (point.kernel.node ? " (" + point.kernel.node + ")" : "") + ", " + point.kernel.schedule + ": " + Number(point.y.toPrecision(3)) +
      " Gflop/s, " + Number((point.kernel.bytes / point.kernel.seconds / 1e9).toPrecision(3)) + " GB/s, " + Number((point.kernel.seconds * 1e6).toPrecision(4)) + " us a run";
  }
  figure.append(plot.svg, element("figcaption", "The larger a point, the more time its kernel takes. The table below lists the largest."));
}

// Training runs: a colour and a dash pattern for each.
const dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];
const runs = data.runs || [];
let isLog = false;
function drawCurves(figure) {
  const column = Number(figure.dataset.c), title = ["", "loss", "step size", "norm of the gradient"][column];
  figure.replaceChildren();
  const points = runs.map(run => run.steps.filter(row => row[column] !== null && (!isLog || column !== 1 || row[1] > 0)));
  const all = points.flat();
  if (!all.length) {
    figure.hidden = true;
    return;
  }
  const evaluations = column === 1 ? runs.flatMap(run => run.evaluations) : [];
  const values = [...all.map(row => row[column]), ...evaluations.map(row => row[1])].filter(value => !isLog || column !== 1 || value > 0);
  let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const useLog = isLog && column === 1;
  if (!useLog && low > 0 && low < high * 0.7) low = 0;
  if (low === high) {
    low -= Math.abs(low) * 0.1 || 1;
    high += Math.abs(high) * 0.1 || 1;
  }
  const steps = all.map(row => row[0]);
  let ticksY = axisTicks(low, high, 5);
  if (useLog) {
    ticksY = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      for (const factor of [1, 2, 5]) if (factor * 10 ** power >= low && factor * 10 ** power <= high) ticksY.push(factor * 10 ** power);
  }
  const plot = makePlot(figure, { height: column === 1 ? 300 : 190, x: [steps.reduce((a, b) => Math.min(a, b)), steps.reduce((a, b) => Math.max(a, b))],
    y: [low, high], ticksY, textY: value => String(Number(value.toPrecision(4))), mapY: useLog ? Math.log10 : undefined, titleX: "step", titleY: title });
  plot.svg.setAttribute("aria-label", title + " over the steps of " + runs.length + (runs.length === 1 ? " run" : " runs"));
  points.forEach((rows, at) => {
    const path = rows.map((row, i) => (i ? "L" : "M") + plot.placeX(row[0]).toFixed(1) + " " + plot.placeY(row[column]).toFixed(1)).join("");
    plot.add("path", { class: "curve c" + at % 6, d: path, "stroke-dasharray": dashes[at % dashes.length] });
    if (column === 1)
      for (const [step, loss] of runs[at].evaluations)
        if (!useLog || loss > 0) plot.add("circle", { class: "curve c" + at % 6, cx: plot.placeX(step), cy: plot.placeY(loss), r: 3, "data-t": runs[at].name + ": loss on the evaluation data " + loss + " after step " + step });
  });
  const parts = [...new Set(runs.filter(run => run.against && run.against.step !== undefined).map(run => run.against.step))];
  for (const step of parts) {
    const place = plot.placeX(step), isRight = place > plot.left + plot.width * 0.6;
    plot.add("path", { class: "peak", d: "M" + place + " " + plot.top + "V" + (plot.top + plot.height) });
    if (column === 1) plot.add("text", { class: "mark", x: place + (isRight ? -5 : 5), y: plot.top - 4, "text-anchor": isRight ? "end" : "start" }, "the bits part: step " + asCount(step));
  }
  figure.append(plot.svg);
  const maps = points.map(rows => new Map(rows.map(row => [row[0], row[column]])));
  addReadout(figure, plot, plot.x[0], plot.x[1], step => "step " + asCount(step) + ": " + runs.map((run, at) =>
    run.name + " " + (maps[at].has(step) ? maps[at].get(step) : "-")).join(", "));
}

const charts = [...document.querySelectorAll(".memoryChart")].map(figure => () => drawMemory(figure));
for (const figure of document.querySelectorAll(".threadChart")) charts.push(() => drawThreads(figure));
for (const figure of document.querySelectorAll(".roofChart")) charts.push(() => drawRoof(figure));
for (const figure of document.querySelectorAll(".curveChart")) charts.push(() => drawCurves(figure));
const curveKey = document.getElementById("curveKey");
if (curveKey) {
  runs.forEach((run, at) => {
    const entry = Object.assign(element("span"), { className: "key" });
    const sample = svgElement("svg", { width: 34, height: 10, viewBox: "0 0 34 10", style: "width:34px" });
    sample.append(svgElement("path", { class: "curve c" + at % 6, d: "M0 5H34", "stroke-dasharray": dashes[at % dashes.length] }));
    entry.append(sample, " " + run.name);
    curveKey.append(entry);
  });
  const toggle = button("Logarithmic loss", () => {
    isLog = !isLog;
    toggle.setAttribute("aria-pressed", String(isLog));
    for (const chart of charts) chart();
  });
  toggle.setAttribute("aria-pressed", "false");
  curveKey.append(Object.assign(element("span"), { className: "gap" }), toggle);
}
const drawCharts = () => { for (const chart of charts) chart(); };
drawCharts();
let lastWidth = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== lastWidth) drawCharts();
  lastWidth = innerWidth;
});
