// The ops of a frozen program as a list of entries, each with a canonical
// encoding of its own, so that one op can be shown without the others
// (docs/Proof.md).

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_PROGRAMENTRIES_H
#define GENSYN_DIALECT_REPRO_TRANSFORMS_PROGRAMENTRIES_H

#include "gensyn/Executable/Support/Hash.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <string_view>
#include <vector>

namespace gensyn::repro {

/// What an op reads: a value of the program, by its number, or a constant, by
/// the digest of its tensor. Values are the arguments of the program, then the
/// results of its ops in their order, but for constants.
struct EntryOperand {
  bool isConstant = false;
  uint64_t value = 0;
  Digest constant = {};
};

struct ProgramEntry {
  /// In the body of @main, but not a constant nor the terminator.
  mlir::Operation *op = nullptr;
  /// The number of its first result.
  uint64_t firstValue = 0;
  std::vector<EntryOperand> operands;
  std::string encoding;
};

struct ProgramEntries {
  /// The numerics version, the arguments, the number of values, the results
  /// with the arguments that they replace in the next run.
  std::string header;
  std::vector<ProgramEntry> ops;

  /// The entries of the list "program": the header, then the encodings.
  std::vector<std::string_view> list() const;
};

/// The entries of a frozen module with the function @main. Fails, after an
/// error, where something has no canonical encoding.
llvm::FailureOr<ProgramEntries> listProgramEntries(mlir::ModuleOp module);

/// The encoding of an op whose operands are these. The values that it is
/// written with do not matter, so an op can be checked without its program.
llvm::FailureOr<std::string> encodeEntry(mlir::Operation *op,
                                         uint64_t firstValue,
                                         llvm::ArrayRef<EntryOperand> operands);

} // namespace gensyn::repro

#endif
