// The interfaces of ReproInterfaces.td.

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_REPROINTERFACES_H
#define GENSYN_DIALECT_REPRO_INTERFACES_REPROINTERFACES_H

#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "gensyn/Dialect/Repro/Interfaces/Split.h"
#include "gensyn/Numerics/ErrorBound.h"
#include "gensyn/Numerics/Order.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace gensyn::repro {

/// The cost of an element of an op's result inside a kernel.
enum class ElementCost {
  /// No instruction: a constant, or an operand's element at another index.
  Free,
  /// An instruction or two.
  Single,
  /// Some instructions.
  Several,
  /// Many instructions, as of a division.
  Long,
  /// A correctly rounded function; getFlops returns its cost.
  Function,
};

// The traits of ReproInterfaces.td.
template <typename Op>
class ReadsWholeOperands
    : public mlir::OpTrait::TraitBase<Op, ReadsWholeOperands> {};
template <typename Op>
class KeepsElementOrder
    : public mlir::OpTrait::TraitBase<Op, KeepsElementOrder> {};
template <typename Op>
class PlanStep : public mlir::OpTrait::TraitBase<Op, PlanStep> {};
template <typename Op>
class Additive : public mlir::OpTrait::TraitBase<Op, Additive> {};

} // namespace gensyn::repro

#include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.h.inc"

#endif
