// See Asker.h.

#include "Asker.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Printable.h"

#include <algorithm>

namespace gensyn::proof {

bool isOfParty(const Failure &failure) {
  return failure.code == ExitCode::BadInput ||
         failure.code == ExitCode::OutOfResources;
}

dispute::Answer Asker::ask(Side side, const dispute::Question &question,
                           dispute::Answer::KindCase kind,
                           const std::string &what, uint64_t moreBytes) {
  dispute::Answer answer;
  try {
    answer = (side == Side::First ? first : second).ask(question);
  } catch (const Failure &failure) {
    if (!isOfParty(failure))
      throw;
    throw Wrong{side, "does not answer " + what + ": " + failure.what()};
  }
  uint64_t &bytes = answered[size_t(side)];
  const uint64_t size = answer.ByteSizeLong();
  bytes += size - std::min<uint64_t>(size, moreBytes);
  if (bytes > mostBytes)
    throw Wrong{side, "answers with more than " + std::to_string(mostBytes) +
                          " bytes in all"};
  if (answer.has_none())
    throw Wrong{side,
                "does not answer " + what +
                    (answer.none().reason().empty()
                         ? ""
                         : ": " + printable(answer.none().reason(), 400))};
  std::optional<AnswerCheck> &check = checks[size_t(side)];
  if (check && !check->isSigned(question, answer))
    throw Wrong{side, answer.signature().empty()
                          ? "does not sign its answer about " + what
                          : "answers " + what +
                                " with a signature that is not its own"};
  if (answer.kind_case() != kind)
    throw Wrong{side, "answers another question than " + what};
  return answer;
}

static std::string describe(const Place &place) {
  std::string text;
  for (size_t i = place.path.size(); i-- > 0;)
    text += " of iteration " + std::to_string(place.path[i].iteration()) +
            " of value " + std::to_string(place.path[i].value());
  return text + " of step " + std::to_string(place.step);
}

/// Sets what a question is about.
template <class Question>
static void setPlace(Question &question, const Place &place) {
  question.set_step(place.step);
  question.mutable_path()->Add(place.path.begin(), place.path.end());
}

dispute::RunAnswer Asker::run(Side side) {
  dispute::Question question;
  question.mutable_run();
  return ask(side, question, dispute::Answer::kRun, "what its run is").run();
}

dispute::StepsAnswer Asker::steps(Side side,
                                  const std::vector<int64_t> &steps) {
  dispute::Question question;
  question.mutable_steps()->mutable_steps()->Add(steps.begin(), steps.end());
  dispute::StepsAnswer answer =
      ask(side, question, dispute::Answer::kSteps,
          "what it claims after steps " + std::to_string(steps.front()) +
              " to " + std::to_string(steps.back()))
          .steps();
  if (answer.claims_size() != int(steps.size()))
    throw Wrong{side, "claims something of " +
                          std::to_string(answer.claims_size()) + " steps of " +
                          std::to_string(steps.size())};
  return answer;
}

dispute::StepAnswer Asker::step(Side side, int64_t step) {
  dispute::Question question;
  question.mutable_step()->set_step(step);
  return ask(side, question, dispute::Answer::kStep,
             "what step " + std::to_string(step) + " does")
      .step();
}

dispute::NodesAnswer Asker::nodes(Side side, const Place &place,
                                  dispute::Tree tree, const LeafRange &range) {
  dispute::Question question;
  dispute::NodesQuestion &nodes = *question.mutable_nodes();
  setPlace(nodes, place);
  nodes.set_tree(tree);
  nodes.set_begin(range.begin);
  nodes.set_count(range.end - range.begin);
  return ask(side, question, dispute::Answer::kNodes,
             "which digests a tree" + describe(place) + " has")
      .nodes();
}

dispute::EntriesAnswer Asker::entries(Side side, const Place &place,
                                      dispute::Tree tree,
                                      const std::vector<uint64_t> &numbers) {
  dispute::Question question;
  dispute::EntriesQuestion &entries = *question.mutable_entries();
  setPlace(entries, place);
  entries.set_tree(tree);
  entries.mutable_numbers()->Add(numbers.begin(), numbers.end());
  dispute::EntriesAnswer answer =
      ask(side, question, dispute::Answer::kEntries,
          "which entries a tree" + describe(place) + " has")
          .entries();
  if (answer.entries_size() != int(numbers.size()))
    throw Wrong{side, "gives another number of entries than was asked for"};
  return answer;
}

dispute::TensorAnswer Asker::tensor(Side side, const Place &place,
                                    uint64_t value) {
  dispute::Question question;
  setPlace(*question.mutable_tensor(), place);
  question.mutable_tensor()->set_value(value);
  return ask(side, question, dispute::Answer::kTensor,
             "what value " + std::to_string(value) + describe(place) + " is")
      .tensor();
}

dispute::PartsAnswer Asker::parts(Side side, const Place &place, uint64_t value,
                                  const LeafRange &range) {
  dispute::Question question;
  dispute::PartsQuestion &parts = *question.mutable_parts();
  setPlace(parts, place);
  parts.set_value(value);
  parts.set_begin(range.begin);
  parts.set_count(range.end - range.begin);
  return ask(side, question, dispute::Answer::kParts,
             "which parts value " + std::to_string(value) + describe(place) +
                 " has")
      .parts();
}

dispute::ChunkAnswer Asker::chunk(Side side, const Place &place, uint64_t value,
                                  uint64_t chunk) {
  dispute::Question question;
  setPlace(*question.mutable_chunk(), place);
  question.mutable_chunk()->set_value(value);
  question.mutable_chunk()->set_chunk(chunk);
  return ask(side, question, dispute::Answer::kChunk,
             "which elements value " + std::to_string(value) + describe(place) +
                 " has")
      .chunk();
}

dispute::ProgramAnswer Asker::program(Side side, const Place &place) {
  dispute::Question question;
  setPlace(*question.mutable_program(), place);
  return ask(side, question, dispute::Answer::kProgram,
             "which values there are" + describe(place))
      .program();
}

dispute::IterationsAnswer
Asker::iterations(Side side, const Place &place, uint64_t value,
                  const std::vector<uint64_t> &iterations, bool withTensors) {
  dispute::Question question;
  dispute::IterationsQuestion &asked = *question.mutable_iterations();
  setPlace(asked, place);
  asked.set_value(value);
  asked.mutable_iterations()->Add(iterations.begin(), iterations.end());
  asked.set_with_tensors(withTensors);
  return ask(side, question, dispute::Answer::kIterations,
             "which iterations compute value " + std::to_string(value) +
                 describe(place))
      .iterations();
}

dispute::SampleAnswer Asker::sample(Side side, int64_t step, uint64_t value,
                                    uint64_t element) {
  dispute::Question question;
  dispute::SampleQuestion &sample = *question.mutable_sample();
  sample.set_step(step);
  sample.set_value(value);
  sample.set_element(element);
  return ask(side, question, dispute::Answer::kSample,
             "which sample value " + std::to_string(value) +
                 describe(Place{step, {}}) + " has")
      .sample();
}

dispute::EvidenceAnswer Asker::evidence(Side side, const Place &place,
                                        uint64_t value, uint64_t element,
                                        std::optional<uint64_t> dataBytes) {
  dispute::Question question;
  dispute::EvidenceQuestion &evidence = *question.mutable_evidence();
  setPlace(evidence, place);
  evidence.set_value(value);
  evidence.set_element(element);
  evidence.set_without_data(!dataBytes);
  // What was asked for counts apart from the limit: whoever answers cannot help
  // it. Each chunk has some digests beside it.
  return ask(side, question, dispute::Answer::kEvidence,
             "from what it computes value " + std::to_string(value) +
                 describe(place),
             2 * dataBytes.value_or(0))
      .evidence();
}

Digest readDigest(Side side, const std::string &bytes) {
  Digest digest;
  if (bytes.size() != digest.size())
    throw Wrong{side, "answers with a digest that is not one"};
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

std::vector<Digest> readDigests(Side side, const std::string &bytes) {
  if (bytes.size() % sizeof(Digest) != 0)
    throw Wrong{side, "answers with digests that are none"};
  std::vector<Digest> digests(bytes.size() / sizeof(Digest));
  for (size_t i = 0; i < digests.size(); ++i)
    std::copy_n(bytes.begin() + std::ptrdiff_t(i * sizeof(Digest)),
                sizeof(Digest), digests[i].begin());
  return digests;
}

} // namespace gensyn::proof
