// A program that all ranks run alike, though they divide the tensors that it
// reads: that of a batch of one microbatch at the end of an epoch.

#include "PartInputs.h"
#include "Tags.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"

namespace gensyn::runtime {

namespace {

class GatheredProgram final : public Program {
public:
  GatheredProgram(std::unique_ptr<Program> given,
                  communication::Communicator &ranks,
                  std::shared_ptr<ShardedState> state)
      : GatheredProgram(std::shared_ptr<Program>(std::move(given)), ranks,
                        std::move(state)) {}

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    program->run(inputs, outputs);
  }
  void stage(std::span<const Tensor *const> inputs) override {
    program->stage(inputs);
  }
  void begin(std::span<Value *const> kept, std::span<Value> outputs) override {
    gatherAll(kept);
    program->begin(kept, outputs);
  }
  void end() override { program->end(); }

private:
  GatheredProgram(std::shared_ptr<Program> whole,
                  communication::Communicator &ranks,
                  std::shared_ptr<ShardedState> state)
      : Program(std::shared_ptr<const plan::Executable>(whole,
                                                        &whole->executable())),
        program(whole), ranks(ranks), state(std::move(state)) {}

  /// Makes tensors whole on all ranks.
  void gatherAll(std::span<Value *const> kept) {
    if (!state->isDivided)
      return;
    std::vector<CutBytes> tensors;
    std::vector<Tensor> whole(kept.size());
    for (size_t i = 0; i < kept.size(); ++i) {
      const Port &port = signature().inputs[i];
      auto found = state->cuts.find(port.name);
      if (!kept[i] || found == state->cuts.end())
        continue;
      whole[i] = takeTensor(*kept[i]);
      tensors.push_back(
          {whole[i].data(), byteWidth(port.type), &found->second});
    }
    gatherRanges(ranks, kWholeTag, tensors);
    for (size_t i = 0; i < kept.size(); ++i)
      if (kept[i] && state->cuts.contains(signature().inputs[i].name))
        *kept[i] = Value(std::move(whole[i]));
    state->isDivided = false;
  }

  std::shared_ptr<Program> program;
  communication::Communicator &ranks;
  std::shared_ptr<ShardedState> state;
};

} // namespace

std::unique_ptr<Program>
makeGatheredProgram(std::unique_ptr<Program> program,
                    communication::Communicator &ranks,
                    std::shared_ptr<ShardedState> state) {
  return std::make_unique<GatheredProgram>(std::move(program), ranks,
                                           std::move(state));
}

} // namespace gensyn::runtime
