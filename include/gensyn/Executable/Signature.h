// The inputs and outputs of a compiled program.
#ifndef GENSYN_EXECUTABLE_SIGNATURE_H
#define GENSYN_EXECUTABLE_SIGNATURE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/Role.h"
#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// A tensor that is an input or output of a program.
struct Port {
  std::string name;
  Role role;
  ElementType type;
  std::vector<int64_t> shape;
  /// Its initial value; belongs to the executable.
  const plan::Initial *initial;
};

/// The inputs and outputs of a program, decoded from its plan.
struct Signature {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  /// For output j the input that it replaces in the next step, or -1.
  std::vector<int> donated;
};

/// Decodes a plan and checks it as a whole: every index, size and offset in it.
/// Plans may come from files, so nothing is used unchecked. Throws a Failure
/// (bad input). The executable must outlive the result.
Signature readSignature(const plan::Executable &executable);

/// True if a port's tensor persists across runs: a parameter, state, average or
/// constant.
inline bool isKept(const Port &port) {
  return port.role == Role::Parameter || port.role == Role::State ||
         port.role == Role::Average || port.role == Role::Constant;
}

/// True if a result is a metric that is read after each run.
inline bool isFigure(const Port &port) {
  return port.role == Role::Loss || port.role == Role::Metric;
}

/// Returns zero tensors for the outputs of a signature.
std::vector<Tensor> makeOutputs(const Signature &signature);

} // namespace gensyn

#endif
