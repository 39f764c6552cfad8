// Initial values of tensors, and the digest of their current values.

#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

/// A program with one parameter of three bytes and the given initial value.
static std::shared_ptr<plan::Executable>
withInitial(const plan::Initial &initial, const std::string &type = "ui8") {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  *addInput(*executable->mutable_plan(), "w", "parameter", {3}, type)
       .mutable_initial() = initial;
  return executable;
}

static Tensor load(const plan::Initial &initial,
                   const std::string &type = "ui8") {
  auto executable = withInitial(initial, type);
  ParameterStore store;
  store.adopt(readSignature(*executable));
  return store.at("w");
}

TEST(ParameterStore, initialValues) {
  ScratchFolder scratch;
  writeFile(scratch / "data", "..abc..");
  plan::Initial initial;
  auto *file = initial.mutable_file();
  file->set_path((scratch / "data").string());
  file->set_offset(2);
  file->set_length(3);
  Tensor abc = Tensor::of<uint8_t>({3}, {'a', 'b', 'c'});
  EXPECT_TRUE(load(initial).bitEqual(abc));
  file->set_blake3(hashHex("abc", 3));
  EXPECT_TRUE(load(initial).bitEqual(abc));
  file->set_blake3(hashHex("abd", 3));
  EXPECT_NE(failureOf([&] {
              load(initial);
            }).find("other bytes than when the model was compiled"),
            std::string::npos);
  file->set_offset(5);
  EXPECT_NE(failureOf([&] { load(initial); }).find("ends at 7, bytes 5 to 8"),
            std::string::npos);
  file->set_offset(~0ull);
  EXPECT_NE(failureOf([&] { load(initial); }).find("ends at 7"),
            std::string::npos);
  file->set_length(2);
  EXPECT_EQ(failureOf([&] { load(initial); }),
            "3: 'w': 3 bytes are wanted, 2 are there");
  initial.set_literal("abc");
  EXPECT_TRUE(load(initial).bitEqual(abc));
  initial.set_literal("abcd");
  EXPECT_EQ(failureOf([&] { load(initial); }),
            "3: 'w': 3 bytes are wanted, 4 are there");
  EXPECT_EQ(failureOf([] { load(plan::Initial()); }),
            "3: 'w': the program does not say how it starts");
}

TEST(ParameterStore, fillsConvert) {
  plan::Initial initial;
  initial.set_fill(0.1);
  EXPECT_TRUE(load(initial, "f32")
                  .bitEqual(Tensor::of<float>({3}, {0.1f, 0.1f, 0.1f})));
  initial.set_fill(1e30);
  EXPECT_TRUE(
      load(initial, "ui8").bitEqual(Tensor::of<uint8_t>({3}, {255, 255, 255})));
  EXPECT_EQ(load(initial, "i64").as<int64_t>()[0], INT64_MAX);
  initial.set_fill(-5);
  EXPECT_EQ(load(initial, "i64").as<int64_t>()[0], -5);
  EXPECT_EQ(load(initial, "ui64").as<uint64_t>()[0], 0u);
}

// random_r7, by benchmarks/symbolic_weights.py.
TEST(ParameterStore, symbolicValues) {
  plan::Initial initial;
  plan::Initial::Symbol &symbol = *initial.mutable_symbol();
  symbol.set_name("w");
  symbol.set_seed((uint64_t(7) << 32) + 1);
  EXPECT_TRUE(
      load(initial, "i8").bitEqual(Tensor::of<int8_t>({3}, {-26, -95, 103})));
  EXPECT_TRUE(
      load(initial, "ui8").bitEqual(Tensor::of<uint8_t>({3}, {102, 33, 231})));
  EXPECT_TRUE(load(initial, "i4")
                  .bitEqual(Tensor::of<I4>({3}, {I4::wrap(uint64_t(-2)),
                                                 I4::wrap(uint64_t(-6)),
                                                 I4::wrap(uint64_t(6))})));
  symbol.set_center(128);
  symbol.set_exponent(-7);
  const Tensor floats =
      Tensor::of<float>({3}, {0.8984375f, 0.625f, 1.3984375f});
  EXPECT_TRUE(load(initial, "f32").bitEqual(floats));
  EXPECT_TRUE(scalar::convertTensor(load(initial, "bf16"), ElementType::F32)
                  .bitEqual(floats));
  EXPECT_EQ(failureOf([&] { load(initial, "i64"); }),
            "3: 'w': int64 has no symbolic values");
  EXPECT_EQ(failureOf([&] { load(initial, "i1"); }),
            "3: 'w': bool has no symbolic values");
  symbol.set_exponent(65);
  EXPECT_EQ(failureOf([&] { load(initial, "f32"); }),
            "3: 'w': center 128 or exponent 65 of its symbolic values is out "
            "of range");
}

