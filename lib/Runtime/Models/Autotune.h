// The choice of schedules by the times of kernels on a device.

#ifndef GENSYN_LIB_RUNTIME_MODELS_AUTOTUNE_H
#define GENSYN_LIB_RUNTIME_MODELS_AUTOTUNE_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/ScheduleFile.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <functional>
#include <memory>
#include <string>

namespace gensyn::runtime {

/// The schedules of a program.
struct Tuning {
  /// Those of all kernels that have alternatives, empty for the compiler's own.
  KernelSchedules schedules;
  size_t timed = 0;   ///< kernels that were timed
  size_t changed = 0; ///< those that do not keep the compiler's own schedule
  /// Seconds of a run before and after these got another schedule.
  double before = 0, after = 0;
};

/// Runs the program of a request with different schedules.
class Tuner {
public:
  /// Compiles the program with these schedules, or with the compiler's own and
  /// a list of the alternatives of its kernels.
  using Compile = std::function<std::shared_ptr<const plan::Executable>(
      const KernelSchedules &, bool listsAlternatives)>;
  /// Makes a device that adds times of kernels to a profile.
  using MakeDevice = std::function<std::unique_ptr<Device>(KernelProfile *)>;
  /// Makes inputs of runs.
  using MakeInputs = std::function<TensorMap(const Signature &)>;

  /// `model` is the name of the program in messages.
  Tuner(std::string model, Compile compile, MakeDevice makeDevice,
        MakeInputs makeInputs)
      : model(std::move(model)), compile(std::move(compile)),
        makeDevice(std::move(makeDevice)), makeInputs(std::move(makeInputs)) {}

  /// Times the kernels that have alternatives, but for those of which `known`
  /// has one. All kernels are timed with their first alternative in one
  /// program, then with their second one, and so on. An alternative is chosen
  /// if it takes at least 2 % less time, twice, and if a run of all choices
  /// takes less time. Throws a Failure (bug) if a program has other results.
  Tuning tune(const KernelSchedules &known);

private:
  struct Times;
  Times measure(const plan::Executable &listed,
                const std::shared_ptr<const plan::Executable> &program);

  std::string model;
  Compile compile;
  MakeDevice makeDevice;
  MakeInputs makeInputs;
};

} // namespace gensyn::runtime

#endif
