// Finds unordered accesses of different threads.

#include "Races.h"

#include "gensyn/Ptx/Syntax.h"

#include <algorithm>
#include <bit>

namespace gensyn::ptx {

void RaceDetector::startBlock(uint32_t number, size_t warps,
                              uint64_t sharedBytes) {
  block = number;
  copies = 0;
  clocks.assign(warps, Clock{});
  // A warp's own entry is its current phase; phases count from 1, so that no
  // warp has seen the end of another warp's first phase.
  for (size_t i = 0; i != warps; ++i)
    clocks[i][i] = 1;
  lanePhases.assign(warps, 0);
  arrivals.fill(Clock{});
  shared.clear();
  shared.resize(sharedBytes / 4 + 1);
}

void RaceDetector::arrive(uint32_t warp, uint32_t barrier) {
  Clock &joined = arrivals[barrier];
  for (unsigned i = 0; i != warpSize; ++i)
    joined[i] = std::max(joined[i], clocks[warp][i]);
  ++clocks[warp][warp];
  lanePhases[warp] = 0;
}

void RaceDetector::open(uint32_t barrier,
                        const std::vector<uint32_t> &waiting) {
  for (uint32_t warp : waiting)
    for (unsigned i = 0; i != warpSize; ++i)
      clocks[warp][i] = std::max(clocks[warp][i], arrivals[barrier][i]);
  arrivals[barrier] = Clock{};
}

RaceDetector::Word &RaceDetector::globalWord(uint64_t address) {
  uint64_t number = address / 4 / wordsInPage;
  if (number != lastPage) {
    std::unique_ptr<Page> &page = pages[number];
    if (!page)
      page = std::make_unique<Page>();
    lastPage = number;
    lastPageWords = page.get();
  }
  return (*lastPageWords)[address / 4 % wordsInPage];
}

bool RaceDetector::isOrdered(const Stamp &earlier, const Stamp &now) const {
  if (earlier.block != now.block)
    return false;
  if (earlier.thread == now.thread)
    return true;
  uint32_t warp = now.thread / warpSize, other = earlier.thread / warpSize;
  if (warp != other)
    return clocks[warp][other] >= earlier.phase;
  return earlier.phase < now.phase || earlier.lanePhase < now.lanePhase;
}

const RaceDetector::Stamp *RaceDetector::conflict(const Cell &cell,
                                                  const Event &event) const {
  const Stamp &now = event.stamp;
  auto conflicts = [&](const Stamp &earlier) {
    if (earlier.line == 0)
      return false;
    // Only its end follows a write that has begun.
    if (earlier.isPending)
      return event.kind != AccessKind::End || earlier.thread != now.thread ||
             earlier.block != now.block;
    return !(earlier.isAtomic && now.isAtomic) && !isOrdered(earlier, now);
  };
  bool isSinceStart =
      event.copy != 0 && cell.write.line != 0 && cell.copies >= event.copy;
  if (isSinceStart || conflicts(cell.write))
    return &cell.write;
  if (event.kind == AccessKind::Read)
    return nullptr;
  if (conflicts(cell.read))
    return &cell.read;
  return conflicts(cell.otherRead) ? &cell.otherRead : nullptr;
}

static void recordOther(FaultRecord &fault, FaultKind kind, uint32_t line,
                        uint32_t block, uint32_t thread) {
  fault.kind = kind;
  fault.otherLine = line;
  fault.otherBlock = block;
  fault.otherThread = thread;
}

bool RaceDetector::recordIncoherence(Warp &warp, const Cell &cell,
                                     const Event &event) const {
  if (event.isFixed && cell.write.line != 0)
    recordOther(warp.fault, FaultKind::NonCoherent, cell.write.line,
                cell.write.block, cell.write.thread);
  else if (event.kind != AccessKind::Read && cell.fixedLine != 0)
    recordOther(warp.fault, FaultKind::NonCoherent, cell.fixedLine, 0, 0);
  else
    return false;
  return true;
}

bool RaceDetector::recordCell(Warp &warp, Cell &cell, const Event &event) {
  const Stamp &now = event.stamp;
  if (const Stamp *earlier = conflict(cell, event)) {
    recordOther(warp.fault, FaultKind::Race, earlier->line, earlier->block,
                earlier->thread);
    return false;
  }
  if (recordIncoherence(warp, cell, event))
    return false;
  bool reads =
      event.kind == AccessKind::Read || event.kind == AccessKind::Atomic;
  if (reads && event.isShared && !cell.isWritten) {
    warp.fault.kind = FaultKind::Unwritten;
    return false;
  }
  if (event.kind == AccessKind::Read) {
    if (cell.read.thread != now.thread || cell.read.block != now.block)
      cell.otherRead = cell.read;
    cell.read = now;
    cell.fixedLine = event.isFixed ? now.line : cell.fixedLine;
    return true;
  }
  cell.write = now;
  cell.copies = copies;
  cell.isWritten = true;
  return true;
}

bool RaceDetector::recordWord(Warp &warp, Word &word, unsigned parts,
                              const Event &event) {
  if (!word.bytes && parts == 0xF)
    return recordCell(warp, word.whole, event);
  if (!word.bytes) {
    word.bytes = std::make_unique<std::array<Cell, 4>>();
    word.bytes->fill(word.whole);
  }
  for (unsigned i = 0; i != 4; ++i)
    if ((parts >> i & 1) != 0 && !recordCell(warp, (*word.bytes)[i], event))
      return false;
  return true;
}

bool RaceDetector::record(Warp &warp, const Code &code, uint32_t mask,
                          const uint64_t *addresses, unsigned bytes,
                          AccessKind kind, uint32_t copy) {
  auto sharedBegin = reinterpret_cast<uint64_t>(warp.shared);
  auto localBegin = reinterpret_cast<uint64_t>(warp.local);
  for (; mask != 0; mask &= mask - 1) {
    auto lane = static_cast<uint32_t>(std::countr_zero(mask));
    uint64_t address = addresses[lane];
    if (address - localBegin < warp.localBytes * warpSize)
      continue; // private
    bool isShared = address - sharedBegin < warp.sharedBytes;
    uint64_t place = isShared ? address - sharedBegin : address;
    bool isFixed = kind == AccessKind::Read && code.nonCoherent;
    Event event{{}, kind, isShared, isFixed, copy};
    Stamp &now = event.stamp;
    now.line = code.line;
    now.block = block;
    now.phase = clocks[warp.index][warp.index];
    now.lanePhase = lanePhases[warp.index];
    now.thread = static_cast<uint16_t>(warp.index * warpSize + lane);
    now.isAtomic = kind == AccessKind::Atomic;
    now.isPending = kind == AccessKind::Begin;
    for (uint64_t byte = 0; byte < bytes;) {
      uint64_t first = (place + byte) % 4;
      uint64_t count = std::min<uint64_t>(4 - first, bytes - byte);
      unsigned parts = ((1u << count) - 1) << first;
      Word &word =
          isShared ? shared[(place + byte) / 4] : globalWord(place + byte);
      if (!recordWord(warp, word, parts, event)) {
        warp.fault.space =
            static_cast<uint8_t>(isShared ? Space::Shared : Space::Global);
        warp.fault.isWrite = kind != AccessKind::Read;
        warp.fault.lane = lane;
        warp.fault.line = code.line;
        warp.fault.bytes = bytes;
        warp.fault.address = place;
        warp.fault.text = nullptr;
        return false;
      }
      byte += count;
    }
  }
  return true;
}

bool recordAccess(Warp &warp, const Code &code, uint32_t mask,
                  const uint64_t *addresses, unsigned bytes, AccessKind kind) {
  return warp.races->record(warp, code, mask, addresses, bytes, kind);
}

} // namespace gensyn::ptx
