// The folder that a training run leaves behind.
#ifndef GENSYN_LIB_RUNTIME_RUNFOLDER_H
#define GENSYN_LIB_RUNTIME_RUNFOLDER_H

#include "gensyn/Runtime/Json.h"
#include "gensyn/Runtime/ParameterStore.h"
#include "gensyn/Runtime/Train.h"

#include <cstdio>
#include <deque>
#include <filesystem>

namespace gensyn::runtime {

class RunFolder {
public:
  /// Makes the folder and proves that it can be written to. An earlier run in
  /// it is an error unless `overwrite`. Throws a Failure (I/O).
  RunFolder(const std::filesystem::path &folder, bool overwrite);
  /// Takes a folder that it made away again where the run never started.
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder &operator=(const RunFolder &) = delete;

  /// Removes what an earlier run left and starts the log.
  void start();
  /// Adds a line to log.jsonl.
  void log(const OrderedJson &row);
  void writeJson(const char *name, const OrderedJson &value);
  void writeCurve(const std::string &svg);
  void writeParameters(const ParameterStore &store);
  /// checkpoints/step-N with parameters, optimizer state and `state`; the last
  /// two of the run are kept.
  void writeCheckpoint(int64_t step, const ParameterStore &store,
                       const OrderedJson &state);

private:
  std::filesystem::path folder;
  bool madeFolder = false;
  int logFile = -1;
  std::deque<std::filesystem::path> checkpoints;
};

} // namespace gensyn::runtime

#endif
