// Counts what a mapping takes; see Report.h.

#include "gensyn/Machine/Report.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/RoutingEntries.h"

#include <map>
#include <set>

namespace gensyn::machine {

/// Buffers of the arena share its memory, and so do prepared values.
static std::vector<SharedUse> countShared(const MappedProgram &program) {
  const Description &machine = program.getMachine();
  const plan::Plan &plan = program.getPlan();
  std::vector<uint64_t> used(machine.memories.size());
  std::set<std::pair<int, uint32_t>> counted;
  for (int i = 0; i < plan.buffers_size(); ++i) {
    const plan::Buffer &buffer = plan.buffers(i);
    uint64_t bytes = buffer.bytes();
    std::pair<int, uint32_t> key = {buffer.place_case(), 0};
    switch (buffer.place_case()) {
    case plan::Buffer::kArena:
      bytes = plan.arena_bytes();
      break;
    case plan::Buffer::kPrepared:
      bytes = plan.prepared_bytes();
      break;
    case plan::Buffer::kInput:
      key.second = buffer.input();
      break;
    case plan::Buffer::kOutput:
      key.second = buffer.output();
      break;
    case plan::Buffer::kConstant:
      key.second = buffer.constant();
      break;
    case plan::Buffer::kFault:
    case plan::Buffer::PLACE_NOT_SET:
      continue;
    }
    if (counted.insert(key).second)
      used[program.getMapping().memory_of_buffer(i)] += bytes;
  }
  std::vector<SharedUse> shared;
  for (uint32_t memory : machine.sharedMemories()) {
    const MemoryKind &kind = machine.memories[memory];
    shared.push_back(
        {kind.name, used[memory],
         static_cast<uint64_t>(kind.size.value - kind.reserved.value)});
  }
  return shared;
}

namespace {

/// What the steps of a plan have.
struct StepFacts {
  bool hasBranches = false, hasConditions = false;
  uint64_t copies = 0;

  void add(const google::protobuf::RepeatedPtrField<plan::Step> &steps) {
    for (const plan::Step &step : steps) {
      copies += step.has_copy();
      if (step.has_branch()) {
        hasBranches = true;
        add(step.branch().then_steps());
        add(step.branch().else_steps());
      }
      if (step.has_loop()) {
        hasConditions |= step.loop().has_condition();
        add(step.loop().body());
      }
    }
  }
};

} // namespace

std::vector<std::string> listAssumptions(const plan::Plan &plan,
                                         bool hasValues) {
  StepFacts facts;
  facts.add(plan.steps());
  std::vector<std::string> lines;
  if (facts.hasConditions && !hasValues)
    lines.emplace_back("loops run until their bound");
  if (facts.hasBranches && !hasValues)
    lines.emplace_back("branches take their first side");
  if (facts.copies)
    lines.push_back("copies of whole buffers between kernels take no time: " +
                    std::to_string(facts.copies) + " of the plan's steps");
  return lines;
}

static uint64_t bytesOf(const mapping::Copy &copy) {
  uint64_t bytes = copy.row_bytes();
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    bytes *= dimension.count();
  return bytes;
}

static std::optional<MappingFacts::Weights>
countWeights(const mapping::Mapping &mapping) {
  if (mapping.weights().empty())
    return std::nullopt;
  const std::set<uint32_t> buffers(mapping.weights().begin(),
                                   mapping.weights().end());
  MappingFacts::Weights weights;
  for (const mapping::Segment &segment : mapping.segments()) {
    const auto times = static_cast<uint64_t>(segment.repetitions_size()) + 1;
    for (const mapping::Core &core : segment.cores()) {
      for (const mapping::Resident &resident : core.residents())
        weights.resident += bytesOf(resident.copy()) *
                            (resident.copy().to().step() ? times : 1);
      for (const mapping::Task &task : core.tasks())
        if (task.has_copy() &&
            task.copy().from().memory_case() == mapping::Location::kBuffer &&
            buffers.count(task.copy().from().buffer()))
          weights.streamed += bytesOf(task.copy()) * times;
    }
  }
  return weights;
}

MappingFacts describeMapping(const MappedProgram &program,
                             const Statistics &run,
                             const Statistics &preparation) {
  const Description &machine = program.getMachine();
  const mapping::Mapping &mapping = program.getMapping();
  MappingFacts facts;
  facts.digest = mapping.digest();
  facts.machine = machine.name;
  facts.segments = static_cast<uint64_t>(mapping.segments_size());
  facts.bodies = static_cast<uint64_t>(mapping.bodies_size());
  std::set<uint32_t> cores;
  for (const mapping::Segment &segment : mapping.segments()) {
    const auto times = static_cast<uint64_t>(segment.repetitions_size()) + 1;
    if (times > 1)
      facts.repeats.push_back(
          {static_cast<uint64_t>(segment.launches_size()), times});
    for (const mapping::Core &core : segment.cores()) {
      if (!core.tasks().empty())
        cores.insert(core.core());
      facts.listed += static_cast<uint64_t>(core.tasks_size());
      for (const mapping::Task &task : core.tasks())
        (task.has_copy() ? facts.copies : facts.computes) += times;
    }
  }
  facts.cores = cores.size();
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    facts.liveCores += !machine.cores[core].isDead;
    for (const Statistics *statistics : {&run, &preparation})
      if (statistics->cores[core].memoryPeak > facts.memoryPeak) {
        facts.memoryPeak = statistics->cores[core].memoryPeak;
        facts.peakCore = core;
      }
  }
  if (!machine.cores.empty()) {
    const MemoryKind &own = machine.memoryOf(facts.peakCore);
    facts.memoryUsable =
        static_cast<uint64_t>(own.size.value - own.reserved.value);
  }
  facts.shared = countShared(program);
  facts.weights = countWeights(mapping);
  facts.entriesOfRouter = static_cast<uint64_t>(machine.network.entries.value);
  if (facts.entriesOfRouter) {
    const RoutingEntries entries = countRoutingEntries(machine, mapping);
    facts.entries = entries.most;
    facts.entriesChip = entries.chip;
  }
  return facts;
}

} // namespace gensyn::machine
