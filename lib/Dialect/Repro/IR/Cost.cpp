// Floating-point operations per op.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

static int64_t elements(Operation *op) {
  return cast<ShapedType>(op->getResult(0).getType()).getNumElements();
}

/// One operation an element, where the elements are floats.
static int64_t perElement(Operation *op, int64_t flops = 1) {
  Type element = cast<ShapedType>(op->getOperand(0).getType()).getElementType();
  return isa<FloatType>(element) ? elements(op) * flops : 0;
}

static int64_t domainPoints(DomainAttr domain) {
  int64_t points = 1;
  for (int64_t extent : domain.getExtents())
    points *= extent;
  return points;
}

// The functions' figures are f64 operations as lib/Numerics counts them
// (gensyn/Numerics/Cost.h); a schedule needs their size, not their last digit.
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
COST(ExpOp, 17)
COST(Expm1Op, 19)
COST(LogOp, 28)
COST(Log1pOp, 29)
COST(TanhOp, 26)
COST(SigmoidOp, 23)
COST(ErfOp, 30)
#undef COST

#define FREE(Op)                                                               \
  int64_t Op::getFlops() { return 0; }
FREE(AndOp)
FREE(OrOp)
FREE(XorOp)
FREE(ShlOp)
FREE(ShrOp)
FREE(NotOp)
FREE(SelectOp)
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
