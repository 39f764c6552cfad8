// Commitments to inferences, as they are written, read and compared.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Run/CheckInference.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace gensyn;
using namespace gensyn::proof;
using namespace gensyn::runtime;

namespace {

namespace fs = std::filesystem;

template <class T> Tensor makeTensor(ElementType type, std::vector<T> values) {
  Tensor tensor(type, {int64_t(values.size())});
  std::copy(values.begin(), values.end(), tensor.as<T>());
  return tensor;
}

WitnessedInference makeInfer() {
  WitnessedInference inference;
  inference.command = "infer";
  inference.programDigests = {"program"};
  inference.numericsVersion = "1";
  inference.options = {{"seed", 7}};
  inference.state = {{"a", {ElementType::F32, {2, 3}, Digest()}},
                     {"b", {ElementType::F16, {}, Digest()}}};
  inference.inputs = {{"x", makeTensor<float>(ElementType::F32, {1, 2})}};
  inference.outputs = {{"y", makeTensor<float>(ElementType::F32, {3})}};
  return inference;
}

WitnessedInference makeEval() {
  WitnessedInference inference = makeInfer();
  inference.command = "eval";
  inference.programDigests.emplace_back("rest");
  inference.options = {{"data", std::string(64, '0')},
                       {"samples", 3},
                       {"batch_size", 2},
                       {"seed", 7}};
  inference.inputs = {};
  Tensor loss(ElementType::F64, {});
  *loss.as<double>() = 0.1;
  inference.outputs = {{"eval_loss", loss}};
  inference.areValuesWritten = true;
  inference.visitSamples = [](const auto &visit) {
    for (int64_t i = 0; i < 3; ++i)
      visit({{"x", {ElementType::F32, {i}, Digest()}}});
  };
  return inference;
}

WitnessedInference makeGenerate() {
  WitnessedInference inference = makeInfer();
  inference.command = "generate";
  inference.options = {{"tokens", 2},
                       {"window", 4},
                       {"temperature", 0.8},
                       {"top_k", 0},
                       {"seed", UINT64_MAX}};
  inference.inputs = {
      {"prompt", makeTensor<int64_t>(ElementType::I64, {5, 6})}};
  inference.outputs = {
      {"tokens", makeTensor<int64_t>(ElementType::I64, {5, 6, 7, -8})}};
  inference.areValuesWritten = true;
  return inference;
}

InferenceFacts parse(const WitnessedInference &inference) {
  return parseInferenceFacts(commitTo(inference).facts, "test");
}

/// The message of the bad input that a function throws; empty if it does not.
template <class Function> std::string problemOf(const Function &function) {
  try {
    function();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::BadInput) << failure.what();
    return failure.what();
  }
  return "";
}

