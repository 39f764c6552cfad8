// Assigns registers to slots in memory. LLVM prints a register per value,
// thousands in an unrolled loop; sharing slots by lifetime keeps a warp in the
// cache.

#include "../Machine/Kernel.h"

#include <algorithm>
#include <queue>
#include <span>

namespace gensyn::ptx {
namespace {

bool isRegister(Reference reference) {
  return reference != noReference && (reference & constantBit) == 0;
}

/// The bytes of a register's slot: at least a cache line, except for
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

/// Lists of numbers, one for each key, in one allocation.
class Lists {
public:
  Lists(size_t keys, const std::vector<std::pair<uint32_t, uint32_t>> &entries)
      : starts(keys + 1), numbers(entries.size()) {
    for (auto [key, number] : entries)
      ++starts[key + 1];
    for (size_t key = 0; key != keys; ++key)
      starts[key + 1] += starts[key];
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (auto [key, number] : entries)
      numbers[next[key]++] = number;
  }
  std::span<const uint32_t> operator[](size_t key) const {
    return std::span(numbers).subspan(starts[key],
                                      starts[key + 1] - starts[key]);
  }

private:
  std::vector<size_t> starts;
  std::vector<uint32_t> numbers;
};

class SlotAssigner {
public:
  explicit SlotAssigner(DraftKernel &draft)
      : kernel(draft.kernel), kinds(draft.registers), count(kinds.size()),
        begin(count, noBlock), end(count, 0), offset(count, noReference) {}

  bool run() {
    findIntervals();
    if (!place())
      return false;
    rewrite();
    return true;
  }

private:
  template <class F> void forUses(const Code &code, F function) {
    // The destination of a guarded instruction keeps its old value where the
    // guard is off, so it counts as read.
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
    for (unsigned i = partial ? 0 : code.listDests; i != code.listSize; ++i)
      if (isRegister(kernel.lists[code.listBegin + i]))
        function(kernel.lists[code.listBegin + i]);
  }

  template <class F> void forDefinitions(const Code &code, F function) {
    for (Reference dest : code.dest)
      if (isRegister(dest))
        function(dest);
    for (unsigned i = 0; i != code.listDests; ++i)
      if (isRegister(kernel.lists[code.listBegin + i]))
        function(kernel.lists[code.listBegin + i]);
  }

  template <class F> void forFlowUses(const BasicBlock &block, F function) {
    if (isRegister(block.guard))
      function(block.guard);
    if (isRegister(block.index))
      function(block.index);
  }

  void touch(Reference reference, uint32_t position) {
    begin[reference] = std::min(begin[reference], position);
    end[reference] = std::max(end[reference], position);
  }

  /// One interval per register over the text, with holes filled. A definition
  /// occupies the odd position after the uses of its instruction, so a result
  /// may take the slot of an operand that ends there.
  void findIntervals() {
    using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
    Pairs reads, writes, edges; // (register, block), (block, one before it)
    std::vector<uint32_t> readIn(count, noBlock), writtenIn(count, noBlock);
    for (uint32_t b = 0; b != kernel.blocks.size(); ++b) {
      const BasicBlock &block = kernel.blocks[b];
      // Only registers that are read before the block writes them are live-in.
      auto read = [&](Reference r) {
        if (writtenIn[r] == b || readIn[r] == b)
          return;
        readIn[r] = b;
        reads.emplace_back(r, b);
      };
      for (uint32_t i = block.begin; i != block.end; ++i) {
        forUses(kernel.codes[i], [&](Reference r) {
          touch(r, 2 * i);
          read(r);
        });
        forDefinitions(kernel.codes[i], [&](Reference r) {
          touch(r, 2 * i + 1);
          if (writtenIn[r] != b)
            writes.emplace_back(r, b);
          writtenIn[r] = b;
        });
      }
      forFlowUses(block, [&](Reference r) {
        touchEnd(r, block);
        read(r);
      });
      auto follow = [&](uint32_t next) {
        if (next != noBlock)
          edges.emplace_back(next, b);
      };
      follow(block.next);
      follow(block.target);
      for (uint32_t target : block.targets)
        follow(target);
    }
    followBackwards(Lists(count, reads), Lists(count, writes),
                    Lists(kernel.blocks.size(), edges));
  }

  /// From each read of a register to all writes that it may see.
  void followBackwards(const Lists &reads, const Lists &writes,
                       const Lists &preceding) {
    std::vector<uint32_t> seen(kernel.blocks.size(), noBlock);
    std::vector<uint32_t> written(kernel.blocks.size(), noBlock);
    std::vector<uint32_t> pending;
    uint64_t visits = 0;
    for (uint32_t r = 0; r != count; ++r) {
      bool isEntry = false;
      for (uint32_t b : writes[r])
        written[b] = r;
      auto enter = [&](uint32_t b) {
        if (seen[b] == r)
          return;
        seen[b] = r;
        pending.push_back(b);
      };
      for (uint32_t b : reads[r])
        enter(b);
      for (; !pending.empty() && visits <= mostVisits; ++visits) {
        uint32_t b = pending.back();
        pending.pop_back();
        touch(r, 2 * kernel.blocks[b].begin);
        isEntry |= b == 0;
        visits += preceding[b].size();
        for (uint32_t before : preceding[b]) {
          touchEnd(r, kernel.blocks[before]);
          if (written[before] != r)
            enter(before);
        }
      }
      // A register that is live everywhere is live at its real uses, too.
      if (!pending.empty()) {
        pending.clear();
        isEntry = true;
        touch(r, 0);
        touch(r, static_cast<uint32_t>(2 * kernel.codes.size()));
      }
      if (isEntry)
        atEntry.push_back(r);
    }
  }

  /// The end of a block is the beginning of the next; a branch alone has no
  /// position of its own, so it takes the one before.
  void touchEnd(Reference r, const BasicBlock &block) {
    touch(r, block.end == 0 ? 0 : 2 * block.end - 1);
    touch(r, 2 * block.end);
  }

  bool place() {
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
        if (wide + predicates > mostBytes)
          return false;
        offset[r] = top;
        top += placeBytes(kinds[r]);
      }
      busy.emplace(end[r], r);
    }
    // Predicates follow the wide registers, whose slots stay aligned.
    for (uint32_t r : order)
      if (kinds[r] == RegisterClass::Predicate)
        offset[r] += wide;
    kernel.registerBytes = (wide + predicates + 63) / 64 * 64;
    for (uint32_t r : atEntry)
      kernel.unwritten.emplace_back(offset[r], placeBytes(kinds[r]));
    return true;
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

  static constexpr uint32_t mostBytes = 1u << 24;
  static constexpr uint64_t mostVisits = uint64_t(1) << 28;

  Kernel &kernel;
  const std::vector<RegisterClass> &kinds;
  size_t count;
  std::vector<uint32_t> atEntry;    ///< may be read before they are written
  std::vector<uint32_t> begin, end; ///< positions; `begin` is none if unused
  std::vector<uint32_t> offset;
};

} // namespace

bool assignSlots(DraftKernel &draft) { return SlotAssigner(draft).run(); }

} // namespace gensyn::ptx
