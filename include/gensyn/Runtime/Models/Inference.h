// Inference on tensors in memory: what a host program embeds.
#ifndef GENSYN_RUNTIME_MODELS_INFERENCE_H
#define GENSYN_RUNTIME_MODELS_INFERENCE_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Runtime/Devices/DeviceExchange.h"
#include "gensyn/Runtime/Devices/Value.h"
#include "gensyn/Runtime/Models/ModelOptions.h"
#include "gensyn/Runtime/Models/ModelTensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A model that runs on given tensors. Open dimensions take the sizes of the
/// tensors: each combination of shapes has a program of its own, which is
/// compiled when it is first needed and kept until `mostPrograms` newer ones
/// are. Thread-safe; runs of several threads take turns, since each run has all
/// threads of the device. In a child of fork the model is opened again when it
/// is next used. Functions throw a Failure.
class Inference {
public:
  /// Opens the model, and compiles it if it has no open dimension. `seed` is
  /// the key of the model's random numbers. `parameters` replace those of the
  /// model (ParameterStore::replace); null: the model's own.
  Inference(ModelOptions options, size_t mostPrograms, uint64_t seed,
            std::shared_ptr<const TensorFile> parameters = nullptr);
  ~Inference();
  Inference(const Inference &) = delete;
  Inference &operator=(const Inference &) = delete;

  /// The graph inputs and outputs, in the model's order.
  const std::vector<ModelTensor> &inputs() const { return inputList; }
  const std::vector<ModelTensor> &outputs() const { return outputList; }
  /// The index of the input of that name. Bad input if there is none.
  size_t findInput(const std::string &name) const;

  /// Runs the model on a tensor for each input, in the order of inputs(), which
  /// are only read. Returns the outputs in the order of outputs(); their bytes
  /// are the caller's. Bad input for a type or shape that the model does not
  /// take, and for a boolean that is neither 0 nor 1.
  std::vector<Tensor> run(std::span<const Tensor> tensors);

  /// The same on values, each on the host or, made by exchange()->borrow, in
  /// the device's memory, where it is read. The results of `keepsResults` are
  /// in the device's memory. A run ends before it returns, so both may be used
  /// by any stream then.
  std::vector<Value> run(std::span<Value> values, bool keepsResults);
  /// Null if other libraries cannot share the device's memory. Valid as long as
  /// this object, but not in a child of fork.
  DeviceExchange *exchange();

  /// Compiles the program for inputs of these shapes unless there is one.
  void prepare(const std::vector<std::vector<int64_t>> &shapes);

  /// Digest of the program that ran or was compiled last; empty if none was.
  std::string digest();
  /// The compiler's name of the target: "cpu:x86-64-v3".
  std::string target();
  /// The number of programs in memory.
  size_t countPrograms();

  /// The times of kernels in all runs so far, as JSON; see
  /// KernelProfile::describe. Forgets them afterwards if `clear`. Usage error
  /// unless the options have `profile`.
  std::string profile(bool clear);
  /// The kernels of the program, for its target, as a JSON list; see `kernels`
  /// of the facts in CompilerApi.h. Open dimensions have the sizes of the last
  /// run, or those that the compiler assumes. Usage error for a package, whose
  /// kernels are compiled.
  std::string kernels();

private:
  struct State;
  /// The state, locked; opens the model if it is not open.
  class Locked;
  /// What the checks need to know of a tensor.
  struct Given {
    ElementType type;
    const std::vector<int64_t> &shape;
  };
  void check(std::span<const Given> inputs) const;
  void checkBooleans(const Tensor &tensor, size_t input) const;

  ModelOptions options;
  size_t mostPrograms;
  uint64_t seed;
  std::shared_ptr<const TensorFile> parameters;
  std::vector<ModelTensor> inputList, outputList;
  std::unique_ptr<State> state;

  friend struct ForkHandlers;
};

} // namespace gensyn::runtime

#endif
