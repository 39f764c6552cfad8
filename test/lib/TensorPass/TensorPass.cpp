// Divides the microbatch of a step, or any function `main`, over ranks, and
// makes one function of all their functions, by the names of their arguments
// and results alone. So --check-bits compares all ranks together with the
// whole.

#include "TensorPass.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "gensyn/Numerics/SplitMix64.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gensyn::repro;
using namespace gensyn::train;

namespace gensyn::testing {
namespace {

/// A tile of a result.
struct Part {
  SmallVector<int64_t> numbers; ///< of kTileAttr; none for the whole
  Value value;
};

class JoinTensors final
    : public PassWrapper<JoinTensors, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(JoinTensors)
  JoinTensors() = default;
  JoinTensors(const JoinTensors &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-join-tensors"; }
  StringRef getDescription() const override {
    return "Compute the microbatch of a divided step as ranks do";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<TrainDialect, ReproDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto function = module.lookupSymbol<func::FuncOp>(kMicrobatchPart);
    const bool isStep = static_cast<bool>(function);
    if (!isStep)
      function = module.lookupSymbol<func::FuncOp>("main");
    if (!function) {
      emitError(module.getLoc(),
                "there is no microbatch, and no main function");
      return signalPassFailure();
    }
    if (!isStep) {
      // Several ops report the faults of one, at positions in their tiles (g7).
      if (mayFault(function))
        return;
      describe(function);
    }
    OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
    OpBuilder builder(copy->getBodyRegion());
    auto joined = cast<func::FuncOp>(builder.clone(*function));
    if (!isStep) {
      function.setName((kSegmentPart + Twine(0)).str());
      function->setAttr(kStageAttr, builder.getI64IntegerAttr(0));
    }
    SplitMix64 random(seed);
    auto atRandom = [&](Operation *, unsigned cuts) {
      return static_cast<unsigned>(random() % cuts);
    };
    if ((isStep && failed(cutStages(module, {stages, interleave}))) ||
        failed(seed ? cutTensors(module, ranks, exchangeBytes, atRandom)
                    : cutTensors(module, ranks, exchangeBytes)) ||
        failed(join(module, joined)))
      return signalPassFailure();
    joined->remove();
    module.getBody()->push_front(joined);
    module->removeAttr(kStagesAttr);
  }

private:
  static StringRef nameIn(DictionaryAttr attributes) {
    return attributes.getAs<StringAttr>(program::kNameAttr).getValue();
  }

  static bool mayFault(func::FuncOp function) {
    return function
        .walk([](FaultOpInterface op) {
          return op.mayFault() ? WalkResult::interrupt()
                               : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Makes names of arguments and results. Every other argument is a parameter.
  static void describe(func::FuncOp function) {
    Builder builder(function.getContext());
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      function.setArgAttr(i, program::kNameAttr,
                          builder.getStringAttr("x" + Twine(i)));
      function.setArgAttr(
          i, program::kRoleAttr,
          program::getRoleAttr(function.getContext(),
                               i % 2 ? Role::Parameter : Role::Input));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.setResultAttr(
          i, program::kNameAttr,
          builder.getStringAttr(kContributionPrefix + Twine(i)));
  }

  LogicalResult join(ModuleOp module, func::FuncOp joined) {
    Block &block = joined.getBody().front();
    Operation *end = block.getTerminator();
    SmallVector<Operation *> old;
    for (Operation &op : block.without_terminator())
      old.push_back(&op);
    OpBuilder builder(end);
    for (BlockArgument argument : joined.getArguments())
      known[nameIn(joined.getArgAttrDict(argument.getArgNumber()))] = argument;
    for (unsigned number = 0;; ++number) {
      auto phase = module.lookupSymbol<func::FuncOp>(
          (kSegmentPart + Twine(number)).str());
      if (!phase)
        break;
      if (failed(append(phase, builder)))
        return failure();
      phase.erase();
    }
    for (OpOperand &operand : end->getOpOperands())
      operand.set(joinParts(
          builder, nameIn(joined.getResultAttrDict(operand.getOperandNumber())),
          operand.get()));
    for (Operation *op : llvm::reverse(old))
      op->erase();
    return success();
  }

  /// A rank has the parts of the values of its own place, and what another
  /// made under the same name is its own.
  LogicalResult append(func::FuncOp phase, OpBuilder &builder) {
    IRMapping mapping;
    for (BlockArgument argument : phase.getArguments()) {
      const unsigned number = argument.getArgNumber();
      Value value = known.lookup(nameIn(phase.getArgAttrDict(number)));
      if (!value)
        return emitError(phase.getLoc(), "unknown value '")
               << nameIn(phase.getArgAttrDict(number)) << "'";
      if (auto tile =
              phase.getArgAttrOfType<DenseI64ArrayAttr>(number, kTileAttr))
        value = buildTile(builder, phase.getLoc(), value, rangesOf(tile));
      mapping.map(argument, value);
    }
    Block &block = phase.getBody().front();
    for (Operation &op : block.without_terminator())
      builder.clone(op, mapping);
    for (auto [index, value] :
         llvm::enumerate(block.getTerminator()->getOperands())) {
      const auto number = static_cast<unsigned>(index);
      StringRef name = nameIn(phase.getResultAttrDict(number));
      Value made = mapping.lookup(value);
      if (name.starts_with(kCutPrefix)) {
        known[name] = made;
        continue;
      }
      Part part;
      part.value = made;
      if (auto tile = dyn_cast_or_null<DenseI64ArrayAttr>(
              phase.getResultAttr(number, kTileAttr)))
        part.numbers = SmallVector<int64_t>(tile.asArrayRef());
      parts[name].push_back(part);
    }
    return success();
  }

  static Tile rangesOf(DenseI64ArrayAttr numbers) {
    Tile tile;
    for (int64_t i = 0; i + 1 < numbers.size(); i += 2)
      tile.push_back({numbers[i], numbers[i + 1]});
    return tile;
  }

  /// Parts differ in one dimension.
  Value joinParts(OpBuilder &builder, StringRef name, Value whole) {
    SmallVector<Part> all = parts.lookup(name);
    if (all.empty())
      return Value();
    if (all.size() == 1)
      return all.front().value;
    llvm::stable_sort(all, [](const Part &a, const Part &b) {
      return a.numbers < b.numbers;
    });
    size_t dim = 0;
    while (all[0].numbers[2 * dim] == all[1].numbers[2 * dim])
      ++dim;
    SmallVector<Value> values =
        llvm::map_to_vector(all, [](const Part &part) { return part.value; });
    return ConcatOp::create(builder, whole.getLoc(), values, uint64_t(dim));
  }

  llvm::StringMap<Value> known;
  llvm::StringMap<SmallVector<Part>> parts;
  Option<int64_t> stages{*this, "stages", llvm::cl::desc("Pipeline stages"),
                         llvm::cl::init(1)};
  Option<int64_t> interleave{*this, "interleave",
                             llvm::cl::desc("Chunks of each stage"),
                             llvm::cl::init(1)};
  Option<int64_t> ranks{*this, "ranks", llvm::cl::desc("Of each stage"),
                        llvm::cl::init(2)};
  Option<int64_t> exchangeBytes{*this, "exchange-bytes",
                                llvm::cl::desc("As of train-cut-tensors"),
                                llvm::cl::init(0)};
  Option<uint64_t> seed{*this, "seed",
                        llvm::cl::desc("Of cuts; 0: those that cost least"),
                        llvm::cl::init(0)};
};

} // namespace

void registerTensorPass() { PassRegistration<JoinTensors>(); }

} // namespace gensyn::testing
