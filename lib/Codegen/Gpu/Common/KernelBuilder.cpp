// See KernelBuilder.h.

#include "KernelBuilder.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::gpu {

KernelBuilder::KernelBuilder(OpBuilder &builder, Location location,
                             LLVM::LLVMFuncOp function, const Target &target)
    : IndexBuilder(builder, location, builder.getI32Type(),
                   arith::IntegerOverflowFlags::nsw),
      target(target), wide(builder, location, builder.getI64Type(),
                           arith::IntegerOverflowFlags::nsw),
      function(function) {}

Value KernelBuilder::constant(int64_t value) const {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  known = arith::ConstantIntOp::create(b, loc, value, 32);
  return known;
}

Value KernelBuilder::zero(Type type) {
  Value &known = zeros[type];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  known = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return known;
}

Value KernelBuilder::bitXor(Value x, Value y) const {
  return b.createOrFold<arith::XOrIOp>(loc, x, y);
}
Value KernelBuilder::bitAnd(Value x, int64_t mask) const {
  return b.createOrFold<arith::AndIOp>(loc, x, constant(mask));
}
Value KernelBuilder::shr(Value x, int64_t bits) const {
  return bits == 0 ? x : b.createOrFold<arith::ShRUIOp>(loc, x, constant(bits));
}

Value KernelBuilder::equal(Value x, Value y) const {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, y);
}

Value KernelBuilder::thread(int64_t count) {
  return target.threadNumber(b, loc, count);
}
Value KernelBuilder::block(int64_t count) {
  return target.blockNumber(b, loc, count);
}

Value KernelBuilder::at(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  assert(llvm::isInt<LLVM::kGEPConstantBitWidth>(bytes));
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                             LLVM::GEPArg(static_cast<int32_t>(bytes)),
                             LLVM::GEPNoWrapFlags::inbounds |
                                 LLVM::GEPNoWrapFlags::nuw);
}
Value KernelBuilder::at(Value pointer, Value bytes) {
  if (auto constant = getConstantIntValue(bytes))
    return at(pointer, *constant);
  return LLVM::GEPOp::create(
      b, loc, pointer.getType(), b.getI8Type(), pointer, ValueRange{bytes},
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}
Value KernelBuilder::far(Value pointer, Value number, int64_t bytes) {
  if (auto constant = getConstantIntValue(number))
    return far(pointer, *constant, bytes);
  Type unit = b.getIntegerType(static_cast<unsigned>(8 * bytes));
  return LLVM::GEPOp::create(b, loc, pointer.getType(), unit, pointer,
                             ValueRange{number});
}
Value KernelBuilder::far(Value pointer, int64_t number, int64_t bytes) {
  if (number == 0)
    return pointer;
  // Without assertions, an attribute of the op drops bits beyond these.
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(number * bytes))
    return LLVM::GEPOp::create(
        b, loc, pointer.getType(), b.getI8Type(), pointer,
        LLVM::GEPArg(static_cast<int32_t>(number * bytes)));
  Value offset = arith::ConstantIntOp::create(b, loc, number * bytes, 64);
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                             ValueRange{offset});
}

static Type vectorOf(Type element, int64_t count) {
  return count == 1 ? element : Type(VectorType::get({count}, element));
}
static unsigned sizeOf(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    count = vector.getNumElements();
  return static_cast<unsigned>(count) *
         getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

Value KernelBuilder::load(Type element, Value pointer, int64_t count,
                          bool constant) {
  Type type = vectorOf(element, count);
  return LLVM::LoadOp::create(b, loc, type, pointer, sizeOf(type),
                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                              /*isInvariant=*/constant);
}
void KernelBuilder::store(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, sizeOf(value.getType()));
}

void KernelBuilder::copyAsync(Value shared, Value global, int64_t bytes,
                              Value read) {
  target.copyAsync(b, loc, shared, global, bytes, read);
}
void KernelBuilder::commitCopies() { target.commitCopies(b, loc); }
void KernelBuilder::waitForCopies(int64_t groups) {
  target.waitForCopies(b, loc, groups);
}
Value KernelBuilder::shuffle(Value value, ShuffleKind kind, Value lane,
                             int64_t width) {
  return target.shuffle(b, loc, value, kind, lane, width);
}
Value KernelBuilder::exchange(Value value, int64_t mask) {
  return target.exchange(b, loc, value, mask);
}
Value KernelBuilder::permuteBytes(Value low, Value high, int64_t selector) {
  return target.permuteBytes(b, loc, low, high, selector);
}
std::array<Value, 4> KernelBuilder::loadMatrices(Value shared) {
  return target.loadMatrices(b, loc, shared);
}
void KernelBuilder::multiplyMatrices(ArrayRef<Value> x, ArrayRef<Value> y,
                                     bool isUnsigned,
                                     std::array<Value, 4> &sums) {
  target.multiplyMatrices(b, loc, x, y, isUnsigned, sums);
}
void KernelBuilder::barrier() { mlir::gpu::BarrierOp::create(b, loc); }

