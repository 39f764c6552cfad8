// Floating-point operations per op.

#include "gensyn/Numerics/Cost.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static int64_t elements(Operation *op) {
  return cast<ShapedType>(op->getResult(0).getType()).getNumElements();
}

/// One operation an element, where the elements are floats.
static int64_t perElement(Operation *op, int64_t flops = 1) {
  Type element = cast<ShapedType>(op->getOperand(0).getType()).getElementType();
  return isa<FloatType>(element) ? saturatingMultiply(elements(op), flops) : 0;
}

static int64_t domainPoints(DomainAttr domain) {
  int64_t points = 1;
  for (int64_t extent : domain.getExtents())
    points *= extent;
  return points;
}

#define COST(Op, flops)                                                        \
  int64_t Op::getFlops() { return perElement(*this, flops); }
COST(AddOp, 1)
COST(SubOp, 1)
COST(MulOp, 1)
COST(DivOp, 1)
COST(RemOp, 1)
COST(MinOp, 1)
COST(MaxOp, 1)
COST(NegOp, 1)
COST(AbsOp, 1)
COST(SqrtOp, 1)
COST(FmaOp, 2)
COST(RoundOp, 1)
COST(CompareOp, 1)
COST(ConvertOp, 1)
#undef COST

/// A description's additions, multiplications, divisions and square roots; a
/// schedule needs their size, not their last digit.
template <class Description> static int64_t count(Description description) {
  OperationCounts n;
  Cost a(n);
  description(a, a.f32(0));
  return n.f32 + n.f64 + n.divide + n.sqrt;
}
#define GENSYN_FUNCTION(Stem, name)                                            \
  int64_t Stem##Op::getFlops() {                                               \
    static const int64_t flops = count(                                        \
        [](const Cost &a, Cost::F32 x) { return functions::name(a, x); });     \
    return perElement(*this, flops);                                           \
  }
#include "gensyn/Numerics/Functions.def"
int64_t PowOp::getFlops() {
  static const int64_t flops =
      count([](const Cost &a, Cost::F32 x) { return functions::pow(a, x, x); });
  return perElement(*this, flops);
}

#define FREE(Op)                                                               \
  int64_t Op::getFlops() { return 0; }
FREE(AndOp)
FREE(OrOp)
FREE(XorOp)
FREE(ShlOp)
FREE(ShrOp)
FREE(NotOp)
FREE(SelectOp)
FREE(BitcastOp)
FREE(ConstantOp)
FREE(IotaOp)
FREE(ReshapeOp)
FREE(TransposeOp)
FREE(BroadcastOp)
FREE(SliceOp)
FREE(PadOp)
FREE(ConcatOp)
FREE(ReverseOp)
#undef FREE

int64_t ContractOp::getFlops() { return 2 * domainPoints(getDomain()); }
int64_t ReduceOp::getFlops() { return domainPoints(getDomain()); }
int64_t ArgReduceOp::getFlops() { return domainPoints(getDomain()); }
