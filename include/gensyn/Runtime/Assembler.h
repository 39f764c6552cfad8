// Machine code of PTX ahead of time, by the CUDA toolkit's ptxas.
#ifndef GENSYN_RUNTIME_ASSEMBLER_H
#define GENSYN_RUNTIME_ASSEMBLER_H

#include "gensyn/Executable/plan.pb.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// 90 of "sm_90"; 0 for every other text.
int numberOfArchitecture(std::string_view name);

/// True if code is an ELF file, as ptxas writes it, and no PTX.
bool isMachineCode(const plan::Code &code);

/// The GPU generations that a program has machine code for: "sm_90", ...
std::vector<std::string> listMachineCode(const plan::Executable &executable);

/// ptxas, a program of its own. It gives PTX the meaning that the driver gives
/// it, so the bits of a program stay the same.
class Assembler {
public:
  /// `path` is ptxas as a user gave it; where that is empty, the first ptxas in
  /// PATH. Throws a Failure: unsupported where none is in PATH, I/O where
  /// `path` is nothing that can be run.
  explicit Assembler(const std::filesystem::path &path);

  /// Machine code for GPUs of exactly the generation `target` ("sm_90"), an ELF
  /// file, of PTX text. Throws a Failure: unsupported with what ptxas says
  /// where it takes the text or the generation not, I/O where it cannot be run
  /// or the folder for temporary files not be written to.
  std::string assemble(const std::string &ptx, const std::string &target) const;

  /// Puts machine code behind each PTX text of a program, for the generation of
  /// the text.
  void addMachineCode(plan::Executable &executable) const;

private:
  std::filesystem::path program;
};

} // namespace gensyn::runtime

#endif
