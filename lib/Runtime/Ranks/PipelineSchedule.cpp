// See PipelineSchedule.h.
//
// The simulation cannot stand still. Suppose that all stages are idle, and let
// b be the first backward run in their common order that is left, of the last
// stage that has it left. If b is not of the last chunk, the backward run that
// it needs is earlier in the order, or of a later stage; so it has ended, and b
// may begin. So b is of the last chunk, on a microbatch m of a round of r, the
// q-th of it. It needs forward runs on m of all earlier chunks. Let f be the
// first forward run that is left of those up to them, of the first stage. What
// f needs has ended, and at most (V - 1) r + q forward runs of its stage are
// before it from this round on, of which q have their backward runs behind
// them. So its stage keeps at most (V - 1) r values, fewer than it may, and f
// may begin.

#include "PipelineSchedule.h"

#include "gensyn/Executable/Support/Failure.h"

#include <limits>

namespace gensyn::runtime {

static int64_t countRounds(PipelineStages pipeline, int64_t microbatches) {
  return std::max<int64_t>(microbatches / pipeline.stages, 1);
}

int64_t mostKept(int64_t stage, PipelineStages pipeline, int64_t microbatches) {
  const int64_t rounds = countRounds(pipeline, microbatches);
  const int64_t largest = (microbatches + rounds - 1) / rounds;
  return (pipeline.interleave - 1) * largest + pipeline.stages - stage;
}

namespace {
class Simulation {
public:
  Simulation(PipelineStages pipeline, MicrobatchRange range);

  std::vector<SegmentRun> run(int64_t stage);

private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  struct Stage {
    /// All runs in their orders; a run of the last chunk is both, and in
    /// `backward`.
    std::vector<SegmentRun> forward, backward;
    size_t forwardBegun = 0, backwardBegun = 0;
    int64_t most = 0, kept = 0;
    /// Its last run was one of `forward`.
    bool isForward = false;
    int64_t freeAt = 0;
    std::vector<SegmentRun> runs;
  };

  void addRound(MicrobatchRange round);
  int64_t &endOf(int64_t segment, int64_t microbatch) {
    return ends[size_t((microbatch - range.begin) * pipeline.segments() +
                       segment)];
  }
  bool isNext(const std::vector<SegmentRun> &runs, size_t begun);
  bool begin(Stage &stage);

  PipelineStages pipeline;
  MicrobatchRange range;
  std::vector<Stage> all;
  /// When each segment's run on each microbatch ends.
  std::vector<int64_t> ends;
  int64_t now = 0;
};
} // namespace

Simulation::Simulation(PipelineStages pipeline, MicrobatchRange range)
    : pipeline(pipeline), range(range), all(size_t(pipeline.stages)),
      ends(size_t(range.count() * pipeline.segments()), kNever) {
  for (int64_t stage = 0; stage < pipeline.stages; ++stage)
    all[size_t(stage)].most = mostKept(stage, pipeline, range.count());
  const int64_t rounds = countRounds(pipeline, range.count());
  for (int64_t round = 0; round < rounds; ++round) {
    const MicrobatchRange part =
        rangeOf(int(round), int(rounds), range.count());
    addRound({range.begin + part.begin, range.begin + part.end});
  }
}

void Simulation::addRound(MicrobatchRange round) {
  for (int64_t segment = 0; segment < pipeline.segments(); ++segment) {
    Stage &stage = all[size_t(pipeline.stageOfSegment(segment))];
    auto &runs =
        segment < pipeline.chunks() - 1 ? stage.forward : stage.backward;
    for (int64_t i = round.begin; i < round.end; ++i)
      runs.push_back({segment, i});
  }
}

/// True if there is a next run, and what it needs is there.
bool Simulation::isNext(const std::vector<SegmentRun> &runs, size_t begun) {
  if (begun == runs.size())
    return false;
  const auto [segment, microbatch] = runs[begun];
  return segment == 0 || endOf(segment - 1, microbatch) <= now;
}

/// Begins a run on a stage that is free; false if none can begin.
bool Simulation::begin(Stage &stage) {
  const int64_t last = pipeline.chunks() - 1;
  const bool canForward =
      stage.kept < stage.most && isNext(stage.forward, stage.forwardBegun);
  const bool canBackward = isNext(stage.backward, stage.backwardBegun);
  if (!canForward && !canBackward)
    return false;
  stage.isForward = canForward && !(canBackward && stage.isForward);
  const SegmentRun run = stage.isForward
                             ? stage.forward[stage.forwardBegun++]
                             : stage.backward[stage.backwardBegun++];
  stage.kept += (run.segment < last) - (run.segment > last);
  const int64_t time = (run.segment <= last) + 2 * (run.segment >= last);
  stage.freeAt = endOf(run.segment, run.microbatch) = now + time;
  stage.runs.push_back(run);
  return true;
}

std::vector<SegmentRun> Simulation::run(int64_t stage) {
  const size_t count = ends.size();
  for (size_t begun = 0; begun < count; ++now) {
    bool isBusy = false;
    for (Stage &one : all) {
      if (one.freeAt <= now)
        begun += begin(one);
      isBusy |= one.freeAt > now;
    }
    if (!isBusy)
      throw Failure(ExitCode::Bug, "a schedule of stages stands still");
  }
  return std::move(all[size_t(stage)].runs);
}

std::vector<SegmentRun> scheduleStage(int64_t stage, PipelineStages pipeline,
                                      MicrobatchRange range) {
  return Simulation(pipeline, range).run(stage);
}

} // namespace gensyn::runtime
