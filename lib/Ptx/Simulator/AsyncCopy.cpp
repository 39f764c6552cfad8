// cp.async. A copy becomes visible when its group is waited for, the latest
// moment that the manual allows, so a missing wait is detected.

#include "../Machine/Access.h"
#include "../Machine/WarpOps.h"
#include "Block.h"
#include "gensyn/Ptx/Syntax.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gensyn::ptx {
namespace {

WarpControl &controlOf(Warp &warp) { return warp.block->controls[warp.index]; }

/// Finds the sources of all lanes that read `bytes`.
bool locateSource(Warp &warp, const Code &code, PendingCopy &copy,
                  uint32_t mask, unsigned bytes) {
  uint64_t addresses[warpSize];
  Access access{.operand = 1,
                .isWide = true,
                .offset = static_cast<int32_t>(code.listBegin),
                .space = static_cast<uint8_t>(Space::Global),
                .bytes = bytes,
                .alignment = copy.bytes,
                .isWrite = false};
  if (!locate(warp, code, access, mask, addresses))
    return false;
  for (unsigned lane = 0; lane != warpSize; ++lane)
    if ((mask >> lane & 1) != 0)
      copy.source[lane] = addresses[lane];
  return warp.races == nullptr ||
         recordAccess(warp, code, mask, addresses, bytes, AccessKind::Read);
}

/// The address of a source that is not read has to be aligned all the same.
bool checkUnread(Warp &warp, const Code &code, const PendingCopy &copy,
                 uint32_t lane) {
  const auto *base = reinterpret_cast<const uint64_t *>(
      warp.bases[code.source[1] >> 31] + (code.source[1] & ~constantBit));
  uint64_t address =
      base[lane] +
      static_cast<uint64_t>(int64_t(static_cast<int32_t>(code.listBegin)));
  if (address % copy.bytes == 0)
    return true;
  raise(warp, code, FaultKind::Misaligned, lane, nullptr);
  warp.fault.space = static_cast<uint8_t>(Space::Global);
  warp.fault.bytes = copy.bytes;
  warp.fault.address = address;
  return false;
}

/// The write may happen at any time from the instruction to the wait.
bool recordWrite(Warp &warp, const Code &code, const PendingCopy &copy,
                 uint32_t mask, AccessKind kind) {
  return warp.races == nullptr || mask == 0 ||
         recordAccess(warp, code, mask, copy.dest, copy.bytes, kind);
}

/// The source may be read at any time until now.
bool recordRead(Warp &warp, const PendingCopy &copy, uint32_t mask) {
  if (warp.races == nullptr)
    return true;
  for (; mask != 0; mask &= mask - 1) {
    auto lane = static_cast<uint32_t>(std::countr_zero(mask));
    if (copy.readBytes[lane] != 0 &&
        !warp.races->record(warp, *copy.code, 1u << lane, copy.source,
                            copy.readBytes[lane], AccessKind::Read,
                            copy.number))
      return false;
  }
  return true;
}

void apply(const PendingCopy &copy, unsigned lane) {
  auto *dest = reinterpret_cast<std::byte *>(copy.dest[lane]);
  const auto *source = reinterpret_cast<const std::byte *>(copy.source[lane]);
  std::memset(dest, 0, copy.bytes);
  std::memcpy(dest, source, copy.readBytes[lane]);
}

} // namespace

Status runCopy(Warp &warp, const Code &code, uint32_t mask) {
  WarpControl &control = controlOf(warp);
  PendingCopy &copy = control.copies.emplace_back();
  copy.mask = mask;
  copy.bytes = code.detail;
  copy.code = &code;
  copy.number = warp.races == nullptr ? 0 : warp.races->startCopy();
  Access access{.operand = 0,
                .isWide = code.wideAddress,
                .offset = code.immediate,
                .space = static_cast<uint8_t>(Space::Shared),
                .bytes = copy.bytes,
                .alignment = copy.bytes,
                .isWrite = true};
  if (!locate(warp, code, access, mask, copy.dest) ||
      !recordWrite(warp, code, copy, mask, AccessKind::Begin))
    return Status::Fault;
  const uint32_t *readBytes = nullptr;
  if (code.source[2] != noReference)
    readBytes = reinterpret_cast<const uint32_t *>(
        warp.bases[code.source[2] >> 31] + (code.source[2] & ~constantBit));
  uint32_t whole = 0;
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    if ((mask >> lane & 1) == 0)
      continue;
    copy.group[lane] = control.committed[lane];
    uint32_t bytes = readBytes == nullptr ? copy.bytes : readBytes[lane];
    if (bytes > copy.bytes)
      return raise(warp, code, FaultKind::OutOfBounds, lane,
                   "cp.async reads more bytes than it writes");
    copy.readBytes[lane] = bytes;
    copy.source[lane] = reinterpret_cast<uint64_t>(copy.dest);
    if (bytes == copy.bytes)
      whole |= 1u << lane;
    else if (bytes == 0 ? !checkUnread(warp, code, copy, lane)
                        : !locateSource(warp, code, copy, 1u << lane, bytes))
      return Status::Fault;
  }
  if (whole != 0 && !locateSource(warp, code, copy, whole, copy.bytes))
    return Status::Fault;
  return Status::Continue;
}

Status runCopyCommit(Warp &warp, const Code &code, uint32_t mask) {
  WarpControl &control = controlOf(warp);
  for (unsigned lane = 0; lane != warpSize; ++lane)
    control.committed[lane] += mask >> lane & 1;
  return Status::Continue;
}

Status runCopyWait(Warp &warp, const Code &code, uint32_t mask) {
  WarpControl &control = controlOf(warp);
  for (PendingCopy &copy : control.copies) {
    uint32_t done = 0;
    for (unsigned lane = 0; lane != warpSize; ++lane)
      done |= uint32_t(int64_t(copy.group[lane]) + code.immediate <
                       int64_t(control.committed[lane]))
              << lane;
    done &= copy.mask & mask;
    if (!recordRead(warp, copy, done) ||
        !recordWrite(warp, code, copy, done, AccessKind::End))
      return Status::Fault;
    for (unsigned lane = 0; lane != warpSize; ++lane)
      if ((done >> lane & 1) != 0)
        apply(copy, lane);
    copy.mask &= ~done;
  }
  std::erase_if(control.copies,
                [](const PendingCopy &copy) { return copy.mask == 0; });
  return Status::Continue;
}

} // namespace gensyn::ptx
