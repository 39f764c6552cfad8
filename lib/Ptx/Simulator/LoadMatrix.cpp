// ldmatrix: the lanes of a warp load 8x8 matrices of 16-bit elements together.

#include "../Machine/Access.h"
#include "../Machine/WarpOps.h"
#include "gensyn/Ptx/Syntax.h"

#include <bit>
#include <cstring>

namespace gensyn::ptx {
namespace {

constexpr unsigned rowsOfMatrix = 8;

/// The addresses of the two elements that each lane receives: neighbours in a
/// row or, transposed, in a column.
struct Elements {
  uint64_t first[warpSize], second[warpSize];
};

void findElements(const uint64_t *rows, bool transposed, Elements &elements) {
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    unsigned group = lane / 4, pair = lane % 4 * 2;
    if (transposed) {
      elements.first[lane] = rows[pair] + uint64_t(2) * group;
      elements.second[lane] = rows[pair + 1] + uint64_t(2) * group;
    } else {
      elements.first[lane] = rows[group] + uint64_t(2) * pair;
      elements.second[lane] = elements.first[lane] + 2;
    }
  }
}

/// For the race detector each lane reads what it receives.
bool record(Warp &warp, const Code &code, bool transposed,
            const Elements &elements) {
  if (warp.races == nullptr)
    return true;
  if (!transposed)
    return recordAccess(warp, code, ~0u, elements.first, 4, AccessKind::Read);
  return recordAccess(warp, code, ~0u, elements.first, 2, AccessKind::Read) &&
         recordAccess(warp, code, ~0u, elements.second, 2, AccessKind::Read);
}

uint32_t element(uint64_t address) {
  uint16_t value;
  std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(value));
  return value;
}

} // namespace

Status runLoadMatrix(Warp &warp, const Code &code, uint32_t mask) {
  if (mask != ~0u)
    return raise(warp, code, FaultKind::Shuffle,
                 static_cast<uint32_t>(std::countr_zero(mask)),
                 "a load of matrices needs all 32 threads of the warp");
  bool transposed = (code.detail & 1) != 0, checksAll = (code.detail & 2) != 0;
  uint32_t naming =
      checksAll ? ~0u : ~0u >> (32 - rowsOfMatrix * code.listSize);
  uint64_t rows[warpSize];
  Access access{.operand = 0,
                .isWide = code.wideAddress,
                .offset = code.immediate,
                .space = static_cast<uint8_t>(Space::Shared),
                .bytes = 16,
                .alignment = 16,
                .isWrite = false};
  if (!locate(warp, code, access, naming, rows))
    return Status::Fault;
  for (unsigned matrix = 0; matrix != code.listSize; ++matrix) {
    Elements elements;
    findElements(rows + rowsOfMatrix * matrix, transposed, elements);
    if (!record(warp, code, transposed, elements))
      return Status::Fault;
    Reference dest = warp.lists[code.listBegin + matrix];
    auto *words = reinterpret_cast<uint32_t *>(warp.bases[0] + dest);
    for (unsigned lane = 0; lane != warpSize; ++lane)
      words[lane] =
          element(elements.first[lane]) | element(elements.second[lane]) << 16;
  }
  return Status::Continue;
}

} // namespace gensyn::ptx
