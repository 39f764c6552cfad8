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

struct StepReplay::Parts {
  Parts(const ReplaySide &side)
      : side(side), record(readRunRecord(side.run)), run(this->side, &record) {}

  ReplaySide side;
  RunRecord record;
  ReplayedRun run;
  ProgramRun program;
};

StepReplay::StepReplay(const ReplaySide &side, int64_t begin, int64_t step,
                       RunWitness &witness,
                       const std::function<void(int64_t)> &progress)
    : parts(std::make_unique<Parts>(side)) {
  ReplayedRun &run = parts->run;
  run.start(begin);
  run.tell(witness);
  Trainer::NextStep next = run.peek();
  while (next.samples > 0 && run.step() < step - 1) {
    run.advance();
    if (progress)
      progress(run.step() - begin);
    next = run.peek();
  }
  if (next.samples == 0)
    failBadInput(side.run.string() + ": the run ends after step " +
                 std::to_string(run.step()));
  parts->program = run.programRun(std::move(next));
}

StepReplay::~StepReplay() = default;

const ProgramRun &StepReplay::program() const { return parts->program; }

void StepReplay::advance() { parts->run.advance(); }

} // namespace gensyn::runtime
