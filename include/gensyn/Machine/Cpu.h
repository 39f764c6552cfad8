// The instruction sets that kernels are compiled for, as one table for code
// generation, the runtime and the command lines.

#ifndef GENSYN_MACHINE_CPU_H
#define GENSYN_MACHINE_CPU_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {

/// An instruction set. No field may change a result: fields describe widths and
/// speed, never an order.
struct Cpu {
  /// "x86-64", "x86-64-v3" or "x86-64-v4": LLVM's CPU name too.
  std::string_view name;
  /// LLVM's target triple.
  std::string_view triple;
  /// Bytes of a vector register.
  int64_t vectorBytes;
  /// Number of vector registers.
  int64_t vectorRegisters;
  /// True if math.fma is one instruction. Otherwise it is expanded to the same
  /// bits, at about twenty times the cost.
  bool hasFma;
  /// True if vector.maskedload and maskedstore are single instructions.
  bool hasMaskedAccess;
  /// True if an f16 is widened to f32 by one instruction.
  bool hasHalfConversion;
  /// Returns true if this processor has it.
  bool (*isNative)();

  /// Elements of `bytes` bytes in one register.
  int64_t lanes(int64_t bytes) const { return vectorBytes / bytes; }
};

/// All of them, per architecture the narrowest first.
std::span<const Cpu> getCpus();

/// The set of that name; null if there is none.
const Cpu *findCpu(std::string_view name);

/// Those that this processor supports, the narrowest first. Empty on a
/// processor without code generation.
std::vector<const Cpu *> getNativeCpus();

/// The names of all, as a list and for a sentence: "x86-64, x86-64-v3 or
/// x86-64-v4".
std::vector<std::string> listCpus();
std::string describeCpus();

} // namespace gensyn::machine

#endif
