// Trains a model by ranks that are threads of this process, each on its own
// target. Like gensyn-run train, which takes one rank for each process:
//
//   gensyn-thread-ranks MODEL RECIPE DATA FOLDER RANKS STEPS [TARGET...]
//
// Rank i has the target i modulo their number: "cpu", "cpu:x86-64-v3",
// "ptx-sim" or "reference"; by default "cpu". With RANKS 0 there is no
// communicator. Prints the digest of the parameters.

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
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
};

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
  TrainObserver observer;
  const std::atomic<bool> stop = false;
  const ProgramSource source = [&](const ProgramRequest &request) {
    return ranks ? model.rankedProgram(request, *ranks)
                 : model.program(request);
  };
  std::string digest = train(training, source, observer, stop).digest;
  if (ranks)
    ranks->finish();
  return digest;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: gensyn-thread-ranks MODEL RECIPE DATA FOLDER "
                         "RANKS STEPS [TARGET...]\n");
    return 2;
  }
  Settings settings = {argv[1],
                       argv[2],
                       argv[3],
                       argv[4],
                       std::atoll(argv[6]),
                       {argv + 7, argv + argc}};
  if (settings.targets.empty())
    settings.targets.push_back("cpu");
  const int count = std::atoi(argv[5]);
  auto ranks = communication::makeThreadRanks(std::max(count, 1));
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
