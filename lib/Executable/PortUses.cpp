// See PortUses.h.

#include "gensyn/Executable/PortUses.h"

#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace gensyn {

static constexpr size_t never = ~size_t(0);

/// The numbers of the launches in the order in which they run; nothing if that
/// is not known.
static std::optional<std::vector<int>> listLaunches(const plan::Plan &plan) {
  std::vector<int> numbers;
  for (int i = 0; i < plan.launches_size(); ++i)
    if (plan.launches(i).prepares())
      numbers.push_back(i);
  if (plan.steps().empty())
    for (int i = 0; i < plan.launches_size(); ++i)
      if (!plan.launches(i).prepares())
        numbers.push_back(i);
  for (const plan::Step &step : plan.steps()) {
    if (step.kind_case() != plan::Step::kLaunch)
      return std::nullopt;
    numbers.push_back(int(step.launch()));
  }
  return numbers;
}

/// For each output the place in `order` of the last launch that uses it, or
/// `never`.
static std::vector<size_t> findLastUses(const plan::Plan &plan,
                                        const std::vector<int> &order) {
  std::vector<size_t> places(size_t(plan.outputs_size()), never);
  for (size_t place = 0; place < order.size(); ++place)
    for (uint32_t number : plan.launches(order[place]).buffers())
      if (const plan::Buffer &buffer = plan.buffers(int(number));
          buffer.place_case() == plan::Buffer::kOutput)
        places[buffer.output()] = place;
  return places;
}

std::vector<uint32_t> orderOutputs(const plan::Plan &plan) {
  const std::optional<std::vector<int>> order = listLaunches(plan);
  if (!order)
    return {};
  const std::vector<size_t> places = findLastUses(plan, *order);
  std::vector<uint32_t> outputs(places.size());
  std::iota(outputs.begin(), outputs.end(), 0u);
  // One more than `never` is before all others.
  std::ranges::stable_sort(outputs, {},
                           [&](uint32_t output) { return places[output] + 1; });
  return outputs;
}

std::vector<PortChanges> findPortChanges(const plan::Plan &plan, size_t gap) {
  const std::optional<std::vector<int>> order = listLaunches(plan);
  if (!order)
    return {};
  std::vector<PortChanges> changes(size_t(plan.launches_size()));
  auto at = [&](size_t place) -> PortChanges & {
    return changes[size_t((*order)[place])];
  };
  std::vector<size_t> lastRead(size_t(plan.inputs_size()), never);
  const std::vector<size_t> lastUse = findLastUses(plan, *order);
  auto add = [](std::vector<uint32_t> &list, uint32_t port) {
    if (std::find(list.begin(), list.end(), port) == list.end())
      list.push_back(port);
  };
  for (size_t place = 0; place < order->size(); ++place)
    for (uint32_t number : plan.launches((*order)[place]).buffers()) {
      const plan::Buffer &buffer = plan.buffers(int(number));
      if (buffer.place_case() != plan::Buffer::kInput)
        continue;
      size_t &last = lastRead[buffer.input()];
      if (last == never || place - last > gap) {
        if (last != never)
          add(at(last).ends, buffer.input());
        add(at(place).begins, buffer.input());
      }
      last = place;
    }
  for (uint32_t i = 0; i < lastRead.size(); ++i)
    if (lastRead[i] != never)
      add(at(lastRead[i]).ends, i);
  for (uint32_t j = 0; j < lastUse.size(); ++j)
    if (lastUse[j] != never)
      add(at(lastUse[j]).complete, j);
  return changes;
}

} // namespace gensyn
