// Programs of a model for several ranks.

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include <algorithm>
#include <functional>

namespace gensyn::runtime {

/// Of the ranks with the same target the first one compiles for all.
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
      own = compile();
      bytes = own.SerializeAsString();
    }
    bytes = ranks.broadcast(bytes, rank);
    if (targets[size_t(rank)] == target && rank != ranks.rank() &&
        !own.ParseFromString(bytes))
      throw Failure(ExitCode::Bug, "a program of another rank is no program");
  }
  return own;
}

std::unique_ptr<Program>
Model::rankedProgram(const ProgramRequest &request,
                     communication::Communicator &ranks) {
  if (request.kind != ProgramKind::Train || ranks.size() == 1)
    return program(request);
  if (packed)
    failUnsupported(file() + ": several ranks train on models, and this one is "
                             "compiled already",
                    "give the ONNX file");
  trainedOn = request.given;
  plan::CompileResponse response = compileOnce(ranks, device->target(), [&] {
    return compiler->compileParts(makeRequest(request));
  });
  auto share = [](plan::Executable *executable) {
    auto shared = std::make_shared<plan::Executable>();
    shared->Swap(executable);
    return shared;
  };
  auto step = share(response.mutable_executable());
  if (!response.has_step())
    return device->load(step);
  plan::SplitStep &split = *response.mutable_step();
  StepParts parts;
  parts.step = step;
  parts.microbatches = split.microbatches();
  parts.microbatch = device->load(share(split.mutable_microbatch()));
  if (split.has_carry())
    parts.carry = device->load(share(split.mutable_carry()));
  parts.update = device->load(share(split.mutable_update()));
  for (plan::Executable &addition : *split.mutable_additions())
    parts.additions.push_back(device->load(share(&addition)));
  return makeRankedProgram(std::move(parts), ranks, timesOfRank);
}

} // namespace gensyn::runtime
