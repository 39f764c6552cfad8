// Finds unordered accesses of different threads, and reads of uninitialized
// shared memory.

#ifndef GENSYN_PTX_RACES_H
#define GENSYN_PTX_RACES_H

#include "../Machine/Access.h"

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gensyn::ptx {

/// Keeps the last accesses of each byte of memory of a launch whose blocks run
/// one after the other. Barriers order two threads of a block, with vector
/// clocks over warps, and bar.warp.sync orders threads within a warp; threads
/// of different blocks are never ordered. Every reported race is real. It may
/// miss races, since it keeps two readers and the last write of each byte.
class RaceDetector {
public:
  /// Starts a block, before its first access.
  void startBlock(uint32_t block, size_t warps, uint64_t sharedBytes);
  /// A warp arrives at a barrier.
  void arrive(uint32_t warp, uint32_t barrier);
  /// A barrier opens for the warps that wait at it.
  void open(uint32_t barrier, const std::vector<uint32_t> &waiting);
  /// bar.warp.sync.
  void synchronizeLanes(uint32_t warp) { ++lanePhases[warp]; }

  /// An asynchronous copy starts. Returns its number in the block, from 1.
  uint32_t startCopy() { return ++copies; }

  /// Records an access of the lanes of `mask` at host addresses. Returns false,
  /// with the fault recorded, if it races or reads uninitialized memory. The
  /// read of the copy of number `copy`, which ends now, also races with every
  /// write since its start: the copy may have read before or after it.
  bool record(Warp &warp, const Code &code, uint32_t mask,
              const uint64_t *addresses, unsigned bytes, AccessKind kind,
              uint32_t copy = 0);

private:
  using Clock = std::array<uint32_t, warpSize>;

  /// The thread, time and place of an access to a word.
  struct Stamp {
    uint32_t line = 0; ///< 0: no access
    uint32_t block = 0;
    uint32_t phase = 0; ///< of the warp
    uint16_t lanePhase = 0;
    uint16_t thread : 10 = 0;
    uint16_t isAtomic : 1 = 0;
    uint16_t isPending : 1 = 0; ///< a write that has begun and not ended
  };
  /// The last accesses of a byte, or of four that were never accessed apart.
  struct Cell {
    Stamp write, read, otherRead;
    uint32_t copies = 0;    ///< of the block that had started before `write`
    uint32_t fixedLine = 0; ///< of a non-coherent load; 0 if there is none
    bool isWritten = false;
  };
  struct Word {
    Cell whole;
    std::unique_ptr<std::array<Cell, 4>> bytes; ///< in place of `whole`, if any
  };
  /// What is recorded of an access in each of its cells.
  struct Event {
    Stamp stamp;
    AccessKind kind;
    bool isShared;
    bool isFixed; ///< a non-coherent load
    uint32_t copy;
  };
  static constexpr uint64_t wordsInPage = 1024;
  using Page = std::array<Word, wordsInPage>;

  Word &globalWord(uint64_t address);
  bool isOrdered(const Stamp &earlier, const Stamp &now) const;
  const Stamp *conflict(const Cell &cell, const Event &event) const;
  /// True if a non-coherent load and a write have met in the cell, in any order
  /// and with any barriers in between; the fault is then recorded.
  bool recordIncoherence(Warp &warp, const Cell &cell,
                         const Event &event) const;
  bool recordCell(Warp &warp, Cell &cell, const Event &event);
  /// Records an access to the bytes of `parts`, a bit for each.
  bool recordWord(Warp &warp, Word &word, unsigned parts, const Event &event);

  uint32_t block = 0;
  uint32_t copies = 0; ///< of the block
  std::vector<Clock>
      clocks; ///< of each warp: the phases it has seen the end of
  std::vector<uint16_t> lanePhases;
  std::array<Clock, 16> arrivals = {};
  std::vector<Word> shared;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastPage = ~uint64_t(0);
  Page *lastPageWords = nullptr;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_RACES_H
