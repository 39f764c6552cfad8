// The graph: one module at a time, laid out when it is opened.
const graph = data.graph;
const asFlops = number => scaled(number, 1000, ["flop", "kflop", "Mflop", "Gflop", "Tflop"]);

// A picture has at most this many nodes. With more, they are shown by module, or in runs of consecutive ones.
const mostNodes = 120;
// Edges that span more ranks are drawn as curves and do not take part in the layout.
const longestEdge = 8;
const phases = [...new Set(graph.kernels.map(kernel => kernel.phase))];

const view = document.getElementById("graphView"), panel = document.getElementById("graphPanel");
const state = { depth: "modules", path: [], chosen: null };

graph.layers.forEach((layer, at) => { layer.index = at; layer.isLayer = true; layer.readers = []; layer.kernels = []; });
for (const layer of graph.layers) for (const read of layer.reads) graph.layers[read].readers.push(layer.index);
const timeOf = new Map((data.time ? data.time.kernels : []).map(time => [time.kernel, time]));
const kernelNamed = new Map(graph.kernels.map(kernel => [kernel.name, kernel]));
graph.kernels.forEach((kernel, at) => {
  kernel.index = at;
  kernel.seconds = (timeOf.get(kernel.name) || {}).seconds;
  kernel.reads = kernel.reads || [];
  kernel.readers = kernel.borders.filter(border => typeof border[0] === "number").map(border => border[0]);
  for (const node of kernel.nodes) graph.layers[node].kernels.push(at);
});
graph.kernels.forEach(kernel => { for (const reader of kernel.readers) graph.kernels[reader].reads.push(kernel.index); });

const itemsOf = depth => depth === "kernels" ? graph.kernels : graph.layers;
const isWithin = (item, path) => path.every((part, at) =>
  typeof part === "string" ? item.path[at] === part : true);
// A path has the names of modules, then perhaps a part of the step and a run of items: {phase} and {from, to}.
const namesOf = path => path.filter(part => typeof part === "string");
function itemsWithin(depth, path) {
  const names = namesOf(path), others = path.filter(part => typeof part !== "string");
  return itemsOf(depth).filter(item => isWithin(item, names) && others.every(other =>
    (other.phase === undefined || item.phase === other.phase) &&
    (other.from === undefined || (item.index >= other.from && item.index <= other.to))));
}
const costOf = item => item.isLayer ? (item.stepFlops === undefined ? item.flops : item.stepFlops) : item.flops;
// The share of a box: of the time where kernels were measured, else of the operations.
const hasTimes = graph.kernels.some(kernel => kernel.seconds);
const shareOf = item => hasTimes && !item.isLayer ? item.seconds : costOf(item);
const sum = (items, what) => items.reduce((total, item) => total + (what(item) || 0), 0);

// The boxes of a picture: modules and single items.
function makeBoxes(depth, path) {
  const items = itemsWithin(depth, path);
  const level = namesOf(path).length;
  if (depth !== "modules" && items.length <= mostNodes) return items.map(item => ({ items: [item] }));
  const hasPhase = path.some(part => part.phase !== undefined);
  const groups = new Map();
  for (const item of items) {
    const part = item.path[level];
    const own = part === undefined ? "=" + item.index : part;
    const key = own + (depth === "kernels" && !hasPhase ? " " + item.phase : "");
    if (!groups.has(key)) groups.set(key, { items: [], name: part, phase: item.phase });
    groups.get(key).items.push(item);
  }
  const boxesOf = box => isRepeated(box, level) ? box.items.map(item => ({ ...box, items: [item] })) : [box];
  // In program order, which is that of the Tab key too.
  let boxes = [...groups.values()].flatMap(boxesOf).sort((a, b) => a.items[0].index - b.items[0].index);
  for (const box of boxes)
    if (box.items.length > 1 && box.name !== undefined)
      box.open = depth === "kernels" && !hasPhase ? [...namesOf(path), box.name, { phase: box.phase }] : [...path, box.name];
  if (boxes.length > mostNodes) boxes = cutInRuns(boxes, path);
  return boxes;
}
// A module without parts that is called several times, such as one activation for a whole block, is shown at each call.
function isRepeated(box, level) {
  if (box.items.length < 2 || box.items.length > 8 || box.items.some(item => item.path.length !== level + 1)) return false;
  const own = new Set(box.items.map(item => item.index));
  return !box.items.some(item => item.reads.some(read => own.has(read)));
}
function cutInRuns(boxes, path) {
  // Of very many, each run is cut again when it is opened.
  const each = Math.max(Math.ceil(boxes.length / Math.ceil(boxes.length / (mostNodes / 2))), Math.ceil(boxes.length / mostNodes));
  const runs = [];
  for (let at = 0; at < boxes.length; at += each) {
    const items = boxes.slice(at, at + each).flatMap(box => box.items);
    const indices = items.map(item => item.index), from = least(indices), to = most(indices);
    runs.push({ items, name: items[0].name + " \u2026", open: [...path, { from, to }] });
  }
  // A run that holds everything would open itself.
  return runs.length > 1 ? runs : boxes;
}

