// Finds calls that an exporter merged because their arguments were merged.
//
// linear(x, a) and linear_1(x, b) become one node if a and b become one
// initializer. Giving b its own initializer again does not restore linear_1.
// The readers of the node reveal the missing call: in place of a value of the
// operator, their call reads a value that no node defines, or the node has more
// readers than the module recorded for the call.

#include "Restorer.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace gensyn;
using namespace gensyn::restore;
using llvm::StringRef;
using ::onnx::NodeProto;

namespace {
class Merged {
public:
  Merged(::onnx::GraphProto &graph, const std::vector<CallNodes> &calls,
         const std::set<std::string> &known,
         const std::map<std::string, std::set<std::string>> &owners)
      : calls(calls), owners(owners) {
    for (auto [i, call] : llvm::enumerate(calls)) {
      for (const NodeProto *node : call.nodes)
        for (const std::string &output : node->output())
          makers[output] = i;
      auto [root, number] = splitNumber(call.call.value);
      callsOf[root].push_back({i, number});
    }
    std::map<StringRef, std::set<uint64_t>> found;
    for (const std::string &value : known) {
      auto [root, number] = splitNumber(value);
      found[root].insert(number);
    }
    for (auto &[root, list] : found)
      numbers[root] = {list.begin(), list.end()};
    countReaders(graph);
  }

  /// Adds the module's tensors that may have been arguments of a call without a
  /// node.
  void find(std::set<std::string> &lost);

private:
  void countReaders(::onnx::GraphProto &graph);
  bool mayBeTwice(size_t maker, size_t reader) const;
  void readHoles(size_t reader, std::vector<std::string> &open) const;

  const std::vector<CallNodes> &calls;
  const std::map<std::string, std::set<std::string>> &owners;
  /// The call that defines a value of the graph.
  std::map<std::string, size_t> makers;
  /// By operator, the calls in the file's order with their numbers.
  std::map<StringRef, std::vector<std::pair<size_t, uint64_t>>> callsOf;
  /// By operator, the sorted numbers of the calls that are accounted for.
  std::map<StringRef, std::vector<uint64_t>> numbers;
  /// For each call, the number of other calls that read its results.
  std::vector<unsigned> readers;
};
} // namespace

/// True if the module may contain a second call like `maker`, before a call
/// that reads the result, that no node computes. torch.export numbers the calls
/// of an operator in program order.
bool Merged::mayBeTwice(size_t maker, size_t reader) const {
  auto [root, first] = splitNumber(calls[maker].call.value);
  const auto &list = callsOf.at(root);
  auto next =
      llvm::upper_bound(list, reader, [](size_t place, const auto &call) {
        return place < call.first;
      });
  if (next == list.end() || next->second <= first)
    return true;
  const std::vector<uint64_t> &known = numbers.at(root);
  const auto count =
      llvm::lower_bound(known, next->second) - llvm::upper_bound(known, first);
  return uint64_t(count) != next->second - first - 1;
}

void Merged::countReaders(::onnx::GraphProto &graph) {
  std::map<const NodeProto *, size_t> callOf;
  for (auto [i, call] : llvm::enumerate(calls))
    for (const NodeProto *node : call.nodes)
      callOf[node] = i;
  std::set<std::pair<size_t, const void *>> seen;
  readers.resize(calls.size());
  auto read = [&](const std::string &value, const void *reader) {
    auto maker = makers.find(value);
    if (maker != makers.end() && reader != &calls[maker->second] &&
        seen.insert({maker->second, reader}).second)
      ++readers[maker->second];
  };
  forEachGraphNode(graph, [&](NodeProto &node) {
    auto call = callOf.find(&node);
    for (const std::string &input : node.input())
      read(input, call == callOf.end() ? static_cast<const void *>(&node)
                                       : &calls[call->second]);
  });
  for (const auto &output : graph.output())
    read(output.name(), &output);
}

/// Collects the values that a call reads in place of values that no node
/// defines.
void Merged::readHoles(size_t reader, std::vector<std::string> &open) const {
  std::set<std::string> given;
  std::set<StringRef> roots;
  for (const ModuleCall::Argument &argument : calls[reader].call.arguments)
    for (const std::string &value : argument.values) {
      given.insert(value);
      auto [root, number] = splitNumber(value);
      auto known = numbers.find(root);
      if (known == numbers.end() ||
          !std::binary_search(known->second.begin(), known->second.end(),
                              number))
        roots.insert(root);
    }
  if (roots.empty())
    return;
  for (const NodeProto *node : calls[reader].nodes)
    for (const std::string &input : node->input()) {
      auto maker = makers.find(input);
      if (maker == makers.end() || maker->second == reader)
        continue;
      const ModuleCall &call = calls[maker->second].call;
      if (given.count(call.value))
        continue;
      // A value of another operator is the result of a call that was removed
      // because it had no effect. The result then stands for a second call only
      // if it has more readers than the module recorded.
      if (roots.count(rootOf(call.value)) ||
          (readers[maker->second] > call.users &&
           mayBeTwice(maker->second, reader)))
        open.push_back(input);
    }
}

void Merged::find(std::set<std::string> &lost) {
  std::set<size_t> seen;
  // Later readers come first: a candidate for an earlier reader is also one for
  // a later reader.
  for (size_t reader = calls.size(); reader-- > 0;) {
    std::vector<std::string> open;
    readHoles(reader, open);
    while (!open.empty()) {
      const size_t maker = makers.at(open.back());
      open.pop_back();
      if (!seen.insert(maker).second)
        continue;
      for (const NodeProto *node : calls[maker].nodes)
        for (const std::string &input : node->input()) {
          if (auto owner = owners.find(input); owner != owners.end())
            lost.insert(owner->second.begin(), owner->second.end());
          auto next = makers.find(input);
          if (next != makers.end() && next->second != maker &&
              mayBeTwice(next->second, reader))
            open.push_back(input);
        }
    }
  }
}

void Restorer::findMergedCalls() {
  std::map<std::string, std::set<std::string>> owners;
  for (const auto &[target, list] : uses)
    for (const Use &use : list)
      owners[use.node->input(use.operand)].insert(target);
  for (const std::string &zero : zeros)
    owners[zero] = zeros;
  std::erase_if(owners, [&](const auto &entry) {
    return entry.second.size() < 2 &&
           (*entry.second.begin() == entry.first || !kinds.count(entry.first));
  });
  for (const auto &[name, targets] : owners)
    if (unnoted.count(name))
      unresolved.insert(targets.begin(), targets.end());
  if (!owners.empty())
    Merged(graph, calls, known, owners).find(unresolved);
}
