// See MaskedElements.h.

#include "MaskedElements.h"

#include "OperandLimits.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace gensyn::gpu {

/// A finite number of at most 2^100 added to one of at least 2^126 is lost:
/// half the distance of neighbours there is 2^102.
static constexpr int kLostBits = 100, kHidingBits = 126;
/// Bits that a number of a row may have in a gradient.
static constexpr int kRowBits = 90;
/// A divisor is at least 2^-kDivisorBits.
static constexpr int kDivisorBits = 4;
/// exp of this and of smaller numbers is +0 (function_r1): it is below half the
/// smallest f32.
static constexpr double kLeastExponent = -104;

namespace {
enum class Arithmetic { Other, Sum, Difference, Product, Quotient };
} // namespace

static Arithmetic arithmeticOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Arithmetic>(op)
      .Case([](repro::AddOp) { return Arithmetic::Sum; })
      .Case([](repro::SubOp) { return Arithmetic::Difference; })
      .Case([](repro::MulOp) { return Arithmetic::Product; })
      .Case([](repro::DivOp) { return Arithmetic::Quotient; })
      .Default(Arithmetic::Other);
}

/// The rules, at one position. Without an emitter they only say whether they
/// find conditions; then every condition is null.
class MaskedElements::Rules {
public:
  Rules(const repro::KernelForm &form, KernelBuilder *k = nullptr,
        TileElements *elements = nullptr, size_t row = 0, size_t column = 0)
      : form(form), k(k), elements(elements), row(row), column(column) {}

  /// Whether a rule applies, and the condition (null: none). A Known has the
  /// value, too; a Bound is at most 2^bits.
  struct Zero {
    bool applies = false;
    Value condition;
  };
  struct Fixed : Zero {
    Value value;
  };
  struct Bound : Zero {
    int bits = 0;
  };

  Zero isZero(Value tensor) {
    if (isElsewhere(tensor))
      return {};
    if (!dependsOnScores(tensor)) {
      Value value = at(tensor);
      return {true, compare(arith::CmpFPredicate::OEQ, value, 0)};
    }
    Operation *op = tensor.getDefiningOp();
    if (isa<repro::ExpOp>(op)) {
      Fixed operand = know(op->getOperand(0));
      if (!operand.applies)
        return {};
      return {true,
              both(operand.condition, compare(arith::CmpFPredicate::OLE,
                                              operand.value, kLeastExponent))};
    }
    if (isa<repro::MulOp>(op)) {
      for (unsigned zero : {0, 1}) {
        Zero first = isZero(op->getOperand(zero));
        if (!first.applies)
          continue;
        Bound other = limit(op->getOperand(1 - zero));
        if (other.applies)
          return {true, both(first.condition, other.condition)};
      }
      return {};
    }
    if (isa<repro::DivOp>(op)) {
      Zero first = isZero(op->getOperand(0));
      if (!first.applies || dependsOnScores(op->getOperand(1)))
        return {};
      // Not by a zero or a NaN.
      return {true, both(first.condition,
                         isWithin(op->getOperand(1),
                                  std::numeric_limits<float>::denorm_min(),
                                  std::numeric_limits<float>::infinity()))};
    }
    if (isa<repro::NegOp, repro::ReshapeOp>(op))
      return isZero(op->getOperand(0));
    // Whichever is selected.
    if (isa<repro::SelectOp>(op)) {
      Zero x = isZero(op->getOperand(1));
      Zero y = x.applies ? isZero(op->getOperand(2)) : Zero();
      if (y.applies)
        return {true, both(x.condition, y.condition)};
    }
    return {};
  }

