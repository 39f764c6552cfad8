// Basic blocks and their immediate post-dominators.

#include "../Machine/Kernel.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

/// Marks the first draft of each block and gives each draft its block.
std::vector<uint32_t> numberBlocks(const DraftKernel &draft) {
  size_t count = draft.drafts.size();
  std::vector<bool> leads(count + 1, false);
  leads[0] = true;
  auto markTarget = [&](uint32_t instruction) {
    leads[draft.starts[instruction]] = true;
  };
  for (size_t i = 0; i != count; ++i) {
    const Draft &instruction = draft.drafts[i];
    if (!instruction.isFlow)
      continue;
    leads[i + 1] = true;
    if (instruction.flow == Flow::Branch)
      markTarget(instruction.target);
    for (uint32_t target : instruction.targets)
      markTarget(target);
  }
  std::vector<uint32_t> blockOf(count + 1);
  uint32_t block = noBlock; // the first draft leads and makes it 0
  for (size_t i = 0; i != count; ++i)
    blockOf[i] = block += leads[i];
  // A label after the last instruction is the end of the kernel.
  blockOf[count] = noBlock;
  return blockOf;
}

void cutBlocks(DraftKernel &draft) {
  Kernel &kernel = draft.kernel;
  std::vector<uint32_t> blockOf = numberBlocks(draft);
  auto blockOfInstruction = [&](uint32_t instruction) {
    return blockOf[draft.starts[instruction]];
  };
  for (size_t i = 0; i != draft.drafts.size(); ++i) {
    if (blockOf[i] == kernel.blocks.size()) {
      BasicBlock &block = kernel.blocks.emplace_back();
      block.begin = block.end = static_cast<uint32_t>(kernel.codes.size());
      block.line = draft.drafts[i].code.line;
    }
    BasicBlock &block = kernel.blocks.back();
    block.next = blockOf[i + 1];
    const Draft &instruction = draft.drafts[i];
    if (!instruction.isFlow) {
      kernel.codes.push_back(instruction.code);
      block.end = static_cast<uint32_t>(kernel.codes.size());
      continue;
    }
    block.line = instruction.code.line;
    block.flow = instruction.flow;
    block.guard = instruction.code.guard;
    block.guardNegated = instruction.code.guardNegated;
    block.index = instruction.code.source[0];
    if (instruction.flow == Flow::Branch)
      block.target = blockOfInstruction(instruction.target);
    for (uint32_t target : instruction.targets)
      block.targets.push_back(blockOfInstruction(target));
  }
}

/// The successors of a block; `exit` stands for the end of the kernel.
std::vector<uint32_t> successors(const BasicBlock &block, uint32_t exit) {
  auto orExit = [exit](uint32_t target) {
    return target == noBlock ? exit : target;
  };
  std::vector<uint32_t> result;
  if (block.flow == Flow::Branch)
    result.push_back(orExit(block.target));
  for (uint32_t target : block.targets)
    result.push_back(orExit(target));
  if (block.flow == Flow::Return)
    result.push_back(exit);
  bool always = block.guard == noReference;
  if (block.flow == Flow::Next || !always)
    result.push_back(orExit(block.next));
  return result;
}

/// Cooper, Harvey and Kennedy's algorithm on the reversed graph.
class PostDominators {
public:
  explicit PostDominators(const std::vector<BasicBlock> &blocks)
      : exit(static_cast<uint32_t>(blocks.size())), following(exit + 1),
        preceding(exit + 1), order(exit + 1, noBlock),
        parent(exit + 1, noBlock) {
    for (uint32_t i = 0; i != exit; ++i) {
      following[i] = successors(blocks[i], exit);
      for (uint32_t next : following[i])
        preceding[next].push_back(i);
    }
    numberBackwards();
    solve();
  }

  bool gaveUp() const { return steps > mostSteps; }

  /// None if it is the end of the kernel, or if the block never reaches it.
  uint32_t operator[](uint32_t block) const {
    return parent[block] == exit ? noBlock : parent[block];
  }

private:
  void numberBackwards() {
    // Depth first from the exit, without recursion: kernels are long.
    std::vector<std::pair<uint32_t, size_t>> stack = {{exit, 0}};
    std::vector<bool> seen(exit + 1, false);
    seen[exit] = true;
    while (!stack.empty()) {
      auto &[block, edge] = stack.back();
      if (edge == preceding[block].size()) {
        postorder.push_back(block);
        stack.pop_back();
        continue;
      }
      uint32_t next = preceding[block][edge++];
      if (!seen[next]) {
        seen[next] = true;
        stack.emplace_back(next, 0);
      }
    }
    for (uint32_t i = 0; i != postorder.size(); ++i)
      order[postorder[i]] = i;
  }

  uint32_t common(uint32_t a, uint32_t b) {
    while (a != b) {
      ++steps;
      while (order[a] < order[b])
        a = parent[a], ++steps;
      while (order[b] < order[a])
        b = parent[b], ++steps;
    }
    return a;
  }

  void solve() {
    parent[exit] = exit;
    for (bool changed = true; changed && !gaveUp();) {
      changed = false;
      for (auto it = postorder.rbegin() + 1;
           it != postorder.rend() && !gaveUp(); ++it) {
        uint32_t best = noBlock;
        steps += following[*it].size();
        for (uint32_t next : following[*it])
          if (order[next] != noBlock && parent[next] != noBlock)
            best = best == noBlock ? next : common(next, best);
        changed |= parent[*it] != best;
        parent[*it] = best;
      }
    }
  }

  /// The algorithm is quadratic in the worst case; graphs from compilers take a
  /// few steps a block.
  static constexpr uint64_t mostSteps = uint64_t(1) << 30;
  uint64_t steps = 0;
  uint32_t exit;
  std::vector<std::vector<uint32_t>> following, preceding;
  std::vector<uint32_t> postorder, order, parent;
};

} // namespace

bool buildControlFlow(DraftKernel &draft) {
  if (draft.drafts.empty())
    return true;
  cutBlocks(draft);
  PostDominators dominators(draft.kernel.blocks);
  if (dominators.gaveUp())
    return false;
  for (uint32_t i = 0; i != draft.kernel.blocks.size(); ++i)
    draft.kernel.blocks[i].reconverge = dominators[i];
  return true;
}

} // namespace gensyn::ptx
