// The slow path of memory accesses: lane by lane, with reasons for faults.

#include "../Machine/Access.h"

#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Ptx/Syntax.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

const Region *findRegion(const Warp &warp, uint64_t address) {
  const Region *end = warp.regions + warp.regionCount;
  const Region *after = std::upper_bound(
      warp.regions, end, address, [](uint64_t value, const Region &region) {
        return value < region.begin;
      });
  if (after == warp.regions || address >= (after - 1)->end)
    return nullptr;
  return after - 1;
}

/// The space of a generic address, and the address there.
Space resolveGeneric(uint64_t &address) {
  switch (address & windowMask) {
  case sharedWindow:
    address &= ~windowMask;
    return Space::Shared;
  case localWindow:
    address &= ~windowMask;
    return Space::Local;
  case parameterWindow:
    address &= ~windowMask;
    return Space::Param;
  default:
    return Space::Global;
  }
}

FaultKind checkWritten(const Region &region, const Access &access,
                       uint64_t address) {
  const auto *place = reinterpret_cast<const void *>(address);
  if ((!access.isWrite || access.isAtomic) &&
      !region.written->covers(place, access.bytes))
    return FaultKind::Unwritten;
  if (access.isWrite)
    region.written->mark(place, access.bytes);
  return FaultKind::None;
}

FaultKind locateLane(Warp &warp, const Access &access, unsigned lane,
                     Space &space, uint64_t &address) {
  if (address % access.alignment != 0)
    return FaultKind::Misaligned;
  if (space == Space::Generic)
    space = resolveGeneric(address);
  std::byte *base = nullptr;
  uint64_t size = 0;
  switch (space) {
  case Space::Shared:
    base = warp.shared;
    size = warp.sharedBytes;
    break;
  case Space::Local:
    base = warp.local + lane * warp.localBytes;
    size = warp.localBytes;
    break;
  case Space::Param:
    if (access.isWrite)
      return FaultKind::ReadOnly;
    base = const_cast<std::byte *>(warp.parameters);
    size = warp.parameterBytes;
    break;
  default: {
    const Region *region = findRegion(warp, address);
    if (region == nullptr || region->end - address < access.bytes)
      return FaultKind::OutOfBounds;
    if (access.isWrite && !region->writable)
      return FaultKind::ReadOnly;
    warp.lastRegion = region;
    return region->written == nullptr ? FaultKind::None
                                      : checkWritten(*region, access, address);
  }
  }
  if (address >= size || size - address < access.bytes)
    return FaultKind::OutOfBounds;
  address += reinterpret_cast<uint64_t>(base);
  return FaultKind::None;
}

} // namespace

bool locate(Warp &warp, const Code &code, const Access &access, uint32_t mask,
            uint64_t *addresses) {
  Reference reference = code.source[access.operand];
  const std::byte *base =
      warp.bases[reference >> 31] + (reference & ~constantBit);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if ((mask >> lane & 1) == 0)
      continue;
    uint64_t address =
        (access.isWide ? reinterpret_cast<const uint64_t *>(base)[lane]
                       : reinterpret_cast<const uint32_t *>(base)[lane]) +
        static_cast<uint64_t>(access.offset);
    addresses[lane] = address;
    auto space = static_cast<Space>(access.space);
    FaultKind kind = locateLane(warp, access, lane, space, addresses[lane]);
    if (kind != FaultKind::None) {
      warp.fault = {kind,           static_cast<uint8_t>(space),
                    access.isWrite, lane,
                    code.line,      access.bytes,
                    address,        nullptr};
      return false;
    }
  }
  uint64_t other = addresses[__builtin_ctz(mask)];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((mask >> lane & 1) == 0)
      addresses[lane] = other;
  return true;
}

bool locateSlowly(Warp &warp, const Code &code, uint32_t mask, unsigned bytes,
                  bool isWrite, uint64_t *addresses) {
  return locate(warp, code,
                {.operand = 0,
                 .isWide = code.wideAddress,
                 .offset = code.immediate,
                 .space = code.space,
                 .bytes = bytes,
                 .alignment = bytes,
                 .isWrite = isWrite},
                mask, addresses);
}

Status raise(Warp &warp, const Code &code, FaultKind kind, uint32_t lane,
             const char *text) {
  warp.fault = {kind, 0, false, lane, code.line, 0, 0, text};
  return Status::Fault;
}

} // namespace gensyn::ptx