  Fixed know(Value tensor) {
    Fixed known;
    if (isElsewhere(tensor))
      return known;
    if (!dependsOnScores(tensor)) {
      known.applies = true;
      known.value = at(tensor);
      return known;
    }
    Operation *op = tensor.getDefiningOp();
    if (isa<repro::ReshapeOp>(op))
      return know(op->getOperand(0));
    if (auto select = dyn_cast<repro::SelectOp>(op))
      return knowSelected(select);
    const Arithmetic kind = arithmeticOf(op);
    if (kind == Arithmetic::Other || kind == Arithmetic::Quotient)
      return known;
    if (kind == Arithmetic::Sum) {
      known = knowHidden(op);
      if (known.applies)
        return known;
    }
    Fixed x = know(op->getOperand(0)), y = know(op->getOperand(1));
    if (!x.applies || !y.applies)
      return known;
    known.applies = true;
    known.condition = both(x.condition, y.condition);
    if (!k)
      return known;
    if (kind == Arithmetic::Sum)
      known.value = arith::AddFOp::create(k->b, k->loc, x.value, y.value);
    else if (kind == Arithmetic::Difference)
      known.value = arith::SubFOp::create(k->b, k->loc, x.value, y.value);
    else
      known.value = arith::MulFOp::create(k->b, k->loc, x.value, y.value);
    return known;
  }

private:
  /// True if the value has no element of its own at the position.
  bool isElsewhere(Value tensor) const {
    return form.placementOf(tensor) == repro::Placement::Free;
  }

  bool dependsOnScores(Value tensor) {
    auto [found, isNew] = dependent.try_emplace(tensor, false);
    if (!isNew)
      return found->second;
    Operation *op = tensor.getDefiningOp();
    bool depends = false;
    if (op && isa<repro::ContractOp>(op))
      depends = true;
    else if (op && !isa<repro::ReduceOp>(op)) // numbers of a row are known
      depends = llvm::any_of(op->getOperands(), [&](Value operand) {
        return dependsOnScores(operand);
      });
    return dependent[tensor] = depends;
  }

  /// A selection of what does not depend on scores.
  Fixed knowSelected(repro::SelectOp select) {
    Fixed known;
    if (dependsOnScores(select->getOperand(0)))
      return known;
    const bool hidesFirst = !dependsOnScores(select->getOperand(1));
    Fixed chosen = know(select->getOperand(hidesFirst ? 1 : 2));
    if (!chosen.applies)
      return known;
    known.applies = true;
    known.value = chosen.value;
    if (k) {
      Value condition = at(select->getOperand(0));
      if (!hidesFirst)
        condition = arith::XOrIOp::create(
            k->b, k->loc, condition,
            arith::ConstantIntOp::create(k->b, k->loc, 1, 1));
      known.condition = both(chosen.condition, condition);
    }
    return known;
  }

  /// The sum of a limited number and one that hides it.
  Fixed knowHidden(Operation *op) {
    Fixed known;
    for (unsigned hiding : {0, 1}) {
      if (dependsOnScores(op->getOperand(hiding)))
        continue;
      Bound other = limit(op->getOperand(1 - hiding));
      if (!other.applies || other.bits > kLostBits)
        continue;
      known.applies = true;
      known.value = at(op->getOperand(hiding));
      known.condition =
          both(other.condition, compare(arith::CmpFPredicate::OLE, known.value,
                                        -std::ldexp(1.0, kHidingBits)));
      return known;
    }
    return known;
  }

