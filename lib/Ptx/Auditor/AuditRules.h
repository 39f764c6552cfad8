// The auditor's rules by number.

#ifndef GENSYN_PTX_AUDITRULES_H
#define GENSYN_PTX_AUDITRULES_H

#include <cstdint>

namespace gensyn::ptx {

/// In the order of `auditRules()`.
enum class RuleId : uint8_t {
  Approximate,
  FlushSubnormals,
  UnstatedRounding,
  OtherRounding,
  SaturatedFloat,
  FullDivision,
  Transcendental,
  FloatAtomic,
  AtomicOrder,
  AtomicResult,
  FloatMatrix,
  SaturatedMatrix,
  FloatRedux,
  NarrowedFloat,
  PackedExtremum,
  SelectedExtremum,
  MagnitudeCompare,
  NegatedLeast,
  Call,
  Texture,
  MachineState,
  UnsynchronizedExchange,
  UnknownInstruction
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_AUDITRULES_H
