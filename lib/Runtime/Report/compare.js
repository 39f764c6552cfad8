// Maps of the differences between tensors: a cell has the largest difference of its elements.
const letters = ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/!";
// The classes of the colours: the first difference of each, as the logarithm of ulps, and its words.
const classes = [["equal", 0], ["1 ulp", 1], ["2 to 15", 2], ["16 to 255", 5], ["256 to 65,535", 9],
  ["65,536 to 2,097,151", 17], ["2,097,152 to 16,777,215", 22], ["16,777,216 and more", 25], ["NaN against a number", 65]].map(([words, first], number) => ({ words, first, number }));
const classOf = value => classes.findLast(each => value >= each.first);
const tensors = data.tensors;
let leastShown = 1;

const cellOf = (tensor, row, column) => letters.indexOf(tensor.cells[row][column] || ".");
function describeValue(value) {
  if (value === 0) return "equal";
  if (value === 65) return "NaN against a number";
  const low = 2n ** BigInt(value - 1), high = 2n * low - 1n;
  return value === 1 ? "1 ulp" : low.toLocaleString("en-US") + " to " + high.toLocaleString("en-US") + " ulps";
}
const describeSpan = (noun, first, size, end) => {
  const last = Math.min(first + size, end) - 1;
  return first === last ? noun + " " + asCount(first) : noun + "s " + asCount(first) + " to " + asCount(last);
};
function describeCell(tensor, row, column) {
  const firstRow = row * tensor.blockRows, firstColumn = column * tensor.blockColumns;
  if (firstRow * tensor.columns + firstColumn >= tensor.elements) return "beyond the last element";
  const isPoint = tensor.blockRows * tensor.blockColumns === 1, value = describeValue(cellOf(tensor, row, column));
  const place = tensor.isMatrix ? describeSpan("row", firstRow, tensor.blockRows, tensor.rows) + ", " +
    describeSpan("column", firstColumn, tensor.blockColumns, tensor.columns) :
    isPoint ? "element " + asCount(firstRow * tensor.columns + firstColumn) :
    describeSpan("line", firstRow, tensor.blockRows, tensor.rows) + ", " + describeSpan("place", firstColumn, tensor.blockColumns, tensor.columns);
  return place + ": " + (isPoint || value === "equal" ? value : "at most " + value);
}

function paint(canvas, tensor, cursor) {
  const paper = canvas.getContext("2d"), rows = tensor.cells.length, columns = Math.ceil(tensor.columns / tensor.blockColumns);
  const style = getComputedStyle(document.documentElement), colours = classes.map(each => style.getPropertyValue("--u" + each.number).trim());
  const width = canvas.width / columns, height = canvas.height / rows;
  paper.fillStyle = style.getPropertyValue("--panel");
  paper.fillRect(0, 0, canvas.width, canvas.height);
  tensor.cells.forEach((cells, row) => {
    const top = Math.round(row * height), bottom = Math.round((row + 1) * height);
    for (let column = 0; column < cells.length; ++column) {
      const value = letters.indexOf(cells[column]);
      if (value < leastShown) continue;
      const left = Math.round(column * width);
      paper.fillStyle = colours[classOf(value).number];
      paper.fillRect(left, top, Math.round((column + 1) * width) - left, bottom - top);
    }
  });
  // The last line may have fewer elements than the others.
  const beyond = Math.ceil((tensor.elements - (rows - 1) * tensor.blockRows * tensor.columns) / tensor.blockColumns);
  if (beyond < columns) {
    const left = Math.round(beyond * width), top = Math.round((rows - 1) * height);
    paper.clearRect(left, top, canvas.width - left, canvas.height - top);
  }
  const ring = ([row, column], colour, radius) => {
    paper.strokeStyle = colour;
    paper.beginPath();
    paper.arc((column + 0.5) * width, (row + 0.5) * height, radius, 0, 7);
    paper.stroke();
  };
  const scale = canvas.width / canvas.clientWidth || 1;
  for (const [colour, size] of [["--paper", 3], ["--ink", 1.5]]) {
    paper.lineWidth = size * scale;
    ring(tensor.worst, style.getPropertyValue(colour), Math.max(6 * scale, Math.min(width, height)));
  }
  if (!cursor) return;
  for (const [colour, size] of [["--paper", 4], ["--focus", 2]]) {
    paper.strokeStyle = style.getPropertyValue(colour);
    paper.lineWidth = size * scale;
    paper.strokeRect(cursor[1] * width - scale, cursor[0] * height - scale, width + 2 * scale, height + 2 * scale);
  }
}

