// See Signature.h.

#include "gensyn/Proof/Sign/Signature.h"

#include "gensyn/Executable/Support/Encoding.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace gensyn::proof {

static constexpr std::string_view kSignatureDomain = "gensyn signature 1";

std::string hexOf(const PublicKey &key) { return toHex(key.bytes); }

std::string fingerprint(const PublicKey &key) {
  return hashHex(key.bytes.data(), key.bytes.size());
}

std::string encodeRunSignature(const RunSignature &signature) {
  return Encoding(kSignatureDomain)
      .text("run")
      .digest(signature.root)
      .number(uint64_t(signature.step))
      .text(signature.time)
      .bytes();
}

std::string encodeAnswerSignature(const Digest &root, const Digest &question,
                                  const Digest &answer) {
  return Encoding(kSignatureDomain)
      .text("answer")
      .digest(root)
      .digest(question)
      .digest(answer)
      .bytes();
}

std::string currentTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  char text[32];
  const size_t size =
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, size);
}

bool isTime(std::string_view text) {
  constexpr std::string_view form = "0000-10-30T20:50:60Z";
  if (text.size() != form.size())
    return false;
  for (size_t i = 0; i < form.size(); ++i) {
    const bool isDigit = form[i] >= '0' && form[i] <= '9';
    if (isDigit ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
      return false;
  }
  auto pair = [&](size_t at) {
    return 10 * (text[at] - '0') + (text[at + 1] - '0');
  };
  return pair(5) >= 1 && pair(5) <= 12 && pair(8) >= 1 && pair(8) <= 31 &&
         pair(11) <= 23 && pair(14) <= 59 && pair(17) <= 60;
}

RunSignature signRun(const RunPoint &last, const Signer &signer,
                     std::string time) {
  RunSignature made = {last.root, last.step, signer.key(), std::move(time), {}};
  made.signature = signer.sign(encodeRunSignature(made));
  return made;
}

RunRoots listRoots(const std::vector<RunPoint> &points) {
  RunRoots roots;
  for (const RunPoint &point : points)
    roots[point.step] = point.root;
  return roots;
}

std::string findProblem(const RunSignature &signature, const RunRoots &roots,
                        const Verifier &verifier) {
  if (!verifier.holds(encodeRunSignature(signature), signature.signature))
    return "the key did not sign this";
  const auto found = roots.find(signature.step);
  if (found == roots.end())
    return "the run has no point after step " + std::to_string(signature.step);
  if (found->second != signature.root)
    return "the run has another root after step " +
           std::to_string(signature.step);
  return "";
}

const RunSignature *findSignature(const std::vector<RunSignature> &signatures,
                                  const RunRoots &roots,
                                  const Verifier &verifier,
                                  std::string &reason) {
  const int64_t last = roots.rbegin()->first;
  const std::string end = std::to_string(last);
  reason = "has no signature of the key " + fingerprint(verifier.key());
  int64_t newest = -1;
  for (const RunSignature &signature : signatures) {
    if (signature.key != verifier.key())
      continue;
    const std::string problem = findProblem(signature, roots, verifier);
    if (!problem.empty()) {
      if (newest < 0)
        reason = "has no signature of its root after step " + end +
                 ": of the one for step " + std::to_string(signature.step) +
                 ", " + problem;
      continue;
    }
    if (signature.step == last) {
      reason.clear();
      return &signature;
    }
    newest = std::max(newest, signature.step);
    reason = "went on to step " + end +
             " after it was signed: the newest signature of the key is of "
             "step " +
             std::to_string(newest);
  }
  return nullptr;
}

} // namespace gensyn::proof
