// What a core's copies bring and take in a simulation with values, as files: so
// that the core's program can run alone (docs/CorePrograms.md).

#ifndef GENSYN_MACHINE_CORERECORD_H
#define GENSYN_MACHINE_CORERECORD_H

#include "gensyn/Machine/Simulator.h"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::machine {

/// "core-017" and the suffix.
std::string coreFile(uint32_t core, const std::string &suffix);

/// Records tasks of cores. For each one there are two files, of numbers of 32
/// bits, little-endian, and bytes.
///
/// The input, "core-017.in", begins with weights that stay in the core's
/// memory: for each repetition of a segment that has some its number, that of
/// the repetition, the size of the weights in bytes, and these, one copy after
/// another. All ones end them.
///
/// Then it has for each repetition of a segment that the core runs, in this
/// order:
///   - the segment's number, that of the repetition, and the number of tasks;
///   - the sizes in bytes of parts: fetched by each channel of the copy engine,
///     read, received, which follow here, and stored by each channel, written,
///     which are in the other file;
///   - for each task how many of the core's that compute, and of each channel,
///     had ended when it started; and how many bytes of `received` there were;
///   - fetched: the bytes that the core's copies bring, of the first repetition
///     those ahead for it, too, before the others;
///   - read: the buffers that its computations access in place, before they do;
///   - received: rows that other cores' copies brought, each an address, a
///     number of bytes and these.
/// All ones end it.
///
/// "core-017.expected" has for each of them
///   - stored: the bytes that the core's copies take away;
///   - written: of each computation the results in place, then fault words.
///
/// Copies and computations are in the order of their queues.
class CoreRecord final : public TaskObserver {
public:
  /// Without `cores` all that have tasks are recorded.
  explicit CoreRecord(std::vector<uint32_t> cores) : chosen(std::move(cores)) {}

  void beginSegment(const mapping::Mapping &mapping, size_t segment,
                    std::optional<uint32_t> repetition) override;
  void load(uint32_t core, const mapping::Resident &resident,
            const uint8_t *from) override;
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
    std::vector<Task> tasks;
    Counts ended{};
    std::array<std::string, mostChannels> fetched, stored;
    std::string read, received, written;
  };
  /// A segment, and a repetition.
  using Step = std::pair<size_t, uint32_t>;
  struct Files {
    std::map<Step, std::string> weights;
    std::string input, expected;
  };

  Run *find(uint32_t core);
  /// `run` may be null.
  void moveCopy(const mapping::Copy &copy, const uint8_t *from, Run *run);
  void receive(const mapping::Copy &copy, int first, uint64_t address,
               const uint8_t *bytes, Run &run);
  void flush();

  std::vector<uint32_t> chosen;
  Step step;
  /// Weights are those of a step that did not run before.
  std::set<Step> known;
  bool loads = false;
  std::map<uint32_t, Run> runs;
  std::map<uint32_t, Files> files;
};

} // namespace gensyn::machine

#endif
