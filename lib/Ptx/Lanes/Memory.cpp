// Loads and stores. Every access goes through `findAddresses`, which also
// informs the race detector.

#include "../Machine/Access.h"
#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

struct Range {
  uint64_t lowest, highest;
};

inline Range rangeOf(const uint64_t *addresses) {
  uint64_t lowest = ~uint64_t(0), highest = 0;
  GENSYN_LANES_ROLLED_LOOP
  for (unsigned i = 0; i < warpSize; ++i) {
    uint64_t address = addresses[i];
    lowest = address < lowest ? address : lowest;
    highest = address > highest ? address : highest;
  }
  return {lowest, highest};
}

inline bool contains(const Region &region, Range range, unsigned bytes) {
  return range.lowest >= region.begin && range.highest < region.end &&
         region.end - range.highest >= bytes;
}

/// The region that contains the range, or null: there is none, or generic
/// addresses refer to another space.
inline const Region *searchRegions(const Warp &warp, Range range,
                                   unsigned bytes) {
  const Region *first = warp.regions, *last = first + warp.regionCount;
  while (last - first > 8) {
    const Region *middle = first + (last - first) / 2;
    if (middle->begin <= range.lowest)
      first = middle;
    else
      last = middle;
  }
  for (; first != last; ++first)
    if (contains(*first, range, bytes))
      return first;
  return nullptr;
}

/// Turns the operand into host addresses of all lanes; those of lanes outside
/// `mask` repeat another lane's, so that reading them is harmless. Returns
/// false if the slow path, which also reports faults, has to handle the access.
inline bool locateFast(Warp &warp, const Code &code, uint32_t mask,
                       unsigned bytes, bool isWrite, uint64_t *addresses,
                       Range &range) {
  auto offset = static_cast<uint64_t>(code.immediate);
  if (code.wideAddress) {
    const uint64_t *base = words<uint64_t>(warp, code.source[0]);
    GENSYN_LANES_ROLLED_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      addresses[i] = base[i] + offset;
  } else {
    const uint32_t *base = words<uint32_t>(warp, code.source[0]);
    GENSYN_LANES_ROLLED_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      addresses[i] = base[i] + offset;
  }
  if (mask != ~0u) {
    uint64_t other = addresses[__builtin_ctz(mask)];
    GENSYN_LANES_ROLLED_LOOP
    for (unsigned i = 0; i < warpSize; ++i) {
      uint64_t own = addresses[i];
      addresses[i] = (mask & (1u << i)) != 0 ? own : other;
    }
  }
  uint64_t lowBits = 0;
  GENSYN_LANES_ROLLED_LOOP
  for (unsigned i = 0; i < warpSize; ++i)
    lowBits |= addresses[i];
  if ((lowBits & (bytes - 1)) != 0)
    return false;

  range = rangeOf(addresses);
  switch (static_cast<Space>(code.space)) {
  case Space::Shared: {
    if (range.highest >= warp.sharedBytes ||
        range.highest + bytes > warp.sharedBytes)
      return false;
    auto base = reinterpret_cast<uint64_t>(warp.shared);
    GENSYN_LANES_ROLLED_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      addresses[i] += base;
    return true;
  }
  case Space::Local: {
    if (range.highest >= warp.localBytes ||
        range.highest + bytes > warp.localBytes)
      return false;
    auto base = reinterpret_cast<uint64_t>(warp.local);
    GENSYN_LANES_ROLLED_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      addresses[i] += base + i * warp.localBytes;
    // Lanes never share local memory, so the range cannot show a conflict.
    range = {0, ~uint64_t(0)};
    return true;
  }
  case Space::Global:
  case Space::Const:
  case Space::Generic: {
    // A kernel alternates between its few buffers.
    const Region *region = warp.lastRegion;
    if (region == nullptr || !contains(*region, range, bytes)) {
      region = searchRegions(warp, range, bytes);
      if (region == nullptr)
        return false;
      warp.lastRegion = region;
    }
    return region->written == nullptr && (!isWrite || region->writable);
  }
  default:
    return false;
  }
}

inline bool findUnordered(Warp &warp, const Code &code, uint32_t mask,
                          unsigned bytes, bool isWrite, uint64_t *addresses,
                          Range &range) {
  if (__builtin_expect(
          locateFast(warp, code, mask, bytes, isWrite, addresses, range), 1))
    return true;
  if (!locateSlowly(warp, code, mask, bytes, isWrite, addresses))
    return false;
  range = {0, ~uint64_t(0)};
  return true;
}

/// The addresses of a valid access.
inline bool findAddresses(Warp &warp, const Code &code, uint32_t mask,
                          unsigned bytes, bool isWrite, uint64_t *addresses,
                          Range &range) {
  if (!findUnordered(warp, code, mask, bytes, isWrite, addresses, range))
    return false;
  return __builtin_expect(warp.races == nullptr, 1) ||
         recordAccess(warp, code, mask, addresses, bytes,
                      isWrite ? AccessKind::Write : AccessKind::Read);
}

template <class T> inline const T *at(uint64_t address) {
  return reinterpret_cast<const T *>(address);
}

