// Hovering, zooming and selecting; without it the page shows the same figures.
const ramp = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];

const asTime = ps => scaled(ps, 1000, ["ps", "ns", "us", "ms", "s"]);
const asEnergy = fJ => scaled(fJ, 1000, ["fJ", "pJ", "nJ", "uJ", "mJ", "J"]);
const asShare = thousandths => thousandths / 10 + " %";

const metrics = { busy: asShare, copy: asShare, fill: asShare, energy: asEnergy, bytes: asBytes };
function describeCell(cell) {
  return data.names[cell] + ": computes " + asShare(data.busy[cell]) + ", copies " + asShare(data.copy[cell]) +
    " of the time; memory " + asShare(data.fill[cell]) + "; " + asBytes(data.bytes[cell]) + "; " + asEnergy(data.energy[cell]);
}

tips.k = kernel => data.kernels[kernel];
tips.c = cell => describeCell(Number(cell));

const cells = document.getElementById("cells");
function paint(metric) {
  const values = data[metric];
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  for (const rect of cells.children)
    if (!rect.classList.contains("dead")) {
      const value = values[Number(rect.dataset.c)];
      const step = value > 0 ? Math.min(ramp.length - 1, Math.floor(value / most * ramp.length)) : -1;
      rect.setAttribute("class", (step < 0 ? "" : "q" + step) + (rect.classList.contains("chosen") ? " chosen" : ""));
      for (const text of document.querySelectorAll("text.onCell[data-l='" + rect.dataset.c + "']"))
        text.style.fill = step < 0 ? "" : step < 5 ? "#fff" : "#111";
    }
  const legend = document.getElementById("legend");
  legend.replaceChildren(element("span", "0"));
  for (const colour of ramp) {
    const step = element("i");
    step.style.background = colour;
    legend.append(step);
  }
  legend.append(element("span", metrics[metric](most)));
}

function listKernels(rect) {
  for (const other of cells.querySelectorAll(".chosen")) other.classList.remove("chosen");
  rect.classList.add("chosen");
  const cell = Number(rect.dataset.c);
  const panel = document.getElementById("kernelsOf");
  panel.replaceChildren(element("b", data.names[cell]), element("p", describeCell(cell).split(": ").slice(1).join(": ")));
  const table = element("table");
  const head = element("tr");
  for (const name of ["kernel", "computes", "copies"]) head.append(element("th", name));
  table.append(head);
  for (const [kernel, compute, copy] of data.kernelsOf[cell]) {
    const row = element("tr");
    row.append(element("td", data.kernels[kernel]), element("td", asTime(compute * 1000)), element("td", asTime(copy * 1000)));
    table.append(row);
  }
  panel.append(data.kernelsOf[cell].length ? table : element("p", "It has no tasks."));
}

if (cells) {
  paint("busy");
  for (const input of document.querySelectorAll("input[name=metric]"))
    input.addEventListener("change", () => paint(input.value));
  cells.addEventListener("click", event => {
    if (event.target.dataset.c) listKernels(event.target);
  });
}

// Timelines stretch along time.
for (const line of document.querySelectorAll("svg.timeline")) {
  const axis = line.querySelector(".axis"), content = line.querySelector(".zoom"), plot = line.querySelector("svg");
  const time = Number(axis.dataset.time), bottom = Number(axis.dataset.y);
  const left = Number(plot.getAttribute("x")), width = Number(plot.getAttribute("width"));
  let scale = 1, start = 0; // of the time that is shown
  const draw = () => {
    start = Math.min(Math.max(start, 0), 1 - 1 / scale);
    content.setAttribute("transform", "scale(" + scale + " 1) translate(" + -start * 1000 + " 0)");
    const shown = time / scale;
    let step = Math.pow(10, Math.floor(Math.log10(shown / 4)));
    for (const factor of [2, 2.5, 2]) if (shown / step > 8) step *= factor;
    axis.replaceChildren();
    for (let at = Math.ceil(start * time / step) * step; at <= start * time + shown; at += step) {
      const x = left + (at / time - start) * scale * width;
      const grid = document.createElementNS("http://www.w3.org/2000/svg", "path");
      grid.setAttribute("class", "grid");
      grid.setAttribute("d", "M" + x + " 0V" + bottom);
      const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      text.setAttribute("class", "tick");
      text.setAttribute("x", x);
      text.setAttribute("y", bottom + 16);
      // To the digits that differ.
      text.textContent = at === 0 ? "0" : scaled(Number(at.toPrecision(7)), 1000, ["ps", "ns", "us", "ms", "s"]);
      axis.append(grid, text);
    }
  };
  const placeOf = event => {
    const box = plot.getBoundingClientRect();
    const outer = line.getBoundingClientRect(), unit = outer.width / line.viewBox.baseVal.width;
    return box.width ? (event.clientX - outer.left - left * unit) / (width * unit) : 0;
  };
  line.addEventListener("wheel", event => {
    const at = placeOf(event);
    if (at < 0 || at > 1) return;
    event.preventDefault();
    const before = start + at / scale;
    scale = Math.min(Math.max(scale * (event.deltaY < 0 ? 1.25 : 0.8), 1), 2000);
    start = before - at / scale;
    draw();
  }, { passive: false });
  let grabbed = null;
  line.addEventListener("pointerdown", event => { grabbed = { at: placeOf(event), start }; });
  addEventListener("pointerup", () => { grabbed = null; });
  line.addEventListener("pointermove", event => {
    if (!grabbed) return;
    start = grabbed.start - (placeOf(event) - grabbed.at) / scale;
    draw();
  });
}
