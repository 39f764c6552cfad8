// The digest of a stream of bytes of which each rank has some.
#ifndef GENSYN_LIB_RUNTIME_RANKS_DIVIDEDDIGEST_H
#define GENSYN_LIB_RUNTIME_RANKS_DIVIDEDDIGEST_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A stream of texts, which all ranks have, and tensors, which all ranks have
/// or of which each has a range. The digest is BLAKE3's of the whole stream.
/// Each rank hashes the subtrees of BLAKE3's tree whose bytes it has, and the
/// first one joins them: it gets the bytes of the few subtrees that are smaller
/// than a page and still of several ranks.
class DividedDigest {
public:
  explicit DividedDigest(communication::Communicator &ranks) : ranks(ranks) {}

  void addText(std::string text);
  /// The elements of a tensor, which stays as it is meanwhile. `cut` is null if
  /// all ranks have them; then each rank hashes about the same number.
  void addTensor(std::span<const std::byte> bytes, int64_t width,
                 const Cut *cut);

  /// Returns the digest on the first rank, an empty text on the others. All
  /// ranks call it with the same stream.
  std::string compute();

private:
  static constexpr int kAnyRank = -1;
  static constexpr int kSeveralRanks = -2;

  /// Adjacent bytes of the stream. `bytes` are undefined where another rank has
  /// them alone.
  struct Segment {
    uint64_t begin, end;
    const std::byte *bytes;
    /// The rank that has them, or that hashes them.
    int rank;
    bool isDivided;
  };
  /// A subtree, or the rest behind the last one.
  struct Node {
    uint64_t begin, size;
    int rank;
  };

  void add(const std::byte *bytes, uint64_t size, int rank, bool isDivided);
  template <class Visitor>
  void visit(uint64_t begin, uint64_t end, Visitor visitor) const;
  int findRank(uint64_t begin, uint64_t size) const;
  void divide(uint64_t begin, uint64_t size);
  void divideStream();
  Hasher::Subtree digest(uint64_t begin, uint64_t size) const;
  std::vector<Hasher::Subtree> digestOwn() const;
  std::vector<std::byte> copyOwn() const;
  uint64_t countRest(int rank) const;
  std::string join(const std::vector<std::vector<Hasher::Subtree>> &subtrees,
                   const std::vector<std::vector<std::byte>> &rests) const;

  communication::Communicator &ranks;
  std::deque<std::string> texts;
  std::vector<Segment> segments;
  std::vector<Node> nodes;
  uint64_t total = 0;
};

} // namespace gensyn::runtime

#endif
