// Finds accesses of different threads that nothing orders, and reads of shared
// memory that was never written.

#ifndef GENSYN_PTX_RACES_H
#define GENSYN_PTX_RACES_H

#include "Access.h"

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gensyn::ptx {

/// Keeps the last accesses of each word of memory of a launch whose blocks run
/// one after the other. What orders two threads of a block are barriers, kept
/// as vector clocks over warps, and within a warp bar.warp.sync; threads of
/// different blocks are never ordered. Every race it reports is one. Of the
/// readers of a word it keeps two and of accesses to parts of a word the last,
/// so it may miss one.
class RaceDetector {
public:
  /// Before the first access of a block.
  void startBlock(uint32_t block, size_t warps, uint64_t sharedBytes);
  /// A warp arrives at a barrier.
  void arrive(uint32_t warp, uint32_t barrier);
  /// A barrier opens for the warps that wait at it.
  void open(uint32_t barrier, const std::vector<uint32_t> &waiting);
  /// bar.warp.sync.
  void synchronizeLanes(uint32_t warp) { ++lanePhases[warp]; }

  /// Records an access of the lanes of `mask` at host addresses. False: it
  /// races, or reads what was not written; the fault is recorded.
  bool record(Warp &warp, const Code &code, uint32_t mask,
              const uint64_t *addresses, unsigned bytes, AccessKind kind);

private:
  using Clock = std::array<uint32_t, warpSize>;

  /// Who accessed a word, when and where.
  struct Stamp {
    uint32_t line = 0; ///< 0: nobody
    uint32_t block = 0;
    uint32_t phase = 0; ///< of the warp
    uint16_t lanePhase = 0;
    uint16_t thread : 10 = 0;
    uint16_t parts : 4 = 0; ///< a bit for each byte of the word
    uint16_t isAtomic : 1 = 0;
    uint16_t isPending : 1 = 0; ///< a write that has begun and not ended
  };
  struct Word {
    Stamp write, read, otherRead;
    uint8_t written = 0; ///< a bit for each byte
  };
  static constexpr uint64_t wordsInPage = 1024;
  using Page = std::array<Word, wordsInPage>;

  Word &globalWord(uint64_t address);
  bool isOrdered(const Stamp &earlier, const Stamp &now) const;
  const Stamp *conflict(const Word &word, const Stamp &now,
                        AccessKind kind) const;
  bool recordWord(Warp &warp, Word &word, const Stamp &now, AccessKind kind,
                  bool isShared);

  uint32_t block = 0;
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
