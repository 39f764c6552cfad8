// Which stage of a pipeline has which part of a model.
#ifndef GENSYN_EXECUTABLE_PIPELINESTAGES_H
#define GENSYN_EXECUTABLE_PIPELINESTAGES_H

#include <algorithm>
#include <cstdint>

namespace gensyn {

/// A pipeline of S stages, of which each has V chunks of the model
/// (interleaved, "virtual stages"). Chunks are numbered in the order of the
/// model, and dealt out in turn: stage s has the chunks s, s + S, s + 2 S, ...
///
/// Chunks are folded: of C chunks segments 0 to C - 1 are the forward parts in
/// order, and the later ones lead back. The last chunk has one segment.
struct PipelineStages {
  int64_t stages = 1;
  int64_t interleave = 1;

  constexpr int64_t chunks() const { return stages * interleave; }
  constexpr int64_t segments() const { return 2 * chunks() - 1; }
  constexpr int64_t lastSegment() const { return segments() - 1; }
  constexpr int64_t chunkOfSegment(int64_t segment) const {
    return std::min(segment, lastSegment() - segment);
  }
  constexpr int64_t stageOfChunk(int64_t chunk) const { return chunk % stages; }
  constexpr int64_t stageOfSegment(int64_t segment) const {
    return stageOfChunk(chunkOfSegment(segment));
  }
};

} // namespace gensyn

#endif
