// Programs, the devices that run them, and what they take and give.
#ifndef GENSYN_RUNTIME_PROGRAM_H
#define GENSYN_RUNTIME_PROGRAM_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Runtime/Value.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

enum class Role {
  Parameter,
  State,
  Input,
  Target,
  Constant,
  Key,
  Step,
  Output,
  Loss,
  /// A running average of a parameter.
  Average,
  /// A number for the log.
  Metric,
};

/// A tensor at the border of a program.
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

/// Decodes and checks a plan as a whole: every index, size and offset in it.
/// Nothing of a plan is used unchecked, as it may come from a file. Throws a
/// Failure (bad input). The executable has to outlive the result.
Signature readSignature(const plan::Executable &executable);

/// A loaded program. Not for two threads at once.
class Program {
public:
  explicit Program(std::shared_ptr<const plan::Executable> executable)
      : source(std::move(executable)), ports(readSignature(*source)) {}
  virtual ~Program() = default;

  const plan::Executable &executable() const { return *source; }
  const Signature &signature() const { return ports; }

  /// One run: `inputs` as the signature lists them, `outputs` of the listed
  /// types and shapes, their contents overwritten. Types and shapes must fit;
  /// use checkTensors where they come from a user. Throws a Failure where the
  /// device fails.
  virtual void run(std::span<const Tensor *const> inputs,
                   std::span<Tensor> outputs) = 0;

  /// A run in three parts, for devices that work on their own and have memory
  /// of their own: `stage` may come while the run before goes on.

  /// Takes over what the next run gets, as the signature lists it; null for
  /// what is kept.
  virtual void stage(std::span<const Tensor *const> inputs);
  /// Starts a run. `kept` lists the tensors that are kept as the signature
  /// does, null for what was staged; an input that may be overwritten
  /// (Plan.in_place) has no contents afterwards. Until `end` nothing may be
  /// done with the values.
  virtual void begin(std::span<Value *const> kept, std::span<Value> outputs);
  /// Waits for the run. Throws a Failure for what went wrong in it.
  virtual void end() {}

private:
  std::shared_ptr<const plan::Executable> source;
  Signature ports;
  std::vector<Tensor> staged;
};

/// Something that runs programs.
class Device {
public:
  virtual ~Device() = default;
  /// The compiler's name of the target: "cpu:x86-64-v3", "ptx:sm_90",
  /// "reference".
  virtual std::string target() const = 0;
  /// Throws a Failure where the executable has no code for this device.
  virtual std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) = 0;
};

/// True if a port's tensor outlives a run: a parameter, state, average or
/// constant.
inline bool isKept(const Port &port) {
  return port.role == Role::Parameter || port.role == Role::State ||
         port.role == Role::Average || port.role == Role::Constant;
}

/// True if a result is a number that is looked at after each run.
inline bool isFigure(const Port &port) {
  return port.role == Role::Loss || port.role == Role::Metric;
}

/// Tensors for the outputs of a signature, of zeros.
std::vector<Tensor> makeOutputs(const Signature &signature);

} // namespace gensyn::runtime

#endif
