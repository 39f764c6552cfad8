// Calls that an exporter took for others, as what they were given was merged.
//
// linear(x, a) and linear_1(x, b) are one node where a and b are one
// initializer: giving b its own again does not bring linear_1 back. What reads
// the node tells, as its call is given a value that no node has, in the place
// of one of the same operator.

#include "Restorer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace gensyn;
using namespace gensyn::restore;
using llvm::StringRef;
using ::onnx::NodeProto;

/// "linear" and 2 of "linear_2", 0 of "linear".
static std::pair<std::string, uint64_t> splitNumber(StringRef value) {
  auto [root, digits] = value.rsplit('_');
  uint64_t number = 0;
  if (digits.empty() || digits.getAsInteger(10, number))
    return {value.str(), 0};
  return {root.str(), number};
}

namespace {
class Merged {
public:
  Merged(const std::vector<CallNodes> &calls,
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
    for (const std::string &value : known) {
      auto [root, number] = splitNumber(value);
      numbers[root].insert(number);
    }
    for (auto &[root, list] : numbers)
      sorted[root] = {list.begin(), list.end()};
  }

  /// Adds the tensors of the module that a call may have been given which is
  /// gone.
  void find(std::set<std::string> &lost);

private:
  bool mayBeGone(const std::string &root, size_t before) const;
  void readHoles(size_t reader, std::vector<std::string> &open) const;

  const std::vector<CallNodes> &calls;
  const std::map<std::string, std::set<std::string>> &owners;
  /// The call that makes a value of the graph.
  std::map<std::string, size_t> makers;
  /// By operator, the calls in the file's order with their numbers.
  std::map<std::string, std::vector<std::pair<size_t, uint64_t>>> callsOf;
  /// By operator, the numbers of the calls that are accounted for.
  std::map<std::string, std::set<uint64_t>> numbers;
  std::map<std::string, std::vector<uint64_t>> sorted;
};
} // namespace

/// Whether the module may have made a call of the operator before another call
/// that is in no node: torch.export counts them, in the order of the program.
bool Merged::mayBeGone(const std::string &root, size_t before) const {
  auto found = callsOf.find(root);
  if (found == callsOf.end())
    return true;
  auto next = llvm::upper_bound(
      found->second, before,
      [](size_t place, const auto &call) { return place < call.first; });
  if (next == found->second.end())
    return true;
  const std::vector<uint64_t> &list = sorted.at(root);
  return uint64_t(llvm::lower_bound(list, next->second) - list.begin()) !=
         next->second;
}

/// The values that a call reads in the place of others that are in no node.
void Merged::readHoles(size_t reader, std::vector<std::string> &open) const {
  std::set<std::string> given, roots;
  for (const ModuleCall::Argument &argument : calls[reader].call.arguments)
    for (const std::string &value : argument.values) {
      given.insert(value);
      auto [root, number] = splitNumber(value);
      auto known = numbers.find(root);
      if (known == numbers.end() || !known->second.count(number))
        roots.insert(root);
    }
  if (roots.empty())
    return;
  for (const NodeProto *node : calls[reader].nodes)
    for (const std::string &input : node->input()) {
      auto maker = makers.find(input);
      if (maker == makers.end() || maker->second == reader)
        continue;
      const std::string &value = calls[maker->second].call.value;
      if (given.count(value))
        continue;
      const std::string root = splitNumber(value).first;
      if (roots.count(root) || mayBeGone(root, reader))
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
              mayBeGone(splitNumber(calls[next->second].call.value).first,
                        reader))
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
  if (!owners.empty())
    Merged(calls, known, owners).find(unresolved);
}
