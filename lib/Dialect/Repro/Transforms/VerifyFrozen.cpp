// Rejects a module whose bits are not defined.

#include "gensyn/Dialect/Repro/IR/BoundedSizes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Philox.h"
#include "gensyn/Numerics/Version.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_VERIFYFROZENPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static LogicalResult verifyOp(Operation *op) {
  if (!isa<ReproDialect>(op->getDialect()) &&
      !isa<func::FuncOp, func::ReturnOp, ModuleOp>(op))
    return op->emitError("'")
           << op->getName() << "' is not an op of the closed set";
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    if (!isa<ModuleOp>(op) && !region.empty())
      llvm::append_range(types, region.front().getArgumentTypes());
  for (Type type : types) {
    if (!isStatic(type))
      return op->emitOpError("has the type ")
             << type << ", whose shape is not static";
    if (!hasBoundedSize(type)) // g2
      return op->emitOpError("has the type ")
             << type << ", which has more than 2^40 elements";
  }
  if (auto ordered = dyn_cast<OrderedOpInterface>(op))
    if (ordered.needsOrder() && !ordered.getAssignedOrder())
      return op->emitOpError("has no order, so its bits are not defined");
  return success();
}

/// The value outside of branches and loops that is passed to a region argument.
static Value sourceOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    const unsigned number = argument.getArgNumber();
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto branch = dyn_cast<IfOp>(parent)) {
      value = branch.getCaptures()[number];
      continue;
    }
    // The index and the carried values come before the invariants.
    auto loop = dyn_cast<LoopOp>(parent);
    if (!loop || number <= loop.getInits().size())
      break;
    value = loop.getInvariants()[number - 1 - loop.getInits().size()];
  }
  return value;
}

/// A program's step and the number of its microbatches, if a value is that step
/// times that number, plus a microbatch (accumulate_r1).
static std::pair<Value, Attribute> readMicrobatchStep(Value value) {
  auto add = value.getDefiningOp<AddOp>();
  auto product =
      add ? sourceOf(add->getOperand(0)).getDefiningOp<MulOp>() : MulOp();
  Attribute count;
  if (!product || !matchPattern(product->getOperand(1), m_Constant(&count)))
    return {};
  return {sourceOf(product->getOperand(0)), count};
}

/// True if both are steps of microbatches of one step.
static bool areOfMicrobatches(Value a, Value b) {
  const auto first = readMicrobatchStep(a);
  return first.first && first == readMicrobatchStep(b);
}

/// True if two ops are the same draw: a duplicate of the op, a copy of it for
/// other microbatches, or one in the region of a derivative, which repeats the
/// region's draw.
static bool isOneDraw(RandomBitsOp a, RandomBitsOp b) {
  if (a.getType() != b.getType() ||
      sourceOf(a.getKey()) != sourceOf(b.getKey()))
    return false;
  if (a->getBlock() != b->getBlock() &&
      areOfMicrobatches(a.getStep(), b.getStep()))
    return true;
  if (sourceOf(a.getStep()) != sourceOf(b.getStep()))
    return false;
  return a.getDraw() == b.getDraw() ||
         (a->getBlock() != b->getBlock() &&
          isa<IfOp, LoopOp>(a->getParentOp()) &&
          a->getParentOp()->getName() == b->getParentOp()->getName());
}

/// random_c2: each draw of a function has its own stream. Duplicates of an op
/// are one draw, and draws with an ONNX seed may share a stream. A draw inside
/// a kernel is a copy of one that was already checked.
static LogicalResult verifyStream(RandomBitsOp op,
                                  DenseMap<uint64_t, RandomBitsOp> &draws) {
  std::optional<uint64_t> stream = op.getStream();
  if (!stream)
    return op.emitOpError("has no stream, so its bits are not defined");
  if (*stream >= random::kFirstSeededStream || op->getParentOfType<KernelOp>())
    return success();
  auto [first, isNew] = draws.try_emplace(*stream, op);
  if (isNew || isOneDraw(op, first->second))
    return success();
  InFlightDiagnostic error = op.emitOpError("has stream ")
                             << static_cast<int64_t>(*stream)
                             << ", which another draw has";
  error.attachNote(first->second.getLoc()) << "this one";
  return error;
}

static LogicalResult verifyStreams(func::FuncOp function) {
  DenseMap<uint64_t, RandomBitsOp> draws;
  WalkResult result = function.walk<WalkOrder::PreOrder>([&](RandomBitsOp op) {
    return failed(verifyStream(op, draws)) ? WalkResult::interrupt()
                                           : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The kernels of a function have different names, since passes make a function
/// of each, and reports use the names. The Symbol trait requires a symbol
/// table, which a function's body is not.
static LogicalResult verifyNames(func::FuncOp function) {
  DenseMap<StringAttr, KernelOp> kernels;
  WalkResult result = function.walk([&](KernelOp kernel) {
    auto [first, isNew] = kernels.try_emplace(kernel.getSymAttr(), kernel);
    if (isNew)
      return WalkResult::advance();
    InFlightDiagnostic error = kernel.emitOpError("has the name ")
                               << kernel.getSymAttr()
                               << ", which another kernel of the function has";
    error.attachNote(first->second.getLoc()) << "this one";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyFrozen(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    return failed(verifyOp(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  if (!result.wasInterrupted())
    result = module.walk([](func::FuncOp function) {
      return failed(verifyStreams(function)) || failed(verifyNames(function))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
  return failure(result.wasInterrupted());
}

/// The attributes of a module that was frozen are those that the freeze would
/// give it now. Kernels hold ops in an order and number of their own, so the
/// digest of a module with kernels cannot be computed again.
static LogicalResult verifyStamp(ModuleOp module) {
  // Errors are at a location, since one on the op would print the module.
  if (Attribute found = module->getAttr(kNumericsAttr)) {
    auto version = dyn_cast<IntegerAttr>(found);
    if (!version || version.getValue() != kNumericsVersion)
      return emitError(module.getLoc(), kNumericsAttr)
             << " is " << found << ", expected " << kNumericsVersion;
  }
  Attribute found = module->getAttr(kDigestAttr);
  const bool hasKernels =
      module.walk([](KernelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!found || hasKernels)
    return success();
  FailureOr<std::string> digest = computeDigest(module);
  if (failed(digest))
    return failure();
  auto recorded = dyn_cast<StringAttr>(found);
  if (!recorded || recorded.getValue() != *digest)
    return emitError(module.getLoc(), kDigestAttr)
           << " is " << found << ", but the program's digest is \"" << *digest
           << "\"";
  return success();
}

namespace {
struct VerifyFrozen final : impl::VerifyFrozenPassBase<VerifyFrozen> {
  using VerifyFrozenPassBase::VerifyFrozenPassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyFrozen(module)) || failed(verifyStamp(module)))
      signalPassFailure();
  }
};
} // namespace
} // namespace gensyn::repro
