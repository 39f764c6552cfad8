// The folder that a training run leaves behind.
#ifndef GENSYN_LIB_RUNTIME_RUNFOLDER_H
#define GENSYN_LIB_RUNTIME_RUNFOLDER_H

#include "../Formats/EventFile.h"
#include "Checkpoint.h"
#include "RunLog.h"
#include "gensyn/Executable/Json.h"
#include "gensyn/Runtime/ParameterStore.h"
#include "gensyn/Runtime/Train.h"

#include <filesystem>
#include <functional>

namespace gensyn::runtime {

inline constexpr const char *kBestFile = "best.safetensors";

class RunFolder {
public:
  /// Makes the folder, proves that it can be written to, and keeps other runs
  /// out of it. With RunStart::New an earlier run in it is an error. Throws a
  /// Failure (I/O).
  RunFolder(const std::filesystem::path &folder, RunStart start);
  /// Takes a folder that it made away again where the run never started.
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder &operator=(const RunFolder &) = delete;

  const std::filesystem::path &path() const { return folder; }
  /// The newest checkpoint is the first.
  std::vector<std::pair<int64_t, std::filesystem::path>> checkpoints() const {
    return listCheckpoints(folder / "checkpoints");
  }

  /// Removes what an earlier run left and starts the log.
  void start();
  /// Takes up the log of an earlier run that goes on after `step`; see RunLog.
  void resume(int64_t step, bool epochComplete,
              const std::function<void(const nlohmann::json &)> &row);
  /// Adds a line to log.jsonl, and its numbers to tensorboard/.
  void log(const OrderedJson &row) {
    runLog.append(row);
    events.append(row);
  }
  void writeJson(const char *name, const OrderedJson &value);
  void writeCurve(const std::string &svg);
  /// parameters.safetensors, and ema.safetensors where there are averages.
  void writeParameters(const ParameterStore &store);
  /// best.safetensors: the parameters that evaluations are of.
  void writeBest(const ParameterStore &store);
  /// checkpoints/step-N with parameters, optimizer state and `state`, after the
  /// log has reached the disk. Of it and those before it `keep` are kept.
  /// Returns its place.
  std::filesystem::path writeCheckpoint(int64_t step,
                                        const ParameterStore &store,
                                        const OrderedJson &state, int64_t keep);

  /// Of the checkpoint of `step` and those before it the last `keep` stay.
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
