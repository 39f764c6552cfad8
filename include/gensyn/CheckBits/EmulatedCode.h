// Kernels that another process runs, such as an emulator of another processor.

#ifndef GENSYN_CHECKBITS_EMULATEDCODE_H
#define GENSYN_CHECKBITS_EMULATEDCODE_H

#include "gensyn/CheckBits/RunPlan.h"

namespace gensyn::checkbits {

/// A shared object in a process of its own, which lives as long.
class EmulatedCode {
public:
  /// Starts `command`, a program and its arguments that end in a
  /// gensyn-kernel-runner, and loads the kernels of `plan` in it.
  static llvm::Expected<EmulatedCode> load(llvm::ArrayRef<std::string> command,
                                           const plan::Plan &plan,
                                           llvm::StringRef object);
  EmulatedCode(EmulatedCode &&other) noexcept;
  EmulatedCode &operator=(EmulatedCode &&) = delete;
  ~EmulatedCode();

  /// As runOnCpu.
  llvm::Expected<std::vector<uint64_t>>
  run(llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
      int64_t pieces = 1) const;

private:
  EmulatedCode(int socket, int process) : socket(socket), process(process) {}

  int socket, process;
};

} // namespace gensyn::checkbits

#endif
