// Programs and the devices that run them.
#ifndef GENSYN_RUNTIME_DEVICES_PROGRAM_H
#define GENSYN_RUNTIME_DEVICES_PROGRAM_H

#include "gensyn/Executable/Signature.h"
#include "gensyn/Executable/WorkMemory.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Runtime/Devices/Preparation.h"
#include "gensyn/Runtime/Devices/Value.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

class DeviceExchange;

/// What a program reads of the samples of a batch: of `of` equal parts those
/// from `first` on, `count` of them.
struct SampleShare {
  int64_t first = 0;
  int64_t count = 1;
  int64_t of = 1;

  bool isWhole() const { return count == of; }
};

/// Is told in a run when the program uses its inputs and outputs, by the thread
/// that runs it.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// The next launch reads an input that none shortly before has read.
  virtual void beforeInput(size_t input) = 0;
  /// No launch soon reads the input again. Unless one does later, it is not
  /// read again.
  virtual void afterInput(size_t input) = 0;
  /// The output is complete, in memory that stays.
  virtual void afterOutput(size_t output, std::byte *bytes) = 0;
};

/// A loaded program. Not thread-safe.
class Program {
public:
  explicit Program(std::shared_ptr<const plan::Executable> executable)
      : source(std::move(executable)), ports(readSignature(*source)),
        preparation(*source, ports) {}
  virtual ~Program() = default;

  const plan::Executable &executable() const { return *source; }
  const Signature &signature() const { return ports; }
  /// The signature has the inputs of the whole batch.
  virtual SampleShare share() const { return {}; }

  /// Executes the program once. `inputs` and `outputs` are in the order of the
  /// signature; the contents of `outputs` are overwritten. Types and shapes
  /// must match; call checkTensors first if they come from a user. Throws a
  /// Failure if the device fails.
  virtual void run(std::span<const Tensor *const> inputs,
                   std::span<Tensor> outputs) = 0;

  /// Asynchronous execution, for devices with their own memory: `stage` may be
  /// called while one run is in progress.

  /// Stages the inputs of the next run in the order of the signature; null for
  /// those that `begin` gets.
  virtual void stage(std::span<const Tensor *const> inputs);
  /// Starts a run. `kept` lists the kept tensors in the order of the signature,
  /// and inputs that were not staged since they are in the device's memory,
  /// which are only read; null for staged ones. The contents of an input that
  /// may be overwritten (Plan.in_place) are undefined afterwards. The values
  /// must not be used before `end`.
  virtual void begin(std::span<Value *const> kept, std::span<Value> outputs);
  /// Waits for the oldest run in progress. Throws a Failure if it failed.
  virtual void end() {}
  /// True if `begin` may be called while one run is in progress: the device
  /// runs one after the other. Outputs of the first may be kept values of the
  /// second, which has outputs of its own. Until the first has ended, no
  /// program of the device stages anything.
  virtual bool mayRunAhead() const { return false; }

  /// From now on runs tell `observer` what they use. Returns false if this
  /// program cannot say.
  virtual bool observe(RunObserver &) { return false; }
  /// How often a run then calls beforeInput() for each input.
  virtual std::vector<uint32_t> countUses() const { return {}; }

private:
  std::shared_ptr<const plan::Executable> source;
  Signature ports;

protected:
  /// A program that has prepared values asks it before each run.
  Preparation preparation;

private:
  std::vector<Tensor> staged;
};

/// A backend that runs programs.
class Device {
public:
  virtual ~Device() = default;
  /// The compiler's name of the target: "cpu:x86-64-v3", "ptx:sm_90",
  /// "reference".
  virtual std::string target() const = 0;
  /// Throws a Failure if the executable has no code for this device. Programs
  /// that share `work` run one at a time; it is not used where runs have memory
  /// of another kind.
  virtual std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory> work) = 0;
  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) {
    return load(std::move(executable), std::make_shared<WorkMemory>());
  }
  /// Null if other libraries cannot share the device's memory.
  virtual DeviceExchange *exchange() { return nullptr; }
};

} // namespace gensyn::runtime

#endif
