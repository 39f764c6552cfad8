// Calls that an exporter took for others, as what they were given was merged.
//
// linear(x, a) and linear_1(x, b) are one node where a and b are one
// initializer: giving b its own again does not bring linear_1 back. What reads
// the node tells, as its call is given a value that no node has, in the place
// of one of the same operator, or has more readers than the module gave it.

#include "Restorer.h"

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

  /// Adds the tensors of the module that a call may have been given which is
  /// gone.
  void find(std::set<std::string> &lost);

private:
  void countReaders(::onnx::GraphProto &graph);
  bool mayBeTwice(size_t maker, size_t reader) const;
  void readHoles(size_t reader, std::vector<std::string> &open) const;

  const std::vector<CallNodes> &calls;
  const std::map<std::string, std::set<std::string>> &owners;
  /// The call that makes a value of the graph.
  std::map<std::string, size_t> makers;
  /// By operator, the calls in the file's order with their numbers.
  std::map<StringRef, std::vector<std::pair<size_t, uint64_t>>> callsOf;
  /// By operator, the numbers of the calls that are accounted for, sorted.
  std::map<StringRef, std::vector<uint64_t>> numbers;
  /// Of each call: how many others read its results.
  std::vector<unsigned> readers;
};
} // namespace

/// True if the module may have made the call of `maker` once more, before a
/// call that reads the result, in a call that is in no node: torch.export
/// counts the calls of an operator in the order of the program.
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

/// The values that a call reads in the place of others that are in no node.
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
      // A value of another operator is that of something which was removed, as
      // it did nothing. Then the result stands for a second call only where it
      // has more readers than the module gave it.
      if (roots.count(rootOf(call.value)) ||
          (readers[maker->second] > call.users &&
           mayBeTwice(maker->second, reader)))
        open.push_back(input);
    }
}

void Merged::find(std::set<std::string> &lost) {
  std::set<size_t> seen;
  // Later readers first: what may be gone before one may be before a later one.
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
