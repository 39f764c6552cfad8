// What the launches and buffers of a segment are in one of its repetitions.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_BINDING_H
#define GENSYN_LIB_MACHINE_SIMULATOR_BINDING_H

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace gensyn::machine {

/// The repetitions of a segment: the first, which is the segment itself, and
/// further ones.
inline uint32_t countRepetitions(const mapping::Segment &segment) {
  return static_cast<uint32_t>(segment.repetitions_size()) + 1;
}

/// True if repetitions fetch ahead for the next one. Of a checked mapping.
bool hasAhead(const mapping::Segment &segment);

/// The mapping is checked, and outlives it, unless a function says otherwise.
class Binding {
public:
  Binding(const plan::Plan &plan, const mapping::Segment &segment,
          uint32_t repetition);

  uint32_t repetition() const { return number; }
  /// The launch in place of launch `index` of the segment.
  uint32_t launch(uint32_t index) const;
  /// The launch in place of one of the segment; itself if it is none, also in a
  /// mapping that is not checked.
  uint32_t launchOf(uint32_t launch) const;
  uint32_t bufferOf(uint32_t buffer) const;
  uint32_t faultOf(uint32_t slot) const;

private:
  const mapping::Segment &segment;
  /// None of the first repetition.
  const mapping::Repetition *other = nullptr;
  uint32_t number;
  std::map<uint32_t, uint32_t> faults;
};

/// Of the tasks of a repetition, and of those that are ahead for the next one.
struct Bindings {
  Binding own, ahead;

  /// Of a repetition, whose next one is the last one at most.
  Bindings(const plan::Plan &plan, const mapping::Segment &segment,
           uint32_t repetition)
      : own(plan, segment, repetition),
        ahead(plan, segment,
              std::min(repetition + 1, countRepetitions(segment) - 1)) {}
  /// Of what is ahead before the first repetition.
  Bindings(const plan::Plan &plan, const mapping::Segment &segment)
      : own(plan, segment, 0), ahead(plan, segment, 0) {}

  const Binding &of(bool isAhead) const { return isAhead ? ahead : own; }
};

/// For each buffer of the plan the first one of those that repetitions put in
/// its place or in whose place it is put, over any number of steps.
std::vector<uint32_t> joinBoundBuffers(const mapping::Mapping &mapping,
                                       size_t buffers);

} // namespace gensyn::machine

#endif
