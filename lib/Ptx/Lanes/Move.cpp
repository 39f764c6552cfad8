// Moves between registers.

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

template <class W> Status runMove(Warp &warp, const Code &code, uint32_t mask) {
  const W *a = words<W>(warp, code.source[0]);
  setLanes(warp, words<W>(warp, code.dest[0]), mask,
           [=](unsigned i) { return a[i]; });
  return Status::Continue;
}

Status runLow(Warp &warp, const Code &code, uint32_t mask) {
  const uint64_t *a = words<uint64_t>(warp, code.source[0]);
  setLanes(warp, words<uint32_t>(warp, code.dest[0]), mask,
           [=](unsigned i) { return static_cast<uint32_t>(a[i]); });
  return Status::Continue;
}

/// `detail` 1 copies the sign.
Status runZeroExtend(Warp &warp, const Code &code, uint32_t mask) {
  const uint32_t *a = words<uint32_t>(warp, code.source[0]);
  bool isSigned = code.detail != 0;
  setLanes(warp, words<uint64_t>(warp, code.dest[0]), mask, [=](unsigned i) {
    return isSigned ? static_cast<uint64_t>(static_cast<int32_t>(a[i]))
                    : uint64_t(a[i]);
  });
  return Status::Continue;
}

/// mov.b64 d, {a, b}: the first element is the lowest; `detail` is the width
/// of an element in bits.
template <class W> Status runPack(Warp &warp, const Code &code, uint32_t mask) {
  const Reference *list = warp.lists + code.listBegin;
  unsigned width = code.detail;
  uint32_t keep = width == 32 ? ~0u : (1u << width) - 1;
  W packed[warpSize] = {};
  for (unsigned element = 0; element < code.listSize; ++element) {
    const uint32_t *a = words<uint32_t>(warp, list[element]);
    GENSYN_LANES_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      packed[i] |= static_cast<W>(W(a[i] & keep) << (element * width));
  }
  setLanes(warp, words<W>(warp, code.dest[0]), mask,
           [&](unsigned i) { return packed[i]; });
  return Status::Continue;
}

template <class W>
Status runUnpack(Warp &warp, const Code &code, uint32_t mask) {
  const Reference *list = warp.lists + code.listBegin;
  unsigned width = code.detail;
  uint32_t keep = width == 32 ? ~0u : (1u << width) - 1;
  // An element's register may be the operand's own.
  W value[warpSize];
  __builtin_memcpy(value, words<W>(warp, code.source[0]), sizeof(value));
  for (unsigned element = 0; element < code.listSize; ++element) {
    if (list[element] == noReference)
      continue;
    setLanes(warp, words<uint32_t>(warp, list[element]), mask, [&](unsigned i) {
      return static_cast<uint32_t>(value[i] >> (element * width)) & keep;
    });
  }
  return Status::Continue;
}

} // namespace

Handler selectMove(const Selector &selector) {
  bool wide = byteWidth(selector.type) == 8;
  switch (selector.op) {
  case Op::Move:
    return wide ? runMove<uint64_t> : runMove<uint32_t>;
  case Op::Low:
    return runLow;
  case Op::ZeroExtend:
    return runZeroExtend;
  case Op::Pack:
    return wide ? runPack<uint64_t> : runPack<uint32_t>;
  case Op::Unpack:
    return wide ? runUnpack<uint64_t> : runUnpack<uint32_t>;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
