// A contraction as the loops of a block's descriptor.

#ifndef GENSYN_LIB_CODEGEN_BLOCKPROGRAM_CONTRACTION_H
#define GENSYN_LIB_CODEGEN_BLOCKPROGRAM_CONTRACTION_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Machine/BlockStream.h"

#include <array>
#include <string>

namespace gensyn::blockprogram {

/// What an index of a loop adds to addresses, in bytes, and to coordinates that
/// are checked.
struct Loop {
  int64_t count = 1;
  int64_t left = 0, right = 0, result = 0;
  std::array<int64_t, machine::block::checks> coordinates{};
};

/// An index of an operand; an element is 0 where it is not in [0, extent).
struct Check {
  bool isRight = false;
  int64_t start = 0, extent = 0;
};

struct Operand {
  /// The number among the kernel's arguments.
  unsigned argument = 0;
  /// Bytes from its first element.
  int64_t offset = 0;
  bool isSigned = true;
  /// Subtracted from each element.
  int64_t zero = 0;
};

struct Contraction {
  Operand left, right;
  /// Innermost first.
  llvm::SmallVector<Loop> reduced, rows, columns, batch;
  llvm::SmallVector<Check> checks;
};

/// Reads a kernel, whatever ops it was made of. On failure `why` has the reason
/// for which a block does not compute it.
llvm::FailureOr<Contraction> readContraction(repro::KernelOp kernel,
                                             std::string &why);

} // namespace gensyn::blockprogram

#endif
