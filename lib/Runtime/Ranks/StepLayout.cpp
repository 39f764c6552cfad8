// See StepLayout.h.

#include "StepLayout.h"

#include "PartInputs.h"

#include <algorithm>

namespace gensyn::runtime {

using Kind = PartInput::Kind;

int64_t StepLayout::stageOfSegment(size_t segment) const {
  return std::min(int64_t(segment), 2 * grid.stages - 2 - int64_t(segment));
}

template <class T> static T &at(std::vector<T> &list, size_t index) {
  if (index >= list.size())
    list.resize(index + 1);
  return list[index];
}

StepLayout::StepLayout(const Signature &step,
                       std::span<const Signature> segments, RankGrid grid,
                       int64_t microbatches)
    : grid(grid), microbatches(microbatches),
      isRead(step.inputs.size(), false) {
  if (int64_t(segments.size()) != 2 * grid.stages - 1 || microbatches < 2)
    failParts("are of another step");
  auto make = [](Made &made, const Port &port, int64_t stage) {
    if (made.stage >= 0)
      failParts("make " + port.name + " twice");
    made.port = port;
    made.stage = stage;
  };
  for (size_t i = 0; i < segments.size(); ++i) {
    const int64_t stage = stageOfSegment(i);
    for (const Port &port : segments[i].inputs) {
      const auto [kind, index] = bindInput(port.name, step);
      if (kind == Kind::Step)
        isRead[index] = true;
      if (kind != Kind::Cut)
        continue;
      // Values flow to later segments.
      if (index >= cuts.size() || cuts[index].stage < 0)
        failParts("read " + port.name + " before it is made");
      cuts[index].segments.push_back(i);
      std::vector<int64_t> &readers = cuts[index].readers;
      if (std::find(readers.begin(), readers.end(), stage) == readers.end())
        readers.push_back(stage);
    }
    for (const Port &port : segments[i].outputs) {
      const auto [kind, index] = bindOutput(port.name);
      make(kind == Kind::Sum            ? at(sums, index)
           : kind == Kind::Contribution ? at(contributions, index)
                                        : at(cuts, index),
           port, stage);
    }
  }
  for (const auto *list : {&sums, &contributions})
    for (const Made &made : *list)
      if (made.stage < 0)
        failParts("leave out a result");
}

} // namespace gensyn::runtime
