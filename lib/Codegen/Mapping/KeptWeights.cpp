// See KeptWeights.h.

#include "KeptWeights.h"

#include "Cost.h"
#include "MemoryUsers.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include "llvm/ADT/MapVector.h"

#include <set>

using namespace mlir;

namespace gensyn::mapping {

SmallVector<bool> findWeights(func::FuncOp main, const plan::Plan &plan) {
  SmallVector<bool> weights;
  for (const plan::Buffer &buffer : plan.buffers())
    weights.push_back(buffer.place_case() == plan::Buffer::kConstant ||
                      (buffer.place_case() == plan::Buffer::kInput &&
                       program::isKept(main, buffer.input())));
  return weights;
}

int64_t residentStep(int64_t bytes) {
  constexpr uint64_t largestElement = 8;
  return int64_t(llvm::alignTo(uint64_t(bytes), largestElement));
}

int64_t residentBytes(int64_t bytes, int64_t repetitions) {
  return alignedBytes(bytes + (repetitions - 1) * residentStep(bytes));
}

void limitCoreMemories(machine::Description &machine, unsigned percent) {
  if (percent >= 100)
    return;
  std::set<uint32_t> own;
  for (const machine::CoreKind &kind : machine.coreKinds)
    own.insert(kind.memory);
  for (uint32_t number : own) {
    machine::MemoryKind &memory = machine.memories[number];
    const int64_t usable = memory.size.value - memory.reserved.value;
    memory.reserved.value = memory.size.value - usable * percent / 100;
  }
}

WeightPlace parseWeightPlace(StringRef word) {
  return word == "resident"    ? WeightPlace::Cores
         : word == "automatic" ? WeightPlace::WhatFits
                               : WeightPlace::Shared;
}

/// What kernels read of parameters that the program does not replace: of a
/// table of embeddings, rows.
static uint64_t countWeightBytes(func::FuncOp main) {
  llvm::MapVector<BlockArgument, uint64_t> read;
  main.walk([&](repro::KernelOp kernel) {
    for (auto [input, own] :
         llvm::zip_equal(kernel.getInputs(), kernel.getBlock().getArguments()))
      if (auto argument = dyn_cast<BlockArgument>(input);
          argument && program::isKept(main, argument.getArgNumber())) {
        const auto all = uint64_t(repro::bytesOf(argument.getType()));
        const auto elements =
            uint64_t(repro::typeOf(argument).getNumElements());
        uint64_t &bytes = read[argument];
        bytes = std::min(
            all, bytes + (elements ? all / elements * countLoads(own) : 0));
      }
  });
  uint64_t sum = 0;
  for (auto [argument, bytes] : read)
    sum += bytes;
  return sum;
}

SmallVector<unsigned> listTileMemories(func::FuncOp main,
                                       const machine::Description &machine,
                                       WeightPlace &weights) {
  if (weights == WeightPlace::Shared)
    return {100};
  const uint64_t bytes = countWeightBytes(main);
  uint64_t memory = 0;
  for (uint32_t core = 0; core < machine.cores.size(); ++core)
    if (!machine.cores[core].isDead)
      memory += uint64_t(machine.memoryOf(core).size.value -
                         machine.memoryOf(core).reserved.value);
  // A few weights in cores are not worth the memory that tiles lack then:
  // ResNet-18 takes 736 ms on spinnaker2-chip instead of 157 ms.
  if (weights == WeightPlace::WhatFits && bytes / 2 > memory) {
    weights = WeightPlace::Shared;
    return {100};
  }
  // Pieces do not fill the memories of all cores alike: a tenth of what is
  // left may be lost. Beside the least tiles, which read some operands in
  // place, a thirtieth.
  constexpr std::pair<unsigned, unsigned> levels[] = {
      {50, 10}, {25, 10}, {12, 10}, {7, 30}};
  SmallVector<unsigned> found;
  for (auto [percent, lost] : levels)
    if (!found.empty() ||
        bytes + bytes / lost <= memory / 100 * (100 - percent))
      found.push_back(percent);
  if (found.empty())
    return {25};
  if (weights == WeightPlace::WhatFits)
    found.truncate(1);
  return found;
}

} // namespace gensyn::mapping
