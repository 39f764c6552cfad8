// See CudaHostValues.h.

#include "CudaHostValues.h"

#include <algorithm>
#include <google/protobuf/repeated_ptr_field.h>

namespace gensyn::cuda {

namespace {

/// Counts what takes an input, or the output that lies over it.
class Uses {
public:
  explicit Uses(const plan::Plan &plan)
      : plan(plan), inputOfOutput(size_t(plan.outputs_size()), -1),
        counts(size_t(plan.inputs_size()), 0) {
    for (int j = 0; j < plan.in_place_size(); ++j)
      if (plan.in_place(j))
        inputOfOutput[size_t(j)] = plan.donated(j);
    if (plan.steps().empty())
      for (const plan::Launch &launch : plan.launches())
        countLaunch(launch, 1);
    else
      countSteps(plan.steps(), 1);
  }

  std::vector<bool> findReplacedOnce() const {
    std::vector<bool> found(counts.size(), false);
    for (int input : inputOfOutput)
      if (input >= 0)
        found[size_t(input)] = counts[size_t(input)] == 1;
    return found;
  }

private:
  using Steps = google::protobuf::RepeatedPtrField<plan::Step>;

  int findInput(uint32_t buffer) const {
    const plan::Buffer &place = plan.buffers(int(buffer));
    if (place.has_input())
      return int(place.input());
    return place.has_output() ? inputOfOutput[place.output()] : -1;
  }
  void count(uint32_t buffer, int times) {
    if (const int input = findInput(buffer); input >= 0)
      counts[size_t(input)] += times;
  }
  /// A launch that has a value and the one over it takes it once.
  void countLaunch(const plan::Launch &launch, int times) {
    std::set<int> inputs;
    for (uint32_t buffer : launch.buffers())
      inputs.insert(findInput(buffer));
    inputs.erase(-1);
    for (int input : inputs)
      counts[size_t(input)] += times;
  }
  void countSteps(const Steps &steps, int times) {
    // What is in a loop or a branch is not counted on.
    constexpr int often = 2;
    for (const plan::Step &step : steps) {
      switch (step.kind_case()) {
      case plan::Step::kLaunch:
        countLaunch(plan.launches(int(step.launch())), times);
        break;
      case plan::Step::kCopy:
        count(step.copy().from(), often);
        count(step.copy().to(), often);
        break;
      case plan::Step::kCheck:
        count(step.check().ok(), often);
        break;
      case plan::Step::kBranch:
        count(step.branch().predicate(), often);
        countSteps(step.branch().then_steps(), often);
        countSteps(step.branch().else_steps(), often);
        break;
      case plan::Step::kLoop:
        for (const plan::Step::Carry &carry : step.loop().carries()) {
          count(carry.current(), often);
          count(carry.next(), often);
        }
        countSteps(step.loop().body(), often);
        break;
      case plan::Step::KIND_NOT_SET:
        break;
      }
    }
  }

  const plan::Plan &plan;
  std::vector<int> inputOfOutput, counts;
};

} // namespace

std::vector<bool> findReplacedOnce(const plan::Plan &plan) {
  return Uses(plan).findReplacedOnce();
}

std::set<std::string>
chooseHostValues(const std::map<std::string, uint64_t> &values,
                 uint64_t excess) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto &[name, bytes] : values)
    sorted.emplace_back(bytes, name);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto &left, const auto &right) {
              return left.first != right.first ? left.first > right.first
                                               : left.second < right.second;
            });
  std::set<std::string> chosen;
  for (const auto &[bytes, name] : sorted) {
    if (excess == 0)
      break;
    excess -= std::min(excess, bytes);
    chosen.insert(name);
  }
  return chosen;
}

} // namespace gensyn::cuda
