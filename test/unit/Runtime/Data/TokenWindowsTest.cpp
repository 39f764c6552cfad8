// Windows of streams of tokens, and what a model gets of them.

#include "gensyn/Runtime/Data/DataSet.h"

#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// A stream of the tokens 0, 1, 2, ... in windows of four.
struct Stream {
  explicit Stream(int64_t tokens = 14) {
    write("a.safetensors", tokens, 0);
    source = DataSource(folder.folder);
    source.sequenceLength = 4;
  }
  void write(const std::string &name, int64_t tokens, int first) {
    Tensor stream(ElementType::UI16, {tokens});
    for (int64_t i = 0; i < tokens; ++i)
      stream.as<uint16_t>()[i] = uint16_t(first + i);
    writeSafeTensors(folder / name, {{"tokens", stream}});
  }

  ScratchFolder folder;
  DataSource source;
};

} // namespace

static Port port(const char *name, Role role, std::vector<int64_t> shape,
                 ElementType type = ElementType::I64) {
  return {name, role, type, std::move(shape), nullptr};
}

static std::vector<int64_t> values(const Tensor &tensor) {
  return {tensor.as<int64_t>(), tensor.as<int64_t>() + tensor.numElements()};
}

TEST(TokenWindows, theTargetIsTheNextToken) {
  Stream stream;
  DataSet data(stream.source);
  EXPECT_EQ(data.samples(), 3);
  EXPECT_EQ(data.tokensPerSample(), 4);
  Signature signature;
  signature.inputs = {port("ids", Role::Input, {2, 4}),
                      port("target", Role::Target, {2, 4})};
  data.check(signature);
  TensorMap batch = data.batch(signature, std::vector<int64_t>{2, 0});
  EXPECT_EQ(values(batch.at("ids")),
            (std::vector<int64_t>{8, 9, 10, 11, 0, 1, 2, 3}));
  EXPECT_EQ(values(batch.at("target")),
            (std::vector<int64_t>{9, 10, 11, 12, 1, 2, 3, 4}));
  signature.inputs[1] = port("target", Role::Target, {2});
  batch = data.batch(signature, std::vector<int64_t>{2, 0});
  EXPECT_EQ(values(batch.at("target")), (std::vector<int64_t>{12, 4}));
}

TEST(TokenWindows, aWindowTakesATokenMore) {
  EXPECT_EQ(DataSet(Stream(5).source).samples(), 1);
  EXPECT_EQ(DataSet(Stream(8).source).samples(), 1);
  EXPECT_EQ(DataSet(Stream(9).source).samples(), 2);
  for (int64_t tokens : {0, 1, 4}) {
    Stream stream(tokens);
    EXPECT_EQ(failureOf([&] { DataSet data(stream.source); }),
              "3: " + stream.folder.folder.string() +
                  ": there is no window of 4 tokens");
  }
}

TEST(TokenWindows, noWindowLiesInTwoShards) {
  Stream stream;
  stream.write("b.safetensors", 4, 50);
  stream.write("c.safetensors", 6, 100);
  DataSet data(stream.source);
  EXPECT_EQ(data.samples(), 4);
  Signature signature;
  signature.inputs = {port("ids", Role::Input, {1, 4}, ElementType::I32)};
  TensorMap batch = data.batch(signature, std::vector<int64_t>{3});
  EXPECT_EQ(batch.at("ids").as<int32_t>()[0], 100);
  data.limitClasses("target", 106, std::nullopt);
  EXPECT_EQ(failureOf([&] { data.limitClasses("target", 105, std::nullopt); }),
            "3: " + (stream.folder / "c.safetensors").string() +
                ": tokens 'tokens': element 5 is 105; the model has classes 0 "
                "to 104");
  EXPECT_EQ(failureOf([&] { data.batch(signature, std::vector<int64_t>{3}); }),
            "");
  data = DataSet(stream.source);
  data.limitClasses("target", 200, std::nullopt);
  signature.inputs = {port("ids", Role::Input, {1, 4}, ElementType::UI8)};
  stream.write("b.safetensors", 5, 253);
  DataSet other(stream.source);
  EXPECT_EQ(failureOf([&] { other.batch(signature, std::vector<int64_t>{3}); }),
            "3: " + (stream.folder / "b.safetensors").string() +
                ": window 0 of the tokens: 256 does not fit the model's uint8");
}

