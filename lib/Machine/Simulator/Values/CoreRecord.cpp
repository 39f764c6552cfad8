// See CoreRecord.h. Arm/Semihosting.c of the cores' programs reads the files.

#include "gensyn/Machine/CoreRecord.h"

#include "../Binding.h"
#include "../Check.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/mapping.pb.h"

#include <algorithm>
#include <limits>

namespace gensyn::machine {

std::string coreFile(uint32_t core, const std::string &suffix) {
  std::string number = std::to_string(core);
  constexpr size_t digits = 3;
  number.insert(0, digits - std::min(digits, number.size()), '0');
  return "core-" + number + suffix;
}

static void append(std::string &to, const uint8_t *bytes, uint64_t count) {
  to.append(reinterpret_cast<const char *>(bytes), count);
}

static void appendNumber(std::string &to, uint64_t number) {
  if (number > std::numeric_limits<uint32_t>::max())
    throw Failure(ExitCode::Unsupported,
                  "a core copies 4 GiB or more in a segment, which no record "
                  "holds");
  for (int byte = 0; byte < 4; ++byte)
    to.push_back(static_cast<char>(number >> 8 * byte));
}

/// Appends what a copy takes from its source, of the dimensions from `first`
/// on.
static void appendRows(const mapping::Copy &copy, int first,
                       const uint8_t *bytes, std::string &to) {
  if (first == copy.dimensions_size())
    return append(to, bytes, copy.row_bytes());
  const mapping::Copy::Dimension &dimension = copy.dimensions(first);
  for (int64_t i = 0; i < static_cast<int64_t>(dimension.count()); ++i)
    appendRows(copy, first + 1, bytes + i * dimension.from_stride(), to);
}

CoreRecord::Run *CoreRecord::find(uint32_t core) {
  const auto found = runs.find(core);
  return found == runs.end() ? nullptr : &found->second;
}

void CoreRecord::flush() {
  for (const auto &[core, run] : runs) {
    Files &file = files[core];
    appendNumber(file.input, step.first);
    appendNumber(file.input, step.second);
    appendNumber(file.input, run.tasks.size());
    for (const std::string &fetched : run.fetched)
      appendNumber(file.input, fetched.size());
    appendNumber(file.input, run.read.size());
    appendNumber(file.input, run.received.size());
    for (const std::string &stored : run.stored)
      appendNumber(file.input, stored.size());
    appendNumber(file.input, run.written.size());
    for (const Run::Task &task : run.tasks) {
      for (uint32_t number : task.before)
        appendNumber(file.input, number);
      appendNumber(file.input, task.received);
    }
    for (const std::string &fetched : run.fetched)
      file.input += fetched;
    file.input += run.read + run.received;
    for (const std::string &stored : run.stored)
      file.expected += stored;
    file.expected += run.written;
  }
  runs.clear();
}

void CoreRecord::beginSegment(const mapping::Mapping &mapping, size_t segment,
                              std::optional<uint32_t> repetition) {
  const mapping::Segment &message = mapping.segments(static_cast<int>(segment));
  loads = repetition && known.insert({segment, *repetition}).second;
  if (repetition == 0u && hasAhead(message)) {
    // What was copied ahead for it is a part of it; as tasks, these are later
    // ones.
    for (auto &[core, run] : runs)
      run.ended = {};
    return;
  }
  flush();
  step = {segment, repetition.value_or(0)};
  for (const mapping::Core &core : message.cores()) {
    if (!core.tasks_size() ||
        (!chosen.empty() &&
         std::find(chosen.begin(), chosen.end(), core.core()) == chosen.end()))
      continue;
    runs[core.core()].tasks.resize(static_cast<size_t>(core.tasks_size()));
  }
}

void CoreRecord::load(uint32_t core, const mapping::Resident &resident,
                      const uint8_t *from) {
  if (loads && find(core))
    appendRows(resident.copy(), 0, from, files[core].weights[step]);
}

void CoreRecord::start(const TaskValues &task) {
  if (Run *run = find(task.core))
    run->tasks[task.number] = {run->ended, run->received.size()};
}

void CoreRecord::receive(const mapping::Copy &copy, int first, uint64_t address,
                         const uint8_t *bytes, Run &run) {
  if (first == copy.dimensions_size()) {
    appendNumber(run.received, address);
    appendNumber(run.received, copy.row_bytes());
    append(run.received, bytes, copy.row_bytes());
    return;
  }
  const mapping::Copy::Dimension &dimension = copy.dimensions(first);
  for (int64_t i = 0; i < static_cast<int64_t>(dimension.count()); ++i)
    receive(copy, first + 1,
            address + static_cast<uint64_t>(i * dimension.to_stride()),
            bytes + i * dimension.from_stride(), run);
}

void CoreRecord::moveCopy(const mapping::Copy &copy, const uint8_t *from,
                          Run *run) {
  bool isFetch = false;
  forEachDestination(copy, [&](const mapping::Location &to) {
    isFetch |= to.memory_case() == mapping::Location::kLocal;
    if (to.memory_case() == mapping::Location::kCore)
      if (Run *other = find(to.core()))
        receive(copy, 0, to.offset(), from, *other);
  });
  if (!run)
    return;
  if (isFetch)
    appendRows(copy, 0, from, run->fetched.at(copy.channel()));
  else if (copy.from().memory_case() == mapping::Location::kLocal)
    appendRows(copy, 0, from, run->stored.at(copy.channel()));
}

void CoreRecord::move(const TaskValues &values) {
  Run *run = find(values.core);
  if (values.task.has_copy())
    return moveCopy(values.task.copy(), values.pointers[0], run);
  if (!run)
    return;
  const mapping::Compute &compute = values.task.compute();
  std::vector<uint32_t> seen;
  for (int i = 0; i < compute.arguments_size(); ++i) {
    const mapping::Location &location = compute.arguments(i);
    if (location.memory_case() != mapping::Location::kBuffer ||
        std::find(seen.begin(), seen.end(), location.buffer()) != seen.end())
      continue;
    seen.push_back(location.buffer());
    append(run->read, values.pointers[static_cast<size_t>(i)],
           values.body->arguments(i));
  }
}

void CoreRecord::end(const TaskValues &values) {
  Run *run = find(values.core);
  if (!run)
    return;
  ++run->ended.at(values.task.has_copy() ? 1 + values.task.copy().channel()
                                         : 0);
  if (values.task.has_copy())
    return;
  const mapping::Compute &compute = values.task.compute();
  for (int i = static_cast<int>(values.body->operands());
       i < compute.arguments_size(); ++i)
    if (compute.arguments(i).memory_case() == mapping::Location::kBuffer)
      append(run->written, values.pointers[static_cast<size_t>(i)],
             values.body->arguments(i));
  for (uint64_t word : values.faultWords)
    for (int byte = 0; byte < 8; ++byte)
      run->written.push_back(static_cast<char>(word >> 8 * byte));
}

size_t CoreRecord::write(const std::filesystem::path &folder) {
  flush();
  for (uint32_t core : chosen)
    if (!files.contains(core))
      throw Failure(ExitCode::Usage,
                    "core " + std::to_string(core) + " has no tasks");
  constexpr uint32_t ending = std::numeric_limits<uint32_t>::max();
  for (auto &[core, file] : files) {
    std::string weights;
    for (const auto &[place, bytes] : file.weights) {
      appendNumber(weights, place.first);
      appendNumber(weights, place.second);
      appendNumber(weights, bytes.size());
      weights += bytes;
    }
    appendNumber(weights, ending);
    appendNumber(file.input, ending);
    writeText(folder / coreFile(core, ".in"), weights + file.input);
    writeText(folder / coreFile(core, ".expected"), file.expected);
  }
  return files.size();
}

} // namespace gensyn::machine