function titleOf(box) {
  if (!box.open) {
    const item = box.items[0];
    if (!item.isLayer) return item.name;
    return box.name !== undefined ? box.name : item.name.replace(/^node_/, "");
  }
  // A number alone says little.
  const outer = namesOf(box.open).at(-2);
  return /^\d+$/.test(box.name) && outer !== undefined ? outer + "." + box.name : box.name;
}
function subtitleOf(box) {
  const item = box.items[0];
  if (box.open) {
    const flops = sum(box.items, costOf), seconds = sum(box.items, one => one.seconds);
    return box.items.length + (item.isLayer ? " nodes" : " kernels" + (box.phase && phases.length > 1 ? ", " + box.phase : "")) +
      (seconds ? ", " + asTime(seconds) : flops ? ", " + asFlops(flops) : "");
  }
  const cost = costOf(item);
  return item.kind + (item.isLayer ? "" : (phases.length > 1 ? ", " + item.phase : "") + (item.again >= 0 ? ", again" : "")) +
    (item.seconds ? ", " + asTime(item.seconds) : cost ? ", " + asFlops(cost) : "");
}
const cutText = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

// Edges between boxes, and those that leave the picture.
function makeEdges(depth, boxes) {
  const owner = new Map();
  boxes.forEach((box, at) => box.items.forEach(item => owner.set(item.index, at)));
  const edges = new Map();
  const add = (from, to) => { if (from !== to) edges.set(from + " " + to, [from, to]); };
  boxes.forEach((box, at) => box.items.forEach(item => {
    for (const read of item.reads) add(owner.has(read) ? owner.get(read) : "in", at);
    for (const reader of item.readers) if (!owner.has(reader)) add(at, "out");
  }));
  return [...edges.values()];
}

// Ranks by the longest path, along program order.
function rankBoxes(boxes, edges) {
  const rank = boxes.map(() => 0);
  const first = boxes.map(box => least(box.items.map(item => item.index)));
  const inner = edges.filter(edge => typeof edge[0] === "number" && typeof edge[1] === "number");
  inner.sort((a, b) => first[a[0]] - first[b[0]]);
  for (const [from, to] of inner) if (first[from] < first[to]) rank[to] = Math.max(rank[to], rank[from] + 1);
  return rank;
}

function layOut(boxes, edges) {
  const g = new dagre.graphlib.Graph();
  g.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 30, marginx: 14, marginy: 14 });
  g.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((box, at) => g.setNode(String(at), { width: box.width, height: box.height }));
  const rank = rankBoxes(boxes, edges);
  const near = [], far = [];
  for (const edge of edges) {
    const [from, to] = edge;
    if (typeof from === "number" && typeof to === "number" && Math.abs(rank[to] - rank[from]) > longestEdge) far.push(edge);
    else near.push(edge);
  }
  for (const ghost of ["in", "out"])
    if (near.some(edge => edge.includes(ghost))) g.setNode(ghost, { width: 130, height: 26 });
  // Of the edges from and to the rest, one per box would only be a fan: few are drawn.
  const ghostEdges = ghost => near.filter(edge => edge.includes(ghost)).length;
  const isFew = { in: ghostEdges("in") <= 6, out: ghostEdges("out") <= 6 };
  const hasReader = new Set(near.filter(edge => edge[1] !== "out").map(edge => edge[0]));
  const shown = near.filter(([from, to]) => from === "in" ? isFew.in || rank[to] === 0 : to !== "out" || isFew.out || !hasReader.has(from));
  for (const [from, to] of shown) g.setEdge(String(from), String(to));
  for (const ghost of ["in", "out"]) if (g.hasNode(ghost) && !g.nodeEdges(ghost).length) g.removeNode(ghost);
  dagre.layout(g);
  return { g, near: shown, far };
}

