// Programs of a model for several ranks.

#include "../Ranks/DifferentRank.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include <algorithm>
#include <functional>

namespace gensyn::runtime {

/// Asks for a program; a failure becomes a part of the answer.
static plan::CompileResponse
tryToCompile(const std::function<plan::CompileResponse()> &compile) {
  try {
    return compile();
  } catch (const Failure &failure) {
    plan::CompileResponse answer;
    plan::Error &error = *answer.mutable_error();
    error.set_exit_code(int32_t(failure.code));
    error.set_message(failure.what());
    error.set_note(failure.note);
    return answer;
  }
}

/// Of the ranks with the same target the first one compiles for all. If that
/// fails, each of them throws the Failure.
static plan::CompileResponse
compileOnce(communication::Communicator &ranks, const std::string &target,
            const std::function<plan::CompileResponse()> &compile) {
  const std::vector<std::string> targets = ranks.gather(target);
  plan::CompileResponse own;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (std::find(targets.begin(), targets.begin() + rank,
                  targets[size_t(rank)]) != targets.begin() + rank)
      continue;
    std::string bytes;
    if (rank == ranks.rank()) {
      own = tryToCompile(compile);
      bytes = own.SerializeAsString();
    }
    bytes = ranks.broadcast(bytes, rank);
    if (targets[size_t(rank)] == target && rank != ranks.rank() &&
        !own.ParseFromString(bytes))
      throw Failure(ExitCode::Bug, "a program of another rank is no program");
  }
  if (const plan::Error &error = own.error(); error.exit_code() != 0)
    throw Failure(ExitCode(error.exit_code()), error.message(), error.note());
  return own;
}

/// All ranks divide the same, or they would wait for each other for ever.
static void requireSameDivision(communication::Communicator &ranks,
                                Sharding sharding, ParallelRanks parallel) {
  const std::vector<std::string> all = ranks.gather(
      std::to_string(int(sharding)) + " " + std::to_string(parallel.stages) +
      " " + std::to_string(parallel.tensors) + " " +
      std::to_string(parallel.interleave));
  if (const std::optional<int> rank = findDifferentRank(all))
    failBadInput(ranks.describe(*rank) +
                 " has another --shard or --parallel than " +
                 ranks.describe(0));
}

static std::shared_ptr<plan::Executable> share(plan::Executable *executable) {
  auto shared = std::make_shared<plan::Executable>();
  shared->Swap(executable);
  return shared;
}

namespace {
/// A stage of an update in which this rank computes nothing.
class EmptyProgram final : public Program {
public:
  using Program::Program;
  void run(std::span<const Tensor *const>, std::span<Tensor>) override {}
};
} // namespace

static StepPhase readPhase(const plan::Phase &given,
                           const plan::Executable &program) {
  StepPhase phase;
  phase.ports = readSignature(program);
  phase.stage = given.stage();
  phase.tensor = given.tensor();
  phase.segment = given.segment();
  for (const plan::SumTile &tile : given.tiles())
    phase.tiles.insert(
        {tile.sum(), TensorTile({tile.shape().begin(), tile.shape().end()},
                                {tile.begins().begin(), tile.begins().end()},
                                {tile.counts().begin(), tile.counts().end()})});
  return phase;
}

void fitToRank(ModelOptions &options,
               const communication::Communicator &ranks) {
  if (!options.threads)
    options.threads = communication::threadsOfRank(ranks);
  if (options.device || options.backend != "cuda")
    return;
  // A launcher may have left a rank nothing but its own GPU.
  const int devices = std::max(1, countCudaDevices());
  options.device = int(communication::placeOnHost(ranks).number) % devices;
}

std::shared_ptr<ShardedState> Model::shardedState() {
  if (!sharded)
    sharded = std::make_shared<ShardedState>();
  return sharded;
}