inline bool areConsecutive(const uint64_t *addresses, unsigned bytes) {
  uint64_t difference = 0;
  GENSYN_LANES_ROLLED_LOOP
  for (unsigned i = 0; i < warpSize; ++i)
    difference |= addresses[i] - (addresses[0] + uint64_t(i) * bytes);
  return difference == 0;
}

/// The contents of a register of `R` after a load of `T`: extended to the
/// register's width by T's sign, then by zeros to the word's.
template <class T, class R> inline Word<R> extend(T value) {
  return toWord<R>(static_cast<R>(value));
}

template <class T, class R>
Status runLoad(Warp &warp, const Code &code, uint32_t mask) {
  alignas(64) uint64_t addresses[warpSize];
  Range range;
  unsigned bytes = sizeof(T) * code.listSize;
  if (!findAddresses(warp, code, mask, bytes, false, addresses, range))
    return Status::Fault;
  const Reference *list = warp.lists + code.listBegin;
  bool uniform = range.lowest == range.highest;
  for (unsigned element = 0; element < code.listSize; ++element) {
    if (list[element] == noReference)
      continue;
    uint64_t offset = element * sizeof(T);
    auto *dest = words<Word<R>>(warp, list[element]);
    if (uniform) {
      Word<R> word = extend<T, R>(*at<T>(addresses[0] + offset));
      setLanes(warp, dest, mask, [=](unsigned) { return word; });
    } else if (code.listSize == 1 && mask == ~0u &&
               areConsecutive(addresses, sizeof(T))) {
      const T *values = at<T>(addresses[0]);
      setLanes(warp, dest, mask,
               [=](unsigned i) { return extend<T, R>(values[i]); });
    } else {
      setLanes(warp, dest, mask, [&](unsigned i) {
        return extend<T, R>(*at<T>(addresses[i] + offset));
      });
    }
  }
  return Status::Continue;
}

template <class T, class R>
Status runStore(Warp &warp, const Code &code, uint32_t mask) {
  alignas(64) uint64_t addresses[warpSize];
  Range range;
  unsigned bytes = sizeof(T) * code.listSize;
  if (!findAddresses(warp, code, mask, bytes, true, addresses, range))
    return Status::Fault;
  const Reference *list = warp.lists + code.listBegin;
  if (code.listSize == 1 && mask == ~0u &&
      areConsecutive(addresses, sizeof(T))) {
    const auto *values = words<Word<R>>(warp, list[0]);
    T *memory = reinterpret_cast<T *>(addresses[0]);
    GENSYN_LANES_LOOP
    for (unsigned i = 0; i < warpSize; ++i)
      memory[i] = static_cast<T>(values[i]);
    return Status::Continue;
  }
  for (unsigned element = 0; element < code.listSize; ++element) {
    const auto *values = words<Word<R>>(warp, list[element]);
    // Ascending lanes: of two that write to one address the higher wins.
    for (unsigned i = 0; i < warpSize; ++i)
      if ((mask & (1u << i)) != 0)
        *reinterpret_cast<T *>(addresses[i] + element * sizeof(T)) =
            static_cast<T>(values[i]);
  }
  return Status::Continue;
}

// Parameters are the same for all threads; the decoder checked the bounds.
template <class T, class R>
Status runLoadParameter(Warp &warp, const Code &code, uint32_t mask) {
  const Reference *list = warp.lists + code.listBegin;
  for (unsigned element = 0; element < code.listSize; ++element) {
    if (list[element] == noReference)
      continue;
    T value;
    __builtin_memcpy(&value,
                     warp.parameters + code.immediate + element * sizeof(T),
                     sizeof(T));
    Word<R> word = extend<T, R>(value);
    setLanes(warp, words<Word<R>>(warp, list[element]), mask,
             [=](unsigned) { return word; });
  }
  return Status::Continue;
}

template <class T, class R> Handler choose(Op op) {
  return op == Op::Load    ? runLoad<T, R>
         : op == Op::Store ? runStore<T, R>
                           : runLoadParameter<T, R>;
}

template <class T> Handler selectRegister(const Selector &selector) {
  switch (selector.registerBytes) {
  case 2:
    if constexpr (sizeof(T) <= 2)
      return choose<T, uint16_t>(selector.op);
    return nullptr;
  case 4:
    if constexpr (sizeof(T) <= 4)
      return choose<T, uint32_t>(selector.op);
    return nullptr;
  case 8:
    return choose<T, uint64_t>(selector.op);
  default:
    return nullptr;
  }
}

} // namespace

Handler selectMemory(const Selector &selector) {
  if (selector.op != Op::Load && selector.op != Op::Store &&
      selector.op != Op::LoadParameter)
    return nullptr;
  switch (selector.type) {
  case Type::B8:
  case Type::U8:
    return selectRegister<uint8_t>(selector);
  case Type::S8:
    return selectRegister<int8_t>(selector);
  case Type::B16:
  case Type::U16:
  case Type::F16:
  case Type::BF16:
    return selectRegister<uint16_t>(selector);
  case Type::S16:
    return selectRegister<int16_t>(selector);
  case Type::B32:
  case Type::U32:
  case Type::F32:
    return selectRegister<uint32_t>(selector);
  case Type::S32:
    return selectRegister<int32_t>(selector);
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
    return selectRegister<uint64_t>(selector);
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
