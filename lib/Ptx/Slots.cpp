// Places registers in memory. LLVM prints a register per value, thousands in
// an unrolled loop; sharing places by lifetime keeps a warp in the cache.

#include "Kernel.h"

#include <algorithm>
#include <queue>

namespace gensyn::ptx {
namespace {

bool isRegister(Reference reference) {
  return reference != noReference && (reference & constantBit) == 0;
}

/// The bytes of a register's place, a cache line at least for all but
/// predicates.
uint32_t placeBytes(RegisterClass kind) {
  switch (kind) {
  case RegisterClass::Predicate:
    return 4;
  case RegisterClass::Word:
    return 4 * warpSize;
  case RegisterClass::DoubleWord:
    return 8 * warpSize;
  }
  return 0;
}

class BitSet {
public:
  explicit BitSet(size_t size) : words((size + 63) / 64) {}
  void set(uint32_t i) { words[i / 64] |= uint64_t(1) << (i % 64); }
  void reset(uint32_t i) { words[i / 64] &= ~(uint64_t(1) << (i % 64)); }
  bool test(uint32_t i) const { return words[i / 64] >> (i % 64) & 1; }
  /// Adds `other` without `removed`; returns whether that changed anything.
  bool addWithout(const BitSet &other, const BitSet &removed) {
    bool changed = false;
    for (size_t i = 0; i != words.size(); ++i) {
      uint64_t added = words[i] | (other.words[i] & ~removed.words[i]);
      changed |= added != words[i];
      words[i] = added;
    }
    return changed;
  }
  template <class F> void forEach(F function) const {
    for (size_t i = 0; i != words.size(); ++i)
      for (uint64_t rest = words[i]; rest != 0; rest &= rest - 1)
        function(static_cast<uint32_t>(64 * i + __builtin_ctzll(rest)));
  }

private:
  std::vector<uint64_t> words;
};

class SlotAssigner {
public:
  explicit SlotAssigner(DraftKernel &draft)
      : kernel(draft.kernel), kinds(draft.registers), count(kinds.size()),
        begin(count, noBlock), end(count, 0), offset(count, noReference) {}

  void run() {
    findLiveness();
    findIntervals();
    place();
    rewrite();
  }

private:
  template <class F> void forUses(const Code &code, F function) {
    // What a guarded instruction writes keeps its old value where the guard is
    // off, so it counts as read.
    bool partial = code.guard != noReference;
    if (isRegister(code.guard))
      function(code.guard);
    for (Reference source : code.source)
      if (isRegister(source))
        function(source);
    if (partial)
      for (Reference dest : code.dest)
        if (isRegister(dest))
          function(dest);
    if (!code.listIsDest || partial)
      for (unsigned i = 0; i != code.listSize; ++i)
        if (isRegister(kernel.lists[code.listBegin + i]))
          function(kernel.lists[code.listBegin + i]);
  }

  template <class F> void forDefinitions(const Code &code, F function) {
    for (Reference dest : code.dest)
      if (isRegister(dest))
        function(dest);
    if (code.listIsDest)
      for (unsigned i = 0; i != code.listSize; ++i)
        if (isRegister(kernel.lists[code.listBegin + i]))
          function(kernel.lists[code.listBegin + i]);
  }

  template <class F> void forFlowUses(const BasicBlock &block, F function) {
    if (isRegister(block.guard))
      function(block.guard);
    if (isRegister(block.index))
      function(block.index);
  }

  void findLiveness() {
    size_t blocks = kernel.blocks.size();
    std::vector<BitSet> written(blocks, BitSet(count));
    liveIn.assign(blocks, BitSet(count));
    liveOut.assign(blocks, BitSet(count));
    for (size_t b = 0; b != blocks; ++b) {
      const BasicBlock &block = kernel.blocks[b];
      auto read = [&](Reference reference) {
        if (!written[b].test(reference))
          liveIn[b].set(reference);
      };
      for (uint32_t i = block.begin; i != block.end; ++i) {
        forUses(kernel.codes[i], read);
        forDefinitions(kernel.codes[i],
                       [&](Reference dest) { written[b].set(dest); });
      }
      forFlowUses(block, read);
    }
    BitSet none(count);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = blocks; b-- != 0;) {
        const BasicBlock &block = kernel.blocks[b];
        auto add = [&](uint32_t next) {
          if (next != noBlock)
            liveOut[b].addWithout(liveIn[next], none);
        };
        add(block.next);
        add(block.target);
        for (uint32_t target : block.targets)
          add(target);
        changed |= liveIn[b].addWithout(liveOut[b], written[b]);
      }
    }
  }