TEST(TokenWindows, inputsWithNamesOfTheirOwnMeaning) {
  Stream stream;
  DataSet data(stream.source);
  Signature signature;
  signature.inputs = {
      port("w", Role::Parameter, {3}),
      port("attention_mask", Role::Input, {2, 4}, ElementType::F32),
      port("position_ids", Role::Input, {2, 4}),
      port("token_type_ids", Role::Input, {2, 4}),
      port("input_ids", Role::Input, {2, 4}),
      port("target", Role::Target, {2, 4})};
  data.check(signature);
  TensorMap batch = data.batch(signature, std::vector<int64_t>{1, 2});
  EXPECT_EQ(batch.size(), 5u);
  EXPECT_EQ(batch.at("attention_mask").as<float>()[7], 1.0f);
  EXPECT_EQ(values(batch.at("position_ids")),
            (std::vector<int64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(values(batch.at("token_type_ids")), std::vector<int64_t>(8, 0));
  EXPECT_EQ(batch.at("input_ids").as<int64_t>()[0], 4);
}

TEST(TokenWindows, whatAModelWantsAndTokensLack) {
  Stream stream;
  DataSet data(stream.source);
  auto failureOfPorts = [&](std::vector<Port> ports) {
    Signature signature;
    signature.inputs = std::move(ports);
    std::string failure = failureOf([&] { data.check(signature); });
    const std::string path = stream.folder.folder.string() + ": ";
    const size_t at = failure.find(path);
    return at == std::string::npos ? failure : failure.erase(at, path.size());
  };
  const Port ids = port("ids", Role::Input, {2, 4});
  EXPECT_EQ(failureOfPorts({port("x", Role::Input, {2, 4}, ElementType::F32)}),
            "3: the model has no input for tokens, which are integers");
  EXPECT_EQ(failureOfPorts({ids, port("other", Role::Input, {2, 4})}),
            "3: which input are the tokens: 'ids', 'other'?");
  EXPECT_EQ(
      failureOfPorts({ids, port("image", Role::Input, {2, 3}, ElementType::F32),
                      port("t", Role::Target, {2, 4})}),
      "3: a stream of tokens has nothing for the model's input 'image', "
      "float32[2,3]");
  EXPECT_EQ(
      failureOfPorts({ids, port("t", Role::Target, {2, 4}, ElementType::F32)}),
      "3: a stream of tokens has nothing for the model's target 't', "
      "float32[2,4]");
  EXPECT_EQ(failureOfPorts({port("ids", Role::Input, {2, 8})}),
            "3: input 'ids' of the model is int64[2,8]; windows are [N,4]");
  EXPECT_EQ(failureOfPorts({ids, port("position_ids", Role::Input, {2, 4},
                                      ElementType::F32)}),
            "3: input 'position_ids' of the model is float32; positions "
            "are integers");
}

TEST(TokenWindows, whatIsNoStream) {
  auto failureOfTensors = [](const TensorMap &tensors) {
    ScratchFolder scratch;
    writeSafeTensors(scratch / "f", tensors);
    DataSource source(scratch / "f");
    source.sequenceLength = 2;
    return failureOf([&] { DataSet data(source); })
        .substr(5 + (scratch / "f").string().size());
  };
  EXPECT_EQ(failureOfTensors({}), "the file is empty");
  EXPECT_EQ(failureOfTensors({{"a", Tensor(ElementType::UI8, {9})},
                              {"b", Tensor(ElementType::UI8, {9})}}),
            "a stream of tokens is one tensor, the file has 'a', 'b'");
  EXPECT_EQ(failureOfTensors({{"a", Tensor(ElementType::UI8, {3, 3})}}),
            "'a' is uint8[3,3]; a stream of tokens has integers in one "
            "dimension");
  EXPECT_EQ(failureOfTensors({{"a", Tensor(ElementType::F32, {9})}}),
            "'a' is float32[9]; a stream of tokens has integers in one "
            "dimension");
}
