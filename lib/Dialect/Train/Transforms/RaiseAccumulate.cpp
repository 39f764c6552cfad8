// Raises the loops over microbatches of a frozen step to train.accumulate: the
// inverse of LowerAccumulate.cpp, which confirms each result.

#include "RaiseAccumulate.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINRAISEACCUMULATEPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

using repro::LoopOp;

namespace {
/// An integer of a loop's body: `constant` plus, for each loop of the nest, a
/// multiple of its index.
struct LinearForm {
  int64_t constant = 0;
  SmallVector<int64_t> factors;

  bool operator==(const LinearForm &) const = default;
};

/// The loops over the first 2^k microbatches, outermost first.
class Nest {
public:
  /// True if `outer` is such a nest of `depth` loops.
  bool read(LoopOp outer, unsigned depth);

  LoopOp outermost() const { return levels.front(); }
  Block &body() { return levels.back().getBlock(); }
  /// How many carried values are states; the others are sums.
  unsigned states() const { return stateCount; }

  /// Returns the value outside of the nest that an invariant of the innermost
  /// body is; null for anything else.
  Value outside(Value value) const;
  /// True if a value of the innermost body is the microbatch's number.
  bool isIndex(Value value) const;

private:
  bool isLevel(LoopOp loop) const;
  bool passesOn(LoopOp outer, LoopOp inner) const;
  /// The level whose body the value is an argument of, or -1.
  int levelOf(BlockArgument argument) const;
  std::optional<LinearForm> readForm(Value value) const;

  SmallVector<LoopOp> levels;
  unsigned stateCount = 0;
};
} // namespace

/// True if all elements are -0.
static bool isNegativeZero(Value value) {
  while (auto broadcast = value.getDefiningOp<repro::BroadcastOp>())
    value = broadcast.getOperand();
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isNegZero();
}

/// The value that a loop's body adds to its carried value `number`, on the
/// right; null if it does anything else with it.
static Value readTerm(LoopOp loop, unsigned number) {
  BlockArgument sum = loop.getCarried()[number];
  auto add = loop.getYielded()[number].getDefiningOp<repro::AddOp>();
  if (!add || !sum.hasOneUse() || add->getOperand(0) != sum)
    return nullptr;
  return add->getOperand(1);
}

bool Nest::isLevel(LoopOp loop) const {
  return loop.getTrips() == 2 && !loop.getCondition();
}

/// True if the outer loop's body is the inner loop and the sums of its results.
bool Nest::passesOn(LoopOp outer, LoopOp inner) const {
  if (inner.getInits().size() != outer.getInits().size())
    return false;
  for (unsigned i = 0; i < inner.getInits().size(); ++i) {
    Value result = inner.getResult(i);
    if (i < stateCount ? inner.getInits()[i] != outer.getCarried()[i] ||
                             outer.getYielded()[i] != result
                       : !isNegativeZero(inner.getInits()[i]) ||
                             readTerm(outer, i) != result)
      return false;
  }
  return true;
}

bool Nest::read(LoopOp outer, unsigned depth) {
  levels.assign(1, outer);
  if (!isLevel(outer))
    return false;
  stateCount = 0;
  while (stateCount < outer.getInits().size() &&
         !isNegativeZero(outer.getInits()[stateCount]))
    ++stateCount;
  for (Value init : outer.getInits().drop_front(stateCount))
    if (!isNegativeZero(init))
      return false;
  while (levels.size() < depth) {
    auto inner = llvm::to_vector(levels.back().getBlock().getOps<LoopOp>());
    if (inner.size() != 1 || !isLevel(inner.front()) ||
        !passesOn(levels.back(), inner.front()))
      return false;
    levels.push_back(inner.front());
  }
  for (unsigned i = stateCount; i < outer.getInits().size(); ++i)
    if (!readTerm(levels.back(), i))
      return false;
  return true;
}

int Nest::levelOf(BlockArgument argument) const {
  for (auto [number, loop] : llvm::enumerate(levels))
    if (argument.getOwner() == &const_cast<LoopOp &>(loop).getBlock())
      return static_cast<int>(number);
  return -1;
}