/// A file that a test removes.
class InferenceFile : public testing::Test {
protected:
  InferenceFile()
      : path(fs::path(testing::TempDir()) /
             (std::string("inference-") +
              testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~InferenceFile() override { fs::remove(path); }
  std::string problem() const {
    return problemOf([&] { (void)readInferenceCommitment(path); });
  }

  fs::path path;
};

} // namespace

TEST_F(InferenceFile, IsReadAsItIsWritten) {
  for (const WitnessedInference &made :
       {makeInfer(), makeEval(), makeGenerate()}) {
    InferenceCommitter committer;
    committer.inferred(made);
    committer.write(path);
    const InferenceCommitment read = readInferenceCommitment(path);
    EXPECT_EQ(read.facts, committer.commitment().facts);
    EXPECT_EQ(read.root, digestInference(read.facts));
    const InferenceFacts facts = parseInferenceFacts(read.facts, "test");
    EXPECT_EQ(facts.command, made.command);
    EXPECT_EQ(facts.programDigests, made.programDigests);
    EXPECT_EQ(facts.state.at("a").tensor.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(facts.inputs.size(), made.inputs.size());
    for (const InferencePart &part : compareInference(facts, facts))
      EXPECT_EQ(part.problem, "");
  }
  EXPECT_EQ(*parse(makeGenerate()).outputs.at("tokens").values,
            (std::vector<uint64_t>{5, 6, 7, uint64_t(-8)}));
  EXPECT_EQ(*parse(makeEval()).outputs.at("eval_loss").values,
            std::vector<uint64_t>{0x3fb999999999999a});
}

TEST(InferenceCommitment, EveryPartCounts) {
  using Edit = std::function<void(WitnessedInference &)>;
  // A change, the part that it is found in, and words of the problem.
  const std::tuple<Edit, std::string, std::string> edits[] = {
      {[](auto &i) { i.options["seed"] = 8; }, "options", "seed: 8 instead of"},
      {[](auto &i) { i.options["temperature"] = 0.75; }, "options",
       "temperature: 0.75 instead of 0.8"},
      {[](auto &i) {
         i.inputs["prompt"] = makeTensor<int64_t>(ElementType::I64, {5, 5});
       },
       "inputs", "the token at position 1: 5 instead of 6"},
      {[](auto &i) { i.numericsVersion = "2"; }, "program",
       "numerics version '2' instead of '1'"},
      {[](auto &i) { i.programDigests[0] = "other"; }, "program",
       "another program: 'other' instead of 'program'"},
      {[](auto &i) { i.state["a"].elements[31] = 1; }, "state", "tensor 'a'"},
      {[](auto &i) { i.state["b"].type = ElementType::BF16; }, "state",
       "tensor 'b': bfloat16"},
      {[](auto &i) { i.state["b"].shape = {1}; }, "state",
       "tensor 'b': float16[1]"},
      {[](auto &i) { i.state.erase("a"); }, "state",
       "tensor 'a' does not exist"},
      {[](auto &i) { i.state["c"] = i.state["b"]; }, "state",
       "tensor 'c' is not committed to"},
      {[](auto &i) {
         i.outputs["tokens"] =
             makeTensor<int64_t>(ElementType::I64, {5, 6, 7, 8});
       },
       "outputs", "the token at position 3: 8 instead of -8"},
  };
  const InferenceFacts committed = parse(makeGenerate());
  std::set<Digest> roots = {commitTo(makeGenerate()).root};
  for (const auto &[edit, name, words] : edits) {
    WitnessedInference changed = makeGenerate();
    edit(changed);
    roots.insert(commitTo(changed).root);
    const std::vector<InferencePart> parts =
        compareInference(committed, parse(changed));
    EXPECT_EQ(parts.back().name, name);
    EXPECT_NE(parts.back().problem.find(words), std::string::npos)
        << parts.back().problem;
  }
  EXPECT_EQ(roots.size(), std::size(edits) + 1);

  WitnessedInference changed = makeEval();
  *changed.outputs["eval_loss"].as<double>() = 0.25;
  EXPECT_EQ(compareInference(parse(makeEval()), parse(changed)).back().problem,
            "metric 'eval_loss': 0.25 (0x3fd0000000000000) instead of "
            "0.10000000000000001 (0x3fb999999999999a)");
  // The samples count, and whether they are visited.
  changed = makeEval();
  changed.visitSamples = nullptr;
  EXPECT_EQ(parse(changed).options["samples_root"], "");
  EXPECT_NE(commitTo(changed).root, commitTo(makeEval()).root);
  changed.visitSamples = [](const auto &visit) { visit({}); };
  EXPECT_NE(parse(changed).options, parse(makeEval()).options);
  // What is named first has the others as its consequences.
  changed = makeInfer();
  changed.inputs["x"] = makeTensor<float>(ElementType::F32, {1, 2, 3});
  changed.programDigests = {"of three"};
  const auto parts = compareInference(parse(makeInfer()), parse(changed));
  EXPECT_EQ(parts.back().name, "inputs");
  EXPECT_EQ(parts.size(), 2u);
  EXPECT_EQ(compareInference(parse(makeEval()), parse(makeInfer())).size(), 1u);
}

TEST_F(InferenceFile, OfAnotherFormIsRefused) {
  InferenceCommitter committer;
  committer.inferred(makeInfer());
  committer.write(path);
  const std::string right = readText(path, 1 << 20);
  const auto expectProblem = [&](const std::string &from, const std::string &to,
                                 const std::string &words) {
    std::string text = right;
    text.replace(text.find(from), from.size(), to);
    writeText(path, text);
    EXPECT_NE(problem().find(path.string() + ": " + words), std::string::npos)
        << problem();
  };
  expectProblem(right, "", "the commitment is not JSON");
  expectProblem(right, "[]", "the commitment is a list; expected an object");
  expectProblem(right, std::string(100'000, '['), "the commitment is nested");
  expectProblem("\"format\"", "\"form\"",
                "the commitment / 'format' is missing");
  expectProblem("gensyn-inference-1", "gensyn-inference-2",
                "'format' is '\"gensyn-inference-2\"'; expected "
                "'gensyn-inference-1'");
  expectProblem("\"root\":\"", "\"root\":\"0",
                "the commitment / 'root' is '\"0");
  expectProblem("\\\"seed\\\":7", "\\\"seed\\\":8",
                "'root' is " + toHex(committer.commitment().root));
  fs::resize_file(path, kMostInferenceBytes + 1);
  EXPECT_NE(problem().find("is 16777217 bytes; expected 16777216 at most"),
            std::string::npos)
      << problem();
}

TEST(InferenceCommitment, FactsOfAnotherFormAreRefused) {
  const auto expectProblem = [](const WitnessedInference &made,
                                const std::string &from, const std::string &to,
                                const std::string &words) {
    std::string text = commitTo(made).facts;
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << text;
    text.replace(at, from.size(), to);
    const std::string problem =
        problemOf([&] { (void)parseInferenceFacts(text, "file"); });
    EXPECT_EQ(problem.find("file: " + words), 0u) << problem;
  };
  const WitnessedInference infer = makeInfer(), eval = makeEval(),
                           generate = makeGenerate();
  expectProblem(infer, "\"infer\"", "\"grad\"",
                "'command' is 'grad'; expected infer, eval or generate");
  expectProblem(infer, "\"infer\"", "1", "'facts' / 'command' is '1'");
  expectProblem(infer, "\"infer\"", "\"eval\"",
                "'options' / 'data' is missing; expected one");
  expectProblem(infer, "[\"program\"]", "[1]", "'program_digests' is '1'");
  expectProblem(infer, "[\"program\"]", "[]",
                "'program_digests' is 0 digests; expected 1");
  expectProblem(infer, "\"seed\":7", "\"seed\":-7",
                "'options' / 'seed' is '-7'; expected a whole number below");
  expectProblem(infer, "\"seed\":7", "\"seed\":7,\"k\":1",
                "'options' is 2 options; expected 1 of infer");
  expectProblem(infer, "\"f32\"", "\"f33\"",
                "'state' / 'a' / 'type' is 'f33'; expected a type");
  expectProblem(infer, "[2,3]", "[2,-3]", "'state' / 'a' / 'shape' is '-3'");
  expectProblem(infer, "[2,3]", "[4611686018427387904,4]",
                "'state' / 'a' / 'shape' is [4611686018427387904,4]; expected "
                "less than 2^63 bytes");
  expectProblem(infer, "[2,3]", "[3,2]", "'state' / 'root' is ");
  expectProblem(infer, "\"elements\":\"00", "\"elements\":\"0",
                "'state' / 'a' / 'elements' is ");
  expectProblem(infer, "\"tensors\":{\"a\"", "\"tensors\":7,\"other\":{\"a\"",
                "'state' / 'tensors' is '7'; expected an object");
  expectProblem(eval, "\"samples\":3", "\"samples\":0",
                "'options' / 'samples' is '0'; expected a whole number of at "
                "least 1");
  expectProblem(eval, "\"samples\":3", "\"samples\":9223372036854775808",
                "'options' / 'samples' is '9223372036854775808'");
  expectProblem(eval, "\"data\":\"00", "\"data\":\"0",
                "'options' / 'data' is ");
  expectProblem(eval, "3fb999999999999a", "3fb999999999999b",
                "'outputs' / 'eval_loss' / 'elements' is ");
  expectProblem(eval, "3fb999999999999a", "x", "'outputs' / 'eval_loss' / ");
  expectProblem(eval, ",\"values\":[\"3fb999999999999a\"]", "",
                "'outputs' / 'eval_loss' is without values");
  expectProblem(generate, "\"temperature\":0.8", "\"temperature\":-0.1",
                "'options' / 'temperature' is '-0.1'");
  expectProblem(generate, "[5,6]", "[5]",
                "'inputs' / 'prompt' / 'values' is 1 values; expected as many");
  expectProblem(generate, "[5,6]", "[5,9223372036854775808]",
                "'inputs' / 'prompt' / 'values' is '9223372036854775808'");
  expectProblem(generate, "\"tokens\":2", "\"tokens\":1",
                "'outputs' / 'tokens' is 4 tokens; expected 2 of the prompt "
                "and 1");
}

/// Damaged facts are refused, or read without a fault.
TEST(InferenceCommitment, DamagedFactsDoNoHarm) {
  std::mt19937 random(1);
  int refused = 0;
  for (const WitnessedInference &made :
       {makeInfer(), makeEval(), makeGenerate()}) {
    const std::string right = commitTo(made).facts;
    for (int i = 0; i < 1000; ++i) {
      std::string text = right;
      const size_t at = random() % text.size();
      switch (random() % 3) {
      case 0:
        text[at] = char("0[]{}\",:-.e"[random() % 11]);
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 16));
      }
      refused +=
          !problemOf([&] { (void)parseInferenceFacts(text, "file"); }).empty();
    }
  }
  EXPECT_GT(refused, 2000);
}
