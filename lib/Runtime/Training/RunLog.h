// log.jsonl of a training run.
#ifndef GENSYN_LIB_RUNTIME_RUNLOG_H
#define GENSYN_LIB_RUNTIME_RUNLOG_H

#include "gensyn/Executable/Json.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace gensyn::runtime {

/// Grows by whole lines, also when the disk is full. All throw a Failure (I/O).
class RunLog {
public:
  RunLog() = default;
  ~RunLog();
  RunLog(const RunLog &) = delete;
  RunLog &operator=(const RunLog &) = delete;

  /// Starts an empty log.
  void create(const std::filesystem::path &path);

  /// Takes up the log of a run that goes on after `step`, which ended an epoch
  /// or not: what was written after that point, a line of which only a part was
  /// written, and what is said of an epoch that was only begun are cut off.
  /// `row` is called with each line that stays.
  void reopen(const std::filesystem::path &path, int64_t step,
              bool epochComplete,
              const std::function<void(const nlohmann::json &)> &row);

  void append(const OrderedJson &row);
  /// Waits until the disk has it.
  void flush();

private:
  std::filesystem::path place;
  int file = -1;
  int64_t length = 0;
};

} // namespace gensyn::runtime

#endif
