// Chooses the cores of each kernel.

#include "Cost.h"
#include "KeptWeights.h"
#include "MemoryUsers.h"
#include "Segments.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <array>
#include <map>
#include <set>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKASSIGNPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// How much speaks against a core: that a kernel which runs at the same time
/// has it, what it keeps of weights, and what it has to do. The first that
/// differ decide.
using Rank = std::array<int64_t, 3>;

/// What a part of each kernel reads of weights, in all repetitions, where these
/// are to stay in cores.
class KeptBytes {
public:
  static FailureOr<KeptBytes> find(func::FuncOp main) {
    KeptBytes kept;
    plan::Plan plan;
    SmallVector<KernelOp> kernels;
    if (failed(buildPlan(main, plan)) ||
        failed(findKernels(main, plan, kernels)))
      return failure();
    const SmallVector<bool> isWeight = findWeights(main, plan);
    for (auto [launch, kernel] : llvm::enumerate(kernels)) {
      const SmallVector<Tile> parts = task::getParts(kernel);
      if (parts.empty())
        continue;
      SmallVector<int64_t> &own = kept.ofPart[kernel];
      const SmallVector<Tile> tiles = getOperandTiles(kernel, parts.front());
      for (auto [operand, input] : llvm::enumerate(kernel.getInputs()))
        if (isWeight[plan.launches(int(launch)).buffers(int(operand))])
          own.push_back(int64_t(bytesOf(input, tiles[operand])));
      if (auto repetition =
              kernel->getAttrOfType<DenseI32ArrayAttr>(task::kRepetitionAttr)) {
        int32_t &count = kept.repetitions[repetition[0]];
        count = std::max(count, repetition[1] + 1);
      }
    }
    return kept;
  }