  /// A limit of the magnitude of a number.
  Bound limit(Value tensor) {
    Bound bound;
    if (std::optional<double> constant = getConstant(tensor)) {
      if (std::isfinite(*constant)) {
        bound.applies = true;
        bound.bits = *constant == 0
                         ? -kLostBits
                         : int(std::ceil(std::log2(std::fabs(*constant))));
      }
      return bound;
    }
    if (isElsewhere(tensor))
      return bound;
    if (!dependsOnScores(tensor)) {
      bound.applies = true;
      bound.bits = kRowBits;
      bound.condition = isWithin(tensor, 0, std::ldexp(1.0F, kRowBits));
      return bound;
    }
    Operation *op = tensor.getDefiningOp();
    if (auto contraction = dyn_cast<repro::ContractOp>(op)) {
      // One more for the roundings of the sum.
      bound.bits = 2 * kOperandBits + 1 +
                   int(llvm::Log2_64_Ceil(
                       uint64_t(contraction.getDomain().getNumPoints())));
      bound.applies = bound.bits <= kLostBits;
      return bound;
    }
    if (isa<repro::NegOp, repro::ReshapeOp>(op))
      return limit(op->getOperand(0));
    if (isa<repro::SelectOp>(op)) {
      Bound x = limit(op->getOperand(1)), y = limit(op->getOperand(2));
      if (!x.applies || !y.applies)
        return bound;
      return {{true, both(x.condition, y.condition)}, std::max(x.bits, y.bits)};
    }
    const Arithmetic kind = arithmeticOf(op);
    if (kind == Arithmetic::Other)
      return bound;
    Bound x = limit(op->getOperand(0));
    if (!x.applies)
      return bound;
    if (kind == Arithmetic::Quotient) {
      bound = x;
      std::optional<double> by = getConstant(op->getOperand(1));
      if (by && *by != 0 && std::isfinite(*by)) {
        bound.bits -= int(std::floor(std::log2(std::fabs(*by))));
      } else if (!dependsOnScores(op->getOperand(1))) {
        // Sums of probabilities before they are divided are at least 1.
        bound.condition =
            both(x.condition,
                 isWithin(op->getOperand(1), std::ldexp(1.0F, -kDivisorBits),
                          std::numeric_limits<float>::infinity()));
        bound.bits += kDivisorBits;
      } else {
        return Bound();
      }
    } else {
      Bound y = limit(op->getOperand(1));
      if (!y.applies)
        return bound;
      bound.applies = true;
      bound.condition = both(x.condition, y.condition);
      bound.bits = kind == Arithmetic::Product ? x.bits + y.bits
                                               : std::max(x.bits, y.bits) + 1;
    }
    // Rounding may reach the next power of two, not more.
    bound.applies = ++bound.bits <= kLostBits;
    return bound;
  }

  /// The number of all elements of a constant.
  static std::optional<double> getConstant(Value tensor) {
    while (auto *op = tensor.getDefiningOp()) {
      if (isa<repro::BroadcastOp, repro::ReshapeOp>(op)) {
        tensor = op->getOperand(0);
        continue;
      }
      auto constant = dyn_cast<repro::ConstantOp>(op);
      auto elements =
          constant ? dyn_cast<SplatElementsAttr>(constant->getAttr("value"))
                   : SplatElementsAttr();
      if (!elements || !elements.getElementType().isF32())
        return std::nullopt;
      return elements.getSplatValue<APFloat>().convertToFloat();
    }
    return std::nullopt;
  }

  Value at(Value tensor) {
    return elements ? elements->at(tensor, row, column) : Value();
  }
  Value both(Value x, Value y) { return k ? k->both(x, y) : Value(); }
  Value isWithin(Value tensor, float least, float most) {
    return k ? hasMagnitude(*k, at(tensor), least, most) : Value();
  }
  Value compare(arith::CmpFPredicate predicate, Value value, double with) {
    if (!k)
      return {};
    Value limit = arith::ConstantOp::create(k->b, k->loc,
                                            k->b.getF32FloatAttr(float(with)));
    return arith::CmpFOp::create(k->b, k->loc, predicate, value, limit);
  }

  const repro::KernelForm &form;
  KernelBuilder *k;
  TileElements *elements;
  size_t row, column;
  llvm::DenseMap<Value, bool> dependent;
};

bool MaskedElements::canBeZero(Value tensor) {
  return Rules(form).isZero(tensor).applies;
}

bool MaskedElements::canBeKnown(Value tensor) {
  return Rules(form).know(tensor).applies;
}

Value MaskedElements::isZero(KernelBuilder &k, TileElements &elements,
                             Value tensor, size_t row, size_t column) {
  return Rules(form, &k, &elements, row, column).isZero(tensor).condition;
}

MaskedElements::Known MaskedElements::know(KernelBuilder &k,
                                           TileElements &elements, Value tensor,
                                           size_t row, size_t column) {
  Rules::Fixed known = Rules(form, &k, &elements, row, column).know(tensor);
  return {known.value, known.condition};
}

} // namespace gensyn::gpu
