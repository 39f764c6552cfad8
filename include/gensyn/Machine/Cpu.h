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

/// An intrinsic of LLVM that replaces numbers, modulo `entries`, by the entries
/// of a table of integers. With as many entries as lanes the table is its first
/// argument, and the numbers are its second one; a table of twice as many is in
/// its first and third argument.
struct TableLookup {
  std::string_view intrinsic;
  int64_t bits; ///< of an entry
  int64_t entries;
  int64_t lanes; ///< of a register
};

/// Instructions that add products of 8-bit integers to sums of 32 bits, modulo
/// 2^32. Such sums have no order.
enum class ByteProducts {
  None,
  /// Of vectors: each sum gets four products of an unsigned and a signed
  /// integer.
  UnsignedBySigned,
  /// The same of two signed or two unsigned ones.
  SameSigns,
  /// Of tile registers of 16 rows of 64 bytes: a product of matrices.
  Tiles
};

/// LLVM's intrinsics for them.
std::span<const std::string_view> intrinsicsOf(ByteProducts products);

/// An instruction set. No field may change a result: fields describe widths and
/// speed, never an order.
struct Cpu {
  /// "x86-64", "x86-64-v3", "x86-64-v4+vnni", "aarch64", "aarch64+sve256", ...
  std::string_view name;
  /// LLVM's target triple, processor and list of features.
  std::string_view triple, processor, features;
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
  /// True if the sum of two products of 16-bit integers, in 32 bits, is one
  /// instruction.
  bool hasPairProducts;
  /// True if processors differ in the length of their vector registers. The
  /// code is for `vectorBytes` then, and wrong for any other length.
  bool hasVectorLength;
  /// Accumulators of a register tile of a matrix product, and the most vectors
  /// in a row of it.
  int64_t tileVectors, tileColumns;
  /// The tables in registers that it looks up by one fast instruction.
  std::span<const TableLookup> tableLookups;
  ByteProducts byteProducts;
  /// QEMU's name of a processor that has this set and, of those with
  /// `hasVectorLength`, no other; empty if tests do not emulate it.
  std::string_view emulated;
  /// Returns true if this processor has it.
  bool (*isNative)();
  /// True if its code runs without an operating system, linked at fixed
  /// addresses (CoreTarget.h).
  bool isBare = false;

  /// "x86_64", "aarch64", ...: the first part of the triple.
  std::string_view architecture() const {
    return triple.substr(0, triple.find('-'));
  }

  /// Elements of `bytes` bytes in one register.
  int64_t lanes(int64_t bytes) const { return vectorBytes / bytes; }
};

/// All of them, per architecture the narrowest first.
std::span<const Cpu> getCpus();

/// The set of that name; null if there is none.
const Cpu *findCpu(std::string_view name);

/// The sets with a vector length whose names are `name` and that length, as
/// "aarch64+sve128" for "aarch64+sve".
std::vector<const Cpu *> findVectorLengths(std::string_view name);

/// Those that this processor supports, the narrowest first. The length of its
/// vector registers is that of the calling thread. Empty on a processor without
/// code generation.
std::vector<const Cpu *> getNativeCpus();

/// The names of all, as a list and for a sentence: "x86-64, ... or
/// aarch64+sve512".
std::vector<std::string> listCpus();
std::string describeCpus();

} // namespace gensyn::machine

#endif
