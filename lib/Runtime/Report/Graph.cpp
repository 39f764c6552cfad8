// The graph of a page: layers and kernels, which the script lays out.

#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"

#include <map>
#include <unordered_map>

namespace gensyn::runtime::report {

using nlohmann::json;

namespace {

/// Numbers texts, of which many are equal.
class Texts {
public:
  size_t number(const std::string &text) {
    auto [found, isNew] = numbers.try_emplace(text, list.size());
    if (isNew)
      list.push_back(text);
    return found->second;
  }
  const OrderedJson &texts() const { return list; }

private:
  OrderedJson list = OrderedJson::array();
  std::map<std::string, size_t> numbers;
};

/// Collects the graph of one response.
class GraphWriter {
public:
  explicit GraphWriter(const json &info)
      : layers(info.value("layers", json::array())),
        kernels(info.value("kernels", json::array())),
        phases(findPhases(info)) {
    for (size_t i = 0; i < layers.size(); ++i)
      layerNumbers.try_emplace(layers[i].value("node", ""), i);
    for (size_t i = 0; i < kernels.size(); ++i)
      kernelNumbers.try_emplace(kernels[i].value("name", ""), i);
    for (const json &parameter : info.value("parameters", json::array()))
      parameters.emplace(parameter.value("name", ""),
                         parameter.value("shape", json()));
  }

  OrderedJson write();

private:
  OrderedJson readsOf(const json &layer) const;
  OrderedJson writeLayer(const json &layer) const;
  OrderedJson writeKernel(const json &kernel);
  ModulePath pathOf(const json &kernel) const;

