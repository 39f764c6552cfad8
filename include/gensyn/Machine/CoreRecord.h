// What a core's copies bring and take in a simulation with values, as files: so
// that the core's program can run alone (docs/CorePrograms.md).

#ifndef GENSYN_MACHINE_CORERECORD_H
#define GENSYN_MACHINE_CORERECORD_H

#include "gensyn/Machine/Simulator.h"

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gensyn::machine {

/// "core-017" and the suffix.
std::string coreFile(uint32_t core, const std::string &suffix);

/// Records tasks of cores. For each one there are two files, of numbers of 32
/// bits, little-endian, and bytes.
///
/// The input, "core-017.in", has for each segment that the core runs, in this
/// order:
///   - the segment's number, and the number of its tasks;
///   - the sizes in bytes of parts: fetched by each channel of the copy engine,
///     read, received, which follow here, and stored by each channel, written,
///     which are in the other file;
///   - for each task how many of the core's that compute, and of each channel,
///     had ended when it started; and how many bytes of `received` there were;
///   - fetched: the bytes that the core's copies bring;
///   - read: the buffers that its computations access in place, before they do;
///   - received: rows that other cores' copies brought, each an address, a
///     number of bytes and these.
/// All ones end it.
///
/// "core-017.expected" has for each segment
///   - stored: the bytes that the core's copies take away;
///   - written: of each computation the results in place, then fault words.
///
/// Copies and computations are in the order of their queues.
class CoreRecord final : public TaskObserver {
public:
  /// Without `cores` all that have tasks are recorded.
  explicit CoreRecord(std::vector<uint32_t> cores) : chosen(std::move(cores)) {}

  void beginSegment(const mapping::Mapping &mapping, size_t segment) override;
  void start(const TaskValues &task) override;
  void move(const TaskValues &task) override;
  void end(const TaskValues &task) override;

  /// Writes the files to a folder, which exists. Throws a Failure: usage for a
  /// core that had no tasks, I/O. Returns the number of cores.
  size_t write(const std::filesystem::path &folder);

private:
  /// What a core does in one run of a segment.
  struct Run {
    /// Computations, then those of each channel that copy.
    using Counts = std::array<uint32_t, 1 + mostChannels>;
    struct Task {
      Counts before{};
      uint64_t received = 0;
    };
    size_t segment = 0;
    std::vector<Task> tasks;
    Counts ended{};
    std::array<std::string, mostChannels> fetched, stored;
    std::string read, received, written;
  };
  struct Files {
    std::string input, expected;
  };

  Run *find(uint32_t core);
  /// `run` may be null.
  void moveCopy(const mapping::Copy &copy, const uint8_t *from, Run *run);
  void receive(const mapping::Copy &copy, int first, uint64_t address,
               const uint8_t *bytes, Run &run);
  void flush();

  std::vector<uint32_t> chosen;
  std::map<uint32_t, Run> runs;
  std::map<uint32_t, Files> files;
};

} // namespace gensyn::machine

#endif
