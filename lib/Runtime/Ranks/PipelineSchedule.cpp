#include "PipelineSchedule.h"

#include <algorithm>

using namespace gensyn::runtime;

std::vector<SegmentRun> gensyn::runtime::scheduleStage(int64_t stage,
                                                       int64_t stages,
                                                       MicrobatchRange range) {
  const int64_t back = 2 * stages - 2 - stage;
  std::vector<SegmentRun> runs;
  // The last stage computes forward and backward in one segment.
  if (back == stage) {
    for (int64_t i = range.begin; i < range.end; ++i)
      runs.push_back({stage, i});
    return runs;
  }
  const int64_t ahead = std::min(stages - 1 - stage, range.count());
  int64_t forward = range.begin;
  for (; forward < range.begin + ahead; ++forward)
    runs.push_back({stage, forward});
  for (int64_t backward = range.begin; backward < range.end; ++backward) {
    if (forward < range.end)
      runs.push_back({stage, forward++});
    runs.push_back({back, backward});
  }
  return runs;
}
