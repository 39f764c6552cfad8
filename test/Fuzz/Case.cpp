// Fuzzes disputes: cases are mutated in the protobuf wire format and decided;
// a party whose answers are mutated meets an honest one, which never loses; and
// two meet who agree on odd facts or an odd program.

#include "Disputes.h"
#include "Wire.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Proof/Dispute/Case.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::fuzz;
using namespace gensyn::proof;
using gensyn::testing::SyntheticRun;

namespace {

/// The first byte of a mutant; the rest is the case or the seed.
enum class Mode : char { Case, First, Second, World, Count };

class CaseTarget final : public Target {
public:
  explicit CaseTarget(const std::vector<std::string> &);
  ~CaseTarget() override {
    std::error_code ignored;
    if (!file.empty())
      std::filesystem::remove(file, ignored);
  }

  std::string name() const override { return "case"; }
  std::string mutate(Random &random) override;
  std::string run(const std::string &input) override;

private:
  std::string decide(const std::string &bytes);
  /// Somebody honest and somebody else, who is the first one or not.
  std::string meet(uint64_t seed, bool cheatsFirst);
  std::string agree(uint64_t seed);

  SyntheticRun honest;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  DisputeOptions options;
  std::vector<std::string> cases;
  std::filesystem::path file;
};

} // namespace

CaseTarget::CaseTarget(const std::vector<std::string> &) {
  options.compiler = &compiler;
  options.mostBytes = uint64_t(1) << 20;
  for (uint64_t seed = 0; seed < 128; ++seed) {
    Random random(seed);
    AnsweringParty right(honest);
    cheats::AlteredParty wrong(honest, makeLie(random), nullptr);
    Party &first = seed % 2 ? static_cast<Party &>(wrong) : right;
    Party &second = seed % 2 ? static_cast<Party &>(right) : wrong;
    DisputeCase made;
    (void)made.settle(first, second, options);
    cases.push_back(made.serialize());
  }
}

std::string CaseTarget::mutate(Random &random) {
  const auto mode = Mode(random.below(uint64_t(Mode::Count)));
  std::string input(1, char(mode));
  if (mode != Mode::Case)
    return input + std::to_string(random.next());
  std::list<Field> fields;
  (void)parseFields(cases[random.below(cases.size())], fields);
  for (uint64_t i = 1 + random.below(random.once(3) ? 16 : 3); i > 0; --i)
    changeFields(fields, random, changeDigests);
  std::string bytes = writeFields(fields);
  if (random.once(50))
    changeBytes(bytes, random);
  return input + bytes;
}

static std::string judge(const Verdict &verdict) {
  return isPrintable(verdict) ? ""
                              : "a verdict with control characters or bytes "
                                "that are not UTF-8";
}

std::string CaseTarget::decide(const std::string &bytes) {
  // Workers are forked after the target was made.
  if (file.empty())
    file = std::filesystem::temp_directory_path() /
           ("gensyn-fuzz-case-" + std::to_string(getpid()));
  // Not writeText(), which waits for the disk.
  std::ofstream(file, std::ios::binary) << bytes;
  return judge(DisputeCase::read(file, uint64_t(16) << 20).decide(options));
}

std::string CaseTarget::meet(uint64_t seed, bool cheatsFirst) {
  Random random(seed);
  AnsweringParty right(honest);
  cheats::Lie lie = makeLie(random);
  // Both at once would hide the questions that come late.
  const bool isMoved = random.once(3);
  cheats::MovedParty wrong(honest, std::move(lie),
                           isMoved ? moveQuestions(random.next()) : nullptr,
                           isMoved ? nullptr : alterAnswers(random.next()));
  Party &first = cheatsFirst ? static_cast<Party &>(wrong) : right;
  Party &second = cheatsFirst ? static_cast<Party &>(right) : wrong;
  const Verdict verdict = settle(first, second, options);
  if (cheatsFirst ? verdict.isSecondWrong() : verdict.isFirstWrong())
    return "the honest party loses: " + verdict.reason;
  return judge(verdict);
}

std::string CaseTarget::agree(uint64_t seed) {
  Random random(seed);
  cheats::Lie lie = makeLie(random);
  const cheats::Lie world = makeWorld(honest, lie.step, random);
  cheats::AlteredRun both(honest, world);
  cheats::AlteredParty second(both, std::move(lie), nullptr);
  AnsweringParty first(both);
  return judge(settle(first, second, options));
}

std::string CaseTarget::run(const std::string &input) {
  if (input.empty())
    return "";
  const std::string rest = input.substr(1);
  auto seed = [&] { return std::strtoull(rest.c_str(), nullptr, 10); };
  try {
    switch (Mode(input[0])) {
    case Mode::Case:
      return decide(rest);
    case Mode::First:
      return meet(seed(), /*cheatsFirst=*/true);
    case Mode::Second:
      return meet(seed(), /*cheatsFirst=*/false);
    case Mode::World:
      return agree(seed());
    case Mode::Count:
      break;
    }
  } catch (const Failure &) {
    // A file that is no case, or a run that no referee knows.
  }
  return "";
}

int main(int count, char **arguments) {
  return runFuzzer<CaseTarget>(count, arguments, "");
}