  int64_t of(KernelOp kernel) const {
    auto repetition =
        kernel->getAttrOfType<DenseI32ArrayAttr>(task::kRepetitionAttr);
    const int64_t count = repetition ? repetitions.lookup(repetition[0]) : 1;
    int64_t sum = 0;
    for (int64_t bytes : ofPart.lookup(kernel))
      sum += residentBytes(bytes, count);
    return sum;
  }

private:
  DenseMap<KernelOp, SmallVector<int64_t>> ofPart; ///< of each weight
  DenseMap<int32_t, int32_t> repetitions;          ///< of each block
};

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
    KeptBytes kept;
    std::vector<int64_t> keptOf(described->cores.size());
    if (tileMemory < 100) {
      for (uint32_t core = 0; core < described->cores.size(); ++core) {
        const machine::MemoryKind &memory = described->memoryOf(core);
        const int64_t usable = memory.size.value - memory.reserved.value;
        rooms.push_back(usable - usable * tileMemory / 100);
      }
      FailureOr<KeptBytes> found = KeptBytes::find(getOperation());
      if (failed(found))
        return signalPassFailure();
      kept = std::move(*found);
    }
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
          assign(kernel, *described, costs, shared, all, kept.of(kernel),
                 keptOf);
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
                                      ArrayRef<Rank> ranks) {
    std::map<uint32_t, SmallVector<uint32_t>> chips;
    for (uint32_t core : all)
      chips[machine.cores[core].chip].push_back(core);
    // What is left after whole numbers goes to chips with the least to do.
    struct Share {
      Rank rank;
      uint32_t chip;
      size_t cores;
    };
    SmallVector<Share> shares;
    size_t left = count;
    for (auto &[chip, cores] : chips) {
      llvm::stable_sort(
          cores, [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
      const size_t own = count * cores.size() / all.size();
      shares.push_back(
          {ranks[cores[std::min(own, cores.size() - 1)]], chip, own});
      left -= own;
    }
    llvm::stable_sort(
        shares, [](const Share &a, const Share &b) { return a.rank < b.rank; });
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
      std::vector<Rank> ranks;
      for (int64_t time : busy)
        ranks.push_back({0, 0, time});
      for (uint32_t core : choose(costs.getCores(), count, machine, ranks))
        for (int64_t i = 0; i < own.parts && cores.size() < parts.size(); ++i) {
          cores.push_back(int32_t(core));
          busy[core] += time;
        }
    }
    kernel->setAttr(task::kCoresAttr,
                    Builder(kernel.getContext()).getDenseI32ArrayAttr(cores));
  }

  /// `keptBytes` of each part stay in its core, besides what is `kept` there.
  void assign(KernelOp kernel, const machine::Description &machine,
              PieceCosts &costs, const std::vector<bool> &shared,
              std::vector<int64_t> &busy, int64_t keptBytes,
              std::vector<int64_t> &kept) const {
    const SmallVector<Tile> parts = task::getParts(kernel);
    if (task::getKindParts(kernel).size() > 1)
      return assignKinds(kernel, machine, parts, busy);
    const size_t count = std::min(parts.size(), costs.getCores().size());
    std::vector<Rank> ranks;
    for (auto [isShared, own, time] : llvm::zip_equal(shared, kept, busy))
      ranks.push_back({isShared, keptBytes ? own : 0, time});
    SmallVector<uint32_t> cores =
        choose(costs.getCores(), count, machine, ranks);
    const int64_t each = int64_t(llvm::divideCeil(parts.size(), count));
    if (keptBytes && parts.size() == count)
      findRoom(cores, costs.getCores(), ranks, keptBytes);
    SmallVector<int64_t> counts;
    for (auto [all, own] :
         llvm::zip_equal(getSplitExtents(kernel), parts.front()))
      counts.push_back(std::max<int64_t>(
          llvm::divideCeilSigned(all, std::max<int64_t>(own.size, 1)), 1));
    const int64_t time = std::max(costs.compute(parts.front()),
                                  costs.copy(parts.front(), counts));
    for (uint32_t core : cores) {
      busy[core] += each * time;
      kept[core] += each * keptBytes;
    }
    SmallVector<int32_t> coresOfParts(cores.begin(), cores.end());
    if (parts.size() == cores.size())
      for (auto [core, part] :
           llvm::zip_equal(cores, orderByOperand(kernel, costs, parts)))
        coresOfParts[part] = int32_t(core);
    kernel->setAttr(
        task::kCoresAttr,
        Builder(kernel.getContext()).getDenseI32ArrayAttr(coresOfParts));
  }

  /// Puts parts whose weights find no room in their cores, which have one each,
  /// into those that keep the least, several into one where it has room. A core
  /// computes them one after the other: LeNet's second pooling would take 6.8
  /// ms instead of 0.2 if all of its parts were where there is room for biases.
  void findRoom(SmallVectorImpl<uint32_t> &cores, ArrayRef<uint32_t> able,
                std::vector<Rank> ranks, int64_t bytes) const {
    auto hasRoom = [&](uint32_t core) {
      return ranks[core][1] + bytes <= rooms[core];
    };
    constexpr int64_t mostParts = 4;
    std::map<uint32_t, int64_t> partsOf;
    SmallVector<uint32_t *> without;
    for (uint32_t &core : cores)
      if (hasRoom(core)) {
        ranks[core][1] += bytes;
        ++partsOf[core];
      } else {
        without.push_back(&core);
      }
    std::set<std::pair<Rank, uint32_t>> others;
    if (!without.empty())
      for (uint32_t core : able)
        if (hasRoom(core))
          others.insert({ranks[core], core});
    for (uint32_t *core : without) {
      if (others.empty())
        break;
      *core = others.extract(others.begin()).value().second;
      ranks[*core][1] += bytes;
      const bool mayShare = ++partsOf[*core] < mostParts || all;
      if (mayShare && hasRoom(*core))
        others.insert({ranks[*core], *core});
    }
    llvm::sort(cores);
  }

  /// What each core has room for of weights, in bytes.
  std::vector<int64_t> rooms;

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