function smooth(points) {
  let path = "M" + points[0].x + " " + points[0].y;
  for (let at = 1; at + 1 < points.length; ++at) {
    const x = (points[at].x + points[at + 1].x) / 2, y = (points[at].y + points[at + 1].y) / 2;
    path += "Q" + points[at].x + " " + points[at].y + " " + x + " " + y;
  }
  const last = points[points.length - 1];
  return path + "L" + last.x + " " + last.y;
}

let transform = { x: 0, y: 0, scale: 1 }, content = null, drawn = null;
const applyTransform = () => content && content.setAttribute("transform",
  "translate(" + transform.x + " " + transform.y + ") scale(" + transform.scale + ")");
function fit() {
  if (!drawn) return;
  const { width, height } = drawn.g.graph();
  const all = Math.min(view.clientWidth / width, view.clientHeight / height, 1.4);
  // Text stays readable: a picture that is too large is shown from its top.
  const scale = Math.max(all, Math.min(0.75, view.clientWidth / width * 1.15), 0.35);
  transform = { scale, x: (view.clientWidth - width * scale) / 2, y: all >= scale ? (view.clientHeight - height * scale) / 2 : 0 };
  applyTransform();
}
function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const scale = Math.min(Math.max(transform.scale * factor, 0.05), 4);
  transform = { scale, x: x - (x - transform.x) * scale / transform.scale, y: y - (y - transform.y) * scale / transform.scale };
  applyTransform();
}

function drawBox(box, at, largest, place) {
  const kind = "item" + (box.open ? " module" : box.items[0].again >= 0 ? " again" : "");
  const made = svgElement("g", { class: kind, tabindex: 0, role: "button", "data-box": at,
    transform: "translate(" + (place.x - box.width / 2) + " " + (place.y - box.height / 2) + ")" });
  made.setAttribute("aria-label", titleOf(box) + ", " + subtitleOf(box) + (box.open ? ", opens" : ""));
  made.append(svgElement("rect", { class: "body", width: box.width, height: box.height, rx: 5 }));
  const item = box.items[0];
  made.append(svgElement("rect", { class: item.isLayer ? "forward" : item.phase, width: 4, height: box.height - 8, x: 4, y: 4, rx: 2 }));
  const share = sum(box.items, shareOf);
  if (share > 0 && largest > 0)
    made.append(svgElement("rect", { class: "share", x: 12, y: box.height - 5, height: 2.5, width: Math.max(1, share / largest * (box.width - 20)) }));
  const title = svgElement("text", { class: "title", x: 13, y: 16 });
  title.textContent = cutText(titleOf(box), 30) + (box.open ? " \u25b8" : "");
  const sub = svgElement("text", { class: "sub", x: 13, y: 30 });
  sub.textContent = cutText(subtitleOf(box), 38);
  made.append(title, sub);
  made.addEventListener("click", () => activate(box));
  made.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    moved = false;
    activate(box);
    focusFirst(box);
  });
  return made;
}

// What had the focus may be gone from the picture.
function focusFirst(box) {
  if (!box || box.open) view.querySelector(".item[tabindex]")?.focus({ preventScroll: true });
}
function activate(box) {
  if (moved) return;
  if (box.open) go(state.depth, box.open);
  else choose(box.items[0]);
}

