// log.jsonl of a training run.
#ifndef GENSYN_RUNTIME_TRAINING_RUNLOG_H
#define GENSYN_RUNTIME_TRAINING_RUNLOG_H

#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace gensyn::runtime {

/// Grows by whole lines, even if the disk is full. All members throw a Failure
/// (I/O).
class RunLog {
public:
  RunLog() = default;
  ~RunLog();
  RunLog(const RunLog &) = delete;
  RunLog &operator=(const RunLog &) = delete;

  /// Starts an empty log.
  void create(const std::filesystem::path &path);

  /// Reopens the log of a run that resumes after `step`. `epochComplete` says
  /// if that step ended an epoch. Removes lines that were written after that
  /// point, an incomplete line, and lines about an epoch that had only begun.
  /// Calls `row` with each line that remains.
  void reopen(const std::filesystem::path &path, int64_t step,
              bool epochComplete,
              const std::function<void(const nlohmann::json &)> &row);

  void append(const OrderedJson &row);
  /// Flushes the log to the disk.
  void flush();

private:
  void close();

  std::filesystem::path place;
  int file = -1;
  int64_t length = 0;
};

} // namespace gensyn::runtime

#endif
