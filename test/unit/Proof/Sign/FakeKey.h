// Signatures that need no OpenSSL, and protect nothing.
#ifndef GENSYN_TEST_UNIT_PROOF_SIGN_FAKEKEY_H
#define GENSYN_TEST_UNIT_PROOF_SIGN_FAKEKEY_H

#include "gensyn/Proof/Sign/Signature.h"

namespace gensyn::testing {

/// The digest of the key and the message, twice.
class FakeKey final : public proof::Signer, public proof::Verifier {
public:
  explicit FakeKey(uint8_t number) { shown.bytes.fill(number); }

  const proof::PublicKey &key() const override { return shown; }
  std::string sign(std::string_view message) const override {
    Hasher hasher;
    hasher.update(shown.bytes.data(), shown.bytes.size());
    hasher.update(message);
    const Digest digest = hasher.digest();
    const std::string half(digest.begin(), digest.end());
    return half + half;
  }
  bool holds(std::string_view message,
             std::string_view signature) const override {
    return signature == sign(message);
  }

private:
  proof::PublicKey shown;
};

} // namespace gensyn::testing

#endif
