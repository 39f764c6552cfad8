// A program bound to a parameter store.
#ifndef GENSYN_RUNTIME_DEVICES_SESSION_H
#define GENSYN_RUNTIME_DEVICES_SESSION_H

#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// The inputs that change from run to run.
struct StepInputs {
  /// Graph inputs and target, by name; types and shapes as in the signature.
  TensorMap tensors;
  /// Those that are in the device's memory instead. They are only read, and
  /// have to stay until the run ends.
  std::map<std::string, Value *> onDevice;
  /// Number of steps before this one.
  int64_t step = 0;
  /// The recipe's seed.
  uint64_t seed = 0;
};

/// Runs a program on a store: parameters and state are read from it and, for
/// donated outputs, written back to it.
class Session {
public:
  /// Adds the tensors that the program needs to the store.
  Session(std::unique_ptr<Program> program, ParameterStore &store);

  const Signature &signature() const { return program->signature(); }
  const plan::Executable &executable() const { return program->executable(); }
  /// Returns the batch size of the program's inputs and target; 0 if none has
  /// one.
  int64_t batchSize() const;
  /// The samples of a batch that this process reads.
  SampleShare share() const { return program->share(); }
  /// The signature with the extents of these samples: that of the tensors of
  /// StepInputs, which may also be those of the whole batch.
  const Signature &shareSignature() const { return sharePorts; }

  /// Runs the program once. Throws a Failure if an input is missing.
  void run(const StepInputs &inputs) {
    stage(inputs);
    begin();
    end();
  }
  /// Asynchronous run: stages the inputs of the next run, also while another is
  /// in progress; starts it; waits for the oldest one. Runs of sessions that
  /// share a store must not overlap.
  void stage(const StepInputs &inputs);
  /// True if a run may begin while one is in progress (Program::mayRunAhead).
  /// It reads what that one writes back, and the store has neither the state
  /// before nor that between them.
  bool mayRunAhead() const { return program->mayRunAhead(); }
  /// From now on, parameters are replaced by their averages if the store has
  /// them.
  void readAverages() { ofAverages = true; }
  void begin();
  void end();

  /// Returns all inputs of a run in the order of the signature.
  std::vector<Tensor> listInputs(const StepInputs &inputs);

  /// Results of the last run that ended. `loss` returns the loss as f64; the
  /// program must have one.
  const Tensor &output(size_t index) const {
    return outputs[ended][index].read();
  }
  /// The same result for the caller to keep: the next run does not write to it.
  Tensor takeOutput(size_t index);
  /// The same, in the device's memory if it is there.
  Value takeValue(size_t index);
  double loss() const;
  /// Returns the metrics of the step for the log, by name, in the order of the
  /// outputs.
  std::vector<std::pair<std::string, double>> metrics() const;
  /// Returns the index of the output with that role and name, or -1. An empty
  /// name matches the only output with the role.
  int findOutput(Role role, const std::string &name) const;

private:
  std::vector<Tensor> makeInputs(const StepInputs &given) const;

  Value &kept(const Port &port) const;
  void findKept();
  void writeBack(std::vector<Value> &results);

  std::unique_ptr<Program> program;
  Signature sharePorts;
  ParameterStore &store;
  bool ofAverages = false;
  /// Those of a run, and of one that begins before it has ended.
  std::array<std::vector<Value>, 2> outputs;
  /// The outputs of the last run that ended, and of the oldest in progress.
  size_t ended = 0, oldest = 0;
  size_t running = 0;
  /// The store has what the oldest run in progress writes back.
  bool isWrittenBack = false;
  /// Runs have overlapped. From then on each has other outputs than the one
  /// before, so their memory comes back in step with a device's other slots.
  bool alternates = false;
  /// The kept inputs in the order of the signature, null for others: found by
  /// name once, since the store never moves them.
  std::vector<Value *> keptValues;
  /// The inputs of the next run that are in the device's memory, likewise;
  /// empty if none is.
  std::vector<Value *> borrowedValues;
};

/// Returns the value of a scalar tensor of any float type. Throws a Failure
/// (bug) for any other tensor.
double scalarValue(const Tensor &tensor);

/// Checks a file's tensors against the program's inputs and target. Throws a
/// Failure for a missing or extra tensor and for a different type or shape.
/// With `anyBatch` the first extent is free. Messages begin with the file's
/// name.
void checkTensors(const TensorFile &file, const Signature &signature,
                  bool anyBatch);

/// Throws a Failure if an element of a file's integer tensor `target` is
/// neither in [0, classes) nor `ignored`. A missing or floating-point target is
/// not checked.
void checkClasses(const TensorFile &file, const std::string &target,
                  int64_t classes, std::optional<int64_t> ignored);
/// The same check for the elements in `bytes`, which messages call `what`.
void checkClassesIn(const std::string &what, ElementType type,
                    std::span<const uint8_t> bytes, int64_t classes,
                    std::optional<int64_t> ignored);

} // namespace gensyn::runtime

#endif
