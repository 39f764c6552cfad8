// Compiles a function of repro ops for the CPU and runs it, on the runtime's
// own threads and memory.

#ifndef GENSYN_BENCHMARKS_KERNELRUNNER_H
#define GENSYN_BENCHMARKS_KERNELRUNNER_H

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::cpu {

/// A module with one function of repro ops.
class KernelRunner {
public:
  /// Parses `text`. This and the functions below abort on errors.
  explicit KernelRunner(const std::string &text);
  ~KernelRunner();

  /// Compiles for `target` and loads; `schedule`, if not empty, becomes the
  /// schedule attribute of every kernel.
  void compile(const std::string &target, unsigned threads = 1,
               const std::string &schedule = "");

  std::vector<Tensor> makeInputs() const;
  std::vector<Tensor> makeOutputs() const;
  /// Runs the program compiled last. Inputs with a role are parameters, which
  /// are the same in all runs: those of the first.
  void run(const std::vector<Tensor> &inputs, std::vector<Tensor> &outputs);
  /// The reference's results for the inputs.
  std::vector<Tensor> evaluate(const std::vector<Tensor> &inputs) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The arguments of every kernel benchmark: [repetitions] [instruction set].
struct Settings {
  int repetitions = 40;
  std::string target = runtime::nativeInstructionSet();

  Settings(int argc, char **argv);
};

/// Processor time, which excludes other work on the machine.
double processorSeconds();
/// The processor time of a run.
double processorSeconds(const std::function<void()> &run);

/// Gives f32 tensors normally distributed elements, the same each time.
void fillNormal(std::vector<Tensor> &tensors);

} // namespace gensyn::cpu

#endif
