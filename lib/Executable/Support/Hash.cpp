// BLAKE3 from LLVM's static Support library: plain C objects without
// dependencies, so that the runtime needs neither a copy nor libLLVM.

#include "gensyn/Executable/Support/Hash.h"

#include "llvm-c/blake3.h"

#include <bit>
#include <cstring>

namespace gensyn {

struct Hasher::State {
  llvm_blake3_hasher hasher;
};

Hasher::Hasher() : state(std::make_unique<State>()) {
  llvm_blake3_hasher_init(&state->hasher);
}

Hasher::~Hasher() = default;
Hasher::Hasher(Hasher &&) noexcept = default;
Hasher &Hasher::operator=(Hasher &&) noexcept = default;

void Hasher::update(const void *data, size_t size) {
  if (size)
    llvm_blake3_hasher_update(&state->hasher, data, size);
}

void Hasher::updateNumber(uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<uint8_t>(number >> (8 * i));
  update(bytes, sizeof(bytes));
}

Digest Hasher::digest() const {
  Digest digest;
  llvm_blake3_hasher_finalize(&state->hasher, digest.data(), digest.size());
  return digest;
}

std::string toHex(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::optional<Digest> parseDigest(std::string_view hex) {
  constexpr std::string_view digits = "0123456789abcdef";
  Digest digest;
  if (hex.size() != 2 * digest.size())
    return std::nullopt;
  for (size_t i = 0; i < digest.size(); ++i) {
    const size_t high = digits.find(hex[2 * i]);
    const size_t low = digits.find(hex[2 * i + 1]);
    if (high == digits.npos || low == digits.npos)
      return std::nullopt;
    digest[i] = uint8_t(high << 4 | low);
  }
  return digest;
}

// A hasher has a stack of the digests of complete subtrees, a power of two of
// chunks each. It joins the last two only when more follows: then it has as
// many as the number of chunks so far has ones, in the binary system. The
// header has all this in a struct, though no function to reach it.

static_assert(sizeof(Hasher::Subtree) == LLVM_BLAKE3_OUT_LEN);
static_assert(Hasher::kChunk == LLVM_BLAKE3_CHUNK_LEN);

static uint8_t *place(llvm_blake3_hasher &hasher, size_t number) {
  return hasher.cv_stack + number * LLVM_BLAKE3_OUT_LEN;
}

Hasher::Subtree Hasher::join(const Subtree &left, const Subtree &right) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init(&hasher);
  std::memcpy(place(hasher, 0), left.data(), left.size());
  std::memcpy(place(hasher, 1), right.data(), right.size());
  hasher.cv_stack_len = 2;
  hasher.chunk.chunk_counter = 2;
  // With the chunk that follows, it joins the two; that there is one byte more
  // makes it complete the chunk.
  constexpr uint8_t chunk[LLVM_BLAKE3_CHUNK_LEN + 1] = {};
  llvm_blake3_hasher_update(&hasher, chunk, sizeof(chunk));
  Subtree joined;
  std::memcpy(joined.data(), place(hasher, 0), joined.size());
  return joined;
}

Hasher::Subtree Hasher::digestSubtree(uint64_t offset, const void *data,
                                      size_t size) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init(&hasher);
  hasher.chunk.chunk_counter = offset / kChunk;
  llvm_blake3_hasher_update(&hasher, data, size);
  if (size == kChunk) // a byte more makes it complete the chunk
    llvm_blake3_hasher_update(&hasher, data, 1);
  Subtree left, right;
  std::memcpy(left.data(), place(hasher, 0), left.size());
  if (size == kChunk)
    return left;
  // Of more chunks it has the digests of both halves.
  std::memcpy(right.data(), place(hasher, 1), right.size());
  return join(left, right);
}

void Hasher::addSubtree(const Subtree &subtree, uint64_t size) {
  llvm_blake3_hasher &hasher = state->hasher;
  while (hasher.cv_stack_len > std::popcount(hasher.chunk.chunk_counter)) {
    Subtree left, right;
    std::memcpy(left.data(), place(hasher, hasher.cv_stack_len - 2u), 32);
    std::memcpy(right.data(), place(hasher, hasher.cv_stack_len - 1u), 32);
    const Subtree joined = join(left, right);
    std::memcpy(place(hasher, hasher.cv_stack_len - 2u), joined.data(), 32);
    --hasher.cv_stack_len;
  }
  std::memcpy(place(hasher, hasher.cv_stack_len), subtree.data(), 32);
  ++hasher.cv_stack_len;
  hasher.chunk.chunk_counter += size / LLVM_BLAKE3_CHUNK_LEN;
}

std::string hashHex(const void *data, size_t size) {
  Hasher hasher;
  hasher.update(data, size);
  return hasher.hex();
}

} // namespace gensyn
