// Checks weights that lie in the memories of cores; see Check.h.

#include "Check.h"

#include "Binding.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace gensyn::machine {

std::string describeResident(const Subject &subject, size_t segment,
                             uint32_t core, int number) {
  std::string text = "segment " + std::to_string(segment) + ", core " +
                     std::to_string(core) + ", resident " +
                     std::to_string(number);
  for (const mapping::Core &own :
       subject.mapping.segments(static_cast<int>(segment)).cores())
    if (own.core() == core)
      if (const uint32_t launch = own.residents(number).launch();
          launch < static_cast<uint32_t>(subject.plan.launches_size()))
        text += " (kernel " +
                subject.plan.launches(static_cast<int>(launch)).kernel() + ")";
  return text;
}

Region makeResidentRegion(const mapping::Resident &resident,
                          uint32_t repetition) {
  Region region = makeRegion(resident.copy(), false);
  region.base += static_cast<int64_t>(resident.copy().to().step() * repetition);
  region.normalize();
  return region;
}

namespace {

[[noreturn]] void fail(const std::string &text) {
  failBadInput("mapping: " + text);
}

/// Bytes of a repetition.
struct Range {
  int64_t begin, end;
  uint32_t buffer; ///< of the plan
  const mapping::Copy *copy;
  size_t segment;
  int number;
};

/// The first and the last one of bytes that follow each other.
using Bytes = std::vector<std::pair<int64_t, int64_t>>;

class ResidentCheck {
public:
  explicit ResidentCheck(const Subject &subject) : subject(subject) {}

  void run() {
    checkWeights();
    // Of each core in all segments.
    std::map<uint32_t, std::vector<std::pair<size_t, const mapping::Core *>>>
        all;
    const auto &segments = subject.mapping.segments();
    for (int i = 0; i < segments.size(); ++i)
      for (const mapping::Core &core : segments[i].cores())
        if (!core.residents().empty())
          all[core.core()].emplace_back(static_cast<size_t>(i), &core);
    if (all.empty())
      return;
    for (const auto &[core, places] : all)
      addCore(core, places);
    for (int i = 0; i < segments.size(); ++i)
      for (const mapping::Core &core : segments[i].cores())
        for (int k = 0; k < core.tasks_size(); ++k)
          checkTask(static_cast<size_t>(i), core.core(),
                    static_cast<uint32_t>(k), core.tasks(k));
  }

private:
  void checkWeights() {
    const plan::Plan &plan = subject.plan;
    isWeight.resize(static_cast<size_t>(plan.buffers_size()));
    for (uint32_t number : subject.mapping.weights()) {
      if (number >= isWeight.size())
        fail("buffer " + std::to_string(number) +
             " is of weights, expected one of " +
             std::to_string(isWeight.size()));
      const plan::Buffer &buffer = plan.buffers(static_cast<int>(number));
      const bool isReplaced =
          buffer.place_case() == plan::Buffer::kInput &&
          std::find(plan.donated().begin(), plan.donated().end(),
                    static_cast<int32_t>(buffer.input())) !=
              plan.donated().end();
      if (isReplaced || (buffer.place_case() != plan::Buffer::kInput &&
                         buffer.place_case() != plan::Buffer::kConstant))
        fail("buffer " + std::to_string(number) + " is of weights, and " +
             (isReplaced ? "an output replaces it" : "tasks write it"));
      isWeight[number] = true;
    }
  }