  void touch(Reference reference, uint32_t position) {
    begin[reference] = std::min(begin[reference], position);
    end[reference] = std::max(end[reference], position);
  }

  /// One interval per register over the text, holes filled. A definition
  /// touches the odd position after the uses of its instruction, so a result
  /// may take the place of an operand that ends there.
  void findIntervals() {
    for (size_t b = 0; b != kernel.blocks.size(); ++b) {
      const BasicBlock &block = kernel.blocks[b];
      liveIn[b].forEach([&](uint32_t r) { touch(r, 2 * block.begin); });
      for (uint32_t i = block.begin; i != block.end; ++i) {
        forUses(kernel.codes[i], [&](Reference r) { touch(r, 2 * i); });
        forDefinitions(kernel.codes[i],
                       [&](Reference r) { touch(r, 2 * i + 1); });
      }
      // The end of a block is the begin of the next; a branch alone has no
      // position of its own, hence the one before.
      uint32_t last = 2 * block.end == 0 ? 0 : 2 * block.end - 1;
      forFlowUses(block, [&](Reference r) {
        touch(r, last);
        touch(r, 2 * block.end);
      });
      liveOut[b].forEach([&](uint32_t r) {
        touch(r, last);
        touch(r, 2 * block.end);
      });
    }
  }

  void place() {
    std::vector<uint32_t> order;
    for (uint32_t r = 0; r != count; ++r)
      if (begin[r] != noBlock)
        order.push_back(r);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(begin[a], a) < std::pair(begin[b], b);
    });
    using Ending = std::pair<uint32_t, uint32_t>; // end, register
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy;
    std::vector<uint32_t> free[3];
    uint32_t wide = 0, predicates = 0;
    for (uint32_t r : order) {
      while (!busy.empty() && busy.top().first < begin[r]) {
        uint32_t done = busy.top().second;
        free[static_cast<size_t>(kinds[done])].push_back(offset[done]);
        busy.pop();
      }
      auto &reusable = free[static_cast<size_t>(kinds[r])];
      bool isPredicate = kinds[r] == RegisterClass::Predicate;
      if (!reusable.empty()) {
        offset[r] = reusable.back();
        reusable.pop_back();
      } else {
        uint32_t &top = isPredicate ? predicates : wide;
        offset[r] = top;
        top += placeBytes(kinds[r]);
      }
      busy.emplace(end[r], r);
    }
    // Predicates follow the wide registers, whose places stay aligned.
    for (uint32_t r : order)
      if (kinds[r] == RegisterClass::Predicate)
        offset[r] += wide;
    kernel.registerBytes = (wide + predicates + 63) / 64 * 64;
    if (!liveIn.empty())
      liveIn[0].forEach([&](uint32_t r) {
        kernel.unwritten.emplace_back(offset[r], placeBytes(kinds[r]));
      });
  }

  void rewriteOne(Reference &reference) {
    if (isRegister(reference))
      reference = offset[reference];
  }

  void rewrite() {
    for (Code &code : kernel.codes) {
      rewriteOne(code.guard);
      for (Reference &dest : code.dest)
        rewriteOne(dest);
      for (Reference &source : code.source)
        rewriteOne(source);
    }
    for (Reference &reference : kernel.lists)
      rewriteOne(reference);
    for (BasicBlock &block : kernel.blocks) {
      rewriteOne(block.guard);
      rewriteOne(block.index);
    }
  }

  Kernel &kernel;
  const std::vector<RegisterClass> &kinds;
  size_t count;
  std::vector<BitSet> liveIn, liveOut;
  std::vector<uint32_t> begin, end; ///< positions; `begin` is none if unused
  std::vector<uint32_t> offset;
};

} // namespace

void assignSlots(DraftKernel &draft) { SlotAssigner(draft).run(); }

} // namespace gensyn::ptx
