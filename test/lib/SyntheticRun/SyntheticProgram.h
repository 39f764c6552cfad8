// The programs of synthetic runs: their arguments, ops and trees.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICPROGRAM_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICPROGRAM_H

#include "SyntheticOps.h"
#include "gensyn/Executable/Support/Hash.h"

namespace gensyn::testing {

/// What is read is the number of a value, or a constant: one that differs for
/// the last batch, or this one and lower numbers.
inline constexpr int kShift = -1, kNestedConstant = -2;

struct SyntheticProgram {
  struct Argument {
    std::string name, role;
  };
  struct Op {
    std::string name;
    /// Values and constants.
    std::vector<int> operands;
  };
  struct Result {
    std::string name, role;
    /// The argument that it replaces in the next step, or -1.
    int64_t replaces;
    /// Or a constant.
    int value;
  };
  std::vector<Argument> arguments;
  std::vector<Op> ops;
  std::vector<Result> results;

  uint64_t firstValueOf(size_t op) const;
  uint64_t countValues() const { return firstValueOf(ops.size()); }
  /// The op that computes a value; throws a Failure for an argument, and for
  /// what is no value.
  size_t findOp(uint64_t value) const;
};

/// The one of a step.
const SyntheticProgram &stepProgram();

Tensor makeTensor(uint64_t seed);
Tensor constantOf(int number, bool isLast);

/// All values, which begin with the arguments.
std::vector<Tensor> runProgram(const SyntheticProgram &program,
                               std::vector<Tensor> arguments, bool isLast);

plan::EntryText describeOp(const SyntheticProgram &program, size_t op,
                           bool isLast);
/// `types` are those of the arguments.
std::string makeHeader(const SyntheticProgram &program,
                       const std::vector<TensorType> &types);
Digest findProgramRoot(const SyntheticProgram &program,
                       const std::vector<TensorType> &types, bool isLast);

} // namespace gensyn::testing

#endif
