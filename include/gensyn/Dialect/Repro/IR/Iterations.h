// Ops that run a program of their own: branches, loops, and sums of so many
// elements that they are computed part by part. So whoever checks an op can
// check one iteration of it, as a program, and one op of that.

#ifndef GENSYN_DIALECT_REPRO_IR_ITERATIONS_H
#define GENSYN_DIALECT_REPRO_IR_ITERATIONS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace gensyn::repro {

/// How an op repeats its program. An iteration gets arguments and returns the
/// carried values.
struct Iterations {
  struct Argument {
    enum class Kind : uint8_t {
      /// The value of an operand.
      Operand,
      /// A carried value after the iteration before.
      Carried,
      /// The number of iterations before this one, a tensor<i64>.
      Index,
    };
    Kind kind = Kind::Operand;
    /// Of the operand or the carried value.
    unsigned number = 0;
  };

  /// The most iterations.
  uint64_t most = 1;
  /// The operands that are the carried values before the first iteration; none
  /// if no argument is carried.
  llvm::SmallVector<unsigned> initial;
  /// The carried value that says whether there is another iteration, a
  /// tensor<i1>. Without one there are `most`.
  std::optional<unsigned> flag;
  /// The operand that chooses one of two programs, a tensor<i1>: variant 0 if
  /// it is true, 1 if not.
  std::optional<unsigned> choice;
  /// For each result of the op the carried value that it is after the last
  /// iteration.
  llvm::SmallVector<unsigned> results;
  /// For each argument of the program.
  llvm::SmallVector<Argument> arguments;
};

/// The iterations of a branch, of a loop of at least one, and of a reduction of
/// a large tensor to one element whose order has parts (`getRowBlock`). Nothing
/// for other ops. It depends on the op alone, never on a machine.
std::optional<Iterations> getIterations(mlir::Operation *op);

/// A module whose function @main is one iteration of an op that has some: a
/// frozen program, but for its digest. Arguments and results have names.
mlir::OwningOpRef<mlir::ModuleOp> buildIteration(mlir::Operation *op,
                                                 unsigned variant);

} // namespace gensyn::repro

#endif
