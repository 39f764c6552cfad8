// See CrashReproducer.h.

#include "CrashReproducer.h"

#include "FrozenModule.h"
#include "Report.h"
#include "gensyn/Executable/Support/Files.h"

#include <filesystem>
#include <mutex>

using namespace mlir;
namespace fs = std::filesystem;

namespace gensyn {

/// Writes a file of the folder atomically. Errors are ignored: the error that
/// led here is more useful.
static void writeInto(const std::string &folder, const char *name,
                      StringRef text) {
  try {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    writeText(fs::path(folder) / name, text);
  } catch (const Failure &failure) {
    llvm::errs() << failure.what() << "\n";
  }
}

namespace {
/// The text of a reproducer, which becomes a file at the end. Kernels are
/// lowered on several threads; only the first failure is kept.
class Stream final : public ReproducerStream {
public:
  explicit Stream(const std::string &folder)
      : folder(folder), path((fs::path(folder) / name).string()), stream(text) {
  }
  ~Stream() override {
    static std::mutex mutex;
    const std::lock_guard guard(mutex);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      writeInto(folder, name, text);
  }
  StringRef description() override { return path; }
  raw_ostream &os() override { return stream; }

private:
  static constexpr const char *name = "reproducer.mlir";
  std::string folder, path, text;
  llvm::raw_string_ostream stream;
};
} // namespace

bool checkReproducerFolder(const std::string &folder, plan::Error &error) {
  std::error_code problem;
  if (folder.empty() || !fs::exists(folder, problem) ||
      (fs::is_directory(folder, problem) && fs::is_empty(folder, problem)))
    return true;
  return fail(error, ExitCode::Usage,
              "--crash-reproducer " + folder + ": is not an empty folder");
}

void addReproducer(PassManager &pipeline, const std::string &folder) {
  if (folder.empty())
    return;
  pipeline.enableCrashReproducerGeneration(
      [folder](std::string &) { return std::make_unique<Stream>(folder); },
      /*genLocalReproducer=*/true);
}

std::function<void(PassManager &)> makeReproducer(const std::string &folder) {
  if (folder.empty())
    return nullptr;
  return [folder](PassManager &pipeline) { addReproducer(pipeline, folder); };
}

FrozenCopy::FrozenCopy(ModuleOp module, const std::string &folder)
    : folder(folder) {
  if (!folder.empty())
    copy = module.clone();
}

void FrozenCopy::write() const {
  if (copy)
    writeInto(folder, "frozen.mlir", printFrozenModule(*copy));
}

} // namespace gensyn
