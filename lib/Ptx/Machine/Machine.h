// The state of a running warp. Plain structs without inline functions:
// the lane code sees this header under several instruction sets, and an inline
// function with external linkage would be merged between them by the linker.

#ifndef GENSYN_PTX_MACHINE_H
#define GENSYN_PTX_MACHINE_H

#include <cstddef>
#include <cstdint>

namespace gensyn::ptx {

inline constexpr unsigned warpSize = 32;

/// The location of an operand: a byte offset into the warp's registers, or with
/// the top bit set into the kernel's constants. A value of up to 32 bits is 32
/// words of 4 bytes, one per lane (narrower ones zero-extended); a 64-bit value
/// 32 words of 8 bytes; a predicate one word with a bit per lane.
using Reference = uint32_t;
inline constexpr Reference constantBit = 0x80000000u;
inline constexpr Reference noReference = 0xFFFFFFFFu;

/// The interpreter's next action after an instruction.
enum class Status : uint8_t {
  Continue,
  Wait, ///< the warp stands at a barrier
  Fault ///< `Warp::fault` says why
};

struct Warp;
struct Code;

/// Executes one instruction for the lanes in `mask`, which is not empty.
using Handler = Status (*)(Warp &warp, const Code &code, uint32_t mask);

/// One decoded instruction.
struct Code {
  Handler run = nullptr;
  Reference guard = noReference; ///< predicate; flags say whether negated
  Reference dest[2] = {noReference, noReference};
  Reference source[4] = {noReference, noReference, noReference, noReference};
  uint32_t listBegin = 0; ///< further registers, in `Kernel::lists`
  uint8_t listSize = 0;
  uint8_t listDests = 0; ///< so many at the list's beginning are results
  bool guardNegated = false;
  bool wideAddress = true;    ///< the address operand has 64 bits
  bool sourceNegated = false; ///< of the predicate operand
  uint8_t space = 0;          ///< a `Space`
  uint8_t round = 0;          ///< a `Rounding`
  bool saturate = false;
  bool nonCoherent = false; ///< a load of what the launch may not change
  uint16_t detail = 0;      ///< meaning depends on the handler
  uint32_t line = 0;
  int64_t immediate = 0; ///< address offset and the like
};

class Written;

/// One range of host memory that a kernel may touch.
struct Region {
  uint64_t begin = 0, end = 0;
  bool writable = true;
  Written *written = nullptr; ///< null unless uninitialized reads are checked
};

enum class FaultKind : uint8_t {
  None,
  Launch,
  OutOfBounds,
  ReadOnly,
  Misaligned,
  Barrier,
  Shuffle,
  Limit,
  Trap,
  Race,
  NonCoherent, ///< a load that is not coherent with a write of the launch
  Unwritten
};

/// A handler fills it before it returns `Status::Fault`.
struct FaultRecord {
  FaultKind kind = FaultKind::None;
  uint8_t space = 0;
  bool isWrite = false;
  uint32_t lane = 0, line = 0, bytes = 0;
  uint64_t address = 0;
  const char *text = nullptr; ///< a literal
  /// The earlier access of a race.
  uint32_t otherLine = 0, otherBlock = 0, otherThread = 0;
};

struct Block;
class RaceDetector;

/// The state of 32 threads.
struct Warp {
  std::byte *bases[2] = {nullptr, nullptr}; ///< registers, constants
  const Reference *lists = nullptr;
  uint32_t live = 0;   ///< lanes that have not returned
  uint32_t active = 0; ///< lanes that execute now
  uint32_t carry = 0;  ///< the condition code's carry flag of each lane
  uint32_t index = 0;  ///< number of the warp in its block

  std::byte *shared = nullptr;
  uint64_t sharedBytes = 0;
  std::byte *local = nullptr; ///< of lane 0; the others follow
  uint64_t localBytes = 0;    ///< per thread
  const std::byte *parameters = nullptr;
  uint64_t parameterBytes = 0;
  const Region *regions = nullptr; ///< ascending, disjoint
  uint64_t regionCount = 0;
  const Region *lastRegion = nullptr; ///< of the access before

  Block *block = nullptr;
  RaceDetector *races = nullptr; ///< null unless races are checked
  FaultRecord fault;
  uint32_t threadId[3][warpSize] = {};
};

/// Generic addresses of the spaces that are not host memory: the top bits name
/// the space, the rest is the address in it. Host addresses have them clear.
inline constexpr uint64_t windowMask = 0x7000000000000000u;
inline constexpr uint64_t sharedWindow = 0x4000000000000000u;
inline constexpr uint64_t localWindow = 0x2000000000000000u;
inline constexpr uint64_t parameterWindow = 0x1000000000000000u;

} // namespace gensyn::ptx

#endif // GENSYN_PTX_MACHINE_H
