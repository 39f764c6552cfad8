// Files of a training run. Each is written atomically; the log grows by whole
// lines.

#include "RunFolder.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

static constexpr const char *runFiles[] = {
    "log.jsonl",         "parameters.safetensors", "ema.safetensors",
    kBestFile,           "program.json",           "curve.svg",
    "commitments.jsonl", "signatures.jsonl"};

RunFolder::RunFolder(const fs::path &path, RunStart start) : folder(path) {
  std::error_code ignored;
  madeFolder = !fs::exists(folder, ignored);
  requireWritableFolder(folder);
  // Two runs in one folder would overwrite each other's files. On a file system
  // without locks the run goes on without one.
  lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK) {
    ::close(lock);
    lock = -1;
    failInputOutput(folder.string() + ": another run is writing to it");
  }
  if (start == RunStart::New &&
      (fs::exists(folder / "log.jsonl", ignored) || !checkpoints().empty())) {
    ::close(lock);
    failInputOutput(folder.string() + ": holds an earlier run (log.jsonl)",
                    "give another folder, --resume to go on with the run, or "
                    "--overwrite to replace it");
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (madeFolder && !started)
    fs::remove(folder, ignored);
  if (lock >= 0)
    ::close(lock);
}

/// Removes the temporary files of a killed process: names with a suffix of six
/// letters.
void RunFolder::removeTemporaries() {
  std::vector<fs::path> old;
  std::error_code ignored;
  for (const auto &item : fs::directory_iterator(folder, ignored)) {
    const std::string name = item.path().filename().string();
    for (const std::string known :
         {"parameters.safetensors", "ema.safetensors", kBestFile,
          "program.json", "curve.svg", ".probe", ".shared"})
      if (name.size() == known.size() + 7 && name.starts_with(known + "."))
        old.push_back(item.path());
  }
  for (const fs::path &path : old)
    fs::remove(path, ignored);
  removeLeftovers(folder / "checkpoints");
}

/// Called before anything is removed or written.
void RunFolder::requireNoInputs(bool replaces) const {
  for (const char *name : runFiles)
    requireNoInput(folder / name);
  if (!replaces)
    return;
  requireNoInputIn(folder / "checkpoints");
  requireNoInputIn(folder / "tensorboard");
}

void RunFolder::start() {
  requireNoInputs(/*replaces=*/true);
  requireWritableFolder(folder / "checkpoints");
  std::error_code ignored;
  // Checkpoints are removed first: if the run is then resumed without any, it
  // starts anew.
  for (const auto &[step, place] : checkpoints())
    removeCheckpoint(place);
  std::error_code error;
  for (const char *name : runFiles)
    if (fs::remove(folder / name, error); error)
      failInputOutput((folder / name).string() +
                      ": cannot be removed: " + error.message());
  removeTemporaries();
  fs::remove_all(folder / "tensorboard", ignored);
  runLog.create(folder / "log.jsonl");
  events.open(folder / "tensorboard", /*step=*/0);
  started = true;
}

void RunFolder::resume(int64_t step, bool epochComplete,
                       const std::function<void(const nlohmann::json &)> &row) {
  requireNoInputs(/*replaces=*/false);
  requireWritableFolder(folder / "checkpoints");
  removeTemporaries();
  runLog.reopen(folder / "log.jsonl", step, epochComplete, row);
  events.open(folder / "tensorboard", step);
  started = true;
}

void RunFolder::writeJson(const char *name, const OrderedJson &value) {
  writeText(folder / name,
            value.dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
                "\n");
}

void RunFolder::writeCurve(const std::string &svg) {
  writeText(folder / "curve.svg", svg);
}

/// Newer checkpoints are damaged, or the run would have resumed from there;
/// they stay until they are replaced.
void RunFolder::removeOldCheckpoints(int64_t step, int64_t keep) {
  for (const auto &[number, old] : checkpoints())
    if (number <= step && --keep < 0)
      try {
        removeCheckpoint(old);
      } catch (const Failure &) {
        // A checkpoint that stays does no harm; the next call tries again.
      }
}

fs::path RunFolder::writeCheckpoint(int64_t step, const TensorsWriter &model,
                                    const TensorsWriter &optimizer,
                                    const OrderedJson &state, int64_t keep) {
  runLog.flush();
  const fs::path place =
      folder / "checkpoints" / ("step-" + std::to_string(step));
  runtime::writeCheckpoint(place, model, optimizer, state);
  removeOldCheckpoints(step, keep);
  return place;
}

} // namespace gensyn::runtime
