// Checks the steps of a plan.

#include "gensyn/Executable/Packages/PlanCheck.h"
#include "gensyn/Executable/PlanRun.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

namespace gensyn {

namespace {
/// Checks steps: all numbers, and that the buffers they write are writable.
class StepCheck {
public:
  explicit StepCheck(const plan::Plan &plan) : plan(plan) {}

  void check(const google::protobuf::RepeatedPtrField<plan::Step> &steps) {
    for (const plan::Step &step : steps) {
      count(1);
      check(step);
    }
  }

private:
  /// Counts steps of a run, assuming that no condition ends a loop early.
  void count(uint64_t steps) {
    if (__builtin_mul_overflow(steps, repeated, &steps) ||
        __builtin_add_overflow(total, steps, &total))
      total = ~uint64_t(0);
    if (total > mostSteps)
      failTooManySteps();
  }

  void check(const plan::Step &step) {
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      if (step.launch() >= uint32_t(plan.launches_size()))
        failPlan("a step launches number " + std::to_string(step.launch()));
      if (plan.launches(static_cast<int>(step.launch())).prepares())
        failPlan("a step launches number " + std::to_string(step.launch()) +
                 ", which runs before the steps");
      return;
    case plan::Step::kCopy:
      checkWritten(step.copy().to(), find(step.copy().from()).bytes());
      return;
    case plan::Step::kCheck:
      checkFlag(step.check().ok());
      checkFault(step.check().fault());
      return;
    case plan::Step::kBranch:
      checkFlag(step.branch().predicate());
      check(step.branch().then_steps());
      check(step.branch().else_steps());
      return;
    case plan::Step::kLoop:
      check(step.loop());
      return;
    case plan::Step::KIND_NOT_SET:
      failPlan("a step does nothing");
    }
  }

  void check(const plan::Step::Loop &loop) {
    if (loop.trips() < 0)
      failPlan("a loop has " + std::to_string(loop.trips()) + " trips");
    checkWritten(loop.index(), sizeof(int64_t));
    if (loop.has_condition())
      checkFlag(loop.condition());
    if (loop.has_exhaust_fault())
      checkFault(loop.exhaust_fault());
    for (const plan::Step::Carry &carry : loop.carries())
      for (uint32_t buffer : {carry.current(), carry.next()})
        if (find(buffer).place_case() != plan::Buffer::kArena ||
            find(buffer).bytes() != find(carry.current()).bytes())
          failPlan("a loop carries buffer " + std::to_string(buffer));
    // At least the iterations themselves.
    const uint64_t outside = repeated;
    const auto trips = static_cast<uint64_t>(loop.trips());
    if (!loop.has_condition() &&
        __builtin_mul_overflow(repeated, trips, &repeated))
      repeated = ~uint64_t(0);
    count(loop.has_condition() ? 0 : 1);
    check(loop.body());
    repeated = outside;
  }

  const plan::Buffer &find(uint32_t buffer) const {
    if (buffer >= uint32_t(plan.buffers_size()))
      failPlan("a step has no buffer " + std::to_string(buffer));
    return plan.buffers(static_cast<int>(buffer));
  }
  void checkFlag(uint32_t buffer) const {
    if (find(buffer).bytes() != 1)
      failPlan("buffer " + std::to_string(buffer) + " is not a flag");
  }
  void checkFault(uint32_t fault) const {
    if (fault >= uint32_t(plan.faults_size()))
      failPlan("a step has no fault word " + std::to_string(fault));
  }
  void checkWritten(uint32_t number, uint64_t bytes) const {
    const plan::Buffer &buffer = find(number);
    if (buffer.bytes() != bytes ||
        (buffer.place_case() != plan::Buffer::kArena &&
         buffer.place_case() != plan::Buffer::kOutput))
      failPlan("a step writes buffer " + std::to_string(number));
  }

  const plan::Plan &plan;
  uint64_t total = 0, repeated = 1;
};
} // namespace

void checkSteps(const plan::Plan &plan) { StepCheck(plan).check(plan.steps()); }

} // namespace gensyn
