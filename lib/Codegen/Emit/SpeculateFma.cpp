// Computes loops of f32 math.fma with f64 additions that are rounded twice, and
// again without where that may have changed a bit.
//
// The product p of two f32 is exact in f64. With y = p + z rounded to f64, and
// r = y rounded to f32, r is the fma unless y lies half way between two
// neighbouring f32 numbers: such midpoints are f64 numbers, and rounding is
// monotonic, so p + z and any other y are on the same side of each midpoint.
// (Figueroa, "When is double rounding innocuous?", 1995, has the same argument
// for the basic operations.)
//
// - From 2^-126 on, midpoints of f32 have the bits 1 0...0 beyond the 24 of an
//   f32: the low 29 bits of y are 2^28. The one between the largest f32 and
//   infinity is among them. Multiples of f32's last place have zeros there, and
//   so do infinities and NaNs.
// - Below, midpoints have other bits, so any r that is subnormal, or 2^-126, is
//   taken for one. Only r = 0 is not: then p + z is y exactly. Either z = 0, or
//   |z| >= 2^-149 and |p + z| <= 2^-150 (1 + 2^-53) leave |p| >= 2^-151, whose
//   48 bits end at 2^-198 or before, and p + z is a multiple of 2^-198 below
//   2^-149.
//
// A loop gathers both conditions of all its sums. If one holds, which ordinary
// f32 numbers meet once in 2^29 sums, the loop is computed again as it was.

#include "gensyn/Codegen/Emit/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace gensyn::emit {
#define GEN_PASS_DEF_SPECULATEFMAPASS
#include "gensyn/Codegen/Emit/Passes.h.inc"

namespace {

/// Fewer iterations are not worth the conditions.
constexpr int64_t kFewestIterations = 4;

bool onlyReads(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return llvm::all_of(op->getRegions(), [](Region &region) {
      return llvm::all_of(region.getOps(),
                          [](Operation &inner) { return onlyReads(&inner); });
    });
  if (isa<LLVM::Prefetch>(op)) // has no effect on values
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && (effects.hasNoEffect() ||
                     effects.onlyHasEffect<MemoryEffects::Read>());
}

bool isVectorFma(Operation &op) {
  auto type = isa<math::FmaOp>(op)
                  ? dyn_cast<VectorType>(op.getResult(0).getType())
                  : VectorType();
  return type && type.getElementType().isF32();
}

/// Returns the type of all fma of the loop's body, or null if there are none,
/// or it cannot be computed twice.
VectorType fmaType(scf::ForOp loop) {
  VectorType type;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<scf::ForOp>(op) || !onlyReads(&op))
      return {};
    if (!isVectorFma(op))
      continue;
    auto own = cast<VectorType>(op.getResult(0).getType());
    if (own.getRank() != 1 || (type && type != own))
      return {};
    type = own;
  }
  return type;
}

/// Emits the fma of a loop's body with sums that are rounded twice.
class TwiceRounded {
public:
  TwiceRounded(OpBuilder &b, Location loc, VectorType type)
      : b(b), loc(loc), lanes(type.getNumElements()),
        wide(VectorType::get({lanes}, b.getF64Type())),
        words(VectorType::get({lanes}, b.getI32Type())),
        octets(VectorType::get({4 * lanes}, b.getI8Type())) {}

  /// Conditions so far: words that are not 0 after a midpoint, and the least
  /// octets of 2 |r| - 1 as integers, of which the upper one is 0 for the
  /// results up to 2^-126 but for 0. They are accumulated by one instruction
  /// each.
  SmallVector<Value> none() { return {splat(words, 0), splat(octets, 255)}; }

  Value fma(Operation &op, const IRMapping &map, MutableArrayRef<Value> found) {
    Value sum = arith::AddFOp::create(
        b, loc,
        arith::MulFOp::create(b, loc,
                              widen(map.lookupOrDefault(op.getOperand(0))),
                              widen(map.lookupOrDefault(op.getOperand(1)))),
        widen(map.lookupOrDefault(op.getOperand(2))));
    Value result =
        arith::TruncFOp::create(b, loc, op.getResult(0).getType(), sum);
    Value last = arith::ShLIOp::create(b, loc, lowWords(sum), splat(words, 3));
    Value isMidpoint = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, last, splat(words, int64_t(1) << 31));
    found[0] = arith::OrIOp::create(
        b, loc, found[0], arith::ExtSIOp::create(b, loc, words, isMidpoint));
    Value bits = arith::BitcastOp::create(b, loc, words, result);
    Value magnitude = arith::AddIOp::create(
        b, loc, arith::AddIOp::create(b, loc, bits, bits), splat(words, -1));
    found[1] = arith::MinUIOp::create(
        b, loc, found[1], vector::BitCastOp::create(b, loc, octets, magnitude));
    return result;
  }

  /// True if neither condition was met.
  Value areSure(ValueRange found) {
    Value upper = arith::ShRUIOp::create(
        b, loc, vector::BitCastOp::create(b, loc, words, found[1]),
        splat(words, 24));
    Value sure = arith::AndIOp::create(
        b, loc, compare(arith::CmpIPredicate::eq, found[0]),
        compare(arith::CmpIPredicate::ne, upper));
    Type bits = b.getIntegerType(unsigned(lanes));
    return arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq,
        LLVM::BitcastOp::create(b, loc, bits, sure),
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits, -1)));
  }

