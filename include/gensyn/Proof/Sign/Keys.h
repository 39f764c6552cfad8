// Ed25519 keys in files. Where OpenSSL was not there when this was built, all
// of it throws a Failure (unsupported), but for canSign().
#ifndef GENSYN_PROOF_SIGN_KEYS_H
#define GENSYN_PROOF_SIGN_KEYS_H

#include "gensyn/Proof/Sign/Signature.h"

#include <filesystem>
#include <memory>

namespace gensyn::proof {

/// True if this build can sign, and check signatures.
bool canSign();

/// Makes a key from the system's random numbers, and writes two new files: the
/// private key as PEM of PKCS #8, which only their owner may read, and the
/// public key as PEM of SubjectPublicKeyInfo. Throws a Failure (I/O) if one of
/// them exists, or cannot be written; then neither is left.
PublicKey generateKey(const std::filesystem::path &privateFile,
                      const std::filesystem::path &publicFile);

/// Reads a private key. Throws the Failures of readPrivatePem(), and one (bad
/// input) for a key that is not one of Ed25519. No message has a part of the
/// file.
std::unique_ptr<Signer> readPrivateKey(const std::filesystem::path &path);

/// Reads a public key. Throws the Failures of readPem(), and one (bad input)
/// for a key that is not one of Ed25519.
std::unique_ptr<Verifier> readPublicKey(const std::filesystem::path &path);

/// That of any 32 bytes; if they are no key, no signature holds.
std::unique_ptr<Verifier> makeVerifier(const PublicKey &key);

} // namespace gensyn::proof

#endif
