#include "Emulator/Emulator.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

namespace gensyn::testing {

std::vector<std::string> findEmulator(const machine::Cpu &cpu) {
  const std::string architecture(cpu.architecture());
  const std::string runner =
      GENSYN_BUILD "/runtime-" + architecture + "/bin/gensyn-kernel-runner";
  auto qemu = llvm::sys::findProgramByName("qemu-" + architecture + "-static");
  if (cpu.emulated.empty() || !qemu || !llvm::sys::fs::can_execute(runner))
    return {};
  return {*qemu,
          "-L",
          "/usr/" + architecture + "-linux-gnu",
          "-cpu",
          std::string(cpu.emulated),
          runner};
}

} // namespace gensyn::testing