std::unique_ptr<Program>
Model::rankedProgram(const ProgramRequest &request,
                     communication::Communicator &ranks, Sharding sharding,
                     ParallelRanks parallel) {
  const bool isTrained = request.kind == ProgramKind::Train;
  if (ranks.size() == 1 || (!isTrained && (packed || !request.byAllRanks)))
    return program(request);
  if (options.autotune)
    throw Failure(ExitCode::Usage, "--autotune is for a process alone",
                  "with --schedules it writes a file for ranks");
  if (!isTrained) {
    const plan::CompileRequest alone = makeRequest(request);
    plan::CompileResponse response = compileOnce(
        ranks, device->target(), [&] { return compiler->compileParts(alone); });
    return device->load(share(response.mutable_executable()));
  }
  if (packed)
    failUnsupported(file() + ": several ranks train on models, and this one is "
                             "compiled already",
                    "give the ONNX file");
  requireSameDivision(ranks, sharding, parallel);
  trainedOn = request.given;
  plan::CompileRequest ofParts = makeRequest(request);
  const bool isDivided = sharding != Sharding::None;
  ofParts.set_step_parts(true);
  ofParts.set_without_update(isDivided);
  ofParts.set_pipeline_stages(uint32_t(parallel.stages));
  ofParts.set_tensor_ranks(uint32_t(parallel.tensors));
  ofParts.set_interleave(uint32_t(parallel.interleave));
  // Copies of parameters would be kept.
  if (sharding == Sharding::Parameters)
    ofParts.set_prepared_memory(0);
  plan::CompileResponse response = compileOnce(
      ranks, device->target(), [&] { return compiler->compileParts(ofParts); });
  auto step = share(response.mutable_executable());
  if (!response.has_step() && isDivided)
    return makeGatheredProgram(device->load(step), ranks, shardedState());
  if (!response.has_step())
    return device->load(step);
  plan::SplitStep &split = *response.mutable_step();
  StepParts parts;
  // They run one after another, and of a step in phases there are many.
  const auto work = std::make_shared<WorkMemory>();
  // Some ranks have nothing to compute in a part.
  auto load = [&](std::shared_ptr<const plan::Executable> part)
      -> std::unique_ptr<Program> {
    if (part->plan().outputs().empty())
      return std::make_unique<EmptyProgram>(std::move(part));
    return device->load(std::move(part), work);
  };
  parts.step = step;
  parts.sharding = sharding;
  parts.state = shardedState();
  parts.microbatches = split.microbatches();
  parts.parallel = parallel;
  parts.islands = findIslands(ranks, int(parallel.count()));
  if (parallel.count() == 1)
    split.add_phases()->mutable_program()->Swap(split.mutable_microbatch());
  for (plan::Phase &given : *split.mutable_phases()) {
    const auto program = share(given.mutable_program());
    const StepPhase &phase =
        parts.phases.emplace_back(readPhase(given, *program));
    if (phase.stage * parallel.tensors + phase.tensor ==
        ranks.rank() % parallel.count())
      parts.microbatch.push_back(load(program));
  }
  if (split.has_carry())
    parts.carry = load(share(split.mutable_carry()));
  // These run between kernels of others.
  for (plan::Executable &addition : *split.mutable_additions())
    parts.additions.push_back(device->load(share(&addition)));
  if (!isDivided) {
    parts.update = load(share(split.mutable_update()));
    return makeRankedProgram(std::move(parts), ranks, timesOfRank);
  }
  ofParts.set_without_update(false);
  ofParts.clear_pipeline_stages();
  ofParts.clear_tensor_ranks();
  ofParts.clear_interleave();
  ofParts.mutable_update_share()->set_rank(
      uint32_t(parts.islands.positionOf(ranks.rank())));
  ofParts.mutable_update_share()->set_ranks(uint32_t(ranks.size()));
  plan::CompileResponse ofUpdate = compiler->compileParts(ofParts);
  for (plan::Executable &stage : *ofUpdate.mutable_step()->mutable_stages())
    parts.updates.push_back(load(share(&stage)));
  parts.cuts = TensorCuts(ofUpdate.step(), parts.islands);
  return makeRankedProgram(std::move(parts), ranks, timesOfRank);
}

} // namespace gensyn::runtime
