// See StepLayout.h.

#include "StepLayout.h"

#include "PartInputs.h"

#include <algorithm>

namespace gensyn::runtime {

using Kind = PartInput::Kind;

template <class T> static T &at(std::vector<T> &list, size_t index) {
  if (index >= list.size())
    list.resize(index + 1);
  return list[index];
}

const StepLayout::SumPart *StepLayout::Sum::partOf(int place) const {
  for (const SumPart &part : parts)
    if (part.place == place)
      return &part;
  return nullptr;
}

void StepLayout::addInputs(const StepPhase &phase, size_t number,
                           const Signature &step) {
  const int place = placeOfPhase[number];
  for (const Port &port : phase.ports.inputs) {
    const auto [kind, index] = bindInput(port.name, step);
    if (kind == Kind::Step)
      isRead[index] = true;
    if (kind != Kind::Cut)
      continue;
    // Values flow to later phases.
    if (index >= cuts.size() || cuts[index].place < 0)
      failParts("read " + port.name + " before it is made");
    cuts[index].phases.push_back(number);
    std::vector<int> &readers = cuts[index].readers;
    if (std::find(readers.begin(), readers.end(), place) == readers.end())
      readers.push_back(place);
  }
}

void StepLayout::addSum(const StepPhase &phase, size_t index, const Port &port,
                        int place) {
  Sum &sum = at(sums, index);
  auto found = phase.tiles.find(index);
  const TensorTile tile =
      found == phase.tiles.end() ? TensorTile(port.shape) : found->second;
  if (port.shape != tile.counts())
    failParts("have another part of " + port.name);
  if (!sum.parts.empty() && (sum.port.shape != tile.shape() ||
                             sum.port.type != port.type || sum.partOf(place)))
    failParts("make " + port.name + " twice");
  sum.port = port;
  sum.port.shape = tile.shape();
  sum.parts.push_back({place, tile});
}

void StepLayout::addOutputs(const StepPhase &phase, size_t number) {
  const int place = placeOfPhase[number];
  for (const Port &port : phase.ports.outputs) {
    const auto [kind, index] = bindOutput(port.name);
    if (kind == Kind::Sum) {
      addSum(phase, index, port, place);
      continue;
    }
    Made &made = kind == Kind::Contribution
                     ? at(contributions, index)
                     : static_cast<Made &>(at(cuts, index));
    if (made.place >= 0)
      failParts("make " + port.name + " twice");
    made.port = port;
    made.place = place;
  }
}

/// The parts of a sum are all its elements, each once: as many as it has, and
/// no two of them overlap.
void StepLayout::checkSums() const {
  for (const Sum &sum : sums) {
    int64_t elements = 0;
    for (const SumPart &part : sum.parts) {
      elements += part.tile.elements();
      for (const SumPart &other : sum.parts)
        if (&other != &part && part.tile.overlaps(other.tile))
          failParts("make elements of " + sum.port.name + " twice");
    }
    if (sum.parts.empty() || elements != countElements(sum.port.shape))
      failParts("leave out a result");
  }
}

StepLayout::StepLayout(const Signature &step, std::span<const StepPhase> phases,
                       RankGrid grid, int64_t microbatches)
    : grid(grid), microbatches(microbatches),
      isRead(step.inputs.size(), false) {
  const PipelineStages pipeline = grid.parallel.pipeline();
  const int64_t tensors = grid.parallel.tensors;
  if (microbatches < 2 || phases.empty() || grid.ranks % grid.places() != 0)
    failParts("are of another step");
  for (size_t i = 0; i < phases.size(); ++i) {
    const StepPhase &phase = phases[i];
    if (phase.segment >= pipeline.segments() || phase.tensor >= tensors ||
        phase.stage != pipeline.stageOfSegment(phase.segment))
      failParts("are those of other ranks");
    placeOfPhase.push_back(int(phase.stage * tensors + phase.tensor));
    segmentOfPhase.push_back(phase.segment);
    addInputs(phase, i, step);
    addOutputs(phase, i);
  }
  checkSums();
  for (const Made &made : contributions)
    if (made.place < 0)
      failParts("leave out a result");
}

} // namespace gensyn::runtime
