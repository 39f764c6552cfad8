#include "Ranks/PipelineSchedule.h"

#include "gtest/gtest.h"

#include <map>
#include <string>

namespace gensyn::runtime {
namespace {

using Runs = std::vector<SegmentRun>;

/// "F0 F1 B0": the runs of a stage as they are written.
std::string write(int64_t stage, int64_t stages, MicrobatchRange range) {
  std::string text;
  for (const SegmentRun &run : scheduleStage(stage, stages, range))
    text += (text.empty() ? "" : " ") +
            std::string(run.segment < stages - 1    ? "F"
                        : run.segment == stages - 1 ? "L"
                                                    : "B") +
            std::to_string(run.microbatch);
  return text;
}

TEST(PipelineSchedule, OneForwardOneBackward) {
  EXPECT_EQ(write(0, 1, {0, 3}), "L0 L1 L2");
  EXPECT_EQ(write(0, 3, {0, 4}), "F0 F1 F2 B0 F3 B1 B2 B3");
  EXPECT_EQ(write(1, 3, {0, 4}), "F0 F1 B0 F2 B1 F3 B2 B3");
  EXPECT_EQ(write(2, 3, {0, 4}), "L0 L1 L2 L3");
  EXPECT_EQ(write(0, 4, {5, 7}), "F5 F6 B5 B6");
  EXPECT_EQ(write(1, 4, {5, 5}), "");
}

/// Calls `call` with the runs of all stages, for several numbers of stages and
/// microbatches.
template <class Call> void forEachPipeline(Call call) {
  for (int64_t stages = 1; stages <= 9; ++stages)
    for (int64_t count : {0, 1, 2, 3, 7, 8, 20}) {
      const MicrobatchRange range = {3, 3 + count};
      std::vector<Runs> pipeline;
      for (int64_t stage = 0; stage < stages; ++stage)
        pipeline.push_back(scheduleStage(stage, stages, range));
      SCOPED_TRACE(testing::Message()
                   << stages << " stages, " << count << " microbatches");
      call(pipeline, range);
    }
}

TEST(PipelineSchedule, EachSegmentRunsOverTheMicrobatchesInOrder) {
  forEachPipeline([](const std::vector<Runs> &pipeline, MicrobatchRange range) {
    const auto stages = static_cast<int64_t>(pipeline.size());
    std::map<int64_t, int64_t> next;
    for (int64_t stage = 0; stage < stages; ++stage)
      for (const SegmentRun &run : pipeline[static_cast<size_t>(stage)]) {
        EXPECT_EQ(std::min(run.segment, 2 * stages - 2 - run.segment), stage);
        EXPECT_EQ(run.microbatch, range.begin + next[run.segment]++);
      }
    for (int64_t segment = 0; segment < 2 * stages - 1; ++segment)
      EXPECT_EQ(next[segment], range.count());
  });
}

TEST(PipelineSchedule, KeepsTheValuesOfFewMicrobatches) {
  forEachPipeline([](const std::vector<Runs> &pipeline, MicrobatchRange range) {
    const auto stages = static_cast<int64_t>(pipeline.size());
    for (int64_t stage = 0; stage < stages - 1; ++stage) {
      int64_t live = 0, most = 0;
      for (const SegmentRun &run : pipeline[static_cast<size_t>(stage)])
        most = std::max(most, live += run.segment == stage ? 1 : -1);
      EXPECT_EQ(live, 0);
      EXPECT_EQ(most, std::min(stages - stage, range.count()));
    }
  });
}

/// Lets stages run, one segment each in a round, where all earlier segments of
/// the microbatch have run in earlier rounds. Returns the number of rounds; -1
/// if none can go on.
int64_t simulate(const std::vector<Runs> &pipeline) {
  std::vector<size_t> next(pipeline.size());
  std::map<int64_t, int64_t> done; // of each microbatch, the segments
  for (int64_t round = 0;; ++round) {
    bool isOver = true;
    Runs ended;
    for (size_t stage = 0; stage < pipeline.size(); ++stage) {
      if (next[stage] == pipeline[stage].size())
        continue;
      isOver = false;
      const SegmentRun &run = pipeline[stage][next[stage]];
      if (done[run.microbatch] != run.segment)
        continue;
      ++next[stage];
      ended.push_back(run);
    }
    if (isOver)
      return round;
    if (ended.empty())
      return -1;
    for (const SegmentRun &run : ended)
      ++done[run.microbatch];
  }
}

TEST(PipelineSchedule, DoesNotStandStill) {
  forEachPipeline([](const std::vector<Runs> &pipeline, MicrobatchRange range) {
    const auto stages = static_cast<int64_t>(pipeline.size());
    const int64_t rounds = simulate(pipeline);
    if (range.count() == 0)
      EXPECT_EQ(rounds, 0);
    // The first stage has two runs for each microbatch, and waits for the
    // first one to go through the others and back.
    else if (stages > 1)
      EXPECT_LE(rounds, 2 * range.count() + 2 * (stages - 1));
    else
      EXPECT_EQ(rounds, range.count());
    EXPECT_GE(rounds, range.count());
  });
}

} // namespace
} // namespace gensyn::runtime
