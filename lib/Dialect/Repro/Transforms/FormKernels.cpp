// Groups the ops of a frozen function into kernels.

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-form-kernels"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

// Limits on the work of a kernel per point, in ops of the program and in
// operations of the processor: code generators take superlinear time in them.
constexpr int64_t kMostOps = 512, kMostFlops = 1 << 14;

/// Limit on the computations of ops per point, counting each place at which an
/// op is computed. In a concat of concats of one value, the value is computed
/// once for each operand of each.
constexpr int64_t kMostPlaces = 1024;

/// Limit on the pointers that ops besides the root add to a kernel: on a GPU a
/// kernel may have 512, and the root has its own operands and results.
constexpr int64_t kMostBuffers = 400;

/// Limit on the operands of a concat that is computed inside another concat.
constexpr unsigned kMostRead = 8;

/// The reason why elements of a value are computed repeatedly inside a kernel:
/// overlapping windows, or the copies that a broadcast makes.
enum class Repeat { Never, Window, Broadcast };

/// Floating-point operations to compute one element of the op's result.
int64_t flopsPerElement(Operation *op) {
  auto cost = dyn_cast<CostOpInterface>(op);
  int64_t elements = std::max<int64_t>(elementsOf(op->getResult(0)), 1);
  return cost ? (cost.getFlops() + elements - 1) / elements : 0;
}

/// The cost of an element of each op inside a kernel. Ops are visited in the
/// order of the block, operands first, so there is no recursion.
class Costs {
public:
  explicit Costs(Block &block) {
    for (Operation &op : block)
      if (op.getNumResults() > 0)
        note(&op);
  }

  /// True if the value is a random draw, or a mask that is computed from draws
  /// and constants alone. Such a value is drawn again where it is needed and
  /// never stored, so the backward pass gets the mask of the forward pass
  /// without any memory.
  bool isDrawn(Operation *op) const { return drawn.contains(op); }

  /// Operations to compute one element inside a kernel: those of the op, if it
  /// is elementwise, and of the draws that a mask needs.
  int64_t flopsInside(Operation *op) const { return flops.lookup(op); }

private:
  void note(Operation *op) {
    // True if all elements are one constant.
    if (isSplatConstant(op) ||
        (isa<BroadcastOp>(op) &&
         uniform.contains(op->getOperand(0).getDefiningOp())))
      uniform.insert(op);
    if (isMask(op))
      drawn.insert(op);
    if (!op->hasTrait<OpTrait::Elementwise>() && !isa<RandomBitsOp>(op))
      return;
    int64_t sum = flopsPerElement(op);
    if (isDrawn(op))
      for (Value operand : op->getOperands())
        sum += flops.lookup(operand.getDefiningOp());
    flops[op] = std::min(sum, int64_t{1} << 40);
  }

  bool isMask(Operation *op) const {
    if (isa<RandomBitsOp>(op))
      return true;
    if (!op->hasTrait<OpTrait::Elementwise>() ||
        !cast<ShapedType>(op->getResult(0).getType())
             .getElementType()
             .isInteger(1))
      return false;
    bool hasDraw = false;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!uniform.contains(source) && !drawn.contains(source))
        return false;
      hasDraw |= drawn.contains(source);
    }
    return hasDraw;
  }

  llvm::SmallPtrSet<Operation *, 16> uniform, drawn;
  llvm::DenseMap<Operation *, int64_t> flops;
};

