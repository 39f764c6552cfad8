// See Case.h.

#include "gensyn/Proof/Dispute/Case.h"

#include "AnswerFields.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Dispute/SignedAnswers.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"

#include <algorithm>

namespace gensyn::proof {

static constexpr uint32_t kFormat = 1;

using Answers = google::protobuf::RepeatedPtrField<dispute::Answer>;

namespace {

/// Asks another party, and keeps its answers, also that it has none.
class RecordingParty final : public Party {
public:
  RecordingParty(Party &party, Answers &answers)
      : party(party), answers(answers) {}

  dispute::Answer ask(const dispute::Question &question) override {
    dispute::Answer &answer = *answers.Add();
    try {
      answer = party.ask(question);
    } catch (const Failure &failure) {
      if (!isOfParty(failure))
        throw;
      answer.mutable_none()->set_reason(failure.what());
    }
    return answer;
  }

private:
  Party &party;
  Answers &answers;
};

/// Thrown for a question that nobody was asked: the case is not a whole one,
/// and that is no party's fault.
struct Incomplete {};

/// Thrown for an answer that its party did not sign: no party's fault, either.
struct Altered {
  std::string problem;
};

/// Gives answers that were kept.
class RecordedParty final : public Party {
public:
  /// With signatures that are required, an answer without one is not the
  /// party's. `name` is "the first".
  RecordedParty(const Answers &answers, const RequiredSignatures &required,
                std::string name)
      : answers(answers), required(required), name(std::move(name)) {
    if (required.signer)
      check.emplace(*required.signer);
  }

  dispute::Answer ask(const dispute::Question &question) override {
    // Who had no answer when it was asked has one that says so.
    if (next == answers.size())
      throw Incomplete{};
    dispute::Answer answer = answers.Get(next++);
    if (check && required.ofAnswers && !check->isSigned(question, answer))
      throw Altered{"the file's answer " + std::to_string(next) + " of " +
                    name +
                    (answer.signature().empty() ? " is not signed"
                                                : " is not what it signed")};
    return answer;
  }

private:
  const Answers &answers;
  const RequiredSignatures required;
  const std::string name;
  std::optional<AnswerCheck> check;
  int next = 0;
};

} // namespace

static void setRoot(const std::optional<Digest> &root, std::string *to) {
  if (root)
    to->assign(root->begin(), root->end());
}

static std::optional<Digest> rootOf(const std::optional<Digest> &given,
                                    const std::string &kept) {
  Digest root;
  if (given || kept.size() != root.size())
    return given;
  std::copy(kept.begin(), kept.end(), root.begin());
  return root;
}

DisputeCase::DisputeCase() : kept(std::make_shared<dispute::Case>()) {}
DisputeCase::~DisputeCase() = default;

Verdict DisputeCase::settle(Party &first, Party &second,
                            const DisputeOptions &options) {
  kept->Clear();
  kept->set_format(kFormat);
  setRoot(options.firstRoot, kept->mutable_first_root());
  setRoot(options.secondRoot, kept->mutable_second_root());
  kept->set_first_signs(options.firstSigned.signer &&
                        options.firstSigned.ofAnswers);
  kept->set_second_signs(options.secondSigned.signer &&
                         options.secondSigned.ofAnswers);
  RecordingParty a(first, *kept->mutable_first()),
      b(second, *kept->mutable_second());
  return proof::settle(a, b, options);
}

Verdict DisputeCase::decide(const DisputeOptions &options) const {
  DisputeOptions completed = options;
  completed.firstRoot = rootOf(options.firstRoot, kept->first_root());
  completed.secondRoot = rootOf(options.secondRoot, kept->second_root());
  // Checked here, where a wrong one is the fault of the file.
  RequiredSignatures ofFirst = options.firstSigned,
                     ofSecond = options.secondSigned;
  ofFirst.ofAnswers = isFirstSigned();
  ofSecond.ofAnswers = isSecondSigned();
  completed.firstSigned.ofAnswers = completed.secondSigned.ofAnswers = false;
  RecordedParty first(kept->first(), ofFirst, "the first"),
      second(kept->second(), ofSecond, "the second");
  try {
    return proof::settle(first, second, completed);
  } catch (const Incomplete &) {
    failBadInput("the case lacks an answer");
  } catch (const Altered &altered) {
    failBadInput(altered.problem);
  }
}

DisputeCase DisputeCase::read(const std::filesystem::path &path,
                              uint64_t mostBytes) {
  DisputeCase result;
  const std::string bytes = readText(path, size_t(mostBytes));
  if (!hasFewFieldsInCase(bytes))
    failBadInput(path.string() + ": has too many fields for its size");
  if (!result.kept->ParseFromString(bytes))
    failBadInput(path.string() + ": is not a case of a dispute");
  if (result.kept->format() != kFormat)
    failBadInput(path.string() + ": is a case of format " +
                 std::to_string(result.kept->format()) + ", expected " +
                 std::to_string(kFormat));
  return result;
}

std::string DisputeCase::serialize() const { return kept->SerializeAsString(); }

static bool hasSignature(const Answers &answers) {
  return std::ranges::any_of(answers, [](const dispute::Answer &answer) {
    return !answer.signature().empty();
  });
}

// Whoever takes the signature off one answer would have to take off all.
bool DisputeCase::isFirstSigned() const {
  return kept->first_signs() || hasSignature(kept->first());
}
bool DisputeCase::isSecondSigned() const {
  return kept->second_signs() || hasSignature(kept->second());
}

int64_t DisputeCase::answers() const {
  return kept->first_size() + kept->second_size();
}

uint64_t DisputeCase::bytes() const { return kept->ByteSizeLong(); }

} // namespace gensyn::proof
