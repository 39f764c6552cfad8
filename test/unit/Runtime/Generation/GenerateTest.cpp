// Continuing a text: what the model is given, and what it may not be.

#include "gensyn/Runtime/Generation/Generate.h"
#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

constexpr int64_t kTokens = 5;

/// The logits of a place are largest at its token plus one (modulo 5).
class Successor final : public Program {
public:
  using Program::Program;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    windows.emplace_back();
    for (int64_t i = 0; i < inputs[0]->numElements(); ++i) {
      int64_t token = inputs[0]->as<int64_t>()[i];
      windows.back().push_back(token);
      for (int64_t c = 0; c < kTokens; ++c)
        outputs[0].as<float>()[i * kTokens + c] =
            c == (token + 1) % kTokens ? 1.0f : 0.0f;
    }
  }
  std::vector<std::vector<int64_t>> windows;
};

std::shared_ptr<plan::Executable> makeSuccessor(const std::string &type = "i64",
                                                int64_t batch = 1,
                                                int64_t length = 3) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "ids", "input", {batch, length}, type);
  addOutput(plan, "logits", "output", {batch, length, kTokens});
  return executable;
}

std::string refusal(std::shared_ptr<plan::Executable> executable) {
  ParameterStore store;
  Session session(std::make_unique<Successor>(std::move(executable)), store);
  return failureOf([&] { Generator(session, "m.onnx"); });
}

} // namespace

TEST(Generate, theModelSeesTheLastTokens) {
  auto owned = std::make_unique<Successor>(makeSuccessor());
  Successor &program = *owned;
  ParameterStore store;
  Session session(std::move(owned), store);
  Generator generator(session, "m.onnx");
  EXPECT_EQ(generator.length(), 3);
  std::vector<int64_t> tokens = {1, 2}, told;
  std::atomic<bool> stop{false};
  generator.run(tokens, 4, {}, [&](int64_t t) { told.push_back(t); }, stop);
  EXPECT_EQ(tokens, (std::vector<int64_t>{1, 2, 3, 4, 0, 1}));
  EXPECT_EQ(told, (std::vector<int64_t>{3, 4, 0, 1}));
  EXPECT_EQ(program.windows, (std::vector<std::vector<int64_t>>{
                                 {1, 2, 0}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}}));
  stop = true;
  generator.run(tokens, 4, {}, [](int64_t) {}, stop);
  EXPECT_EQ(tokens.size(), 6u);
  tokens = {1, 5};
  EXPECT_EQ(
      failureOf([&] { generator.run(tokens, 1, {}, [](int64_t) {}, stop); }),
      "3: m.onnx: token 5 of the prompt is none of its 5");
}

TEST(Generate, modelsThatDoNotContinueTexts) {
  EXPECT_EQ(refusal(makeSuccessor("f32")),
            "3: m.onnx: generating needs an input of tokens, integers of shape "
            "[1,length], and 'ids' is float32[1,3]");
  EXPECT_EQ(refusal(makeSuccessor("i64", 2)),
            "3: m.onnx: generating needs an input of tokens, integers of shape "
            "[1,length], and 'ids' is int64[2,3]");
  auto two = makeSuccessor();
  addInput(*two->mutable_plan(), "mask", "input", {1, 3}, "i64");
  EXPECT_EQ(refusal(two), "3: m.onnx: generating needs a model of one input, "
                          "and it has 'ids' and 'mask'");
  auto other = makeSuccessor();
  other->mutable_plan()->mutable_outputs(0)->set_shape(1, 4);
  EXPECT_EQ(refusal(other), "3: m.onnx: generating needs an output of logits, "
                            "float32[1,3,tokens]");
}

TEST(Generate, vocabulary) {
  Vocabulary vocabulary(R"(["a", "b", "ab", "", "é"])", "v.json");
  EXPECT_EQ(vocabulary.encode("abbaé"), (std::vector<int64_t>{2, 1, 0, 4}));
  EXPECT_EQ(vocabulary.encode(""), std::vector<int64_t>());
  EXPECT_EQ(vocabulary.at(2), "ab");
  EXPECT_EQ(failureOf([&] { vocabulary.encode("ac"); }),
            "3: v.json: no token begins the rest of the prompt, 'c'");
  EXPECT_EQ(failureOf([&] { vocabulary.at(5); }),
            "3: v.json: has 5 tokens, and number 5 is wanted");
  EXPECT_EQ(failureOf([] { Vocabulary("{}", "v.json"); }),
            "3: v.json: the vocabulary is not a list of strings");
  EXPECT_EQ(failureOf([] { Vocabulary("[\"a\", 1]", "v.json"); }),
            "3: v.json: entry 1 of the vocabulary is not a string");
}
