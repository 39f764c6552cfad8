// The cost of each op.

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

/// One operation per element if the elements are floats.
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

#define GENSYN_UNARY(Stem, name, Types, Cost)                                  \
  int64_t Stem##Op::getFlops() { return perElement(*this); }                   \
  ElementCost Stem##Op::getElementCost() { return ElementCost::Cost; }
#define GENSYN_BINARY GENSYN_UNARY
#include "gensyn/Dialect/Repro/IR/Elementwise.def"

#define COST(Op, flops, element)                                               \
  int64_t Op::getFlops() { return perElement(*this, flops); }                  \
  ElementCost Op::getElementCost() { return ElementCost::element; }
COST(FmaOp, 2, Single)
COST(RoundOp, 1, Several)
COST(CompareOp, 1, Single)
COST(ConvertOp, 1, Single)
#undef COST

/// A description's additions, multiplications, divisions and square roots;
/// schedules need only the order of magnitude.
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
  }                                                                            \
  ElementCost Stem##Op::getElementCost() { return ElementCost::Function; }
#include "gensyn/Numerics/Functions.def"
int64_t PowOp::getFlops() {
  static const int64_t flops =
      count([](const Cost &a, Cost::F32 x) { return functions::pow(a, x, x); });
  return perElement(*this, flops);
}
ElementCost PowOp::getElementCost() { return ElementCost::Function; }

#define COST(Op, element)                                                      \
  int64_t Op::getFlops() { return 0; }                                         \
  ElementCost Op::getElementCost() { return ElementCost::element; }
COST(SelectOp, Single)
COST(BitcastOp, Single)
COST(ConstantOp, Free)
COST(IotaOp, Several)
COST(ReshapeOp, Free)
COST(TransposeOp, Several)
COST(BroadcastOp, Free)
COST(SliceOp, Several)
COST(PadOp, Several)
COST(ConcatOp, Several)
COST(ReverseOp, Several)
COST(GatherOp, Long)
COST(CheckOp, Several)
#undef COST

#define COST(Op, flops, element)                                               \
  int64_t Op::getFlops() { return flops; }                                     \
  ElementCost Op::getElementCost() { return ElementCost::element; }
COST(ContractOp, 2 * domainPoints(getDomain()), Several)
COST(ReduceOp, domainPoints(getDomain()), Several)
COST(ArgReduceOp, domainPoints(getDomain()), Several)
#undef COST

ElementCost repro::getElementCost(Operation *op) {
  auto cost = dyn_cast<CostOpInterface>(op);
  return cost ? cost.getElementCost() : ElementCost::Several;
}