  const json layers, kernels;
  const std::map<std::string, Phase> phases;
  std::unordered_map<std::string, size_t> layerNumbers, kernelNumbers;
  std::map<std::string, json> parameters;
  Texts reasons, orders;
};

} // namespace

std::string describeOrder(const json &order) {
  const std::string type = order.value("type", "?");
  return order.value("operation", "?") + " " + type + ", " +
         groupDigits(order.value("points", int64_t(0))) + " points, order " +
         order.value("order", "?") + ": error within " +
         groupDigits(order.value("roundings", int64_t(0))) + " u of " +
         (order.value("relative_to", "") == "result"
              ? "the result"
              : "the sum of the terms' absolute values") +
         ", u = " + (type == "f64" ? "2^-53" : "2^-24");
}

/// The module of the kernel's main node, else of the last one that has a
/// module.
ModulePath GraphWriter::pathOf(const json &kernel) const {
  std::vector<std::string> nodes = kernel.value("nodes", nodes);
  nodes.push_back(kernel.value("node", ""));
  for (size_t i = nodes.size(); i-- > 0;) {
    if (auto found = layerNumbers.find(nodes[i]); found != layerNumbers.end())
      return findModule(layers[found->second]);
    if (parameters.contains(nodes[i]))
      return moduleOfParameter(nodes[i]);
  }
  return {};
}

/// The layers whose results it reads. A compiled model may have any numbers.
OrderedJson GraphWriter::readsOf(const json &layer) const {
  OrderedJson reads = OrderedJson::array();
  for (const json &read : layer.value("reads", json::array()))
    if (read.is_number_integer() && read >= 0 && read < layers.size())
      reads.push_back(read.get<size_t>());
  return reads;
}

OrderedJson GraphWriter::writeLayer(const json &layer) const {
  OrderedJson row{{"name", layer.value("node", "?")},
                  {"kind", layer.value("operator", "?")},
                  {"path", findModule(layer)},
                  {"type", printType(layer)},
                  {"flops", layer.value("flops", int64_t(0))},
                  {"reads", readsOf(layer)}};
  if (layer.contains("program_flops"))
    row["stepFlops"] = layer["program_flops"];
  if (const json names = layer.value("parameter_names", json::array());
      !names.empty()) {
    row["parameters"] = layer.value("parameters", int64_t(0));
    row["parameterNames"] = names;
  }
  return row;
}

OrderedJson GraphWriter::writeKernel(const json &kernel) {
  const std::string name = kernel.value("name", "?");
  auto phase = phases.find(name);
  OrderedJson nodes = OrderedJson::array(), others = nodes, reads = nodes,
              borders = nodes, sums = nodes;
  for (const json &node : kernel.value("nodes", json::array())) {
    auto found = layerNumbers.find(node.get<std::string>());
    if (found != layerNumbers.end())
      nodes.push_back(found->second);
    else
      others.push_back(node.get<std::string>());
  }
  for (const json &border : kernel.value("borders", json::array())) {
    const std::string reader = border.value("reader", "?");
    const size_t reason = reasons.number(border.value("reason", "?"));
    if (auto found = kernelNumbers.find(reader); found != kernelNumbers.end())
      borders.push_back({found->second, reason});
    else
      borders.push_back({reader, reason});
  }
  for (const json &order : kernel.value("orders", json::array())) {
    auto found = layerNumbers.find(order.value("node", ""));
    sums.push_back({orders.number(describeOrder(order)),
                    found == layerNumbers.end() ? -1 : int(found->second)});
  }
  const auto origin = kernelNumbers.find(kernel.value("recomputes", ""));
  return {
      {"name", name},
      {"again", origin == kernelNumbers.end() ? -1 : int(origin->second)},
      {"kind", kernel.value("form", "?")},
      {"schedule", kernel.value("schedule", "")},
      {"phase", nameOf(phase == phases.end() ? Phase::Forward : phase->second)},
      {"path", pathOf(kernel)},
      {"type", printType(kernel)},
      {"ops", kernel.value("ops", int64_t(0))},
      {"flops", kernel.value("flops", int64_t(0))},
      {"bytesRead", kernel.value("bytes_read", int64_t(0))},
      {"bytesWritten", kernel.value("bytes_written", int64_t(0))},
      {"nodes", nodes},
      {"others", others},
      {"borders", borders},
      {"orders", sums}};
}

OrderedJson GraphWriter::write() {
  OrderedJson rows = OrderedJson::array(), made = rows;
  for (const json &layer : layers)
    rows.push_back(writeLayer(layer));
  for (const json &kernel : kernels)
    made.push_back(writeKernel(kernel));
  return {{"layers", rows},
          {"kernels", made},
          {"reasons", reasons.texts()},
          {"orders", orders.texts()}};
}

OrderedJson describeGraph(const json &info) {
  return GraphWriter(info).write();
}

std::string makeGraph(const ReportContent &content) {
  if (content.info.value("layers", json::array()).empty()) {
    const bool isRefused =
        !content.info.value("unsupported", json::array()).empty();
    return html::section(
        "graph", "Graph",
        isRefused ? "<p>There is no graph: the summary lists nodes that are "
                    "not supported.</p>"
        : content.info.contains("layers")
            ? "<p>The model has no nodes.</p>"
            : "<p>There is no graph, since the shapes of the model are "
              "not known. --dim sets a symbolic dimension.</p>");
  }
  std::string program;
  if (!content.compiled.empty())
    program = "<p>This is a compiled model, without the graph that its kernels "
              "were made of. Nodes are as the model was described when it was "
              "compiled. Of a kernel the file tells the main node, operations, "
              "bytes and readers; for the other nodes, shapes, orders of sums "
              "and reasons between kernels, report on the ONNX file.</p>";
  else if (!content.graphProgram.empty())
    program = "<p>The kernels are those of the program " +
              html::escape(content.graphProgram) +
              ". One in a dashed box computes the values of another one again, "
              "instead of keeping them.</p>";
  return html::section(
      "graph", "Graph",
      program +
          "<p>Open a module by a click or the Enter key; a click on a node or "
          "a "
          "kernel shows what it computes. Drag to move the picture, zoom with "
          "the "
          "buttons, or with the wheel while Ctrl is held.</p>"
          "<div id=\"graphBar\" class=\"controls bar\"></div>"
          "<div id=\"graphPath\" class=\"bar\"></div>"
          "<div class=\"graphArea\"><div id=\"graphView\"></div>"
          "<div id=\"graphPanel\" class=\"panel\" aria-live=\"polite\"></div>"
          "</div><noscript><p>The picture needs JavaScript; the tables below "
          "show "
          "the same nodes and kernels.</p></noscript>");
}

} // namespace gensyn::runtime::report
