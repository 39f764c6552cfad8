// Checks and defaults of options.

#include "gensyn/Runtime/Models/ModelOptions.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Description.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <cstdlib>
#include <vector>

namespace gensyn::runtime {

std::filesystem::path defaultCache() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::filesystem::path(cache) / "gensyn";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::filesystem::path(home) / ".cache" / "gensyn";
  return {};
}

std::string compilerTarget(const std::string &word) {
  if (word == "cpu")
    return "cpu:" + nativeInstructionSet();
  if (word == "reference" ||
      (word.starts_with("cpu:") && isInstructionSet(word.substr(4))))
    return word;
  if (machine::findGpu(word))
    return "ptx:" + word;
  if (word.starts_with(machinePrefix)) {
    (void)machine::findMachine(word.substr(machinePrefix.size()));
    return word;
  }
  throw Failure(ExitCode::Usage, "target " + quote(word) + " is not known",
                "known are cpu, cpu: and an instruction set such as " +
                    nativeInstructionSet() + ", reference, sm_ with " +
                    machine::describeGpus() +
                    ", and machine: with a name that gensyn-run machine "
                    "lists");
}

void checkBackend(const std::string &backend) {
  const std::vector<std::string> known = {"reference", "cpu", "ptx-sim",
                                          "cuda"};
  for (const std::string &name : known)
    if (backend == name)
      return;
  if (backend.starts_with(machinePrefix))
    return; // opening the machine reports an unknown one
  throw Failure(ExitCode::Usage, "backend " + quote(backend) + " is not known",
                "known are " + listed(known) +
                    ", and machine: with a name that gensyn-run machine "
                    "lists");
}

} // namespace gensyn::runtime