Value Nest::outside(Value value) const {
  for (;;) {
    auto argument = dyn_cast<BlockArgument>(value);
    const int level = argument ? levelOf(argument) : -1;
    if (level < 0)
      return nullptr;
    LoopOp loop = levels[static_cast<size_t>(level)];
    const unsigned before = 1 + loop.getInits().size();
    if (argument.getArgNumber() < before)
      return nullptr;
    value = loop.getInvariants()[argument.getArgNumber() - before];
    if (level == 0)
      return value;
  }
}

std::optional<LinearForm> Nest::readForm(Value value) const {
  LinearForm form;
  form.factors.assign(levels.size(), 0);
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat()) {
    form.constant = elements.getSplatValue<APInt>().getSExtValue();
    return form;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const int level = levelOf(argument);
    if (level < 0)
      return std::nullopt;
    LoopOp loop = levels[static_cast<size_t>(level)];
    if (argument == loop.getIndex()) {
      form.factors[static_cast<size_t>(level)] = 1;
      return form;
    }
    const unsigned before = 1 + loop.getInits().size();
    if (argument.getArgNumber() < before)
      return std::nullopt;
    return readForm(loop.getInvariants()[argument.getArgNumber() - before]);
  }
  Operation *op = value.getDefiningOp();
  if (!isa<repro::AddOp, repro::MulOp>(op))
    return std::nullopt;
  auto left = readForm(op->getOperand(0)), right = readForm(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<repro::AddOp>(op)) {
    left->constant += right->constant;
    for (auto [a, b] : llvm::zip_equal(left->factors, right->factors))
      a += b;
    return left;
  }
  if (llvm::any_of(right->factors, [](int64_t f) { return f != 0; }))
    return std::nullopt;
  left->constant *= right->constant;
  for (int64_t &factor : left->factors)
    factor *= right->constant;
  return left;
}

bool Nest::isIndex(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 0 || !type.getElementType().isInteger(64))
    return false;
  LinearForm index;
  for (size_t level = 0; level < levels.size(); ++level)
    index.factors.push_back(int64_t(1) << (levels.size() - 1 - level));
  auto form = readForm(value);
  return form && *form == index;
}

namespace {
class Raiser {
public:
  Raiser(func::FuncOp main, int64_t microbatches)
      : main(main), builder(main.getContext()), microbatches(microbatches) {}

  LogicalResult run();

private:
  LogicalResult fail(const Twine &why) {
    return main.emitError("its microbatches cannot be told apart: ") << why;
  }
  LogicalResult findNest();
  LogicalResult findResults();
  LogicalResult findOperands();
  LogicalResult buildBody(AccumulateOp op);
  Value partOf(Operation &op) const;
  void eraseDead();

  func::FuncOp main;
  OpBuilder builder;
  int64_t microbatches;
  Nest nest;
  /// The values of @main that become results, and what becomes operands.
  SmallVector<Value> results, split, shared;
};
} // namespace

/// The function's loops in program order; the first one that fits is the nest
/// over the largest power of two.
LogicalResult Raiser::findNest() {
  const unsigned depth =
      llvm::Log2_64(llvm::bit_floor(static_cast<uint64_t>(microbatches)));
  for (LoopOp loop : main.getBody().front().getOps<LoopOp>())
    if (nest.read(loop, depth))
      return success();
  return fail("there are no loops over " + Twine(microbatches) +
              " microbatches");
}

/// A step that is left out where the gradients are not finite selects between
/// the next value of a state and the old one.
static Value withoutSelect(Value next) {
  if (auto select = next.getDefiningOp<repro::SelectOp>())
    return select.getOperand(1);
  return next;
}

