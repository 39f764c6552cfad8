// See RepeatRun.h.

#include "gensyn/Runtime/Replay/RepeatRun.h"

#include "ReplayedRun.h"
#include "gensyn/Executable/Support/Error.h"

namespace gensyn::runtime {

std::vector<int64_t> listCheckpointSteps(const std::filesystem::path &run) {
  std::vector<int64_t> steps;
  for (const auto &[step, place] : listCheckpoints(run / "checkpoints"))
    steps.insert(steps.begin(), step);
  return steps;
}

void repeatRun(const ReplaySide &side, int64_t begin, int64_t end,
               RunWitness &witness,
               const std::function<void(int64_t)> &progress) {
  const RunRecord record = readRunRecord(side.run);
  ReplayedRun run(side, &record);
  run.start(begin);
  run.tell(witness);
  while (run.step() < end && run.peek().samples > 0) {
    run.advance();
    if (progress)
      progress(run.step() - begin);
  }
}

} // namespace gensyn::runtime
