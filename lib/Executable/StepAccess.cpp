// Lists the memory that launches, copies, branches and loops access.

#include "gensyn/Executable/StepAccess.h"

#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <numeric>

namespace gensyn {

/// With more steps, or more accesses of them, nothing is compared: a row of
/// bits for each of so many steps takes 32 MiB.
static constexpr size_t mostCompared = size_t(1) << 14;
static constexpr size_t mostAccesses = size_t(1) << 20;

using PlanSteps = google::protobuf::RepeatedPtrField<plan::Step>;

static bool isConstant(const plan::Plan &plan, uint32_t buffer) {
  const auto place = plan.buffers(static_cast<int>(buffer)).place_case();
  return place == plan::Buffer::kInput || place == plan::Buffer::kConstant;
}

namespace {

/// Walks the launches in the order of a run.
class WriteFinder {
public:
  explicit WriteFinder(const plan::Plan &plan)
      : plan(plan), makers(size_t(plan.buffers_size())),
        writes(size_t(plan.launches_size())) {
    for (bool prepares : {true, false})
      for (int i = 0; i < plan.launches_size(); ++i)
        if (plan.launches(i).prepares() == prepares &&
            (prepares || plan.steps().empty()))
          visit(i, /*isChosen=*/false);
    visit(plan.steps(), /*isInside=*/false);
  }

  std::vector<std::vector<bool>> take() { return std::move(writes); }

private:
  /// Of which launches name the buffer first.
  struct Maker {
    bool isKnown = false;
    /// Null: not a kernel.
    const std::string *kernel = nullptr;
  };

  void make(uint32_t buffer, const std::string *kernel) {
    if (!makers[buffer].isKnown)
      makers[buffer] = {true, kernel};
  }

  bool mayWrite(const plan::Launch &launch, uint32_t buffer, bool isInside) {
    if (isConstant(plan, buffer))
      return false;
    const auto place = plan.buffers(static_cast<int>(buffer)).place_case();
    if (place == plan::Buffer::kPrepared)
      return launch.prepares();
    if (isInside || launch.source_kernel().empty() ||
        place == plan::Buffer::kFault)
      return true;
    const std::string *maker = makers[buffer].kernel;
    return (maker && *maker == launch.source_kernel()) ||
           std::count(launch.buffers().begin(), launch.buffers().end(),
                      buffer) > 1;
  }

  /// `isInside` a branch or loop.
  void visit(int number, bool isInside) {
    const plan::Launch &launch = plan.launches(number);
    const std::string *kernel = isInside ? nullptr : &launch.source_kernel();
    for (uint32_t buffer : launch.buffers())
      make(buffer, kernel);
    std::vector<bool> &result = writes[size_t(number)];
    result.resize(size_t(launch.buffers_size()));
    // A launch that several steps run writes what it writes in any of them.
    for (int i = 0; i < launch.buffers_size(); ++i)
      if (mayWrite(launch, launch.buffers(i), isInside))
        result[size_t(i)] = true;
  }

  void visit(const PlanSteps &steps, bool isInside) {
    for (const plan::Step &step : steps) {
      if (step.has_launch())
        visit(int(step.launch()), isInside);
      if (step.has_copy())
        make(step.copy().to(), nullptr);
      if (step.has_branch()) {
        visit(step.branch().then_steps(), /*isInside=*/true);
        visit(step.branch().else_steps(), /*isInside=*/true);
      }
      if (step.has_loop()) {
        make(step.loop().index(), nullptr);
        visit(step.loop().body(), /*isInside=*/true);
      }
    }
  }

  const plan::Plan &plan;
  std::vector<Maker> makers;
  std::vector<std::vector<bool>> writes;
};

class AccessFinder {
public:
  AccessFinder(const plan::Plan &plan, Reuse reuse)
      : plan(plan), reuse(reuse), writes(findWrites(plan)),
        groups(size_t(plan.buffers_size())),
        members(size_t(plan.buffers_size())), seen(groups.size()) {
    std::iota(groups.begin(), groups.end(), 0u);
    join(plan.steps());
    for (uint32_t buffer = 0; buffer < groups.size(); ++buffer)
      members[find(buffer)].push_back(buffer);
  }

