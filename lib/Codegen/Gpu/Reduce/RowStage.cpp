// See RowStage.h. All constants here affect speed only.

#include "RowStage.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"

#include <algorithm>

using namespace mlir;
using gensyn::repro::KernelForm;
using gensyn::repro::Placement;

namespace gensyn::gpu {
namespace {

/// Values of at most as many operations are recomputed instead of kept: it is
/// approximately the cost of writing and reading shared memory.
constexpr int64_t kCheap = 3;
/// An op of at least as many operations per element counts as a function.
constexpr int64_t kFunction = 8;
/// Instructions of ops with several instructions that are not functions:
/// divisions, random bits.
constexpr int64_t kSeveral = 8;
/// Instructions per f64 operation that lib/Numerics counts for a function: in
/// f64, and in pairs of f32 with f64 behind a branch.
constexpr double kByDouble = 2.5, kByPairs = 10;

bool isArgument(Value value) { return isa<BlockArgument>(value); }

int64_t countInstructionsOf(Operation *op, bool slowDouble) {
  const repro::ElementCost element = repro::getElementCost(op);
  if (element == repro::ElementCost::Free)
    return 0;
  if (element == repro::ElementCost::Long)
    return kSeveral;
  auto cost = dyn_cast<repro::CostOpInterface>(op);
  if (!cost)
    return 1;
  const int64_t elements =
      cast<ShapedType>(op->getResult(0).getType()).getNumElements();
  const int64_t flops = cost.getFlops() / std::max<int64_t>(elements, 1);
  if (flops < kFunction)
    return std::max<int64_t>(flops, 1);
  return static_cast<int64_t>(static_cast<double>(flops) *
                              (slowDouble ? kByPairs : kByDouble));
}

/// Finds the walks that need elements of values at their points.
class Demand {
public:
  /// Values for which `mayKeep` holds are kept if several walks need them.
  Demand(const KernelForm &form, function_ref<bool(Value)> mayKeep)
      : form(form) {
    Block &block = *form.reductions.front()->getBlock();
    for (Operation &op : llvm::reverse(block.without_terminator()))
      if (op.getNumResults() == 1)
        take(op.getResult(0), mayKeep(op.getResult(0)));
    for (Value argument : block.getArguments())
      take(argument, mayKeep(argument));
  }

  /// Returns the walks that compute or load an element, one bit each.
  uint64_t computedIn(Value value) const { return computing.lookup(value); }
  ArrayRef<StagedValue> kept() const { return staged; }

private:
  /// True if elements of the value are read at the points. An argument that is
  /// also read elsewhere counts if it has an element for each point.
  bool isAtPoints(Value value) const {
    const Placement placement = form.placementOf(value);
    return placement == Placement::Full ||
           (placement == Placement::Free && isArgument(value) &&
            cast<ShapedType>(value.getType()).getNumElements() ==
                form.rows * form.columns);
  }

  void take(Value value, bool isKept) {
    if (!isAtPoints(value))
      return;
    uint64_t walks = 0;
    for (Operation *user : value.getUsers()) {
      if (isa<repro::ReduceOp>(user))
        walks |= uint64_t(1) << form.phaseOf(value);
      else if (user->getNumResults() == 0)
        walks |= uint64_t(1) << form.phaseOf(value); // a result
      else if (user->getNumResults() == 1)
        walks |= computing.lookup(user->getResult(0));
    }
    if (isKept && llvm::popcount(walks) > 1) {
      StagedValue &own = staged.emplace_back();
      own.value = value;
      own.born = static_cast<unsigned>(llvm::countr_zero(walks));
      own.last = static_cast<unsigned>(llvm::Log2_64(walks));
      Type element = cast<ShapedType>(value.getType()).getElementType();
      own.bytes = getStoredType(element).getIntOrFloatBitWidth() / 8;
      walks = uint64_t(1) << own.born;
    }
    computing[value] = walks;
  }

  const KernelForm &form;
  llvm::DenseMap<Value, uint64_t> computing;
  SmallVector<StagedValue> staged;
};

/// Returns the values that are worth keeping: expensive by themselves, or
/// together with all the cheap operations that lead to them.
llvm::DenseSet<Value> findExpensive(const KernelForm &form) {
  llvm::DenseMap<Value, int64_t> costs;
  llvm::DenseSet<Value> expensive;
  for (Operation &op :
       form.reductions.front()->getBlock()->without_terminator()) {
    if (op.getNumResults() != 1)
      continue;
    int64_t cost = countInstructionsOf(&op, false);
    for (Value operand : op.getOperands())
      if (!expensive.contains(operand))
        cost += costs.lookup(operand);
    costs[op.getResult(0)] = cost;
    if (cost > kCheap)
      expensive.insert(op.getResult(0));
  }
  return expensive;
}

/// True if each walk has a bit of a word, as in all practical kernels.
bool hasFewWalks(const KernelForm &form) { return form.numPhases() < 63; }

} // namespace

Type getStoredType(Type element) {
  Type scalar = codegen::getScalarType(element);
  return scalar.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                             : scalar;
}

const StagedValue *RowStage::find(Value value) const {
  const auto *found = llvm::find_if(
      values, [&](const StagedValue &own) { return own.value == value; });
  return found == values.end() ? nullptr : &*found;
}

RowStage planStage(const KernelForm &form, bool arguments) {
  RowStage stage;
  if (!hasFewWalks(form))
    return stage;
  const llvm::DenseSet<Value> expensive = findExpensive(form);
  const Demand demand(form, [&](Value value) {
    return isArgument(value) ? arguments : expensive.contains(value);
  });
  stage.values.assign(demand.kept());
  // Wide elements first, so that all offsets are aligned.
  llvm::stable_sort(
      stage.values, [](const StagedValue &a, const StagedValue &b) {
        return std::pair(-a.bytes, a.born) < std::pair(-b.bytes, b.born);
      });
  struct Place {
    int64_t begin, bytes;
    unsigned last;
  };
  SmallVector<Place> places;
  for (StagedValue &own : stage.values) {
    auto *free = llvm::find_if(places, [&](const Place &place) {
      return place.bytes == own.bytes && place.last <= own.born;
    });
    if (free == places.end()) {
      places.push_back({stage.bytesPerPoint, own.bytes, 0});
      stage.bytesPerPoint += own.bytes;
      free = &places.back();
    }
    free->last = own.last;
    own.place = free->begin;
  }
  return stage;
}

SmallVector<int64_t> countInstructions(const KernelForm &form,
                                       const RowStage &stage, bool slowDouble) {
  SmallVector<int64_t> counts(form.numPhases() + 1);
  if (!hasFewWalks(form))
    return counts;
  const Demand demand(
      form, [&](Value value) { return stage.find(value) != nullptr; });
  for (Operation &op :
       form.reductions.front()->getBlock()->without_terminator()) {
    if (op.getNumResults() != 1 || isa<repro::ReduceOp>(op))
      continue;
    const int64_t own = countInstructionsOf(&op, slowDouble);
    for (auto [walk, count] : llvm::enumerate(counts))
      if (demand.computedIn(op.getResult(0)) >> walk & 1)
        count += own;
  }
  return counts;
}

} // namespace gensyn::gpu
