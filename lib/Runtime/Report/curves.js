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
  let low = least(values), high = most(values);
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
  // Values that differ in later digits than a label has are told by their distance from the first.
  const shortened = value => String(Number(value.toPrecision(4)));
  const areDistinct = new Set(ticksY.map(shortened)).size === ticksY.length;
  const textY = value => areDistinct || value === ticksY[0] ? shortened(value) : "+" + shortened(value - ticksY[0]);
  const plot = makePlot(figure, { height: column === 1 ? 300 : 190, x: [least(steps), most(steps)],
    y: [low, high], ticksY, textY, mapY: useLog ? Math.log10 : undefined, titleX: "step", titleY: title });
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
addCharts(".curveChart", drawCurves);

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