/// True if the op, or one inside it, may fault.
bool canFault(Operation *op) {
  return op
      ->walk([](FaultOpInterface inner) {
        return inner.mayFault() ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if the op is elementwise on the result of a contraction, and is all
/// that becomes of that result. The contraction stores its result in any case,
/// and may compute the op as its epilogue before it does.
bool isEpilogue(Operation *op) {
  SmallVector<Operation *> open = {op};
  llvm::SmallDenseMap<Operation *, size_t> usesLeft; // those by other ops
  while (!open.empty()) {
    Operation *next = open.pop_back_val();
    if (isa<ContractOp>(next))
      return true;
    if (!next->hasTrait<OpTrait::Elementwise>())
      continue;
    for (Value operand : next->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source)
        continue;
      auto [it, isNew] = usesLeft.try_emplace(source, 0);
      if (isNew)
        it->second = llvm::range_size(source->getUses());
      if (--it->second == 0)
        open.push_back(source);
    }
  }
  return false;
}

/// Decides which values are stored in memory between kernels.
class Decision {
public:
  explicit Decision(Block &block) : costs(block) {
    for (Operation &op : llvm::reverse(block))
      if (op.getNumResults() > 0 && !op.hasTrait<PlanStep>())
        decide(&op);
  }

  bool isStored(Operation *op) const { return stored.contains(op); }

private:
  void decide(Operation *op) {
    if (op->use_empty() && !canFault(op))
      return;
    if (op->use_empty() || isa<DomainOpInterface, ColumnOpInterface>(op) ||
        required.contains(op)) {
      store(op);
      return;
    }
    Value value = op->getResult(0);
    Places own;
    Repeat repeat = Repeat::Never;
    bool whole = true;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          user->hasTrait<PlanStep>() || refuses(user, op)) {
        store(op);
        return;
      }
      whole = whole && readsWholeOperands(user) &&
              (stored.contains(user) || !readInPart.contains(user));
      addPlaces(user, own);
      repeat = std::max({repeat, repeats.lookup(user), repeatBy(use)});
    }
    llvm::SmallDenseMap<Operation *, int64_t, 4> users; // kernels, by root
    for (const Place &place : own)
      ++users[place.first];
    // A fault in an element that nobody reads must be found all the same (g7).
    // Without a root the users are dead, and no kernel would contain this op.
    auto fault = dyn_cast<FaultOpInterface>(op);
    if ((!whole || users.empty()) && fault && fault.mayFault()) {
      store(op);
      return;
    }
    const bool elementwise =
        op->hasTrait<OpTrait::Elementwise>() || isa<GatherOp>(op);
    const int64_t flops = costs.flopsInside(op);
    if (!isSplatConstant(op) && llvm::any_of(users, [&](const auto &user) {
          const Load load = loads.lookup(user.first);
          return load.ops >= kMostOps || load.flops + flops > kMostFlops ||
                 load.places + user.second > kMostPlaces ||
                 load.buffers + addedBuffers(op) > kMostBuffers;
        })) {
      store(op);
      return;
    }
    const bool tooDear = (repeat == Repeat::Broadcast && flops > 0) ||
                         (repeat == Repeat::Window &&
                          (flops > 2 || (elementwise && isEpilogue(op))));
    if (tooDear || (elementwise && users.size() > 1 && !costs.isDrawn(op))) {
      store(op);
      return;
    }
    for (auto [root, places] : users) {
      Load &load = loads[root];
      ++load.ops;
      load.flops += flops;
      load.buffers += addedBuffers(op);
      load.places += isSplatConstant(op) ? 0 : places;
    }
    placesOf[op] = std::move(own);
    repeats[op] = repeat;
    if (!whole)
      readInPart.insert(op);
  }

  /// A place at which a kernel computes an op for one point: the kernel's root
  /// and a number, which is 0 for the root's own element.
  using Place = std::pair<Operation *, unsigned>;
  using Places = llvm::SmallDenseSet<Place, 4>;

  /// Adds the places at which a user reads an operand: its own places if it is
  /// elementwise, otherwise as many other places.
  void addPlaces(Operation *user, Places &places) {
    Places own;
    if (stored.contains(user))
      own.insert({user, 0});
    else if (auto it = placesOf.find(user); it != placesOf.end())
      own = it->second;
    const bool isElementwise = user->hasTrait<OpTrait::Elementwise>();
    for (auto [root, number] : own)
      places.insert({root, isElementwise ? number : ++lastPlaces[root]});
  }

  /// The buffers that an op adds: its operands instead of its result, and a
  /// fault word.
  static int64_t addedBuffers(Operation *op) {
    if (isa<ConstantOp>(op) && !isSplatConstant(op))
      return 0; // already a pointer
    return int64_t(op->getNumOperands()) - 1 + (canFault(op) ? 1 : 0);
  }

  /// A contraction reads plain memory, so that schedules see its operands. A
  /// concat reads all operands for each element, and reads all operands of a
  /// nested concat for each of these.
  static bool refuses(Operation *user, Operation *producer) {
    return (isa<ContractOp>(user) && !isSplatConstant(producer)) ||
           (isa<ConcatOp>(user) && isa<ConcatOp>(producer) &&
            producer->getNumOperands() > kMostRead);
  }

  static Repeat repeatBy(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<BroadcastOp, GatherOp>(user))
      return elementsOf(user->getResult(0)) > elementsOf(use.get())
                 ? Repeat::Broadcast
                 : Repeat::Never;
    auto domainOp = dyn_cast<DomainOpInterface>(user);
    if (!domainOp)
      return Repeat::Never;
    int64_t points = 1;
    for (int64_t extent : domainOp.getIterationExtents())
      points *= extent;
    return points > elementsOf(user->getOperand(0)) ? Repeat::Window
                                                    : Repeat::Never;
  }

  void store(Operation *op) {
    // A reshape is the same bytes in another shape: its operand is stored.
    if (isa<ReshapeOp>(op)) {
      if (Operation *producer = op->getOperand(0).getDefiningOp())
        required.insert(producer);
      return;
    }
    if (isa<ConstantOp>(op) && !isSplatConstant(op))
      return; // it is in memory already
    LDBG() << "in memory: " << op->getName() << " at " << op->getLoc();
    stored.insert(op);
  }

  llvm::SmallPtrSet<Operation *, 16> stored, required, readInPart;
  llvm::DenseMap<Operation *, Places> placesOf;
  llvm::DenseMap<Operation *, unsigned> lastPlaces;
  llvm::DenseMap<Operation *, Repeat> repeats;
  /// The total of the ops computed inside a kernel, by its root.
  struct Load {
    int64_t ops = 0, flops = 0, buffers = 0, places = 0;
  };
  llvm::DenseMap<Operation *, Load> loads;
  Costs costs;
};