LogicalResult Raiser::findResults() {
  LoopOp first = nest.outermost();
  const bool isPower = llvm::isPowerOf2_64(static_cast<uint64_t>(microbatches));
  auto donated =
      main->getParentOfType<ModuleOp>()->getAttrOfType<DenseI64ArrayAttr>(
          program::kDonatedAttr);
  Operation *end = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < first.getInits().size(); ++i) {
    Value result = first.getResult(i);
    if (i >= nest.states()) {
      if (!isPower) {
        auto add = result.hasOneUse()
                       ? dyn_cast<repro::AddOp>(*result.getUsers().begin())
                       : nullptr;
        if (!add || add->getOperand(0) != result)
          return fail("the sums of the first microbatches are not added to "
                      "those of the others");
        result = add.getResult();
      }
      results.push_back(result);
      continue;
    }
    auto state = dyn_cast<BlockArgument>(first.getInits()[i]);
    if (!state || !donated)
      return fail("a value that they pass on is no state");
    if (!isPower) {
      result = nullptr;
      for (auto [number, argument] : llvm::enumerate(donated.asArrayRef()))
        if (argument == state.getArgNumber())
          result = withoutSelect(end->getOperand(number));
      if (!result)
        return fail("a value that they pass on is not kept");
    }
    results.push_back(result);
  }
  return success();
}

/// Returns the argument of @main whose slices the microbatches read, if the op
/// of the innermost body reads the microbatch's slice of it.
Value Raiser::partOf(Operation &op) const {
  auto gather = dyn_cast<repro::GatherOp>(op);
  if (!gather || gather.getIndices().size() != 1 ||
      !nest.isIndex(gather.getIndices().front()))
    return nullptr;
  Value whole = nest.outside(gather.getData());
  auto reshape =
      whole ? whole.getDefiningOp<repro::ReshapeOp>() : repro::ReshapeOp();
  return reshape && isa<BlockArgument>(reshape.getOperand())
             ? reshape.getOperand()
             : Value();
}

LogicalResult Raiser::findOperands() {
  llvm::SetVector<Value> parts, others;
  for (Operation &op : nest.body()) {
    if (Value part = partOf(op)) {
      parts.insert(part);
      continue;
    }
    for (Value operand : op.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || nest.isIndex(operand))
        continue;
      Value value = nest.outside(operand);
      if (!value)
        continue; // carried, or a part of the microbatch's number
      if (!isa<BlockArgument>(value))
        return fail("they share a value that the program computes");
      others.insert(value);
    }
  }
  auto sorted = [](const llvm::SetVector<Value> &from) {
    SmallVector<Value> values(from.begin(), from.end());
    llvm::sort(values, [](Value a, Value b) {
      return cast<BlockArgument>(a).getArgNumber() <
             cast<BlockArgument>(b).getArgNumber();
    });
    return values;
  };
  split = sorted(parts);
  shared = sorted(others);
  return success();
}

LogicalResult Raiser::buildBody(AccumulateOp op) {
  Block &block = op.getBody().emplaceBlock();
  Location location = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  Value index = block.addArgument(
      RankedTensorType::get({}, builder.getI64Type()), location);
  DenseMap<Value, Value> partNumbers, sharedNumbers;
  for (Value whole : split) {
    auto type = cast<RankedTensorType>(whole.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] /= microbatches;
    partNumbers[whole] = block.addArgument(type.clone(shape), location);
  }
  IRMapping mapping;
  LoopOp innermost = cast<LoopOp>(nest.body().getParentOp());
  for (unsigned i = 0; i < nest.states(); ++i)
    mapping.map(innermost.getCarried()[i],
                block.addArgument(op.getCarried()[i].getType(), location));
  for (Value value : shared)
    sharedNumbers[value] = block.addArgument(value.getType(), location);
  for (BlockArgument argument : nest.body().getArguments())
    if (Value value = nest.outside(argument); sharedNumbers.contains(value))
      mapping.map(argument, sharedNumbers[value]);
  for (Operation &inner : nest.body().without_terminator()) {
    if (Value whole = partOf(inner)) {
      Value part = partNumbers[whole];
      if (part.getType() != inner.getResult(0).getType())
        return fail("there are not " + Twine(microbatches));
      mapping.map(inner.getResult(0), part);
      continue;
    }
    if (inner.getNumResults() == 1 && nest.isIndex(inner.getResult(0))) {
      mapping.map(inner.getResult(0), index);
      continue;
    }
    for (Value operand : inner.getOperands())
      if (nest.isIndex(operand))
        mapping.map(operand, index);
    // Those of the sums are left out; other readers of a loop's index or of an
    // input as a whole have no value here.
    bool isWhole = llvm::all_of(inner.getOperands(), [&](Value operand) {
      return mapping.contains(operand) ||
             operand.getDefiningOp<repro::ConstantOp>();
    });
    if (isWhole)
      builder.clone(inner, mapping);
  }
  SmallVector<Value> yielded;
  for (unsigned i = 0; i < innermost.getInits().size(); ++i) {
    Value value = i < nest.states() ? Value(innermost.getYielded()[i])
                                    : readTerm(innermost, i);
    value = mapping.lookupOrNull(value);
    if (!value)
      return fail("they depend on more than their own inputs");
    yielded.push_back(value);
  }
  YieldOp::create(builder, location, yielded);
  return success();
}

