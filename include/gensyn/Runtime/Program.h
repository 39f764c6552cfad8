// Programs and the devices that run them.
#ifndef GENSYN_RUNTIME_PROGRAM_H
#define GENSYN_RUNTIME_PROGRAM_H

#include "gensyn/Executable/Signature.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Runtime/Value.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

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

} // namespace gensyn::runtime

#endif