function drawMap(figure) {
  const tensor = tensors[Number(figure.dataset.n)], details = figure.closest("details");
  figure.replaceChildren();
  if (!details.open) return;
  const rows = tensor.cells.length, columns = Math.ceil(tensor.columns / tensor.blockColumns), room = figure.clientWidth - 2;
  const width = Math.min(16, room / columns), height = Math.min(16, Math.max(width, rows < 8 ? 12 : 2), 480 / rows);
  const canvas = Object.assign(element("canvas"), { tabIndex: 0 }), scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * columns * scale));
  canvas.height = Math.max(1, Math.round(height * rows * scale));
  canvas.style.width = canvas.width / scale + "px";
  canvas.style.height = canvas.height / scale + "px";
  canvas.setAttribute("role", "img");
  const line = Object.assign(element("figcaption"), { className: "readout" });
  const worst = describeCell(tensor, ...tensor.worst);
  canvas.setAttribute("aria-label", "Map of the differences of " + tensor.name + ", " + rows + " by " + columns + " cells; the worst is in " + worst);
  line.setAttribute("aria-live", "polite");
  line.textContent = "The worst cell: " + worst;
  figure.append(canvas, line);
  paint(canvas, tensor);
  let cursor = tensor.worst;
  const move = (row, column) => {
    cursor = [Math.min(Math.max(row, 0), rows - 1), Math.min(Math.max(column, 0), columns - 1)];
    line.textContent = describeCell(tensor, ...cursor);
    paint(canvas, tensor, cursor);
  };
  canvas.addEventListener("pointermove", event => {
    const box = canvas.getBoundingClientRect();
    move(Math.floor((event.clientY - box.top - 1) / (box.height - 2) * rows), Math.floor((event.clientX - box.left - 1) / (box.width - 2) * columns));
  });
  canvas.addEventListener("keydown", event => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-10, 0], PageDown: [10, 0] }[event.key];
    const factor = event.shiftKey ? 10 : 1;
    if (step) move(cursor[0] + step[0] * factor, cursor[1] + step[1] * factor);
    else if (event.key === "Home") move(cursor[0], 0);
    else if (event.key === "End") move(cursor[0], columns - 1);
    else return;
    event.preventDefault();
  });
}
addCharts(".ulpMap", drawMap);
for (const details of document.querySelectorAll("details.tensor"))
  details.addEventListener("toggle", () => { if (details.open && !details.querySelector("canvas")) drawMap(details.querySelector(".ulpMap")); });
// A link to a tensor opens it.
const openTarget = () => {
  const details = /^#t\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
};
addEventListener("hashchange", openTarget);
openTarget();
// Colours are read when a map is painted.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);

const ulpKey = document.getElementById("ulpKey");
if (ulpKey) {
  for (const each of classes) {
    const entry = Object.assign(element("span"), { className: "key" });
    const sample = element("i");
    sample.style.background = each.number ? "var(--u" + each.number + ")" : "var(--panel)";
    entry.append(sample, each.words);
    ulpKey.append(entry);
  }
  const choice = element("select"), label = element("label", "Show ");
  for (const each of classes.slice(1))
    choice.append(Object.assign(element("option", each.number === 1 ? "all differences" : each.first === 65 ? "NaN only" : "from " + each.words.split(" ")[0] + " ulps"),
      { value: each.first }));
  choice.addEventListener("change", () => {
    leastShown = Number(choice.value);
    drawCharts();
  });
  label.append(choice);
  ulpKey.append(Object.assign(element("span"), { className: "gap" }), label);
}