  void
  addCore(uint32_t core,
          const std::vector<std::pair<size_t, const mapping::Core *>> &places) {
    std::vector<Range> ranges;
    for (const auto &[number, own] : places) {
      const mapping::Segment &segment =
          subject.mapping.segments(static_cast<int>(number));
      for (uint32_t i = 0; i < countRepetitions(segment); ++i) {
        const Binding binding(subject.plan, segment, i);
        for (int k = 0; k < own->residents_size(); ++k)
          addRange(core, number, binding, own->residents(k), k, ranges);
      }
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    Bytes &bytes = taken[core];
    const Range *before = nullptr;
    for (const Range &range : ranges) {
      if (before && range.begin < before->end && !areSame(*before, range))
        fail(describeResident(subject, range.segment, core, range.number) +
             ": it lies at byte " + std::to_string(range.begin) +
             " of the core's memory, where resident " +
             std::to_string(before->number) + " of segment " +
             std::to_string(before->segment) + " lies");
      before = &range;
      if (!bytes.empty() && range.begin <= bytes.back().second)
        bytes.back().second = std::max(bytes.back().second, range.end);
      else
        bytes.emplace_back(range.begin, range.end);
    }
  }

  void addRange(uint32_t core, size_t segment, const Binding &binding,
                const mapping::Resident &resident, int number,
                std::vector<Range> &ranges) const {
    // So many are not in a file that somebody made.
    constexpr size_t mostRanges = size_t(1) << 22;
    auto name = [&] {
      return describeResident(subject, segment, core, number);
    };
    if (ranges.size() == mostRanges)
      fail(name() + ": more than 2^22 residents of a core");
    const uint32_t buffer = binding.bufferOf(resident.copy().from().buffer());
    if (!isWeight[buffer])
      fail(name() + ": buffer " + std::to_string(buffer) +
           " is not of weights");
    const Region region = makeResidentRegion(resident, binding.repetition());
    ranges.push_back({region.begin(), region.end(), buffer, &resident.copy(),
                      segment, number});
  }

  /// True if both are the same bytes of a buffer.
  static bool areSame(const Range &a, const Range &b) {
    if (a.begin != b.begin || a.end != b.end || a.buffer != b.buffer ||
        a.copy->from().offset() != b.copy->from().offset() ||
        a.copy->row_bytes() != b.copy->row_bytes() ||
        a.copy->dimensions_size() != b.copy->dimensions_size())
      return false;
    for (int i = 0; i < a.copy->dimensions_size(); ++i) {
      const mapping::Copy::Dimension &one = a.copy->dimensions(i);
      const mapping::Copy::Dimension &other = b.copy->dimensions(i);
      if (one.count() != other.count() ||
          one.from_stride() != other.from_stride() ||
          one.to_stride() != other.to_stride())
        return false;
    }
    return true;
  }

  void checkTask(size_t segment, uint32_t core, uint32_t number,
                 const mapping::Task &task) const {
    auto check = [&](const mapping::Location &location, Region region) {
      if (location.memory_case() == mapping::Location::kBuffer)
        return;
      const uint32_t written =
          location.memory_case() == mapping::Location::kCore ? location.core()
                                                             : core;
      const auto found = taken.find(written);
      if (found == taken.end())
        return;
      region.normalize();
      for (const auto &[begin, end] : found->second) {
        Region weights;
        weights.base = begin;
        weights.row = end - begin;
        if (const auto byte = findCommonByte(region, weights))
          fail(describeTask(subject, segment, core, number, task) +
               ": it writes byte " + std::to_string(*byte) + " of core " +
               std::to_string(written) + "'s memory, where weights lie");
      }
    };
    if (task.has_copy())
      return forEachDestination(task.copy(), [&](const mapping::Location &to) {
        check(to, makeDestinationRegion(task.copy(), to));
      });
    const mapping::Compute &compute = task.compute();
    const mapping::Body &body =
        subject.mapping.bodies(static_cast<int>(compute.body()));
    for (auto i = static_cast<int>(body.operands());
         i < compute.arguments_size(); ++i)
      check(compute.arguments(i),
            makeRegion(compute.arguments(i), body.arguments(i)));
  }

  const Subject &subject;
  std::vector<bool> isWeight;
  std::map<uint32_t, Bytes> taken;
};

} // namespace

void checkResidents(const Subject &subject) { ResidentCheck(subject).run(); }

} // namespace gensyn::machine
