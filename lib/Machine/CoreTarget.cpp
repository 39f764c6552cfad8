// The table of instruction sets of cores.

#include "gensyn/Machine/CoreTarget.h"

#include <algorithm>

namespace gensyn::machine {

/// Of a row of the table. Its vectors have one element of 32 bits, and its fma
/// is an instruction or a routine that is linked.
static constexpr Cpu makeTarget(std::string_view name, std::string_view triple,
                                std::string_view processor,
                                std::string_view features) {
  Cpu cpu{};
  cpu.name = name;
  cpu.triple = triple;
  cpu.processor = processor;
  cpu.features = features;
  cpu.vectorBytes = 4;
  cpu.vectorRegisters = 16;
  cpu.hasFma = true;
  cpu.hasHalfConversion = true;
  cpu.tileVectors = 1;
  cpu.tileColumns = 1;
  cpu.isNative = [] { return false; };
  cpu.isBare = true;
  return cpu;
}

static constexpr Cpu kTargets[] = {
#define GENSYN_CORE_TARGET(name, triple, processor, features, folder)          \
  makeTarget(name, triple, processor, features),
#include "gensyn/Machine/CoreTarget.def"
#undef GENSYN_CORE_TARGET
};

std::span<const Cpu> getCoreTargets() { return kTargets; }

const Cpu *findCoreTarget(std::string_view name) {
  const Cpu *found = std::ranges::find(kTargets, name, &Cpu::name);
  return found == std::end(kTargets) ? nullptr : found;
}

std::vector<std::string> listCoreTargets() {
  std::vector<std::string> names;
  for (const Cpu &cpu : kTargets)
    names.emplace_back(cpu.name);
  return names;
}

static constexpr std::string_view kBlocks[] = {"gensyn-block/1"};

bool isBlockTarget(std::string_view name) {
  return std::ranges::find(kBlocks, name) != std::end(kBlocks);
}

std::vector<std::string> listBlockTargets() {
  return {std::begin(kBlocks), std::end(kBlocks)};
}

} // namespace gensyn::machine
