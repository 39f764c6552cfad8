// Many random programs as one function, and their comparison.

#ifndef GENSYN_TEST_LIB_RANDOMPROGRAMS_BATCH_H
#define GENSYN_TEST_LIB_RANDOMPROGRAMS_BATCH_H

#include "Generator.h"

#include "mlir/IR/OwningOpRef.h"

#include <array>
#include <string>
#include <vector>

namespace gensyn::random_programs {

/// The location of one program in the function of a batch.
struct ProgramRange {
  uint64_t number;
  unsigned firstArgument, arguments, firstResult, results;
};

/// Independent programs side by side in one function: one compilation for all
/// of them.
struct Batch {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ProgramRange> programs;
  /// True if the freeze accepted it; a rejection is not about bits.
  bool frozen = false;
  /// Contractions that repro-slice-contractions replaced.
  uint64_t sliced = 0;
  mlir::func::FuncOp getFunction() const;
};

/// Inputs of all programs for one trial.
std::vector<Tensor> makeBatchInputs(const Batch &batch, uint64_t seed,
                                    unsigned trial);

struct Options {
  uint64_t seed = 1;
  uint64_t first = 0, count = 64, perBatch = 32;
  unsigned inputs = 10;
  /// ptx-sim takes part in one of this many batches, with this many inputs; it
  /// is two orders of magnitude slower.
  uint64_t ptxEvery = 8;
  unsigned ptxInputs = 2;
  unsigned jobs = 1;
  std::vector<std::string> targets;
  /// Passes that run before compilation only: if they change bits the
  /// comparison must fail.
  std::string passes;
  /// Slice contractions of floats before the freeze.
  bool slices = false;
  bool print = false;
  /// Of code for CPUs; see checkbits::Compiled.
  bool optimize = true;
  /// The folder for the PTX of each batch; empty: none.
  std::string ptxFolder;
  double seconds = 0; ///< start no batch after these; 0: no limit
};

/// Programs `first` to `first + count - 1` of a run. A program does not depend
/// on the others in its batch.
Batch makeBatch(mlir::MLIRContext &context, const Vocabulary &vocabulary,
                const Options &options, uint64_t first, uint64_t count);

/// Plain data: it is sent through a pipe.
struct Outcome {
  uint64_t programs = 0, pairs = 0, failures = 0, notFrozen = 0, refused = 0;
  uint64_t ptxPairs = 0, cudaPairs = 0, sliced = 0;
  /// A GPU stopped in the middle of the batch, and is of no further use to this
  /// process.
  bool lostGpu = false;
  /// The number of kernels of each schedule of the GPU path, in the order of
  /// gpu::getSchedules(), and of the baseline at the end.
  std::array<uint64_t, 32> kernels = {};

  /// Adds the counts of another.
  Outcome &operator+=(const Outcome &other);
};

/// Compares the reference with all targets on the programs of one batch and
/// reports each program that differs, shrunk.
Outcome compareBatch(mlir::MLIRContext &context, const Vocabulary &vocabulary,
                     const Options &options, uint64_t first, uint64_t count);

} // namespace gensyn::random_programs

#endif
