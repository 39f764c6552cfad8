// Emission helpers of the schedules; see CpuBuilder.h.

#include "CpuBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

CpuBuilder::CpuBuilder(OpBuilder &builder, Location where, int64_t width,
                       Type of)
    : IndexBuilder(builder, where, builder.getI64Type(),
                   arith::IntegerOverflowFlags::none),
      lanes(width), element(of), i1(builder.getI1Type()),
      i32(builder.getI32Type()), i64(builder.getI64Type()),
      ptr(LLVM::LLVMPointerType::get(builder.getContext())),
      vector(VectorType::get({width}, of)),
      indices(VectorType::get({width}, i32)),
      mask(VectorType::get({width}, i1)) {}

Value CpuBuilder::minSigned(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(loc, x, y);
}
Value CpuBuilder::maxSigned(Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(loc, x, y);
}
Value CpuBuilder::truncate(Value x) {
  return b.createOrFold<arith::TruncIOp>(loc, i32, x);
}

Value CpuBuilder::at(Value base, Value offset, Type of) {
  Type type = ptr;
  if (auto many = dyn_cast<VectorType>(offset.getType()))
    type = VectorType::get(many.getShape(), ptr);
  APInt constant;
  if (matchPattern(offset, m_ConstantInt(&constant)) && constant.isZero())
    return base;
  return LLVM::GEPOp::create(b, loc, type, of, base,
                             ArrayRef<LLVM::GEPArg>{offset});
}
Value CpuBuilder::pointer(Value memref) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  return LLVM::IntToPtrOp::create(b, loc, ptr, toI64(address));
}

Value CpuBuilder::loadEntry(Value table, Value number) {
  return LLVM::LoadOp::create(b, loc, i64, at(table, number, i64), 8);
}
void CpuBuilder::storeEntry(Value value, Value table, Value number) {
  LLVM::StoreOp::create(b, loc, value, at(table, number, i64), 8);
}
Value CpuBuilder::loadPointer(Value pointer) {
  return LLVM::LoadOp::create(b, loc, ptr, pointer, 8);
}
void CpuBuilder::storePointer(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, 8);
}
Value CpuBuilder::hasFlag(Value flags, int64_t bit) {
  Value masked = both(flags, constant(bit));
  return compare(arith::CmpIPredicate::ne, masked, constant(0));
}
Value CpuBuilder::loadScalar(Value pointer) {
  return LLVM::LoadOp::create(b, loc, element, pointer, alignment());
}
void CpuBuilder::storeScalar(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, alignment());
}
Value CpuBuilder::load(Value pointer) {
  return LLVM::LoadOp::create(b, loc, vector, pointer, alignment());
}
void CpuBuilder::store(Value value, Value pointer) {
  LLVM::StoreOp::create(b, loc, value, pointer, alignment());
}
void CpuBuilder::prefetch(Value pointer, bool stores) {
  LLVM::Prefetch::create(b, loc, pointer, /*rw=*/stores, /*hint=*/3,
                         /*cache=*/1);
}

