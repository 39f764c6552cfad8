// Ed25519 by OpenSSL; see Keys.h.

#include "gensyn/Proof/Sign/Keys.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Sign/PemFile.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace gensyn::proof {

namespace {

template <auto Free> struct FreeBy {
  template <class T> void operator()(T *object) const { Free(object); }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using ContextPointer = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;
using BioPointer = std::unique_ptr<BIO, FreeBy<BIO_free>>;

/// The text of a private key, which does not stay in memory.
struct SecretText {
  std::string text;
  ~SecretText() { OPENSSL_cleanse(text.data(), text.size()); }
};

/// What OpenSSL says, for an error that no input causes.
[[noreturn]] void failOpenSsl(const char *what) {
  char reason[256];
  ::ERR_error_string_n(::ERR_get_error(), reason, sizeof reason);
  throw Failure(ExitCode::Bug,
                std::string("OpenSSL cannot ") + what + ": " + reason);
}

PublicKey publicOf(const EVP_PKEY *key) {
  PublicKey result;
  size_t size = result.bytes.size();
  if (::EVP_PKEY_get_raw_public_key(key, result.bytes.data(), &size) != 1 ||
      size != result.bytes.size())
    failOpenSsl("tell a public key");
  return result;
}

class KeySigner final : public Signer {
public:
  explicit KeySigner(KeyPointer given)
      : pair(std::move(given)), shown(publicOf(pair.get())) {}

  const PublicKey &key() const override { return shown; }

  std::string sign(std::string_view message) const override {
    const ContextPointer context(::EVP_MD_CTX_new());
    std::string signature(kSignatureBytes, '\0');
    size_t size = signature.size();
    if (!context ||
        ::EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr,
                             pair.get()) != 1 ||
        ::EVP_DigestSign(context.get(),
                         reinterpret_cast<uint8_t *>(signature.data()), &size,
                         reinterpret_cast<const uint8_t *>(message.data()),
                         message.size()) != 1 ||
        size != signature.size())
      failOpenSsl("sign");
    return signature;
  }

private:
  KeyPointer pair;
  PublicKey shown;
};

class KeyVerifier final : public Verifier {
public:
  explicit KeyVerifier(const PublicKey &shown)
      : shown(shown),
        pair(::EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                           shown.bytes.data(),
                                           shown.bytes.size())) {
    if (!pair)
      failOpenSsl("take a public key");
  }

  const PublicKey &key() const override { return shown; }

  bool holds(std::string_view message,
             std::string_view signature) const override {
    const ContextPointer context(::EVP_MD_CTX_new());
    if (!context || ::EVP_DigestVerifyInit(context.get(), nullptr, nullptr,
                                           nullptr, pair.get()) != 1)
      failOpenSsl("check a signature");
    const bool isRight =
        ::EVP_DigestVerify(
            context.get(), reinterpret_cast<const uint8_t *>(signature.data()),
            signature.size(), reinterpret_cast<const uint8_t *>(message.data()),
            message.size()) == 1;
    ::ERR_clear_error();
    return isRight;
  }

private:
  PublicKey shown;
  KeyPointer pair;
};

/// Refuses to ask for a passphrase.
int noPassphrase(char *, int, int, void *) { return -1; }

KeyPointer readKeyOf(const std::filesystem::path &path, const std::string &text,
                     bool isPrivate) {
  const BioPointer bio(::BIO_new_mem_buf(text.data(), int(text.size())));
  KeyPointer key(
      isPrivate
          ? ::PEM_read_bio_PrivateKey(bio.get(), nullptr, noPassphrase, nullptr)
          : ::PEM_read_bio_PUBKEY(bio.get(), nullptr, noPassphrase, nullptr));
  ::ERR_clear_error();
  const std::string kind = isPrivate ? "private key" : "public key";
  if (!key)
    failBadInput(path.string() + ": is not a whole " + kind +
                 ", expected one of Ed25519 in PEM form");
  const int number = ::EVP_PKEY_get_base_id(key.get());
  if (number != EVP_PKEY_ED25519) {
    const char *name = ::EVP_PKEY_get0_type_name(key.get());
    failBadInput(path.string() + ": is a " + kind + " of " +
                 (name ? name : "another kind") + ", expected one of Ed25519");
  }
  return key;
}

std::string textOf(BIO *bio) {
  char *bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return std::string(bytes, size_t(size));
}

} // namespace

bool canSign() { return true; }

PublicKey generateKey(const std::filesystem::path &privateFile,
                      const std::filesystem::path &publicFile) {
  const KeyPointer key(::EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  // The memory of a secure BIO is overwritten when it is freed.
  const BioPointer secret(::BIO_new(::BIO_s_secmem())),
      shown(::BIO_new(::BIO_s_mem()));
  if (!key || !secret || !shown ||
      ::PEM_write_bio_PKCS8PrivateKey(secret.get(), key.get(), nullptr, nullptr,
                                      0, nullptr, nullptr) != 1 ||
      ::PEM_write_bio_PUBKEY(shown.get(), key.get()) != 1)
    failOpenSsl("make a key");
  const SecretText text = {textOf(secret.get())};
  createPem(publicFile, textOf(shown.get()), 0644);
  try {
    createPem(privateFile, text.text, 0600);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(publicFile, ignored);
    throw;
  }
  return publicOf(key.get());
}

std::unique_ptr<Signer> readPrivateKey(const std::filesystem::path &path) {
  const SecretText text = {readPrivatePem(path)};
  return std::make_unique<KeySigner>(readKeyOf(path, text.text, true));
}

std::unique_ptr<Verifier> readPublicKey(const std::filesystem::path &path) {
  const KeyPointer key = readKeyOf(path, readPem(path, "PUBLIC KEY"), false);
  return makeVerifier(publicOf(key.get()));
}

std::unique_ptr<Verifier> makeVerifier(const PublicKey &key) {
  return std::make_unique<KeyVerifier>(key);
}

} // namespace gensyn::proof