  std::optional<std::vector<std::vector<MemoryAccess>>> run() {
    if (plan.steps().empty()) {
      for (int i = 0; i < plan.launches_size(); ++i)
        if (!plan.launches(i).prepares()) {
          visit(i);
          finish();
        }
    }
    for (const plan::Step &step : plan.steps()) {
      visit(step);
      finish();
    }
    if (isTooMuch())
      return std::nullopt;
    return std::move(steps);
  }

private:
  bool isTooMuch() const {
    return count > mostAccesses || steps.size() > mostCompared;
  }

  uint32_t find(uint32_t buffer) {
    while (groups[buffer] != buffer)
      buffer = groups[buffer] = groups[groups[buffer]];
    return buffer;
  }

  /// Buffers that loops exchange may have each other's memory.
  void join(const PlanSteps &list) {
    for (const plan::Step &step : list) {
      for (const plan::Step::Carry &carry : step.loop().carries())
        groups[find(carry.current())] = find(carry.next());
      join(step.loop().body());
      join(step.branch().then_steps());
      join(step.branch().else_steps());
    }
  }

  void add(uint32_t buffer, bool isWrite) {
    const uint32_t group = find(buffer);
    const uint8_t kind = isWrite ? 2 : 1;
    if (isTooMuch() || seen[group] & kind)
      return;
    seen[group] |= kind;
    touched.push_back(group);
    for (uint32_t member : members[group]) {
      const plan::Buffer &place = plan.buffers(int(member));
      if (place.bytes() == 0 || isRead(place))
        continue;
      BufferSpan span = findSpan(plan, member);
      if (reuse == Reuse::Ignored && place.place_case() == plan::Buffer::kArena)
        span = {firstOwn - int64_t(member), 0, place.bytes()};
      current.push_back({span, isWrite});
    }
  }

  /// True if nothing in a run writes there.
  bool isRead(const plan::Buffer &buffer) const {
    return buffer.place_case() == plan::Buffer::kConstant ||
           buffer.place_case() == plan::Buffer::kPrepared ||
           buffer.place_case() == plan::Buffer::kFault;
  }

  void visit(int number) {
    const plan::Launch &launch = plan.launches(number);
    for (int i = 0; i < launch.buffers_size(); ++i)
      add(launch.buffers(i), writes[size_t(number)][size_t(i)]);
  }

  void visit(const plan::Step &step) {
    if (step.has_launch())
      visit(int(step.launch()));
    if (step.has_copy()) {
      add(step.copy().from(), false);
      add(step.copy().to(), true);
    }
    if (step.has_check())
      add(step.check().ok(), false);
    if (step.has_branch()) {
      add(step.branch().predicate(), false);
      for (const PlanSteps *side :
           {&step.branch().then_steps(), &step.branch().else_steps()})
        for (const plan::Step &each : *side)
          visit(each);
    }
    if (!step.has_loop())
      return;
    add(step.loop().index(), true);
    if (step.loop().has_condition())
      add(step.loop().condition(), false);
    for (const plan::Step::Carry &carry : step.loop().carries())
      add(carry.current(), true);
    for (const plan::Step &each : step.loop().body())
      visit(each);
  }

  void finish() {
    std::sort(current.begin(), current.end());
    current.erase(std::unique(current.begin(), current.end()), current.end());
    count += current.size();
    steps.push_back(std::move(current));
    current.clear();
    for (uint32_t group : touched)
      seen[group] = 0;
    touched.clear();
  }

  /// Below it are memories of single buffers.
  static constexpr int64_t firstOwn = -3;

  const plan::Plan &plan;
  Reuse reuse;
  std::vector<std::vector<bool>> writes;
  /// A forest, and the buffers of each root.
  std::vector<uint32_t> groups;
  std::vector<std::vector<uint32_t>> members;
  /// Of the current step: what it accesses, and the groups that it has read (1)
  /// and written (2).
  std::vector<MemoryAccess> current;
  std::vector<uint8_t> seen;
  std::vector<uint32_t> touched;
  std::vector<std::vector<MemoryAccess>> steps;
  size_t count = 0;
};

} // namespace

std::vector<std::vector<bool>> findWrites(const plan::Plan &plan) {
  return WriteFinder(plan).take();
}

std::optional<std::vector<std::vector<MemoryAccess>>>
findAccesses(const plan::Plan &plan, Reuse reuse) {
  return AccessFinder(plan, reuse).run();
}

} // namespace gensyn
