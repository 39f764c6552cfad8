// Charts of memory and time.
// Whole binary units.
function byteTicks(high, count) {
  let step = 1;
  while (high / step > count) step *= 2;
  const ticks = [];
  for (let at = 0; at <= high; at += step) ticks.push(at);
  return ticks;
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
      height: Math.max(0.4, height), "data-m": figure.dataset.n + " " + at, "data-k": memory.launches[first][0] });
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
    y: plot.placeY(thread) + 1, width: Math.max(0.5, plot.placeX((begin + length) / 1000) - plot.placeX(begin / 1000)), height: row - 2, "data-s": at,
    "data-k": time.launches[launch][0] }));
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
    dot.dataset.k = point.kernel.kernel;
    dot.dataset.t = point.kernel.kernel + (point.kernel.node ? " (" + point.kernel.node + ")" : "") + ", " + point.kernel.schedule + ": " + Number(point.y.toPrecision(3)) +
      " Gflop/s, " + Number((point.kernel.bytes / point.kernel.seconds / 1e9).toPrecision(3)) + " GB/s, " + Number((point.kernel.seconds * 1e6).toPrecision(4)) + " us a run";
  }
  figure.append(plot.svg, element("figcaption", "The larger a point, the more time its kernel takes. The table below lists the largest."));
}
// A click on a value, a launch or a point shows its kernel in the graph.
document.addEventListener("click", event => {
  const made = event.target.closest(".chart [data-k]");
  if (made) showKernelNamed(made.dataset.k);
});
addCharts(".memoryChart", drawMemory);
addCharts(".threadChart", drawThreads);
addCharts(".roofChart", drawRoof);
