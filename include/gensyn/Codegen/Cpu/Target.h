// What code generation may know of a CPU. No field may change a result: a
// target says how wide and how fast, never in which order.

#ifndef GENSYN_CODEGEN_CPU_TARGET_H
#define GENSYN_CODEGEN_CPU_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace gensyn::cpu {

/// An instruction set that kernels are compiled for.
struct Target {
  /// "x86-64", "x86-64-v3" or "x86-64-v4": LLVM's CPU name too.
  llvm::StringRef name;
  /// Bytes of a vector register.
  int64_t vectorBytes;
  /// How many of them there are.
  int64_t vectorRegisters;
  /// Whether math.fma is one instruction. Where it is not it is expanded to the
  /// same bits, at about twenty times the cost.
  bool hasFma;
  /// Whether vector.maskedload and maskedstore are single instructions.
  bool hasMaskedAccess;

  /// Elements of `bytes` bytes in one register.
  int64_t lanes(int64_t bytes) const { return vectorBytes / bytes; }
};

/// All of them, narrowest first.
llvm::ArrayRef<Target> getTargets();

/// The target of that name; null where there is none.
const Target *findTarget(llvm::StringRef name);

} // namespace gensyn::cpu

#endif
