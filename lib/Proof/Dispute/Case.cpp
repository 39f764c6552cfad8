// See Case.h.

#include "gensyn/Proof/Dispute/Case.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"

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

/// Gives answers that were kept.
class RecordedParty final : public Party {
public:
  explicit RecordedParty(const Answers &answers) : answers(answers) {}

  dispute::Answer ask(const dispute::Question &) override {
    // Who had no answer when it was asked has one that says so.
    if (next == answers.size())
      throw Incomplete{};
    return answers.Get(next++);
  }

private:
  const Answers &answers;
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
  RecordingParty a(first, *kept->mutable_first()),
      b(second, *kept->mutable_second());
  return proof::settle(a, b, options);
}

Verdict DisputeCase::decide(const DisputeOptions &options) const {
  DisputeOptions completed = options;
  completed.firstRoot = rootOf(options.firstRoot, kept->first_root());
  completed.secondRoot = rootOf(options.secondRoot, kept->second_root());
  RecordedParty first(kept->first()), second(kept->second());
  try {
    return proof::settle(first, second, completed);
  } catch (const Incomplete &) {
    failBadInput("the case lacks an answer");
  }
}

DisputeCase DisputeCase::read(const std::filesystem::path &path,
                              uint64_t mostBytes) {
  DisputeCase result;
  const std::string bytes = readText(path, size_t(mostBytes));
  if (!result.kept->ParseFromString(bytes))
    failBadInput(path.string() + ": is not a case of a dispute");
  if (result.kept->format() != kFormat)
    failBadInput(path.string() + ": is a case of format " +
                 std::to_string(result.kept->format()) + ", expected " +
                 std::to_string(kFormat));
  return result;
}

std::string DisputeCase::serialize() const { return kept->SerializeAsString(); }

int64_t DisputeCase::answers() const {
  return kept->first_size() + kept->second_size();
}

uint64_t DisputeCase::bytes() const { return kept->ByteSizeLong(); }

} // namespace gensyn::proof
