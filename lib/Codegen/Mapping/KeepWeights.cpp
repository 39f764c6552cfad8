// Keeps weights in the memories of the cores that read them.

#include "KeptWeights.h"
#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKKEEPWEIGHTSPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// The bytes of a fetch.
using RowKey = SmallVector<int64_t, 8>;

RowKey keyOf(task::FetchOp fetch) {
  RowKey rows = {int64_t(fetch.getShared()), int64_t(fetch.getOffset()),
                 int64_t(fetch.getRowBytes())};
  llvm::append_range(rows, fetch.getCounts());
  llvm::append_range(rows, fetch.getStrides());
  return rows;
}

/// Weights that a core fetches in a segment, once or several times.
struct Candidate {
  task::SegmentOp segment;
  SmallVector<task::FetchOp> fetches;
  int64_t bytes;
  int64_t repetitions; ///< that have others
  int64_t total() const { return residentBytes(bytes, repetitions); }
};

/// One core in all segments.
struct CoreTasks {
  uint32_t number = 0;
  SmallVector<task::CoreOp> segments;
  /// Those that do not fit.
  int64_t missing = 0;
  task::FetchOp firstMissing;
};

class WeightKeeper {
public:
  WeightKeeper(ArrayRef<bool> isWeight, unsigned tileMemory)
      : isWeight(isWeight), tileMemory(tileMemory) {}

  void keep(CoreTasks &core, const machine::MemoryKind &memory) {
    const int64_t usable = memory.size.value - memory.reserved.value;
    const int64_t tiles = usable * tileMemory / 100;
    int64_t largest = 0;
    std::vector<Candidate> candidates;
    for (task::CoreOp own : core.segments) {
      largest = std::max(largest, findLargestTile(own));
      findCandidates(own, candidates);
    }
    // Tiles need their memory twice, or there was not enough for that.
    const int64_t room = usable - (largest <= tiles ? tiles : usable);
    int64_t free = room;
    // Small ones find room beside large ones.
    llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
      return a.total() > b.total();
    });
    std::map<RowKey, int64_t>
        addresses; // of what is the same in all repetitions
    for (Candidate &candidate : candidates) {
      task::FetchOp first = candidate.fetches.front();
      auto known = addresses.find(keyOf(first));
      if (candidate.repetitions == 1 && known != addresses.end()) {
        keep(candidate, known->second);
        continue;
      }
      if (candidate.total() > free) {
        core.missing += candidate.total();
        core.firstMissing = core.firstMissing ? core.firstMissing : first;
        continue;
      }
      const int64_t address = room - free;
      free -= candidate.total();
      if (candidate.repetitions == 1)
        addresses[keyOf(first)] = address;
      keep(candidate, address);
    }
  }

