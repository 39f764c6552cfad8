// Ahead-of-time compilation of PTX to machine code by the CUDA toolkit's ptxas.
#ifndef GENSYN_RUNTIME_COMPILER_ASSEMBLER_H
#define GENSYN_RUNTIME_COMPILER_ASSEMBLER_H

#include "gensyn/Executable/PlanMessages.h"
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// Returns the number of an architecture: 90 for "sm_90"; 0 for any other text.
int numberOfArchitecture(std::string_view name);

/// True if code is an ELF file, as ptxas writes it, rather than PTX text.
bool isMachineCode(const plan::Code &code);

/// Returns the GPU architectures that a program has machine code for: "sm_90",
/// ...
std::vector<std::string> listMachineCode(const plan::Executable &executable);

/// The ptxas program. It gives PTX the same meaning as the driver does, so the
/// bits of a program stay the same.
class Assembler {
public:
  /// `path` is the ptxas that the user gave; if it is empty, the first ptxas in
  /// PATH. Throws a Failure: unsupported if there is none in PATH, I/O if
  /// `path` cannot be executed.
  explicit Assembler(const std::filesystem::path &path);

  /// Compiles PTX text to machine code, an ELF file, for exactly the
  /// architecture `target` ("sm_90"). Throws a Failure: unsupported, with
  /// ptxas' own message, if ptxas rejects the text or the architecture; I/O if
  /// ptxas cannot be run or the temporary folder cannot be written.
  std::string assemble(const std::string &ptx, const std::string &target) const;

  /// Adds machine code after each PTX text of a program, for the architecture
  /// of the text.
  void addMachineCode(plan::Executable &executable) const;

private:
  std::filesystem::path program;
};

} // namespace gensyn::runtime

#endif
