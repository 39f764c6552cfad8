// See StateDigests.h.

#include "StateDigests.h"

#include "gensyn/Runtime/Support/ThreadPool.h"

namespace gensyn::runtime {

namespace {

/// Bytes of a subtree that one thread hashes; what is left of a tensor behind
/// its last whole one is hashed where the subtrees are joined.
constexpr size_t kHashedPiece = size_t(256) << 10;
constexpr int64_t kFew = int64_t(4) << 20;

struct Piece {
  const Tensor *tensor = nullptr;
  size_t offset = 0;
  Hasher::Subtree digest = {};
};

struct Work {
  const std::vector<const Tensor *> &tensors;
  std::vector<Piece> pieces;
  /// The first piece of each tensor.
  std::vector<size_t> firsts;
  std::vector<Digest> digests;

  void hash(size_t number) {
    Piece &piece = pieces[number];
    piece.digest = Hasher::digestSubtree(
        piece.offset, piece.tensor->data() + piece.offset, kHashedPiece);
  }
  void join(size_t number) {
    const Tensor &tensor = *tensors[number];
    Hasher hasher;
    size_t done = 0;
    for (size_t i = firsts[number]; i < firsts[number + 1]; ++i) {
      hasher.addSubtree(pieces[i].digest, kHashedPiece);
      done += kHashedPiece;
    }
    hasher.update(tensor.data() + done, size_t(tensor.byteSize()) - done);
    digests[number] = hasher.digest();
  }
};

} // namespace

std::vector<Digest> digestTogether(const std::vector<const Tensor *> &tensors,
                                   unsigned threads) {
  Work work{tensors, {}, {0}, std::vector<Digest>(tensors.size())};
  int64_t bytes = 0;
  for (const Tensor *tensor : tensors) {
    bytes += tensor->byteSize();
    // At least one byte follows a subtree.
    for (size_t offset = 0; offset + kHashedPiece < size_t(tensor->byteSize());
         offset += kHashedPiece)
      work.pieces.push_back({tensor, offset, {}});
    work.firsts.push_back(work.pieces.size());
  }
  // Few bytes are hashed before a thread has begun.
  ThreadPool pool(bytes > kFew ? threads : 1);
  pool.run(
      0, int64_t(work.pieces.size()),
      [](void *context, unsigned, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          static_cast<Work *>(context)->hash(size_t(i));
      },
      &work);
  pool.run(
      0, int64_t(tensors.size()),
      [](void *context, unsigned, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          static_cast<Work *>(context)->join(size_t(i));
      },
      &work);
  return std::move(work.digests);
}

} // namespace gensyn::runtime
