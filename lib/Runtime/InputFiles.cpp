// The files that were read, compared by what stat says.

#include "gensyn/Runtime/InputFiles.h"

#include "gensyn/Runtime/Error.h"

#include <mutex>
#include <set>

namespace gensyn::runtime {

namespace fs = std::filesystem;

static std::mutex mutex;
static int guards = 0;
/// Absolute, so that a change of the working directory does no harm.
static std::set<fs::path> inputs;

InputGuard::InputGuard() {
  std::lock_guard lock(mutex);
  ++guards;
}

InputGuard::~InputGuard() {
  std::lock_guard lock(mutex);
  if (--guards == 0)
    inputs.clear();
}

void noteInput(const fs::path &path) {
  std::lock_guard lock(mutex);
  std::error_code ignored;
  if (guards)
    inputs.insert(fs::absolute(path, ignored));
}

std::vector<std::string> listInputs() {
  std::lock_guard lock(mutex);
  return {inputs.begin(), inputs.end()};
}

void requireNoInput(const fs::path &path) {
  std::lock_guard lock(mutex);
  std::error_code ignored;
  if (inputs.empty() || !fs::is_regular_file(path, ignored))
    return;
  for (const fs::path &input : inputs) {
    if (!fs::equivalent(input, path, ignored))
      continue;
    const bool isSame = input == fs::absolute(path, ignored);
    throw Failure(ExitCode::Usage,
                  path.string() + ": is read, and would be replaced" +
                      (isSame ? "" : "; it is " + quote(input.string())),
                  "write to another file");
  }
}

void requireNoInputIn(const fs::path &folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator item(folder, error), end;
       !error && item != end; item.increment(error))
    requireNoInput(item->path());
}

} // namespace gensyn::runtime
