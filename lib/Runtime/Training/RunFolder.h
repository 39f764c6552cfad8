// The output folder of a training run.
#ifndef GENSYN_LIB_RUNTIME_RUNFOLDER_H
#define GENSYN_LIB_RUNTIME_RUNFOLDER_H

#include "../Formats/EventFile.h"
#include "Checkpoint.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Training/RunLog.h"
#include "gensyn/Runtime/Training/Train.h"

#include <filesystem>
#include <functional>

namespace gensyn::runtime {

inline constexpr const char *kBestFile = "best.safetensors";

class RunFolder {
public:
  /// Creates the folder, checks that it is writable, and locks it against other
  /// runs. With RunStart::New an earlier run in it is an error. Throws a
  /// Failure (I/O).
  RunFolder(const std::filesystem::path &folder, RunStart start);
  /// Removes a folder that it created if the run never started.
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder &operator=(const RunFolder &) = delete;

  const std::filesystem::path &path() const { return folder; }
  /// Returns the checkpoints, newest first.
  std::vector<std::pair<int64_t, std::filesystem::path>> checkpoints() const {
    return listCheckpoints(folder / "checkpoints");
  }

  /// Removes the files of an earlier run and starts the log.
  void start();
  /// Continues the log of an earlier run after `step`; see RunLog.
  void resume(int64_t step, bool epochComplete,
              const std::function<void(const nlohmann::json &)> &row);
  /// Adds a line to log.jsonl, and its numbers to tensorboard/.
  void log(const OrderedJson &row) {
    runLog.append(row);
    events.append(row);
  }
  void writeJson(const char *name, const OrderedJson &value);
  void writeCurve(const std::string &svg);
  /// Writes checkpoints/step-N with the files that `model` and then `optimizer`
  /// write, and `state`, after the log has been flushed. Keeps the newest
  /// `keep` checkpoints up to this one. Returns its path.
  std::filesystem::path writeCheckpoint(int64_t step,
                                        const TensorsWriter &model,
                                        const TensorsWriter &optimizer,
                                        const OrderedJson &state, int64_t keep);

  /// Keeps the newest `keep` of the checkpoints up to `step`.
  void removeOldCheckpoints(int64_t step, int64_t keep);

private:
  void removeTemporaries();
  void requireNoInputs(bool replaces) const;

  std::filesystem::path folder;
  bool madeFolder = false;
  bool started = false;
  int lock = -1;
  RunLog runLog;
  EventFile events;
};

} // namespace gensyn::runtime

#endif
