// Signatures of runs and of answers: what is signed, and by whom.
#ifndef GENSYN_PROOF_SIGN_SIGNATURE_H
#define GENSYN_PROOF_SIGN_SIGNATURE_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Proof/Run/Commitments.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::proof {

/// The name of the file in a run folder.
inline constexpr const char *kSignaturesFile = "signatures.jsonl";

/// The bytes of an Ed25519 signature.
inline constexpr size_t kSignatureBytes = 64;

/// An Ed25519 public key.
struct PublicKey {
  std::array<uint8_t, 32> bytes = {};
  bool operator==(const PublicKey &) const = default;
};

/// 64 hexadecimal digits.
std::string hexOf(const PublicKey &key);
/// What people compare: BLAKE3 of the 32 bytes, as 64 hexadecimal digits.
std::string fingerprint(const PublicKey &key);

/// Somebody who signs, with a key that is kept.
class Signer {
public:
  virtual ~Signer() = default;
  virtual const PublicKey &key() const = 0;
  /// The kSignatureBytes of a message's signature.
  virtual std::string sign(std::string_view message) const = 0;
};

/// Checks the signatures of a public key.
class Verifier {
public:
  virtual ~Verifier() = default;
  virtual const PublicKey &key() const = 0;
  /// True if the key signed the message so; false for bytes of any other kind.
  virtual bool holds(std::string_view message,
                     std::string_view signature) const = 0;
};

/// What somebody signed of a run: the root of a point.
struct RunSignature {
  Digest root = {};
  int64_t step = 0;
  PublicKey key;
  /// The signer's clock, in UTC: "2026-12-02T09:30:00Z".
  std::string time;
  /// kSignatureBytes of encodeRunSignature().
  std::string signature;
};

/// The bytes that are signed of a run:
///
///   text "gensyn signature 1" | text "run" | digest root | number step |
///   text time
std::string encodeRunSignature(const RunSignature &signature);

/// The bytes that are signed of an answer in a dispute; the root is that of the
/// last point of the run that is answered for.
///
///   text "gensyn signature 1" | text "answer" | digest root |
///   digest of the question's bytes | digest of the answer's bytes
std::string encodeAnswerSignature(const Digest &root, const Digest &question,
                                  const Digest &answer);

/// This machine's clock, in the form of RunSignature::time.
std::string currentTime();
/// True for a text of that form.
bool isTime(std::string_view text);

/// Signs the last point.
RunSignature signRun(const RunPoint &last, const Signer &signer,
                     std::string time);

/// Reads the file of a run folder, in the order of its lines; empty if there is
/// none. Checks no signature. Throws a Failure (bad input) with the line for
/// anything that appendSignature() does not write.
std::vector<RunSignature> readSignatures(const std::filesystem::path &folder);

/// Adds a line to the file of a run folder. Throws a Failure: as
/// readSignatures(), and I/O if it cannot be written.
void appendSignature(const std::filesystem::path &folder,
                     const RunSignature &signature);

/// The roots of a run's points, by step.
using RunRoots = std::map<int64_t, Digest>;
RunRoots listRoots(const std::vector<RunPoint> &points);

/// Why it says nothing of the run; empty if it holds for one of its points.
std::string findProblem(const RunSignature &signature, const RunRoots &roots,
                        const Verifier &verifier);

/// The signature of the run's last root by the verifier's key. If there is
/// none, null, and the reason: "has no signature of the key ...".
const RunSignature *findSignature(const std::vector<RunSignature> &signatures,
                                  const RunRoots &roots,
                                  const Verifier &verifier,
                                  std::string &reason);

} // namespace gensyn::proof

#endif