function draw() {
  const boxes = makeBoxes(state.depth, state.path);
  view.replaceChildren();
  drawn = content = null;
  if (!boxes.length) {
    view.append(element("p", "Nothing here."));
    return;
  }
  for (const box of boxes) {
    box.width = Math.max(96, 26 + 7.1 * Math.min(30, titleOf(box).length + (box.open ? 2 : 0)), 24 + 5.9 * Math.min(38, subtitleOf(box).length));
    box.height = 40;
  }
  const edges = makeEdges(state.depth, boxes);
  drawn = { boxes, ...layOut(boxes, edges) };
  const svg = svgElement("svg", { role: "group", "aria-label": "Graph of " + (namesOf(state.path).join(".") || "the model") });
  svg.append(svgElement("defs", {}));
  svg.firstChild.innerHTML = '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="tipHead" d="M0 0L8 4L0 8z"/></marker>';
  content = svgElement("g", {});
  const wires = svgElement("g", {});
  for (const [from, to] of drawn.near)
    if (drawn.g.hasEdge(String(from), String(to)))
      wires.append(svgElement("path", { class: "edge", "data-ends": from + " " + to, "marker-end": "url(#arrow)", d: smooth(drawn.g.edge(String(from), String(to)).points) }));
  const reach = drawn.g.graph().width;
  for (const [from, to] of drawn.far) {
    const a = drawn.g.node(String(from)), b = drawn.g.node(String(to));
    const side = a.x + b.x > reach ? 1 : -1, bend = 40 + Math.abs(b.y - a.y) * 0.12;
    const ax = a.x + side * a.width / 2, bx = b.x + side * b.width / 2, out = side > 0 ? Math.max(ax, bx) + bend : Math.min(ax, bx) - bend;
    wires.append(svgElement("path", { class: "edge far", "data-ends": from + " " + to, "marker-end": "url(#arrow)",
      d: "M" + ax + " " + a.y + "C" + out + " " + a.y + " " + out + " " + b.y + " " + bx + " " + b.y }));
  }
  content.append(wires);
  const largest = most(boxes.map(box => sum(box.items, shareOf)));
  for (const ghost of ["in", "out"]) {
    if (!drawn.g.hasNode(ghost)) continue;
    const place = drawn.g.node(ghost);
    const made = svgElement("g", { class: "item outside", transform: "translate(" + (place.x - 65) + " " + (place.y - 13) + ")" });
    made.append(svgElement("rect", { class: "body", width: 130, height: 26, rx: 13 }));
    const text = svgElement("text", { class: "sub", x: 65, y: 17, "text-anchor": "middle" });
    text.textContent = ghost === "in" ? "from other modules" : "to other modules";
    made.append(text);
    content.append(made);
  }
  boxes.forEach((box, at) => content.append(drawBox(box, at, largest, drawn.g.node(String(at)))));
  svg.append(content);
  view.append(svg);
  fit();
  markChosen();
}

function markChosen() {
  const at = state.chosen ? drawn.boxes.findIndex(box => box.items.includes(state.chosen)) : -1;
  const near = new Set();
  for (const edge of view.querySelectorAll(".edge")) {
    const ends = edge.dataset.ends.split(" "), isNear = at >= 0 && ends.includes(String(at));
    edge.classList.toggle("near", isNear);
    if (isNear) ends.forEach(end => near.add(end));
  }
  for (const item of view.querySelectorAll(".item[data-box]")) {
    item.classList.toggle("chosen", item.dataset.box === String(at));
    item.classList.toggle("near", near.has(item.dataset.box));
  }
}

// The panel.
function addFacts(rows) {
  const list = element("dl");
  for (const [name, value] of rows) {
    if (value === "" || value === undefined) continue;
    const cell = element("dd");
    cell.append(value);
    list.append(element("dt", name), cell);
  }
  panel.append(list);
}
function addList(title, entries) {
  if (!entries.length) return;
  panel.append(element("h4", title));
  const list = element("ul");
  for (const entry of entries) {
    const line = element("li");
    line.append(...[].concat(entry));
    list.append(line);
  }
  panel.append(list);
}
const linkTo = (item, text) => button(text || item.name, () => show(item), "link");
function choose(item) {
  state.chosen = item;
  panel.replaceChildren(element("h3", item.name));
  if (item.isLayer) showLayer(item);
  else showKernel(item);
  if (drawn) markChosen();
}
function showLayer(item) {
  addFacts([["operator", item.kind], ["module", item.path.join(".")], ["output", item.type],
    ["inference", item.flops ? asFlops(item.flops) : "no arithmetic"],
    ["a step", item.stepFlops === undefined ? "" : asFlops(item.stepFlops)],
    ["parameters", item.parameters ? asCount(item.parameters) + ": " + item.parameterNames.join(", ") : ""]]);
  addList("Reads", item.reads.map(at => linkTo(graph.layers[at])));
  addList("Read by", item.readers.map(at => linkTo(graph.layers[at])));
  addList("Computed in", item.kernels.map(at => [linkTo(graph.kernels[at]), ", " + graph.kernels[at].phase +
    (graph.kernels[at].seconds ? ", " + asTime(graph.kernels[at].seconds) : "") +
    (graph.kernels[at].nodes.length > 1 ? ", together with " + (graph.kernels[at].nodes.length - 1) + " other nodes" : "")]));
  const orders = item.kernels.flatMap(at => graph.kernels[at].orders.filter(order => order[1] === item.index).map(order =>
    graph.orders[order[0]] + " (" + graph.kernels[at].phase + ")"));
  addList("Orders of sums", orders);
}
function showKernel(item) {
  const bytes = item.bytesRead + item.bytesWritten;
  addFacts([["form", item.kind], ["schedule", item.schedule], ["part", item.phase], ["module", item.path.join(".")], ["result", item.type],
    ["operations", asCount(item.ops) + " ops, " + asFlops(item.flops)],
    ["memory", "reads " + asBytes(item.bytesRead) + ", writes " + asBytes(item.bytesWritten)],
    ["time", item.seconds ? asTime(item.seconds) + ", " + (item.seconds / data.time.seconds * 100).toFixed(1) + " % of a run" : ""],
    ["intensity", bytes ? Number((item.flops / bytes).toPrecision(3)) + " flop per byte" : ""]]);
  if (item.again >= 0) addList("Computes again", [linkTo(graph.kernels[item.again])]);
  addList("Where its time is", chartsWith(item).map(([text, figure]) => button(text, () => mark(figure, item.name), "link")));
  addList("Fused from", [...item.nodes.map(at => linkTo(graph.layers[at], graph.layers[at].name + " (" + graph.layers[at].kind + ")")), ...item.others]);
  addList("Orders of sums", item.orders.map(order => graph.orders[order[0]]));
  addList("Reads results of", item.reads.map(at => linkTo(graph.kernels[at])));
  addList("Not fused with its readers", item.borders.map(([reader, reason]) =>
    [typeof reader === "number" ? linkTo(graph.kernels[reader]) : reader === "return" ? "the program's end" : reader, ": " + graph.reasons[reason]]));
}
// The charts that show a kernel, and the kernel in one of them.
const chartsWith = item => [["chart of threads", ".threadChart"], ["roofline", ".roofChart"]]
  .filter(([, figure]) => document.querySelector(figure + " [data-k=\"" + CSS.escape(item.name) + "\"]"));
