// Puts the buffers of the plan into shared memories.

#include "Layouts.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "llvm/ADT/IntEqClasses.h"

#include <map>

using namespace mlir;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKPLACEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Memory that lies in one place: an input, an output, the arena with all its
/// buffers, ...
struct Area {
  uint64_t bytes = 0;
  /// What is accessed most comes first.
  int rank = 0;
  bool isWritten = true;
  SmallVector<int> buffers;
};

class TaskPlace final : public impl::TaskPlacePassBase<TaskPlace> {
public:
  using TaskPlacePassBase::TaskPlacePassBase;

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
    const llvm::IntEqClasses joined = joinBuffers(plan);
    std::vector<Area> areas = joinAreas(listAreas(main, plan), joined);
    llvm::stable_sort(
        areas, [](const Area &a, const Area &b) { return a.rank < b.rank; });
    SmallVector<int32_t> memories(size_t(plan.buffers_size()));
    if (failed(place(areas, *described, memories)))
      return signalPassFailure();
    getOperation()->setAttr(task::kMemoriesAttr,
                            DenseI32ArrayAttr::get(&getContext(), memories));
    Layouts layouts(main, plan, *described);
    SmallVector<Attribute> chosen;
    for (auto [buffer, memory] : llvm::enumerate(memories)) {
      Attribute layout = layouts.find(uint32_t(buffer), uint32_t(memory));
      chosen.push_back(layout ? layout : UnitAttr::get(&getContext()));
    }
    joinLayouts(chosen, joined);
    if (!llvm::all_of(chosen, llvm::IsaPred<UnitAttr>))
      getOperation()->setAttr(task::kLayoutsAttr,
                              ArrayAttr::get(&getContext(), chosen));
  }

private:
  static std::vector<Area> listAreas(func::FuncOp main,
                                     const plan::Plan &plan) {
    std::map<std::pair<int, uint32_t>, Area> areas;
    for (int i = 0; i < plan.buffers_size(); ++i) {
      const plan::Buffer &buffer = plan.buffers(i);
      std::pair<int, uint32_t> key = {buffer.place_case(), 0};
      Area area;
      area.bytes = buffer.bytes();
      switch (buffer.place_case()) {
      case plan::Buffer::kArena:
        area.bytes = plan.arena_bytes();
        break;
      case plan::Buffer::kPrepared:
        area.bytes = plan.prepared_bytes();
        area.rank = 2;
        break;
      case plan::Buffer::kInput:
        key.second = buffer.input();
        area.isWritten = !program::isKept(main, buffer.input());
        area.rank = area.isWritten ? 1 : 3;
        break;
      case plan::Buffer::kOutput:
        key.second = buffer.output();
        area.rank = 1;
        break;
      case plan::Buffer::kConstant:
        key.second = buffer.constant();
        area.isWritten = false;
        area.rank = 3;
        break;
      case plan::Buffer::kFault:
      case plan::Buffer::PLACE_NOT_SET:
        area.bytes = 0;
        break;
      }
      areas.try_emplace(key, area).first->second.buffers.push_back(i);
    }
    std::vector<Area> list;
    for (auto &[key, area] : areas)
      list.push_back(std::move(area));
    return list;
  }

  /// Numbers that buffers share which repetitions of a segment have in each
  /// other's place: tasks take one way to all of them.
  llvm::IntEqClasses joinBuffers(const plan::Plan &plan) {
    llvm::IntEqClasses joined{unsigned(plan.buffers_size())};
    for (auto segment : getOperation().getOps<task::SegmentOp>())
      for (auto repetition :
           segment.getRepetitions().getAsRange<task::RepetitionAttr>())
        for (auto [first, other] :
             llvm::zip_equal(segment.getBuffers(), repetition.getBuffers()))
          if (std::max(first, other) < plan.buffers_size())
            joined.join(unsigned(first), unsigned(other));
    return joined;
  }

  /// Joins the areas of such buffers, so that they lie in one memory.
  static std::vector<Area> joinAreas(std::vector<Area> areas,
                                     const llvm::IntEqClasses &buffers) {
    std::map<unsigned, unsigned> areaOf;
    llvm::IntEqClasses joined{unsigned(areas.size())};
    for (auto [number, area] : llvm::enumerate(areas))
      for (int buffer : area.buffers)
        joined.join(areaOf
                        .try_emplace(buffers.findLeader(unsigned(buffer)),
                                     unsigned(number))
                        .first->second,
                    unsigned(number));
    joined.compress();
    std::vector<Area> list;
    std::vector<std::optional<size_t>> places(joined.getNumClasses());
    for (auto [number, area] : llvm::enumerate(areas)) {
      std::optional<size_t> &place = places[joined[unsigned(number)]];
      if (!place) {
        place = list.size();
        list.push_back(std::move(area));
        continue;
      }
      Area &all = list[*place];
      all.bytes += area.bytes;
      all.rank = std::min(all.rank, area.rank);
      all.isWritten |= area.isWritten;
      llvm::append_range(all.buffers, area.buffers);
    }
    return list;
  }

  /// Leaves layouts only to such buffers that have the same.
  static void joinLayouts(MutableArrayRef<Attribute> layouts,
                          const llvm::IntEqClasses &buffers) {
    for (unsigned buffer = 0; buffer < layouts.size(); ++buffer) {
      Attribute &first = layouts[buffers.findLeader(buffer)];
      if (layouts[buffer] != first)
        first = UnitAttr::get(first.getContext());
    }
    for (unsigned buffer = 0; buffer < layouts.size(); ++buffer)
      layouts[buffer] = layouts[buffers.findLeader(buffer)];
  }

  /// Each area goes to the nearest memory that has room for it.
  LogicalResult place(ArrayRef<Area> areas, const machine::Description &machine,
                      MutableArrayRef<int32_t> memories) {
    SmallVector<std::pair<uint32_t, uint64_t>> free;
    uint64_t needed = 0, written = 0, most = 0, writable = 0;
    for (uint32_t memory : machine.sharedMemories()) {
      const machine::MemoryKind &kind = machine.memories[memory];
      free.push_back({memory, uint64_t(kind.size.value - kind.reserved.value)});
      most += free.back().second;
      writable += kind.isReadOnly ? 0 : free.back().second;
    }
    bool fits = true;
    for (const Area &area : areas) {
      needed += area.bytes;
      written += area.isWritten ? area.bytes : 0;
      auto *choice = llvm::find_if(free, [&](const auto &entry) {
        return entry.second >= area.bytes &&
               !(area.isWritten && machine.memories[entry.first].isReadOnly);
      });
      if (choice == free.end()) {
        fits = false;
        continue;
      }
      choice->second -= area.bytes;
      for (int buffer : area.buffers)
        memories[size_t(buffer)] = int32_t(choice->first);
    }
    if (fits)
      return success();
    InFlightDiagnostic error =
        emitError(getOperation().getLoc(), "the program needs ")
        << needed << " bytes of shared memory";
    if (writable != most)
      error << ", of which it writes " << written;
    error << ", and " << machine.name << " has " << most;
    if (writable != most)
      error << ", of which " << writable << " can be written";
    return error;
  }
};

} // namespace
} // namespace gensyn::mapping
