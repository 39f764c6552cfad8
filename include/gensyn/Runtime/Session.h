// One program bound to a parameter store.
#ifndef GENSYN_RUNTIME_SESSION_H
#define GENSYN_RUNTIME_SESSION_H

#include "gensyn/Runtime/ParameterStore.h"
#include "gensyn/Runtime/Program.h"

#include <cstdint>
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
  /// Steps done before this one.
  int64_t step = 0;
  /// The recipe's seed.
  uint64_t seed = 0;
};

/// Runs a program on a store: parameters and state come from there and, where
/// the program donates outputs, go back there.
class Session {
public:
  /// Adopts what the program needs into the store.
  Session(std::unique_ptr<Program> program, ParameterStore &store);

  const Signature &signature() const { return program->signature(); }
  const plan::Executable &executable() const { return program->executable(); }
  /// The first extent of the program's inputs and target; 0 where none has one.
  int64_t batchSize() const;

  /// One run. Throws a Failure where an input is missing.
  void run(const StepInputs &inputs) {
    stage(inputs);
    begin();
    end();
  }
  /// A run in parts: hands over the inputs of the next run, also while one goes
  /// on; starts it; waits for it. Sessions of one store must not overlap.
  void stage(const StepInputs &inputs);
  /// From here on parameters are read as their averages, where the store has
  /// such.
  void readAverages() { ofAverages = true; }
  void begin();
  void end();

  /// All that a run would be given, as the signature lists it.
  std::vector<Tensor> listInputs(const StepInputs &inputs);

  /// Results of the last run. `loss` as f64; the loss must be there.
  const Tensor &output(size_t index) const { return outputs[index].read(); }
  double loss() const;
  /// Its figures for the log, by name, in the order of the outputs.
  std::vector<std::pair<std::string, double>> metrics() const;
  /// The index of the output with that role and name (empty: the only one with
  /// the role), or -1.
  int findOutput(Role role, const std::string &name) const;

private:
  std::vector<Tensor> makeInputs(const StepInputs &given) const;

  Value &kept(const Port &port) const;

  std::unique_ptr<Program> program;
  ParameterStore &store;
  bool ofAverages = false;
  std::vector<Value> outputs;
};

/// The value of a scalar tensor of any float type. Throws a Failure (bug) for
/// anything else.
double scalarValue(const Tensor &tensor);

/// Refuses tensors of a file that do not fit the program's inputs and target:
/// missing, left over, of another type, of another shape. With `anyBatch` the
/// first extent is free. Messages begin with the file's name.
void checkTensors(const TensorFile &file, const Signature &signature,
                  bool anyBatch);

/// Refuses a file whose integer tensor `target` names a class that there is
/// not: every element is in [0, classes) or `ignored`. A target that is missing
/// or of floats is none of its business.
void checkClasses(const TensorFile &file, const std::string &target,
                  int64_t classes, std::optional<int64_t> ignored);
/// The same of the elements in some bytes, which messages call `what`.
void checkClassesIn(const std::string &what, ElementType type,
                    std::span<const uint8_t> bytes, int64_t classes,
                    std::optional<int64_t> ignored);

} // namespace gensyn::runtime

#endif
