// Where two runs of a program, or of two programs, part: the first op whose
// results differ.
#ifndef GENSYN_RUNTIME_REPLAY_STEPDIFFERENCE_H
#define GENSYN_RUNTIME_REPLAY_STEPDIFFERENCE_H

#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/Signature.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/ProgramOps.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A program with the inputs of one run of it.
struct ProgramRun {
  /// Compiles the program and runs it; must outlive this.
  Model *model = nullptr;
  ProgramRequest request;
  /// The digest of the program.
  std::string digest;
  /// Its inputs, and their values in this order.
  std::vector<Port> ports;
  std::vector<Tensor> inputs;
};

/// How two tensors differ.
struct ValueDifference {
  struct Element {
    std::vector<int64_t> index;
    /// The values and their bits.
    std::string first, second, firstBits, secondBits;
    /// As in Difference::maxUlps.
    uint64_t ulps = 0;
  };
  /// Set if types or shapes differ; then the rest is empty.
  std::string reason;
  int64_t elements = 0, different = 0;
  /// The elements that differ most, the worst first.
  std::vector<Element> worst;
};

/// Compares two tensors; nothing if they are bit-equal. Lists `mostWorst`
/// elements at most.
std::optional<ValueDifference>
compareValues(const Tensor &first, const Tensor &second, size_t mostWorst = 4);

/// An input of one name with other values; or of one of the programs alone.
struct InputDifference {
  std::string name;
  Role role = Role::Input;
  ValueDifference value;
};

/// The first op, in the order of the first program, whose results differ.
struct OpDifference {
  struct Operand {
    /// "input 'x'", "parameter 'w'", "constant" or an op.
    std::string name;
    bool isEqual = true;
    /// Of a constant or an input that differs.
    std::optional<ValueDifference> value;
  };
  /// The op's position in each program, from 0; of one alone, -1 for the other.
  OpPair position;
  /// Of the first program, or of the second where only that has it.
  ProgramOp op;
  /// Attributes in each program, where they differ; else empty.
  std::string firstAttributes, secondAttributes;
  bool attributesDiffer = false;
  std::vector<Operand> operands;
  /// The number of the result.
  size_t result = 0;
  ValueDifference value;

  bool operandsEqual() const {
    for (const Operand &operand : operands)
      if (!operand.isEqual)
        return false;
    return true;
  }
};

struct StepDifference {
  std::vector<InputDifference> inputs;
  /// None if the values of all ops are equal.
  std::optional<OpDifference> op;
  /// The ops of each program; those compared; and those without a counterpart.
  int64_t firstOps = 0, secondOps = 0, compared = 0;
  int64_t onlyFirst = 0, onlySecond = 0;
  /// Of those the first ones, if they precede `op`: "'repro.mul'".
  std::string firstUnpaired;
};

struct ValueOptions {
  /// Limit on the bytes of the values of one program at a time; a single op may
  /// exceed it.
  uint64_t memory = uint64_t(1) << 30;
  /// Limit on the ops at a time.
  int64_t ops = 256;
  /// Called with the ops compared, and all of them; may be null.
  std::function<void(int64_t, int64_t)> progress;
};

/// Runs the programs with the values of their ops as additional results, as
/// many at a time as the options allow, in the order of the program, until
/// values differ. A program with additional results is another one, whose
/// kernels are fused otherwise. Throws a Failure.
StepDifference findStepDifference(const ProgramRun &first,
                                  const ProgramRun &second,
                                  const ValueOptions &options = {});

/// Returns the values of the results of the ops at `positions`, in this order.
std::vector<Tensor> computeOpValues(const ProgramRun &run,
                                    const std::vector<ProgramOp> &ops,
                                    const std::vector<int64_t> &positions);

} // namespace gensyn::runtime

#endif
