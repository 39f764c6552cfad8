#include "Ranks/PipelineSchedule.h"

#include "gtest/gtest.h"

#include <map>
#include <string>

namespace gensyn::runtime {
namespace {

using Runs = std::vector<SegmentRun>;

/// "F0 F1 B0": the runs of a stage as they are written; with several chunks
/// "F0.1" is the forward run of the second chunk on microbatch 0.
std::string write(int64_t stage, PipelineStages pipeline,
                  MicrobatchRange range) {
  std::string text;
  for (const auto [segment, microbatch] :
       scheduleStage(stage, pipeline, range)) {
    const int64_t last = pipeline.chunks() - 1;
    text += (text.empty() ? "" : " ") +
            std::string(segment < last    ? "F"
                        : segment == last ? "L"
                                          : "B") +
            std::to_string(microbatch);
    if (pipeline.interleave > 1)
      text += "." + std::to_string(pipeline.chunkOfSegment(segment) /
                                   pipeline.stages);
  }
  return text;
}

TEST(PipelineSchedule, OneForwardOneBackward) {
  EXPECT_EQ(write(0, {1}, {0, 3}), "L0 L1 L2");
  EXPECT_EQ(write(0, {3}, {0, 4}), "F0 F1 F2 B0 F3 B1 B2 B3");
  EXPECT_EQ(write(1, {3}, {0, 4}), "F0 F1 B0 F2 B1 F3 B2 B3");
  EXPECT_EQ(write(2, {3}, {0, 4}), "L0 L1 L2 L3");
  EXPECT_EQ(write(0, {4}, {5, 7}), "F5 F6 B5 B6");
  EXPECT_EQ(write(1, {4}, {5, 5}), "");
}

TEST(PipelineSchedule, ChunksTakeTurns) {
  EXPECT_EQ(write(0, {2, 2}, {0, 2}),
            "F0.0 F1.0 F0.1 F1.1 B0.1 B1.1 B0.0 B1.0");
  EXPECT_EQ(write(1, {2, 2}, {0, 2}), "F0.0 F1.0 L0.1 L1.1 B0.0 B1.0");
  // Rounds of two microbatches.
  EXPECT_EQ(write(0, {2, 2}, {4, 8}),
            "F4.0 F5.0 F4.1 F5.1 B4.1 F6.0 B5.1 F7.0 B4.0 F6.1 B5.0 F7.1 "
            "B6.1 B7.1 B6.0 B7.0");
  EXPECT_EQ(write(1, {2, 2}, {4, 8}),
            "F4.0 F5.0 L4.1 L5.1 F6.0 B4.0 F7.0 B5.0 L6.1 L7.1 B6.0 B7.0");
  // One round of three.
  EXPECT_EQ(write(1, {2, 2}, {0, 3}),
            "F0.0 F1.0 F2.0 L0.1 L1.1 L2.1 B0.0 B1.0 B2.0");
}

/// The runs of 1F1B in closed form: as many forward runs as there are stages
/// behind it, then one forward and one backward.
Runs oneForwardOneBackward(int64_t stage, int64_t stages,
                           MicrobatchRange range) {
  const int64_t back = 2 * stages - 2 - stage;
  Runs runs;
  if (back == stage) {
    for (int64_t i = range.begin; i < range.end; ++i)
      runs.push_back({stage, i});
    return runs;
  }
  int64_t forward = range.begin;
  while (forward < std::min(range.begin + stages - 1 - stage, range.end))
    runs.push_back({stage, forward++});
  for (int64_t backward = range.begin; backward < range.end; ++backward) {
    if (forward < range.end)
      runs.push_back({stage, forward++});
    runs.push_back({back, backward});
  }
  return runs;
}

/// Calls `call` with the runs of all stages, for several numbers of stages,
/// chunks and microbatches.
template <class Call> void forEachPipeline(Call call) {
  for (int64_t stages = 1; stages <= 7; ++stages)
    for (int64_t interleave = 1; interleave <= 4; ++interleave)
      for (int64_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 29}) {
        const PipelineStages pipeline = {stages, interleave};
        const MicrobatchRange range = {3, 3 + count};
        std::vector<Runs> all;
        for (int64_t stage = 0; stage < stages; ++stage)
          all.push_back(scheduleStage(stage, pipeline, range));
        SCOPED_TRACE(testing::Message() << stages << " stages of " << interleave
                                        << ", " << count << " microbatches");
        call(pipeline, all, range);
      }
}

TEST(PipelineSchedule, OneChunkIsOneForwardOneBackward) {
  forEachPipeline([](PipelineStages pipeline, const std::vector<Runs> &all,
                     MicrobatchRange range) {
    for (size_t stage = 0; pipeline.interleave == 1 && stage < all.size();
         ++stage)
      EXPECT_EQ(all[stage],
                oneForwardOneBackward(int64_t(stage), pipeline.stages, range));
  });
}

TEST(PipelineSchedule, EachSegmentRunsOverTheMicrobatchesInOrder) {
  forEachPipeline([](PipelineStages pipeline, const std::vector<Runs> &all,
                     MicrobatchRange range) {
    std::map<int64_t, int64_t> next;
    for (size_t stage = 0; stage < all.size(); ++stage)
      for (const auto [segment, microbatch] : all[stage]) {
        const int64_t chunk =
            std::min(segment, 2 * pipeline.chunks() - 2 - segment);
        EXPECT_EQ(size_t(chunk) % all.size(), stage);
        EXPECT_EQ(microbatch, range.begin + next[segment]++);
      }
    for (int64_t segment = 0; segment < 2 * pipeline.chunks() - 1; ++segment)
      EXPECT_EQ(next[segment], range.count());
  });
}

TEST(PipelineSchedule, KeepsTheValuesOfFewMicrobatches) {
  forEachPipeline([](PipelineStages pipeline, const std::vector<Runs> &all,
                     MicrobatchRange range) {
    const int64_t count = range.count(), stages = pipeline.stages;
    for (int64_t stage = 0; stage < stages; ++stage) {
      int64_t live = 0, most = 0;
      for (const auto [segment, microbatch] : all[size_t(stage)]) {
        live += segment < pipeline.chunks() - 1;
        live -= segment > pipeline.chunks() - 1;
        most = std::max(most, live);
      }
      EXPECT_EQ(live, 0);
      EXPECT_LE(most, mostKept(stage, pipeline, count));
      // Rounds are shorter than twice the number of stages.
      EXPECT_LE(most,
                (pipeline.interleave - 1) * std::min(count, 2 * stages - 1) +
                    stages - stage);
      if (pipeline.interleave == 1 && stage < stages - 1) {
        EXPECT_EQ(most, std::min(stages - stage, count));
      }
    }
  });
}

/// Lets each stage begin its next run when all earlier segments of the
/// microbatch have ended; a backward run takes 2, a forward run 1. Returns the
/// time of all runs; -1 if they do not end.
int64_t execute(PipelineStages pipeline, const std::vector<Runs> &all) {
  const int64_t last = pipeline.chunks() - 1;
  std::vector<size_t> next(all.size());
  std::vector<int64_t> freeAt(all.size());
  // Of each microbatch, how many segments have ended, and when.
  std::map<int64_t, std::pair<int64_t, int64_t>> done;
  bool goesOn = true;
  while (goesOn) {
    goesOn = false;
    for (size_t stage = 0; stage < all.size(); ++stage)
      while (next[stage] < all[stage].size()) {
        const auto [segment, microbatch] = all[stage][next[stage]];
        auto &[segments, end] = done[microbatch];
        if (segments != segment)
          break;
        end = freeAt[stage] =
            std::max(freeAt[stage], end) + (segment < last    ? 1
                                            : segment == last ? 3
                                                              : 2);
        ++segments;
        ++next[stage];
        goesOn = true;
      }
  }
  for (size_t stage = 0; stage < all.size(); ++stage)
    if (next[stage] != all[stage].size())
      return -1;
  return *std::max_element(freeAt.begin(), freeAt.end());
}

TEST(PipelineSchedule, DoesNotStandStill) {
  forEachPipeline([](PipelineStages pipeline, const std::vector<Runs> &all,
                     MicrobatchRange range) {
    const int64_t time = execute(pipeline, all), count = range.count();
    ASSERT_GE(time, 0);
    if (count == 0)
      return;
    const auto [stages, interleave] = pipeline;
    // A stage computes for so long, and waits for the first microbatch to go
    // through the other stages' first chunks and back.
    const int64_t least = 3 * (count * interleave + stages - 1);
    EXPECT_GE(time, least);
    if (interleave == 1 || count % stages == 0) {
      EXPECT_EQ(time, least);
    } else if (count > stages) {
      EXPECT_LE(time, least + least / 80);
    } else {
      // Stages wait for other chunks, but no longer than with one chunk.
      EXPECT_LE(time, 3 * interleave * (count + stages - 1));
    }
  });
}

/// docs/ManyMachines.md has these shares of idle time.
TEST(PipelineSchedule, InterleavedStagesAreLessIdle) {
  auto idlePercent = [](PipelineStages pipeline, int64_t count) {
    std::vector<Runs> all;
    for (int64_t stage = 0; stage < pipeline.stages; ++stage)
      all.push_back(scheduleStage(stage, pipeline, {0, count}));
    const auto time = double(execute(pipeline, all));
    return 100 * (time - double(3 * count * pipeline.interleave)) / time;
  };
  EXPECT_NEAR(idlePercent({4, 1}, 8), 27.3, 0.05);
  EXPECT_NEAR(idlePercent({4, 2}, 8), 15.8, 0.05);
  EXPECT_NEAR(idlePercent({4, 4}, 8), 8.6, 0.05);
}

} // namespace
} // namespace gensyn::runtime
