// Where there is no OpenSSL: signatures are not made or checked.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Sign/Keys.h"

namespace gensyn::proof {

[[noreturn]] static void failWithoutSign() {
  failUnsupported("signatures are not part of this build, which had no "
                  "OpenSSL");
}

bool canSign() { return false; }

PublicKey generateKey(const std::filesystem::path &,
                      const std::filesystem::path &) {
  failWithoutSign();
}

std::unique_ptr<Signer> readPrivateKey(const std::filesystem::path &) {
  failWithoutSign();
}

std::unique_ptr<Verifier> readPublicKey(const std::filesystem::path &) {
  failWithoutSign();
}

std::unique_ptr<Verifier> makeVerifier(const PublicKey &) { failWithoutSign(); }

} // namespace gensyn::proof
