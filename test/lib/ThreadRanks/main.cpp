// Trains a model by ranks that are threads of this process, each on its own
// target. Like gensyn-run train, which takes one rank for each process:
//
//   gensyn-thread-ranks MODEL RECIPE DATA FOLDER RANKS STEPS [WORD...]
//
// A WORD is a target, check=N (ranks compare after each of N steps),
// shard=WHAT, pipeline=STAGES, interleave=CHUNKS, tensor=RANKS, perhost=RANKS
// (as if so many were on each machine) or flip=RANK:STEP (a bit of a parameter
// of that rank changes in that step). Rank i has the target i modulo their
// number: "cpu", "cpu:x86-64-v3", "ptx-sim" or "reference"; by default "cpu".
// With RANKS 0 there is no communicator. Prints the digest of the parameters.

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Proof/Run/RunCommitter.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Training/Train.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace gensyn;
using namespace gensyn::runtime;

namespace {

struct Settings {
  std::string model, recipe, data, folder;
  int64_t steps = 0;
  std::vector<std::string> targets;
  int64_t checkEvery = 0;
  int flipRank = -1;
  int64_t flipStep = 0;
  Sharding sharding = Sharding::None;
  ParallelRanks parallel;
  int ranksPerHost = 0;
};

/// A program on a machine with a bad memory.
class FlippingProgram final : public Program {
public:
  FlippingProgram(std::shared_ptr<Program> whole, int64_t step)
      : Program(std::shared_ptr<const plan::Executable>(whole,
                                                        &whole->executable())),
        program(std::move(whole)), step(step) {}

  SampleShare share() const override { return program->share(); }
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    program->run(inputs, outputs);
  }
  void stage(std::span<const Tensor *const> inputs) override {
    program->stage(inputs);
  }
  void begin(std::span<Value *const> kept, std::span<Value> outputs) override {
    program->begin(kept, outputs);
    if (++runs != step)
      return;
    Tensor tensor = outputs.front().read();
    tensor.data()[0] ^= std::byte(1);
    outputs.front() = Value(std::move(tensor));
  }
  void end() override { program->end(); }

private:
  std::shared_ptr<Program> program;
  int64_t step;
  int64_t runs = 0;
};

/// Reads the words behind the number of steps; false if one is none.
bool readWords(const std::vector<std::string> &words, Settings &settings) {
  for (const std::string &word : words) {
    long long number = 0, step = 0;
    if (std::sscanf(word.c_str(), "check=%lld", &number) == 1) {
      settings.checkEvery = number;
    } else if (std::sscanf(word.c_str(), "flip=%lld:%lld", &number, &step) ==
               2) {
      settings.flipRank = int(number);
      settings.flipStep = step;
    } else if (std::sscanf(word.c_str(), "pipeline=%lld", &number) == 1) {
      settings.parallel.stages = number;
    } else if (std::sscanf(word.c_str(), "interleave=%lld", &number) == 1) {
      settings.parallel.interleave = number;
    } else if (std::sscanf(word.c_str(), "tensor=%lld", &number) == 1) {
      settings.parallel.tensors = number;
    } else if (std::sscanf(word.c_str(), "perhost=%lld", &number) == 1) {
      settings.ranksPerHost = int(number);
    } else if (word.starts_with("shard=")) {
      const auto sharding = shardingFromName(word.substr(6));
      if (!sharding)
        return false;
      settings.sharding = *sharding;
    } else if (word.find('=') == std::string::npos) {
      settings.targets.push_back(word);
    } else {
      return false;
    }
  }
  if (settings.targets.empty())
    settings.targets.push_back("cpu");
  return true;
}

std::string trainAs(const Settings &settings, int rank,
                    communication::Communicator *ranks) {
  const std::string target =
      settings.targets[size_t(rank) % settings.targets.size()];
  const size_t colon = target.find(':');
  ModelOptions options;
  options.model = settings.model;
  options.recipe = settings.recipe;
  options.needsRecipe = true;
  options.backend = target.substr(0, colon);
  if (colon != std::string::npos)
    options.instructionSet = target.substr(colon + 1);
  options.threads = 1;
  options.cache = defaultCache();
  Model model(options);
  TrainOptions training;
  training.recipe = model.recipe();
  training.model = settings.model;
  training.recipeFile = settings.recipe;
  training.data = DataSource(settings.data);
  training.folder = settings.folder;
  training.start = RunStart::Replace;
  training.maxSteps = settings.steps;
  training.classes = model.classes();
  training.backend = options.backend;
  training.target = model.target();
  training.ranks = ranks;
  training.divided = model.shardedState();
  training.parallel = settings.parallel;
  training.checkEvery = settings.checkEvery;
  proof::RunCommitter committer(settings.folder, /*every=*/7);
  training.witness = &committer;
  TrainObserver observer;
  const std::atomic<bool> stop = false;
  const ProgramSource source = [&](const ProgramRequest &request) {
    auto program = ranks
                       ? model.rankedProgram(request, *ranks, settings.sharding,
                                             settings.parallel)
                       : model.program(request);
    if (rank == settings.flipRank && request.kind == ProgramKind::Train)
      program = std::make_unique<FlippingProgram>(std::move(program),
                                                  settings.flipStep);
    return program;
  };
  std::string digest = train(training, source, observer, stop).digest;
  if (ranks)
    ranks->finish();
  return digest;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  if (argc < 7 || !readWords({argv + 7, argv + argc}, settings)) {
    std::fprintf(stderr, "usage: gensyn-thread-ranks MODEL RECIPE DATA FOLDER "
                         "RANKS STEPS [WORD...]\n");
    return 2;
  }
  settings.model = argv[1];
  settings.recipe = argv[2];
  settings.data = argv[3];
  settings.folder = argv[4];
  settings.steps = std::atoll(argv[6]);
  const int count = std::atoi(argv[5]);
  auto ranks =
      communication::makeThreadRanks(std::max(count, 1), settings.ranksPerHost);
  std::vector<std::string> digests(ranks.size());
  std::vector<std::thread> threads;
  std::atomic<int> code = 0;
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        digests[rank] =
            trainAs(settings, int(rank), count ? ranks[rank].get() : nullptr);
      } catch (const communication::PeerFailure &) {
      } catch (const Failure &failure) {
        ranks[rank]->reportFailure(failure);
        std::fprintf(stderr, "gensyn-thread-ranks: rank %zu: %s\n", rank,
                     failure.what());
        code = int(failure.code);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  if (code)
    return code;
  for (const std::string &digest : digests)
    if (digest != digests.front()) {
      std::fprintf(stderr, "ranks have different parameters\n");
      return 1;
    }
  std::printf("%s\n", digests.front().c_str());
  return 0;
}
