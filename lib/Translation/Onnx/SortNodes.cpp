// Checks names and order: every value is defined once and used only where it is
// visible, and each node comes after the nodes whose values it uses.

#include "CheckModel.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringSet.h"

#include <queue>
#include <set>

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {

class Sorter {
public:
  explicit Sorter(ImportError &error) : error(error) {}

  /// `where` is "" for the main graph, or " in else_branch of 'if'". Adds to
  /// `outer` the names that the graph uses from enclosing graphs.
  LogicalResult sort(::onnx::GraphProto &graph, const std::string &where,
                     std::set<std::string> &outer);

private:
  LogicalResult collect(const ::onnx::GraphProto &graph,
                        const std::string &where,
                        llvm::StringMap<int> &writers);
  LogicalResult reads(::onnx::NodeProto &node,
                      const llvm::StringMap<int> &writers,
                      const std::string &where, std::set<int> &needed,
                      std::set<std::string> &outer);
  LogicalResult reorder(::onnx::GraphProto &graph,
                        const std::vector<std::set<int>> &needs,
                        const std::string &where);
  LogicalResult fail(std::string message) {
    error = {Kind::BadModel, std::move(message)};
    return failure();
  }
  bool isKnownOutside(const std::string &name) const {
    return llvm::any_of(scopes,
                        [&](const auto &scope) { return scope->count(name); });
  }

  ImportError &error;
  std::vector<const llvm::StringMap<int> *> scopes; // of the graphs around
};

std::string nameOf(const ::onnx::NodeProto &node) {
  return node.name().empty() && node.output_size() ? node.output(0)
                                                   : node.name();
}

/// Values that the graph itself defines: the index of the node that defines
/// them, or -1 for inputs and initializers.
LogicalResult Sorter::collect(const ::onnx::GraphProto &graph,
                              const std::string &where,
                              llvm::StringMap<int> &writers) {
  llvm::StringSet<> inputs, initializers;
  for (const auto &input : graph.input()) {
    if (!inputs.insert(input.name()).second)
      return fail("'" + input.name() + "' is an input twice" + where);
    writers[input.name()] = -1;
  }
  auto initializer = [&](const std::string &name) {
    if (name.empty())
      return fail("an initializer has no name" + where);
    if (!initializers.insert(name).second)
      return fail("'" + name + "' is an initializer twice" + where);
    writers[name] = -1;
    return success();
  };
  for (const auto &tensor : graph.initializer())
    if (failed(initializer(tensor.name())))
      return failure();
  for (const auto &sparse : graph.sparse_initializer())
    if (failed(initializer(sparse.values().name())))
      return failure();
  for (int i = 0; i < graph.node_size(); ++i)
    for (const std::string &output : graph.node(i).output()) {
      if (output.empty())
        continue;
      auto [it, isNew] = writers.try_emplace(output, i);
      if (!isNew && it->second < 0)
        return fail("'" + output + "' is written by '" + nameOf(graph.node(i)) +
                    "', but it is an input or initializer" + where);
      if (!isNew)
        return fail("'" + output + "' is written by both '" +
                    nameOf(graph.node(it->second)) + "' and '" +
                    nameOf(graph.node(i)) + "'" + where);
    }
  for (const auto &output : graph.output())
    if (!writers.count(output.name()) && !isKnownOutside(output.name()))
      return fail("graph output '" + output.name() + "' is not defined" +
                  where);
  return success();
}

/// The nodes of this graph on which `node` depends, including those that its
/// subgraphs use.
LogicalResult Sorter::reads(::onnx::NodeProto &node,
                            const llvm::StringMap<int> &writers,
                            const std::string &where, std::set<int> &needed,
                            std::set<std::string> &outer) {
  std::set<std::string> names;
  for (int i = 0; i < node.input_size(); ++i) {
    const std::string &name = node.input(i);
    if (name.empty())
      continue;
    if (!writers.count(name) && !isKnownOutside(name))
      return fail("input " + std::to_string(i) + " of " + describeNode(node) +
                  where + " reads '" + name + "', which is not defined");
    names.insert(name);
  }
  scopes.push_back(&writers);
  for (auto &attribute : *node.mutable_attribute())
    if (attribute.has_g() &&
        failed(sort(*attribute.mutable_g(),
                    " in " + attribute.name() + " of '" + nameOf(node) + "'",
                    names)))
      return failure();
  scopes.pop_back();
  for (const std::string &name : names) {
    auto it = writers.find(name);
    if (it == writers.end())
      outer.insert(name);
    else if (it->second >= 0)
      needed.insert(it->second);
  }
  return success();
}

/// Returns "'n1' -> 'n2' -> 'n1'", following dependences from `start`.
std::string cycleFrom(const ::onnx::GraphProto &graph,
                      const std::vector<std::set<int>> &needs,
                      const std::vector<bool> &done, int start) {
  std::vector<int> path;
  std::vector<bool> isOnPath(needs.size());
  int at = start;
  while (!isOnPath[at]) {
    path.push_back(at);
    isOnPath[at] = true;
    at = *llvm::find_if(needs[at], [&](int need) { return !done[need]; });
  }
  path.erase(path.begin(), llvm::find(path, at));
  path.push_back(at);
  std::string text;
  for (int node : path)
    text += (text.empty() ? "'" : " -> '") + nameOf(graph.node(node)) + "'";
  return text;
}

/// A stable topological sort: among the nodes that are ready, the first one in
/// the file comes next.
LogicalResult Sorter::reorder(::onnx::GraphProto &graph,
                              const std::vector<std::set<int>> &needs,
                              const std::string &where) {
  int count = graph.node_size();
  bool sorted = true;
  for (int i = 0; i < count; ++i)
    sorted &= needs[i].empty() || *needs[i].rbegin() < i;
  if (sorted)
    return success();
  std::vector<std::vector<int>> users(count);
  std::vector<size_t> open(count);
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < count; ++i) {
    open[i] = needs[i].size();
    for (int need : needs[i])
      users[need].push_back(i);
    if (!open[i])
      ready.push(i);
  }
  std::vector<int> order;
  std::vector<bool> done(count);
  for (; !ready.empty();) {
    int node = ready.top();
    ready.pop();
    order.push_back(node);
    done[node] = true;
    for (int user : users[node])
      if (--open[user] == 0)
        ready.push(user);
  }
  if (int(order.size()) < count) {
    int start = int(llvm::find(done, false) - done.begin());
    return fail("the graph has a cycle" + where + ": " +
                cycleFrom(graph, needs, done, start));
  }
  google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
  for (int node : order)
    nodes.Add()->Swap(graph.mutable_node(node));
  graph.mutable_node()->Swap(&nodes);
  return success();
}

LogicalResult Sorter::sort(::onnx::GraphProto &graph, const std::string &where,
                           std::set<std::string> &outer) {
  llvm::StringMap<int> writers;
  if (failed(collect(graph, where, writers)))
    return failure();
  std::vector<std::set<int>> needs(graph.node_size());
  for (int i = 0; i < graph.node_size(); ++i)
    if (failed(reads(*graph.mutable_node(i), writers, where, needs[i], outer)))
      return failure();
  for (const auto &output : graph.output())
    if (!writers.count(output.name()))
      outer.insert(output.name());
  return reorder(graph, needs, where);
}
} // namespace

LogicalResult sortNodes(::onnx::GraphProto &graph, ImportError &error) {
  std::set<std::string> outer;
  return Sorter(error).sort(graph, "", outer);
}
} // namespace gensyn