TEST(ParameterStore, kindsOfState) {
  plan::Executable executable;
  executable.set_version(1);
  plan::Plan &plan = *executable.mutable_plan();
  addInput(plan, "w", "parameter", {2}).mutable_initial()->set_fill(1);
  addInput(plan, "running_mean", "state", {1})
      .mutable_initial()
      ->set_literal(std::string(4, '\0'));
  addInput(plan, "momentum", "state", {2}).mutable_initial()->set_fill(0);
  addInput(plan, "c", "constant", {1}).mutable_initial()->set_fill(3);
  ParameterStore store;
  store.adopt(readSignature(executable));
  EXPECT_EQ(store.parameterCount(), 2);
  TensorMap model = store.model(), optimizer = store.optimizer();
  ASSERT_EQ(model.size(), 2u);
  EXPECT_TRUE(model.count("running_mean"));
  ASSERT_EQ(optimizer.size(), 1u);
  EXPECT_TRUE(optimizer.count("momentum"));

  plan.mutable_inputs(0)->set_shape(0, 3);
  EXPECT_EQ(failureOf([&] { store.adopt(readSignature(executable)); }),
            "3: two programs disagree about 'w': [2] and [3]");
}

TEST(ParameterStore, digestIsOfEverythingAboutATensor) {
  TensorMap map;
  map.emplace("w", Tensor::of<float>({2}, {1, 2}));
  std::string digest = digestTensors(map);
  // The encoding that the header states, by hand.
  std::string text = "gensyn-parameters-1";
  auto number = [&](uint64_t value) {
    for (int i = 0; i < 8; ++i)
      text += char(value >> (8 * i));
  };
  number(1), text += "w", number(3), text += "f32";
  number(1), number(2), number(8);
  text += std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  EXPECT_EQ(digest, hashHex(text.data(), text.size()));

  TensorMap shape, type, name;
  shape.emplace("w", Tensor::of<float>({2, 1}, {1, 2}));
  type.emplace("w", Tensor::of<float>({2}, {1, 2}).bitcast(ElementType::I32));
  name.emplace("v", Tensor::of<float>({2}, {1, 2}));
  for (const TensorMap &other : {shape, type, name})
    EXPECT_NE(digestTensors(other), digest);
}

TEST(ParameterStore, parametersOfAFile) {
  ScratchFolder scratch;
  plan::Initial initial;
  initial.set_literal("abc");
  auto executable = withInitial(initial);
  ParameterStore store;
  store.adopt(readSignature(*executable));
  auto failureOfFile = [&](const TensorMap &tensors) {
    writeSafeTensors(scratch / "f", tensors);
    std::string failure =
        failureOf([&] { store.replace(openTensors(scratch / "f")); });
    const std::string path = (scratch / "f").string() + ": ";
    const size_t at = failure.find(path);
    return at == std::string::npos ? failure : failure.erase(at, path.size());
  };
  const Tensor def = Tensor::of<uint8_t>({3}, {'d', 'e', 'f'});
  EXPECT_EQ(failureOfFile({{"v", def}, {"w", def}}),
            "3: the program has no parameter 'v'");
  EXPECT_EQ(failureOfFile({{"w", Tensor(ElementType::UI8, {4})}}),
            "3: 'w' is uint8[4], the program wants uint8[3]");
  EXPECT_EQ(failureOfFile({{"w", Tensor(ElementType::I8, {3})}}),
            "3: 'w' is int8[3], the program wants uint8[3]");
  EXPECT_EQ(store.at("w").as<uint8_t>()[0], 'a');
  EXPECT_EQ(failureOfFile({{"w", def}}), "");
  EXPECT_TRUE(store.at("w").bitEqual(def));
}

TEST(ParameterStore, restoresWhatItGave) {
  plan::Executable executable;
  executable.set_version(1);
  plan::Plan &plan = *executable.mutable_plan();
  addInput(plan, "w", "parameter", {2}).mutable_initial()->set_fill(1);
  addInput(plan, "mean", "state", {1})
      .mutable_initial()
      ->set_literal(std::string(4, '\0'));
  addInput(plan, "m", "state", {2}).mutable_initial()->set_fill(0);
  addInput(plan, "c", "constant", {1}).mutable_initial()->set_fill(7);
  const Signature signature = readSignature(executable);
  ParameterStore store;
  store.adopt(signature);
  EXPECT_EQ(store.constants().size(), 1u);
  TensorMap model = store.model(), optimizer = store.optimizer();
  model["w"] = Tensor::of<float>({2}, {3.0f, 4.0f});
  optimizer["m"] = Tensor::of<float>({2}, {5.0f, 6.0f});
  store.restore(model, optimizer, "f");
  EXPECT_TRUE(store.at("w").bitEqual(model["w"]));
  EXPECT_TRUE(store.at("m").bitEqual(optimizer["m"]));
  auto failure = [&](const TensorMap &other) {
    return failureOf([&] { store.restore(model, other, "f"); });
  };
  EXPECT_EQ(failure({}), "3: f: has no 'm'");
  TensorMap other = optimizer;
  other["x"] = Tensor();
  EXPECT_EQ(failure(other), "3: f: has tensors that the program has not");
  other = optimizer;
  other["m"] = Tensor(ElementType::F32, {3});
  EXPECT_EQ(failure(other),
            "3: f: 'm' is float32[3], the program wants float32[2]");
  EXPECT_TRUE(store.at("m").bitEqual(optimizer["m"]));
}
