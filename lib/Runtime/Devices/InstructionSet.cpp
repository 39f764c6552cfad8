// The instruction sets of this processor.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Cpu.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace gensyn::runtime {

std::vector<std::string> nativeInstructionSets() {
  std::vector<std::string> sets;
  for (const machine::Cpu *cpu : machine::getNativeCpus())
    sets.insert(sets.begin(), std::string(cpu->name));
  if (sets.empty())
    failUnsupported("there are no CPU kernels for this processor",
                    "--backend ptx-sim, reference and cuda do without");
  return sets;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const char *key : {"model name", "CPU implementer", "CPU part"})
      if (line.starts_with(key))
        name += (name.empty() ? "" : ", ") + line.substr(line.find(':') + 1);
  return name;
}

std::string nativeInstructionSet() { return nativeInstructionSets().front(); }

bool isInstructionSet(std::string_view word) {
  return machine::findCpu(word) != nullptr;
}

std::string chooseInstructionSet(std::string_view word) {
  if (word == "native")
    return nativeInstructionSet();
  const machine::Cpu *cpu = machine::findCpu(word);
  if (!cpu)
    throw Failure(ExitCode::Usage,
                  "instruction set " + quote(word) + " is not known",
                  "known are " + listed(machine::listCpus()) + " and 'native'");
  if (!cpu->isNative())
    failUnsupported("this processor has no " + std::string(word) +
                        " instructions",
                    "the best set it has is " + nativeInstructionSet());
  return std::string(cpu->name);
}

} // namespace gensyn::runtime