private:
  /// The most bytes of what a computation reads and writes.
  static int64_t findLargestTile(task::CoreOp core) {
    int64_t largest = 0;
    for (auto compute : core.getBody().getOps<task::ComputeOp>()) {
      int64_t bytes = 0;
      for (Value buffer : compute.getBuffers())
        bytes += alignedBytes(
            int64_t(buffer.getDefiningOp<task::BufferOp>().getBytes()));
      largest = std::max(largest, bytes);
    }
    return largest;
  }

  /// True for a buffer that has the same bytes in all runs, and in each
  /// repetition another one or the same.
  bool isKept(task::SegmentOp segment, uint32_t shared) const {
    if (shared >= isWeight.size() || !isWeight[shared])
      return false;
    const auto *place = llvm::find(segment.getBuffers(), int32_t(shared));
    if (place == segment.getBuffers().end())
      return true;
    const size_t index = size_t(place - segment.getBuffers().begin());
    return llvm::all_of(
        segment.getRepetitions().getAsRange<task::RepetitionAttr>(),
        [&](task::RepetitionAttr repetition) {
          const auto other = size_t(repetition.getBuffers()[index]);
          return other < isWeight.size() && isWeight[other];
        });
  }

  void findCandidates(task::CoreOp core, std::vector<Candidate> &candidates) {
    auto segment = core->getParentOfType<task::SegmentOp>();
    std::map<RowKey, size_t> known;
    for (auto fetch : core.getBody().getOps<task::FetchOp>()) {
      if (!fetch.getAfter().empty() || !fetch.getAwaits().empty() ||
          !fetch.getSignals().empty() || !isKept(segment, fetch.getShared()))
        continue;
      auto [found, isNew] = known.try_emplace(keyOf(fetch), candidates.size());
      if (isNew) {
        const bool differs = llvm::is_contained(segment.getBuffers(),
                                                int32_t(fetch.getShared()));
        candidates.push_back(
            {segment,
             {},
             int64_t(
                 fetch.getBuffer().getDefiningOp<task::BufferOp>().getBytes()),
             differs ? int64_t(segment.getRepetitions().size()) + 1 : 1});
      }
      candidates[found->second].fetches.push_back(fetch);
    }
  }

  static void keep(Candidate &candidate, int64_t address) {
    task::FetchOp first = candidate.fetches.front();
    OpBuilder builder = OpBuilder::atBlockBegin(first->getBlock());
    auto resident = task::ResidentOp::create(
        builder, first.getLoc(), first.getShared(), first.getOffset(),
        first.getCounts(), first.getStrides(), first.getRowBytes(), address,
        candidate.repetitions > 1 ? residentStep(candidate.bytes) : 0,
        first.getLaunch(), DenseI32ArrayAttr());
    for (task::FetchOp fetch : candidate.fetches) {
      auto buffer = fetch.getBuffer().getDefiningOp<task::BufferOp>();
      for (Operation *user : llvm::to_vector(fetch.getEnd().getUsers()))
        cast<task::TaskOpInterface>(user).removeAfter(fetch.getEnd());
      fetch.erase();
      buffer.replaceAllUsesWith(resident.getBuffer());
      buffer.erase();
    }
  }

  ArrayRef<bool> isWeight;
  const unsigned tileMemory;
};

class TaskKeepWeights final
    : public impl::TaskKeepWeightsPassBase<TaskKeepWeights> {
public:
  using TaskKeepWeightsPassBase::TaskKeepWeightsPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    plan::Plan plan;
    if (failed(described))
      return signalPassFailure();
    if (!main)
      return;
    if (failed(buildPlan(main, plan)))
      return signalPassFailure();
    const SmallVector<bool> isWeight = findWeights(main, plan);
    std::map<uint32_t, CoreTasks> cores;
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      for (auto core : segment.getBody().getOps<task::CoreOp>()) {
        const uint32_t number = core.getCore();
        if (number >= described->cores.size()) {
          core.emitOpError("is core ")
              << number << " of " << described->name << ", which has "
              << described->cores.size();
          return signalPassFailure();
        }
        cores[number].number = number;
        cores[number].segments.push_back(core);
      }
    WeightKeeper keeper(isWeight, tileMemory);
    for (auto &[number, core] : cores)
      keeper.keep(core, described->memoryOf(number));
    if (all && failed(checkAll(cores, *described)))
      return signalPassFailure();
    SmallVector<int32_t> weights;
    for (auto [buffer, is] : llvm::enumerate(isWeight))
      if (is)
        weights.push_back(int32_t(buffer));
    getOperation()->setAttr(task::kWeightsAttr,
                            DenseI32ArrayAttr::get(&getContext(), weights));
  }

private:
  /// Fails after an error that names the core which lacks the most.
  LogicalResult checkAll(const std::map<uint32_t, CoreTasks> &cores,
                         const machine::Description &machine) const {
    const CoreTasks *worst = nullptr;
    int64_t missing = 0;
    for (const auto &[number, core] : cores) {
      missing += core.missing;
      if (!worst || core.missing > worst->missing)
        worst = &core;
    }
    if (!missing)
      return success();
    const machine::MemoryKind &memory = machine.memoryOf(worst->number);
    const int64_t usable = memory.size.value - memory.reserved.value;
    task::FetchOp first = worst->firstMissing;
    return emitError(first.getLoc(), "weights of ")
           << missing << " bytes have no room in the memories of "
           << machine.name << "'s cores: core " << worst->number << " lacks "
           << worst->missing << " of them, since it has " << usable
           << ", of which " << usable * tileMemory / 100 << " are for tiles";
  }
};
} // namespace
} // namespace gensyn::mapping
