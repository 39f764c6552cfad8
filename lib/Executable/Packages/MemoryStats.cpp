// Sums sizes over a plan.

#include "gensyn/Executable/Packages/MemoryStats.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/ElementType.h"

#include <map>

namespace gensyn {

static uint64_t bytesOf(const plan::TensorSpec &spec) {
  auto type = elementTypeFromName(spec.element_type());
  const std::vector<int64_t> shape(spec.shape().begin(), spec.shape().end());
  const int64_t bytes = type ? tensorBytes(*type, shape) : 0;
  return bytes > 0 ? uint64_t(bytes) : 0;
}

/// Returns the node of a launch, or the kernel if it has none.
static std::string describe(const plan::Launch &launch) {
  return launch.operation().empty() ? launch.kernel() : launch.operation();
}

static void measureLargest(const plan::Plan &plan, MemoryStats &figures) {
  const plan::Memory &memory = plan.memory();
  if (memory.launch() < uint32_t(plan.launches_size()))
    figures.operation = describe(plan.launches(int(memory.launch())));
  // The first launch that names a buffer writes it: operands were written
  // before.
  std::map<uint32_t, int> writer;
  for (int number = 0; number < plan.launches_size(); ++number)
    for (uint32_t buffer : plan.launches(number).buffers())
      writer.try_emplace(buffer, number);
  for (uint32_t buffer : memory.largest()) {
    if (buffer >= uint32_t(plan.buffers_size()))
      continue;
    auto found = writer.find(buffer);
    figures.largest.push_back(
        {plan.buffers(int(buffer)).bytes(),
         found == writer.end() ? "" : describe(plan.launches(found->second))});
  }
}

MemoryStats measureMemory(const plan::Plan &plan) {
  MemoryStats figures;
  for (const plan::TensorSpec &spec : plan.inputs()) {
    const std::optional<Role> role = roleFromName(spec.role());
    uint64_t &sum = role == Role::Parameter  ? figures.parameters
                    : role == Role::State    ? figures.state
                    : role == Role::Constant ? figures.constants
                                             : figures.inputs;
    sum += bytesOf(spec);
  }
  for (int j = 0; j < plan.outputs_size(); ++j) {
    const uint64_t bytes = bytesOf(plan.outputs(j));
    const bool isInPlace = j < plan.in_place_size() && plan.in_place(j);
    figures.outputs += bytes;
    figures.ownOutputs += isInPlace ? 0 : bytes;
    figures.outputsInPlace += isInPlace;
  }
  for (const std::string &constant : plan.constants())
    figures.constants += constant.size();
  figures.prepared = plan.prepared_bytes();
  figures.arena = plan.arena_bytes();
  figures.lowerBound = plan.memory().lower_bound();
  figures.withoutReuse = plan.memory().without_reuse();
  figures.arenaBefore = plan.memory().arena_before();
  figures.moreKernels = plan.memory().more_kernels();
  figures.flopsBefore = plan.memory().flops_before();
  figures.flops = plan.memory().flops();
  figures.resultsInPlace = plan.memory().written_in_place();
  measureLargest(plan, figures);
  return figures;
}

} // namespace gensyn