private:
  Value splat(VectorType type, int64_t value) {
    const unsigned width = type.getElementTypeBitWidth();
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, APInt(width, uint64_t(value), false,
                                           /*implicitTrunc=*/true)));
  }
  Value compare(arith::CmpIPredicate predicate, Value x) {
    return arith::CmpIOp::create(b, loc, predicate, x, splat(words, 0));
  }
  /// Returns the low half of each element.
  Value lowWords(Value doubles) {
    auto halves = VectorType::get({2 * lanes}, b.getI32Type());
    SmallVector<int64_t> even;
    for (int64_t i = 0; i < lanes; ++i)
      even.push_back(2 * i);
    Value all = vector::BitCastOp::create(b, loc, halves, doubles);
    return vector::ShuffleOp::create(b, loc, all, all, even);
  }
  /// Widens a vector, once; of equal elements one is widened.
  Value widen(Value x) {
    Value &made = widened[x];
    if (made)
      return made;
    auto equal = x.getDefiningOp<vector::BroadcastOp>();
    if (equal && equal.getSource().getType().isF32())
      made = vector::BroadcastOp::create(
          b, loc, wide,
          arith::ExtFOp::create(b, loc, b.getF64Type(), equal.getSource()));
    else
      made = arith::ExtFOp::create(b, loc, wide, x);
    return made;
  }

  OpBuilder &b;
  Location loc;
  int64_t lanes;
  VectorType wide, words, octets;
  DenseMap<Value, Value> widened;
};

/// Emits the loop with sums that are rounded twice; returns its results and
/// whether they are sure.
SmallVector<Value> emitTwiceRounded(scf::ForOp loop, VectorType type,
                                    OpBuilder &b) {
  Location loc = loop.getLoc();
  TwiceRounded twice(b, loc, type);
  SmallVector<Value> inits(loop.getInitArgs());
  const size_t count = inits.size();
  inits.append(twice.none());
  auto fast = scf::ForOp::create(
      b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        IRMapping map;
        map.map(loop.getInductionVar(), index);
        map.map(loop.getRegionIterArgs(), carried.take_front(count));
        SmallVector<Value> found(carried.drop_front(count));
        for (Operation &op : loop.getBody()->without_terminator())
          if (isVectorFma(op))
            map.map(op.getResult(0), twice.fma(op, map, found));
          else
            b.clone(op, map);
        SmallVector<Value> next;
        for (Value value : loop.getYieldedValues())
          next.push_back(map.lookupOrDefault(value));
        next.append(found);
        scf::YieldOp::create(b, loc, next);
      });
  SmallVector<Value> results(fast.getResults().take_front(count));
  results.push_back(twice.areSure(fast.getResults().drop_front(count)));
  return results;
}

struct SpeculateFma final : impl::SpeculateFmaPassBase<SpeculateFma> {
  void runOnOperation() override {
    SmallVector<std::pair<scf::ForOp, VectorType>> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (VectorType type = fmaType(loop))
        loops.emplace_back(loop, type);
    });
    for (auto [loop, type] : loops)
      speculate(loop, type);
  }

  static void speculate(scf::ForOp loop, VectorType type) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value span = arith::SubIOp::create(b, loc, loop.getUpperBound(),
                                       loop.getLowerBound());
    Value few = arith::MulIOp::create(
        b, loc, loop.getStep(),
        arith::ConstantOp::create(
            b, loc, b.getIntegerAttr(span.getType(), kFewestIterations - 1)));
    Value isLong =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, span, few);
    SmallVector<Value> otherwise(loop.getInitArgs());
    SmallVector<Type> types(loop.getResultTypes());
    types.push_back(b.getI1Type());
    auto yield = [](ValueRange values) {
      return [values = SmallVector<Value>(values)](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, values);
      };
    };
    auto first = scf::IfOp::create(
        b, loc, isLong,
        [&](OpBuilder &b, Location loc) {
          yield(emitTwiceRounded(loop, type, b))(b, loc);
        },
        [&](OpBuilder &b, Location loc) {
          otherwise.push_back(
              arith::ConstantOp::create(b, loc, b.getBoolAttr(false)));
          yield(otherwise)(b, loc);
        });
    auto last = scf::IfOp::create(b, loc, first.getResults().back(),
                                  yield(first.getResults().drop_back()),
                                  yield(loop.getResults()));
    loop->replaceUsesWithIf(last.getResults(), [&](OpOperand &use) {
      return !last->isProperAncestor(use.getOwner());
    });
    loop->moveBefore(last.getElseRegion().front().getTerminator());
  }
};
} // namespace
} // namespace gensyn::emit