function mark(figure, name) {
  for (const made of document.querySelectorAll(".chart [data-k]")) made.classList.toggle("marked", made.dataset.k === name);
  document.querySelector(figure).scrollIntoView({ block: "center" });
}
// From a chart or a table to a kernel in the graph.
function showKernelNamed(name) {
  const kernel = view && kernelNamed.get(name);
  if (!kernel) return;
  show(kernel);
  view.scrollIntoView({ block: "nearest" });
}
function showModule() {
  const items = itemsWithin(state.depth, state.path), names = namesOf(state.path);
  panel.replaceChildren(element("h3", names.join(".") || "The whole model"));
  const layers = itemsWithin("modules", names), kernels = graph.kernels.filter(kernel => isWithin(kernel, names));
  addFacts([["nodes", asCount(layers.length)], ["kernels", asCount(kernels.length)],
    ["parameters", asCount(sum(layers, layer => layer.parameters))], ["inference", asFlops(sum(layers, layer => layer.flops))],
    ["time", sum(kernels, kernel => kernel.seconds) ? asTime(sum(kernels, kernel => kernel.seconds)) : ""],
    ["a step", layers.some(layer => layer.stepFlops !== undefined) ? asFlops(sum(layers, layer => layer.stepFlops)) : ""],
    ["shown", asCount(items.length) + (state.depth === "kernels" ? " kernels" : " nodes")]]);
  panel.append(element("p", "The grey line at the foot of a box is its share of the " + (hasTimes && state.depth === "kernels" ? "time" : "operations") + ". Dashed edges span more than " +
    longestEdge + " levels."));
}

function go(depth, path) {
  state.depth = depth;
  state.path = path;
  state.chosen = null;
  for (let box = null; depth === "modules" || path.length === 0;) {
    // A module that only wraps another one is passed through.
    const boxes = makeBoxes(state.depth, state.path);
    box = boxes.length === 1 ? boxes[0] : null;
    if (!box || !box.open) break;
    state.path = box.open;
    path = box.open;
  }
  showBar();
  showModule();
  draw();
}
// Opens the module of an item, and chooses it.
function show(item) {
  const depth = item.isLayer ? (state.depth === "kernels" ? "modules" : state.depth) : "kernels";
  let path = [];
  for (let step = 0; step < 100; ++step) {
    const box = makeBoxes(depth, path).find(candidate => candidate.items.includes(item));
    if (!box || !box.open) break;
    path = box.open;
  }
  state.depth = depth;
  state.path = path;
  state.chosen = null;
  showBar();
  draw();
  choose(item);
  const chosen = view.querySelector(".chosen");
  if (chosen) {
    const place = drawn.g.node(chosen.dataset.box);
    transform.x = view.clientWidth / 2 - place.x * transform.scale;
    transform.y = view.clientHeight / 2 - place.y * transform.scale;
    applyTransform();
    chosen.focus({ preventScroll: true });
  }
}