Value CpuBuilder::dense(VectorType type, Attribute value) {
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
}
Value CpuBuilder::zero() { return dense(vector, b.getZeroAttr(element)); }
Value CpuBuilder::splat32(int64_t value) {
  return dense(indices, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}
Value CpuBuilder::splat(Value scalar) {
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({lanes}, scalar.getType()), scalar);
}
Value CpuBuilder::iota() {
  SmallVector<int32_t> numbers;
  for (int64_t i = 0; i < lanes; ++i)
    numbers.push_back(static_cast<int32_t>(i));
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(indices, ArrayRef<int32_t>(numbers)));
}
Value CpuBuilder::firstLanes(Value count) {
  Value clamped = maxSigned(minSigned(count, constant(lanes)), constant(0));
  return compare(arith::CmpIPredicate::slt, iota(), splat(truncate(clamped)));
}
Value CpuBuilder::toBits(Value lanesIn) {
  Type bits = b.getIntegerType(static_cast<unsigned>(lanes));
  return arith::ExtUIOp::create(
      b, loc, i64, LLVM::BitcastOp::create(b, loc, bits, lanesIn).getResult());
}
Value CpuBuilder::fromBits(Value number) {
  Type bits = b.getIntegerType(static_cast<unsigned>(lanes));
  return LLVM::BitcastOp::create(
      b, loc, mask, arith::TruncIOp::create(b, loc, bits, number).getResult());
}
Value CpuBuilder::isFull(Value lanesIn) {
  Type bits = b.getIntegerType(static_cast<unsigned>(lanes));
  Value number = LLVM::BitcastOp::create(b, loc, bits, lanesIn);
  Value all = arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits, -1));
  return compare(arith::CmpIPredicate::eq, number, all);
}
Value CpuBuilder::fma(Value x, Value y, Value z) {
  if (isa<FloatType>(element))
    return math::FmaOp::create(b, loc, x, y, z);
  return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, y), z);
}
Value CpuBuilder::addElements(Value x, Value y) {
  if (isa<FloatType>(element))
    return arith::AddFOp::create(b, loc, x, y);
  return arith::AddIOp::create(b, loc, x, y);
}
Value CpuBuilder::joinHalves(Value low, Value high) {
  Value mask = dense(vector, b.getI32IntegerAttr(0xFFFF)),
        width = dense(vector, b.getI32IntegerAttr(16));
  return arith::OrIOp::create(b, loc, arith::AndIOp::create(b, loc, low, mask),
                              arith::ShLIOp::create(b, loc, high, width));
}
void CpuBuilder::storeHalf(Value value, Value pointer, Value half) {
  const Type i16 = b.getI16Type();
  LLVM::StoreOp::create(b, loc, arith::TruncIOp::create(b, loc, i16, value),
                        at(pointer, half, i16), /*alignment=*/2);
}
// LLVM selects the instruction for this very form.
Value CpuBuilder::addHalfProducts(Value x, Value y, Value z) {
  const auto halves = VectorType::get({2 * lanes}, b.getI16Type()),
             wide = VectorType::get({2 * lanes}, i32);
  auto widen = [&](Value pairs) {
    return arith::ExtSIOp::create(
        b, loc, wide, vector::BitCastOp::create(b, loc, halves, pairs));
  };
  Value products = arith::MulIOp::create(b, loc, widen(x), widen(y));
  SmallVector<int64_t> even, odd;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    even.push_back(2 * lane);
    odd.push_back(2 * lane + 1);
  }
  auto select = [&](ArrayRef<int64_t> from) {
    return vector::ShuffleOp::create(b, loc, products, products, from);
  };
  return arith::AddIOp::create(
      b, loc, arith::AddIOp::create(b, loc, select(even), select(odd)), z);
}
Value CpuBuilder::canonical(Value x) {
  auto real = dyn_cast<FloatType>(element);
  if (!real)
    return x;
  Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  Value quiet = dense(
      vector, FloatAttr::get(real, APFloat::getQNaN(real.getFloatSemantics())));
  return arith::SelectOp::create(b, loc, isNan, quiet, x);
}

void CpuBuilder::loop(Value begin, Value end, int64_t step,
                      function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}
CpuBuilder::Values
CpuBuilder::loop(Value begin, Value end, int64_t step, ValueRange carried,
                 function_ref<Values(Value, ValueRange)> body) {
  // The loop is in its function before the body is emitted, so that the body
  // finds the facts of the module.
  auto loop = scf::ForOp::create(b, loc, begin, end, constant(step), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(b, loc, next);
  return Values(loop.getResults());
}
void CpuBuilder::when(Value condition, function_ref<void()> body,
                      function_ref<void()> otherwise) {
  bool two = static_cast<bool>(otherwise);
  auto branch = scf::IfOp::create(b, loc, TypeRange(), condition, true, two);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
  scf::YieldOp::create(b, loc);
  if (two) {
    b.setInsertionPointToStart(branch.elseBlock());
    otherwise();
    scf::YieldOp::create(b, loc);
  }
}
CpuBuilder::Values CpuBuilder::choose(Value condition, TypeRange types,
                                      function_ref<Values()> yes,
                                      function_ref<Values()> no) {
  auto branch = scf::IfOp::create(b, loc, types, condition, true, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, yes());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, no());
  return Values(branch.getResults());
}

// Perfect shuffles: zipping row i with row i + n/2, log2(n) times over, sends
// element (i, j) to (j, i). Every zip is one two-operand permute.
SmallVector<Value> transpose(CpuBuilder &code, ArrayRef<Value> rows) {
  int64_t n = code.lanes;
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < n; ++i) {
    low.push_back(i / 2 + (i % 2) * n);
    high.push_back(n / 2 + i / 2 + (i % 2) * n);
  }
  SmallVector<Value> current(rows);
  for (int64_t size = 1; size < n; size *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < n / 2; ++i)
      for (ArrayRef<int64_t> zip : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(code.b, code.loc, current[i],
                                                 current[i + n / 2], zip));
    current = std::move(next);
  }
  return current;
}

func::FuncOp
CpuBuilder::separateFunction(func::FuncOp caller, StringRef name,
                             TypeRange arguments,
                             llvm::function_ref<void(ValueRange)> body) {
  auto module = caller->getParentOfType<ModuleOp>();
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(caller);
  auto function =
      func::FuncOp::create(b, loc, name, b.getFunctionType(arguments, {}));
  function.setPrivate();
  function->setAttr("passthrough", b.getArrayAttr(b.getStringAttr("noinline")));
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(b.getContext(), LLVM::linkage::Linkage::Internal));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  body(entry->getArguments());
  func::ReturnOp::create(b, loc);
  return function;
}

} // namespace gensyn::cpu
