// See SignedAnswers.h.

#include "gensyn/Proof/Dispute/SignedAnswers.h"

#include "gensyn/Proof/Dispute/dispute.pb.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>

namespace gensyn::proof {

namespace {

/// Hashes what is written to it: an answer may have hundreds of megabytes.
class HashingStream final : public google::protobuf::io::CopyingOutputStream {
public:
  bool Write(const void *data, int size) override {
    hasher.update(data, size_t(size));
    return true;
  }
  Digest digest() const { return hasher.digest(); }

private:
  Hasher hasher;
};

} // namespace

static Digest digestMessage(const google::protobuf::MessageLite &message) {
  // Fields in the order of their numbers: messages here have no maps.
  HashingStream stream;
  {
    google::protobuf::io::CopyingOutputStreamAdaptor adaptor(&stream);
    message.SerializeToZeroCopyStream(&adaptor);
  }
  return stream.digest();
}

/// What is signed; without the answer's own signature.
static std::string encodeSigned(const Digest &root,
                                const dispute::Question &question,
                                dispute::Answer &answer) {
  std::string signature;
  answer.mutable_signature()->swap(signature);
  const std::string bytes = encodeAnswerSignature(root, digestMessage(question),
                                                  digestMessage(answer));
  answer.mutable_signature()->swap(signature);
  return bytes;
}

std::optional<Digest> findRoot(const dispute::RunAnswer &answer) {
  std::optional<Digest> root;
  for (const dispute::RunAnswer::Point &given : answer.points()) {
    RunPoint point;
    point.step = given.step();
    if (given.history().size() != point.history.size() ||
        given.state().size() != point.state.size())
      return std::nullopt;
    std::ranges::copy(given.history(), point.history.begin());
    std::ranges::copy(given.state(), point.state.begin());
    root = digestPoint(root ? &*root : nullptr, point);
  }
  return root;
}

AnswerSigner::AnswerSigner(const Signer &signer, Party &party)
    : signer(signer) {
  dispute::Question question;
  question.mutable_run();
  root = findRoot(party.ask(question).run()).value_or(Digest());
}

void AnswerSigner::sign(const dispute::Question &question,
                        dispute::Answer &answer) const {
  answer.set_signature(signer.sign(encodeSigned(root, question, answer)));
}

bool AnswerCheck::isSigned(const dispute::Question &question,
                           dispute::Answer &answer) {
  if (answer.has_run())
    root = findRoot(answer.run()).value_or(Digest());
  return verifier.holds(encodeSigned(root, question, answer),
                        answer.signature());
}

} // namespace gensyn::proof
