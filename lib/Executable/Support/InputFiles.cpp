// The files that the tool has read.

#include "gensyn/Executable/Support/InputFiles.h"

#include "gensyn/Executable/Support/Error.h"

#include <mutex>

namespace gensyn {

namespace fs = std::filesystem;

static std::mutex mutex;
static int guards = 0;
static FileSet inputs;

InputGuard::InputGuard() {
  std::lock_guard lock(mutex);
  ++guards;
}

InputGuard::~InputGuard() {
  std::lock_guard lock(mutex);
  if (--guards == 0)
    inputs.clear();
}

void noteInput(const KnownFile &file) {
  std::lock_guard lock(mutex);
  if (guards)
    inputs.insert(file);
}

void noteInput(const fs::path &path) {
  if (const std::optional<KnownFile> file = identifyFile(path))
    noteInput(*file);
}

std::vector<KnownFile> listInputs() {
  std::lock_guard lock(mutex);
  return inputs.list();
}

void requireNoInput(const fs::path &path) {
  std::lock_guard lock(mutex);
  if (const std::optional<std::string> input = inputs.find(path))
    throw Failure(
        ExitCode::Usage,
        path.string() + ": is read, and would be replaced" +
            (*input == absolutePath(path) ? "" : "; it is " + quote(*input)),
        "write to another file");
}

void requireNoInputIn(const fs::path &folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator item(folder, error), end;
       !error && item != end; item.increment(error))
    requireNoInput(item->path());
}

} // namespace gensyn