void Raiser::eraseDead() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
  main.walk([](AccumulateOp op) {
    for (Operation &inner :
         llvm::make_early_inc_range(llvm::reverse(op.getBody().front())))
      if (inner.use_empty() && !inner.hasTrait<OpTrait::IsTerminator>())
        inner.erase();
  });
}

LogicalResult Raiser::run() {
  if (failed(findNest()) || failed(findResults()) || failed(findOperands()))
    return failure();
  LoopOp first = nest.outermost();
  builder.setInsertionPoint(first);
  auto op =
      AccumulateOp::create(builder, first.getLoc(), first.getResultTypes(),
                           builder.getI64IntegerAttr(microbatches), split,
                           first.getInits().take_front(nest.states()), shared);
  if (failed(buildBody(op))) {
    op.erase();
    return failure();
  }
  for (auto [from, to] : llvm::zip_equal(results, op.getResults()))
    from.replaceAllUsesWith(to);
  eraseDead();
  return success();
}

static FailureOr<std::string> digestOfCanonical(ModuleOp module, bool lowers) {
  PassManager pipeline(module.getContext());
  if (lowers)
    pipeline.addPass(createTrainLowerAccumulatePass());
  pipeline.addPass(createCanonicalizerPass());
  pipeline.addPass(createCSEPass());
  if (failed(pipeline.run(module)))
    return failure();
  return repro::computeDigest(module);
}

/// Lowers a copy again: it must be the program that was frozen. That one may
/// have constants left to fold, so that it is compared as its canonical form
/// where it is not equal itself.
static LogicalResult confirm(ModuleOp raised, ModuleOp frozen) {
  OwningOpRef<ModuleOp> copy = raised.clone();
  auto found = digestOfCanonical(*copy, /*lowers=*/true);
  if (failed(found))
    return failure();
  auto digest = frozen->getAttrOfType<StringAttr>(repro::kDigestAttr);
  if (digest && *found == digest.getValue())
    return success();
  auto wanted = digestOfCanonical(frozen, /*lowers=*/false);
  if (!digest || failed(wanted) || *found != *wanted)
    return raised.emitError("its microbatches cannot be told apart: put "
                            "together again they are another program");
  return success();
}

LogicalResult train::raiseAccumulate(ModuleOp module, int64_t microbatches) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || microbatches < 2)
    return module.emitError("there is no step over microbatches");
  OwningOpRef<ModuleOp> frozen = module.clone();
  if (failed(Raiser(main, microbatches).run()))
    return failure();
  return confirm(module, *frozen);
}

namespace {
struct RaiseAccumulate final
    : train::impl::TrainRaiseAccumulatePassBase<RaiseAccumulate> {
  using TrainRaiseAccumulatePassBase::TrainRaiseAccumulatePassBase;
  void runOnOperation() override {
    if (failed(raiseAccumulate(getOperation(), microbatches)))
      signalPassFailure();
  }
};
} // namespace
