// The table of instruction sets.

#include "gensyn/Machine/Cpu.h"
#include "Alternatives.h"

#include <algorithm>

namespace gensyn::machine {

// The builtin accepts only names of the architecture that it is compiled for.
#if defined(__x86_64__)
#define GENSYN_IS_NATIVE(name)                                                 \
  [] {                                                                         \
    __builtin_cpu_init();                                                      \
    return __builtin_cpu_supports(name) != 0;                                  \
  }
#else
#define GENSYN_IS_NATIVE(name) [] { return false; }
#endif

static constexpr Cpu kCpus[] = {
#define GENSYN_CPU(name, ...) {name, __VA_ARGS__, GENSYN_IS_NATIVE(name)},
#include "gensyn/Machine/Cpu.def"
#undef GENSYN_CPU
};

std::span<const Cpu> getCpus() { return kCpus; }

const Cpu *findCpu(std::string_view name) {
  const Cpu *found = std::ranges::find(kCpus, name, &Cpu::name);
  return found == std::end(kCpus) ? nullptr : found;
}

std::vector<const Cpu *> getNativeCpus() {
  std::vector<const Cpu *> native;
  for (const Cpu &cpu : kCpus)
    if (cpu.isNative())
      native.push_back(&cpu);
  return native;
}

std::vector<std::string> listCpus() {
  std::vector<std::string> names;
  for (const Cpu &cpu : kCpus)
    names.emplace_back(cpu.name);
  return names;
}

std::string describeCpus() { return joinAlternatives(listCpus()); }

} // namespace gensyn::machine