const depths = { modules: "Modules", nodes: "ONNX nodes", kernels: "Kernels" };
function showBar() {
  for (const made of document.querySelectorAll("#graphBar [data-depth]"))
    made.setAttribute("aria-pressed", String(made.dataset.depth === state.depth));
  const crumbs = document.getElementById("graphPath");
  crumbs.replaceChildren(button("model", () => go(state.depth, []), "link"));
  state.path.forEach((part, at) => {
    const text = typeof part === "string" ? part : part.phase !== undefined ? part.phase : "numbers " + part.from + " to " + part.to;
    crumbs.append("\u203a", button(text, () => go(state.depth, state.path.slice(0, at + 1)), "link"));
  });
  if (state.depth === "kernels" && phases.length > 1) {
    crumbs.append(Object.assign(element("span"), { className: "gap" }));
    for (const phase of phases) {
      const key = Object.assign(element("span"), { className: "key" });
      key.append(Object.assign(element("i"), { className: phase }), phase);
      crumbs.append(key);
    }
  }
}

function search(text) {
  const hits = document.getElementById("hits");
  hits.replaceChildren();
  const word = text.trim().toLowerCase();
  if (!word) return;
  const matches = item => item.name.toLowerCase().includes(word) || item.kind.toLowerCase() === word ||
    item.path.join(".").toLowerCase().includes(word);
  const found = [...graph.layers, ...graph.kernels].filter(matches);
  for (const item of found.slice(0, 30))
    hits.append(button(item.name + " \u2014 " + item.kind + (item.isLayer ? "" : " kernel, " + item.phase) +
      (item.path.length ? ", in " + item.path.join(".") : ""), () => show(item), "link"));
  if (found.length !== hits.children.length || !found.length)
    hits.append(element("small", found.length ? "and " + (found.length - 30) + " more" : "nothing is named so"));
}

let moved = false;
function addPointer() {
  let grabbed = null;
  view.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    grabbed = { x: event.clientX, y: event.clientY, from: { ...transform } };
    moved = false;
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { grabbed = null; });
  // The end of a movement is no click on what is below it, but the next click is one.
  view.addEventListener("click", () => { moved = false; });
  view.addEventListener("pointermove", event => {
    if (!event.buttons) grabbed = null;
    if (!grabbed) return;
    const x = event.clientX - grabbed.x, y = event.clientY - grabbed.y;
    if (Math.hypot(x, y) > 4) moved = true;
    if (!moved) return;
    transform.x = grabbed.from.x + x;
    transform.y = grabbed.from.y + y;
    applyTransform();
  });
  view.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  view.addEventListener("keydown", event => {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    moved = false;
    if (step) {
      transform.x += step[0];
      transform.y += step[1];
      applyTransform();
    } else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Escape" && state.path.length) {
      // A module that only wraps what is shown would lead back here.
      let path = state.path.slice(0, -1);
      while (path.length && makeBoxes(state.depth, path).length === 1) path = path.slice(0, -1);
      go(state.depth, path);
      focusFirst();
    } else return;
    event.preventDefault();
  });
}

if (view) {
  const bar = document.getElementById("graphBar");
  const choice = Object.assign(element("span"), { className: "group" });
  for (const depth in depths) {
    const made = button(depths[depth], () => go(depth, namesOf(state.path)));
    made.dataset.depth = depth;
    choice.append(made);
  }
  const field = element("input");
  field.type = "search";
  field.placeholder = "Search nodes, kernels, modules";
  field.setAttribute("aria-label", "Search nodes, kernels and modules");
  field.addEventListener("input", () => search(field.value));
  const zooms = Object.assign(element("span"), { className: "group" });
  for (const [text, name, action] of [["+", "Zoom in", () => zoom(1.25)], ["\u2212", "Zoom out", () => zoom(0.8)], ["Fit", "Show all", fit]]) {
    const made = button(text, action);
    made.setAttribute("aria-label", name);
    zooms.append(made);
  }
  bar.append(choice, field, Object.assign(element("span"), { className: "gap" }), zooms);
  const hits = Object.assign(element("div"), { id: "hits" });
  bar.after(hits);
  addPointer();
  go("modules", []);
  addEventListener("resize", fit);
}

for (const cell of document.querySelectorAll("td.kernelLink"))
  if (view && kernelNamed.has(cell.textContent)) {
    const name = cell.textContent;
    cell.replaceChildren(button(name, () => showKernelNamed(name), "link"));
  }
