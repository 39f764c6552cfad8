// Checks and defaults of options.

#include "gensyn/Runtime/Models/ModelOptions.h"

#include "gensyn/Executable/Support/Error.h"

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
