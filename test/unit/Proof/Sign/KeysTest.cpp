// Ed25519 keys in files.

#include "gensyn/Proof/Sign/Keys.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Sign/PemFile.h"

#include <gtest/gtest.h>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::proof;

namespace fs = std::filesystem;

namespace {

class Keys : public testing::Test {
protected:
  Keys() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Keys() override { fs::remove_all(folder); }

  template <class Function> static std::string errorOf(Function function) {
    try {
      function();
    } catch (const Failure &failure) {
      return std::to_string(int(failure.code)) + " " + failure.what();
    }
    return "";
  }
  static std::string bytesOf(std::string_view hex) {
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes += char(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
  }

  const fs::path folder =
      fs::path(testing::TempDir()) / ("keys-" + std::to_string(::getpid()));
  const fs::path secret = folder / "a.key", shown = folder / "a.pub";
};

} // namespace

/// The third test of RFC 8032, 7.1. A private key as openssl writes it.
TEST_F(Keys, AreThoseOfEd25519) {
  createPem(secret,
            "-----BEGIN PRIVATE KEY-----\n"
            "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4L\n"
            "RFj3\n-----END PRIVATE KEY-----\n",
            0600);
  const std::unique_ptr<Signer> signer = readPrivateKey(secret);
  EXPECT_EQ(hexOf(signer->key()),
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025");
  const std::string message = bytesOf("af82"),
                    expected = bytesOf(
                        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680"
                        "d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716e"
                        "d28dc027beceea1ec40a");
  EXPECT_EQ(signer->sign(message), expected);
  EXPECT_TRUE(makeVerifier(signer->key())->holds(message, expected));
}

TEST_F(Keys, AreMadeAndRead) {
  const PublicKey key = generateKey(secret, shown);
  const std::unique_ptr<Signer> signer = readPrivateKey(secret);
  const std::unique_ptr<Verifier> verifier = readPublicKey(shown);
  EXPECT_EQ(signer->key(), key);
  EXPECT_EQ(verifier->key(), key);
  const std::string signature = signer->sign("message");
  EXPECT_EQ(signature.size(), kSignatureBytes);
  EXPECT_TRUE(verifier->holds("message", signature));
  EXPECT_FALSE(verifier->holds("massage", signature));
  EXPECT_FALSE(verifier->holds("", signature));
  for (size_t i = 0; i < signature.size(); ++i) {
    std::string altered = signature;
    altered[i] ^= 1;
    EXPECT_FALSE(verifier->holds("message", altered)) << i;
  }
  for (const std::string &other : {std::string(), signature.substr(1),
                                   signature + '\0', std::string(100'000, 'x')})
    EXPECT_FALSE(verifier->holds("message", other));
  const PublicKey second = generateKey(folder / "b.key", folder / "b.pub");
  EXPECT_NE(second, key);
  EXPECT_FALSE(makeVerifier(second)->holds("message", signature));
  // What is no point of the curve is a key by which nothing holds.
  PublicKey none;
  none.bytes.fill(255);
  EXPECT_FALSE(makeVerifier(none)->holds("message", signature));
}

TEST_F(Keys, BothFilesOrNeither) {
  writeText(secret, "mine");
  EXPECT_EQ(errorOf([&] { generateKey(secret, shown); }),
            "5 " + secret.string() +
                ": exists, and a key is never overwritten");
  EXPECT_EQ(readText(secret, 100), "mine");
  EXPECT_FALSE(fs::exists(shown));
  fs::remove(secret);
  writeText(shown, "mine");
  EXPECT_NE(errorOf([&] { generateKey(secret, shown); }), "");
  EXPECT_EQ(readText(shown, 100), "mine");
  EXPECT_FALSE(fs::exists(secret));
}

TEST_F(Keys, OtherFilesAreNone) {
  generateKey(secret, shown);
  const std::string text = readText(secret, 1000), open = readText(shown, 1000);
  const fs::path file = folder / "other";
  auto problem = [&](const std::string &contents, bool isPrivate) {
    writeText(file, contents);
    fs::permissions(file, fs::perms(0600));
    return errorOf([&] {
      isPrivate ? (void)readPrivateKey(file) : (void)readPublicKey(file);
    });
  };
  const std::string begin = "3 " + file.string() + ": ";
  EXPECT_EQ(problem(text, true), "");
  EXPECT_EQ(problem(open, false), "");
  EXPECT_EQ(problem(open, true), begin + "has no PRIVATE KEY in PEM form");
  EXPECT_EQ(problem(text, false), begin + "has no PUBLIC KEY in PEM form");
  // No message has a part of the file.
  for (size_t size = 27; size + 1 < text.size(); size += 7)
    EXPECT_EQ(
        problem(text.substr(0, size) + (size < 60 ? "PRIVATE KEY-----" : ""),
                true),
        begin + "is not a whole private key, expected one of Ed25519 in "
                "PEM form");
  for (size_t size = 30; size + 1 < open.size(); size += 7)
    EXPECT_EQ(problem(open.substr(0, size), false),
              begin + "is not a whole public key, expected one of Ed25519 in "
                      "PEM form");
  EXPECT_EQ(problem("-----BEGIN PRIVATE KEY-----\n"
                    "MC4CAQAwBQYDK2VuBCIEIPj/ucHfxnGyuq4X1qpVSXM8HrWdnwBrwn4K\n"
                    "ptXRrrNr\n-----END PRIVATE KEY-----\n",
                    true),
            begin + "is a private key of X25519, expected one of Ed25519");
  fs::permissions(secret, fs::perms(0604));
  EXPECT_EQ(errorOf([&] { readPrivateKey(secret); }),
            "3 " + secret.string() +
                ": has mode 0604, so others may use the key; expected 0600");
}
