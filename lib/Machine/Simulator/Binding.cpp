// See Binding.h.

#include "Binding.h"

#include <algorithm>
#include <numeric>

namespace gensyn::machine {

bool hasAhead(const mapping::Segment &segment) {
  if (segment.repetitions().empty())
    return false;
  for (const mapping::Core &core : segment.cores())
    for (const mapping::Task &task : core.tasks())
      if (task.ahead())
        return true;
  return false;
}

Binding::Binding(const plan::Plan &plan, const mapping::Segment &segment,
                 uint32_t repetition)
    : segment(segment), number(repetition) {
  if (!repetition)
    return;
  other = &segment.repetitions(static_cast<int>(repetition) - 1);
  for (int i = 0; i < std::min(segment.buffers_size(), other->buffers_size());
       ++i) {
    const auto first = static_cast<int>(segment.buffers(i));
    const auto bound = static_cast<int>(other->buffers(i));
    if (std::max(first, bound) < plan.buffers_size() &&
        plan.buffers(first).place_case() == plan::Buffer::kFault)
      faults[plan.buffers(first).fault()] = plan.buffers(bound).fault();
  }
}

uint32_t Binding::launch(uint32_t index) const {
  const auto place = static_cast<int>(index);
  return other ? other->launches(place) : segment.launches(place);
}

/// The number in `others` at the place of one among those of the first
/// repetition, which are ascending.
template <class Numbers>
static uint32_t findPartner(const Numbers &firsts, const Numbers &others,
                            uint32_t number) {
  const auto found = std::lower_bound(firsts.begin(), firsts.end(), number);
  const auto place = found - firsts.begin();
  return found == firsts.end() || *found != number || place >= others.size()
             ? number
             : others[static_cast<int>(place)];
}

uint32_t Binding::launchOf(uint32_t launch) const {
  return other ? findPartner(segment.launches(), other->launches(), launch)
               : launch;
}

uint32_t Binding::bufferOf(uint32_t buffer) const {
  return other ? findPartner(segment.buffers(), other->buffers(), buffer)
               : buffer;
}

uint32_t Binding::faultOf(uint32_t slot) const {
  const auto found = faults.find(slot);
  return found == faults.end() ? slot : found->second;
}

std::vector<uint32_t> joinBoundBuffers(const mapping::Mapping &mapping,
                                       size_t buffers) {
  std::vector<uint32_t> joined(buffers);
  std::iota(joined.begin(), joined.end(), 0);
  auto rootOf = [&](uint32_t buffer) {
    while (joined[buffer] != buffer)
      buffer = joined[buffer] = joined[joined[buffer]];
    return buffer;
  };
  for (const mapping::Segment &segment : mapping.segments())
    for (const mapping::Repetition &repetition : segment.repetitions())
      for (int i = 0; i < segment.buffers_size(); ++i) {
        const auto [first, second] = std::minmax(
            {rootOf(segment.buffers(i)), rootOf(repetition.buffers(i))});
        joined[second] = first;
      }
  for (uint32_t buffer = 0; buffer < buffers; ++buffer)
    joined[buffer] = rootOf(buffer);
  return joined;
}

} // namespace gensyn::machine