Value KernelBuilder::fma(Value x, Value y, Value z) {
  if (isa<IntegerType>(x.getType()))
    return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, y),
                                 z);
  return math::FmaOp::create(b, loc, x, y, z);
}
Value KernelBuilder::join(Value x, Value y) {
  if (isa<IntegerType>(x.getType()))
    return arith::AddIOp::create(b, loc, x, y);
  return arith::AddFOp::create(b, loc, x, y);
}
KernelBuilder::Values KernelBuilder::splitWords(Value x) {
  auto words = VectorType::get({2}, b.getI32Type());
  Value both = LLVM::BitcastOp::create(b, loc, words, x);
  return {extract(both, 0), extract(both, 1)};
}
Value KernelBuilder::joinWords(Value low, Value high) {
  return LLVM::BitcastOp::create(b, loc, b.getI64Type(), pack({low, high}));
}
Value KernelBuilder::extract(Value vector, int64_t position) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return vector::ExtractOp::create(b, loc, vector, position);
}
Value KernelBuilder::pack(ArrayRef<Value> values) {
  if (values.size() == 1)
    return values.front();
  auto type = VectorType::get({static_cast<int64_t>(values.size())},
                              values.front().getType());
  return vector::FromElementsOp::create(b, loc, type, values);
}

KernelBuilder::Values
KernelBuilder::loop(Value count, const Values &initial,
                    function_ref<Values(Value, ValueRange)> body) {
  auto loop =
      scf::ForOp::create(b, loc, constant(0), count, constant(1), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty()) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, next);
  }
  return Values(loop.getResults());
}

KernelBuilder::Values
KernelBuilder::rolledLoop(Value count, const Values &initial,
                          function_ref<Values(Value, ValueRange)> body) {
  Values results = loop(count, initial, body);
  MLIRContext *context = b.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, b.getBoolAttr(true), {}, {},
                                          {}, {}, {}, {});
  results.front().getDefiningOp()->setDiscardableAttr(
      "loop_annotation",
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
  return results;
}

KernelBuilder::Values
KernelBuilder::repeat(const Values &initial,
                      function_ref<Value(ValueRange, Values &)> body) {
  OperationState state(loc, scf::WhileOp::getOperationName());
  state.addOperands(initial);
  Region *turn = state.addRegion(), *handOn = state.addRegion();
  const OpBuilder::InsertPoint place = b.saveInsertionPoint();
  auto addArguments = [&](Block *block, ValueRange values) {
    for (Value value : values)
      block->addArgument(value.getType(), loc);
  };
  Block *block = b.createBlock(turn);
  addArguments(block, initial);
  Values next;
  Value more = body(block->getArguments(), next);
  scf::ConditionOp::create(b, loc, more, next);
  state.addTypes(ValueRange(next).getTypes());
  block = b.createBlock(handOn);
  addArguments(block, next);
  scf::YieldOp::create(b, loc,
                       block->getArguments().take_front(initial.size()));
  b.restoreInsertionPoint(place);
  return Values(b.create(state)->getResults());
}

KernelBuilder::Values KernelBuilder::either(Value condition,
                                            function_ref<Values()> holds,
                                            function_ref<Values()> fails) {
  // The result types are known once one side has been emitted, but an op with
  // results needs them when it is created. So the regions are filled first.
  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(condition);
  Region *regions[] = {state.addRegion(), state.addRegion()};
  const function_ref<Values()> sides[] = {holds, fails};
  for (auto [region, emit] : llvm::zip_equal(regions, sides)) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(region);
    Values results = emit();
    scf::YieldOp::create(b, loc, results);
    if (state.types.empty())
      state.addTypes(ValueRange(results).getTypes());
  }
  return Values(b.create(state)->getResults());
}

void KernelBuilder::when(Value condition, function_ref<void()> body) {
  emitWhen(b, loc, condition, body);
}

void emitWhen(OpBuilder &builder, Location location, Value condition,
              function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, location, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

} // namespace gensyn::gpu
