// BLAKE3 from LLVM's static Support library: plain C objects without
// dependencies, so that the runtime needs neither a copy nor libLLVM.

#include "gensyn/Executable/Support/Hash.h"

#include "llvm-c/blake3.h"

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

std::string Hasher::hex() const {
  uint8_t digest[LLVM_BLAKE3_OUT_LEN];
  llvm_blake3_hasher_finalize(&state->hasher, digest, sizeof(digest));
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string hashHex(const void *data, size_t size) {
  Hasher hasher;
  hasher.update(data, size);
  return hasher.hex();
}

} // namespace gensyn