/// True if a kernel can read the value from memory.
bool isInMemory(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<KernelOp>(op) || op->hasTrait<PlanStep>())
    return true;
  if (isa<ReshapeOp>(op))
    return isInMemory(op->getOperand(0));
  return isa<ConstantOp>(op) && !isSplatConstant(op);
}

class GroupBuilder {
public:
  explicit GroupBuilder(MLIRContext *context) : builder(context) {}

  /// Builds a kernel in front of `before` that computes `values`, all results
  /// of one op or one value, from values in memory.
  KernelOp build(ValueRange values, StringRef what, Operation *before) {
    inputs.clear();
    body.clear();
    visited.clear();
    collect(values.front());
    builder.setInsertionPoint(before);
    Location location = values.front().getDefiningOp() ? values.front().getLoc()
                                                       : before->getLoc();
    std::string name = ("k" + Twine(count++) + "_" + what).str();
    auto kernel = KernelOp::create(builder, location, values.getTypes(), name,
                                   inputs, /*schedule=*/Attribute());
    Block &block = kernel.getBody().emplaceBlock();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, block.addArgument(input.getType(), input.getLoc()));
    builder.setInsertionPointToEnd(&block);
    for (Operation *op : body)
      builder.clone(*op, mapping);
    SmallVector<Value> yielded;
    for (Value value : values)
      yielded.push_back(mapping.lookup(value));
    YieldOp::create(builder, location, yielded);
    return kernel;
  }

private:
  void collect(Value value) {
    if (!visited.insert(value).second)
      return;
    if (isInMemory(value)) {
      inputs.push_back(value);
      return;
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      collect(operand);
    body.push_back(op);
  }

  OpBuilder builder;
  int count = 0;
  SmallVector<Value> inputs;
  SmallVector<Operation *> body;
  llvm::SmallDenseSet<Value> visited;
};

struct FormKernels final : impl::FormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    // Kernels are not nested, so a function with kernels is already formed.
    const bool isFormed =
        function.walk([](KernelOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (isFormed)
      return;
    numberFaultSlots(function);
    GroupBuilder builder(&getContext());
    group(function.getBody().front(), builder);
  }

  /// Groups the ops of a block and of the blocks inside it. Each block is
  /// grouped on its own, since values that cross the boundary of a region are
  /// in memory.
  static void group(Block &block, GroupBuilder &builder) {
    Decision decision(block);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.hasTrait<PlanStep>())
        for (Region &region : op.getRegions())
          group(region.front(), builder);
      if (!decision.isStored(&op))
        continue;
      KernelOp kernel =
          builder.build(op.getResults(), op.getName().stripDialect(), &op);
      op.replaceAllUsesWith(kernel.getResults());
      op.erase();
    }
    // Each result of the block has its own memory, which the kernel that
    // computes it writes.
    llvm::SmallDenseSet<Value> taken;
    Operation *terminator = block.getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      Value storage = getStorage(operand.get());
      if (storage.getDefiningOp<KernelOp>() && taken.insert(storage).second)
        continue;
      operand.set(
          builder.build(operand.get(), "copy", terminator).getResult(0));
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (op.use_empty() && op.getNumResults() > 0 &&
          !((isa<KernelOp>(op) || op.hasTrait<PlanStep>()) && canFault(&op)))
        op.erase();
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
