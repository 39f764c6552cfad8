// Chooses the cores of each kernel.

#include "Cost.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKASSIGNPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {
class TaskAssign final : public impl::TaskAssignPassBase<TaskAssign> {
public:
  using TaskAssignPassBase::TaskAssignPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    // What cores have to do by then: in each block that repeats, which begins
    // when all cores are free, and in all other kernels together.
    const std::vector<int64_t> idle(described->cores.size());
    std::map<int32_t, std::vector<int64_t>> busy;
    constexpr int32_t noBlock = -1;
    // The cores of the first repetition of each block, and how many kernels of
    // a repetition were before.
    std::map<std::pair<int32_t, size_t>, Attribute> first;
    std::map<std::pair<int32_t, int32_t>, size_t> positions;
    // Kernels that share the machine follow each other: their cores so far, and
    // how many of them are to come.
    std::vector<bool> shared;
    int64_t sharing = 0;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      PieceCosts costs(kernel, *described);
      if (costs.getCores().empty()) {
        reportMissing(kernel, costs, described->name);
        return WalkResult::interrupt();
      }
      Attribute *known = nullptr;
      int32_t block = noBlock;
      if (auto repetition =
              kernel->getAttrOfType<DenseI32ArrayAttr>(task::kRepetitionAttr)) {
        block = repetition[0];
        const size_t position = positions[{block, repetition[1]}]++;
        known = &first[{block, position}];
      }
      if (sharing-- <= 0) {
        shared.assign(idle.size(), false);
        auto share = kernel->getAttrOfType<IntegerAttr>(task::kShareAttr);
        sharing = share ? share.getInt() - 1 : 0;
      }
      if (!kernel->hasAttr(task::kCoresAttr)) {
        if (known && *known) {
          kernel->setAttr(task::kCoresAttr, *known);
        } else {
          std::vector<int64_t> &all =
              busy.try_emplace(block, idle).first->second;
          assign(kernel, *described, costs, shared, all);
        }
      }
      for (int32_t core :
           kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr)
               .asArrayRef())
        if (core >= 0 && size_t(core) < shared.size())
          shared[size_t(core)] = true;
      if (known && !*known)
        *known = kernel->getAttr(task::kCoresAttr);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Those with the least to do, of each chip as many as of the others for each
  /// of its cores: memories of all chips are read at the same time.
  static SmallVector<uint32_t> choose(ArrayRef<uint32_t> all, size_t count,
                                      const machine::Description &machine,
                                      ArrayRef<int64_t> busy) {
    std::map<uint32_t, SmallVector<uint32_t>> chips;
    for (uint32_t core : all)
      chips[machine.cores[core].chip].push_back(core);
    // What is left after whole numbers goes to chips with the least to do.
    struct Share {
      int64_t busy;
      uint32_t chip;
      size_t cores;
    };
    SmallVector<Share> shares;
    size_t left = count;
    for (auto &[chip, cores] : chips) {
      llvm::stable_sort(
          cores, [&](uint32_t a, uint32_t b) { return busy[a] < busy[b]; });
      const size_t own = count * cores.size() / all.size();
      shares.push_back(
          {busy[cores[std::min(own, cores.size() - 1)]], chip, own});
      left -= own;
    }
    llvm::stable_sort(
        shares, [](const Share &a, const Share &b) { return a.busy < b.busy; });
    SmallVector<uint32_t> chosen;
    while (left > 0)
      for (Share &share : shares)
        if (left > 0 && share.cores < chips[share.chip].size()) {
          ++share.cores;
          --left;
        }
    for (const Share &share : shares)
      llvm::append_range(chosen,
                         ArrayRef(chips[share.chip]).take_front(share.cores));
    llvm::sort(chosen);
    return chosen;
  }

  /// Cores of several kinds: each has as many parts as the kernel says for its
  /// kind, until there are no more.
  static void assignKinds(KernelOp kernel, const machine::Description &machine,
                          ArrayRef<Tile> parts, std::vector<int64_t> &busy) {
    SmallVector<int32_t> cores;
    for (task::KindParts own : task::getKindParts(kernel)) {
      PieceCosts costs(kernel, machine, own.kind);
      const int64_t time = costs.compute(parts.front());
      const size_t left = parts.size() - cores.size();
      const size_t count =
          std::min(costs.getCores().size(),
                   size_t(llvm::divideCeil(left, size_t(own.parts))));
      for (uint32_t core : choose(costs.getCores(), count, machine, busy))
        for (int64_t i = 0; i < own.parts && cores.size() < parts.size(); ++i) {
          cores.push_back(int32_t(core));
          busy[core] += time;
        }
    }
    kernel->setAttr(task::kCoresAttr,
                    Builder(kernel.getContext()).getDenseI32ArrayAttr(cores));
  }

  static void assign(KernelOp kernel, const machine::Description &machine,
                     PieceCosts &costs, const std::vector<bool> &shared,
                     std::vector<int64_t> &busy) {
    const SmallVector<Tile> parts = task::getParts(kernel);
    if (task::getKindParts(kernel).size() > 1)
      return assignKinds(kernel, machine, parts, busy);
    const size_t count = std::min(parts.size(), costs.getCores().size());
    // At the same time those of the others are busy, whatever was before.
    constexpr int64_t now = std::numeric_limits<int64_t>::max() / 2;
    std::vector<int64_t> ranks = busy;
    for (auto [rank, isShared] : llvm::zip_equal(ranks, shared))
      if (isShared)
        rank = now + std::min(rank, now);
    const SmallVector<uint32_t> cores =
        choose(costs.getCores(), count, machine, ranks);
    const int64_t each = int64_t(llvm::divideCeil(parts.size(), count));
    SmallVector<int64_t> counts;
    for (auto [all, own] :
         llvm::zip_equal(getSplitExtents(kernel), parts.front()))
      counts.push_back(std::max<int64_t>(
          llvm::divideCeilSigned(all, std::max<int64_t>(own.size, 1)), 1));
    const int64_t time = std::max(costs.compute(parts.front()),
                                  costs.copy(parts.front(), counts));
    for (uint32_t core : cores)
      busy[core] += each * time;
    SmallVector<int32_t> coresOfParts(cores.begin(), cores.end());
    if (parts.size() == cores.size())
      for (auto [core, part] :
           llvm::zip_equal(cores, orderByOperand(kernel, costs, parts)))
        coresOfParts[part] = int32_t(core);
    kernel->setAttr(
        task::kCoresAttr,
        Builder(kernel.getContext()).getDenseI32ArrayAttr(coresOfParts));
  }

  /// Parts that read the same of the largest operand follow each other, so that
  /// they lie on one chip, which fetches it once. Others keep their order.
  static SmallVector<size_t> orderByOperand(KernelOp kernel,
                                            const PieceCosts &costs,
                                            ArrayRef<Tile> parts) {
    auto order = llvm::to_vector(llvm::seq<size_t>(0, parts.size()));
    const std::optional<size_t> operand = costs.getLargestOperand();
    if (!operand || costs.countChips() < 2)
      return order;
    std::vector<SmallVector<int64_t>> begins;
    for (const Tile &part : parts)
      begins.push_back(llvm::map_to_vector(
          getOperandTiles(kernel, part)[*operand],
          [](const IndexRange &range) { return range.begin; }));
    llvm::stable_sort(
        order, [&](size_t a, size_t b) { return begins[a] < begins[b]; });
    return order;
  }
};
} // namespace
} // namespace gensyn::mapping
