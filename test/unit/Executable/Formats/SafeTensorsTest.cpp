// Reading and writing safetensors files, good ones and bad ones.

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "../TestFiles.h"

#include <gtest/gtest.h>

#include <random>

using namespace gensyn;
using namespace gensyn::test;

static std::string bad(const std::string &name) {
  return GENSYN_TEST_DIR "/Inputs/bad/" + name;
}

/// A file with the stated header and body.
static std::string encode(const std::string &header, const std::string &body) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += char(uint64_t(header.size()) >> (8 * i));
  return bytes + header + body;
}

static std::string failureOfHeader(const std::string &header,
                                   size_t bodySize = 8) {
  ScratchFolder scratch;
  writeFile(scratch / "f", encode(header, std::string(bodySize, '\0')));
  std::string failure = failureOf([&] { SafeTensors file(scratch / "f"); });
  size_t place = failure.find((scratch / "f").string());
  return place == std::string::npos
             ? failure
             : failure.substr(0, place) +
                   failure.substr(place + (scratch / "f").string().size() + 2);
}

TEST(SafeTensors, roundTrip) {
  ScratchFolder scratch;
  TensorMap tensors;
  tensors.emplace("b", Tensor::of<float>({2, 2}, {1.5f, -0.0f, 3e-45f, 4}));
  tensors.emplace("a", Tensor::of<uint8_t>({3}, {1, 2, 255}));
  tensors.emplace("scalar", Tensor::scalar<int64_t>(-7));
  tensors.emplace("empty", Tensor(ElementType::F64, {0, 5}));
  writeSafeTensors(scratch / "f", tensors);
  SafeTensors file(scratch / "f");
  ASSERT_EQ(file.entries().size(), tensors.size());
  for (const auto &[name, tensor] : tensors)
    EXPECT_TRUE(file.tensor(name).bitEqual(tensor)) << name;
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(SafeTensors, narrowTypesRoundTrip) {
  ScratchFolder scratch;
  TensorMap tensors;
  for (int i = 0; i < kNumElementTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    if (!isFloat(type) || !isStorageOnly(type) || bitWidth(type) > 8)
      continue;
    Tensor all(type, {2, 1 << (bitWidth(type) - 1)});
    for (int64_t j = 0; j < all.numElements(); ++j)
      all.data()[j] = static_cast<std::byte>(j);
    tensors.emplace(std::string(name(type)), all);
  }
  ASSERT_EQ(tensors.size(), 8u);
  writeSafeTensors(scratch / "f", tensors);
  SafeTensors file(scratch / "f");
  const SafeTensors copy = file;
  for (const auto &[name, tensor] : tensors)
    EXPECT_TRUE(copy.tensor(name).bitEqual(tensor)) << name;
}

// The low bits of a byte are the first element's.
TEST(SafeTensors, elementsThatShareBytes) {
  ScratchFolder scratch;
  writeFile(scratch / "4",
            encode(R"({"x":{"dtype":"F4","shape":[2,2],"data_offsets":[0,2]}})",
                   "\x21\xF3"));
  EXPECT_TRUE(
      SafeTensors(scratch / "4")
          .tensor("x")
          .bitEqual(Tensor::of<F4E2M1FN>({2, 2}, {{1}, {2}, {3}, {15}})));
  writeFile(
      scratch / "6",
      encode(R"({"x":{"dtype":"F6_E3M2","shape":[4],"data_offsets":[0,3]}})",
             "\x81\x30\xFC"));
  EXPECT_TRUE(SafeTensors(scratch / "6")
                  .tensor("x")
                  .bitEqual(Tensor::of<F6E3M2FN>({4}, {{1}, {2}, {3}, {63}})));
  EXPECT_EQ(failureOfHeader(
                R"({"x":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2),
            "3: 'x': its elements do not fill whole bytes");
  EXPECT_EQ(failureOfHeader(
                R"({"x":{"dtype":"F4","shape":[4],"data_offsets":[0,4]}})", 4),
            "3: 'x': 2 bytes are wanted, 4 are there");
}

TEST(SafeTensors, releasedTensorsAreReadAgain) {
  ScratchFolder scratch;
  // Whole pages of elements that are not zero, in the file or unpacked.
  TensorMap tensors;
  tensors.emplace("wide", Tensor(ElementType::F32, {1 << 14}));
  tensors.emplace("packed", Tensor(ElementType::F4E2M1FN, {1 << 16}));
  for (auto &[name, tensor] : tensors)
    for (int64_t i = 0; i < tensor.byteSize(); ++i)
      tensor.data()[i] = std::byte(1 + i % 7);
  writeSafeTensors(scratch / "x", tensors);
  const SafeTensors file(scratch / "x");
  for (const auto &[name, tensor] : tensors) {
    file.release(name);
    for (const auto &[each, wanted] : tensors)
      EXPECT_TRUE(file.tensor(each).bitEqual(wanted)) << name << each;
  }
}

TEST(SafeTensors, whatTheFormatCannotHold) {
  ScratchFolder scratch;
  TensorMap tensors;
  tensors.emplace("x", Tensor(ElementType::I4, {2}));
  EXPECT_EQ(failureOf([&] { writeSafeTensors(scratch / "f", tensors); }),
            "4: " + (scratch / "f").string() +
                ": 'x': safetensors files have no int4");
  tensors.clear();
  tensors.emplace("x", Tensor(ElementType::F4E2M1FN, {3}));
  EXPECT_EQ(failureOf([&] { writeSafeTensors(scratch / "f", tensors); }),
            "4: " + (scratch / "f").string() +
                ": 'x': 3 elements of float4e2m1 do not fill whole bytes");
  EXPECT_EQ(scratch.files(), 0u);
}

TEST(SafeTensors, equalTensorsGiveEqualFilesAndAlignedData) {
  ScratchFolder scratch;
  TensorMap tensors;
  tensors.emplace("a", Tensor::of<uint8_t>({3}, {1, 2, 3}));
  tensors.emplace("z", Tensor::of<double>({1}, {2.0}));
  writeSafeTensors(scratch / "1", tensors);
  writeSafeTensors(scratch / "2", tensors);
  EXPECT_EQ(readFile(scratch / "1"), readFile(scratch / "2"));
  SafeTensors file(scratch / "1");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file.find("z")->data) % 8, 0u);
}

TEST(SafeTensors, unwritablePlaceIsOneLineAndLeavesNothing) {
  ScratchFolder scratch;
  TensorMap tensors;
  EXPECT_EQ(failureOf([&] {
              writeSafeTensors(scratch / "no" / "f", tensors);
            }).substr(0, 2),
            "5:");
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_NE(failureOf([&] {
              writeSafeTensors(scratch / "folder", tensors);
            }).find("it is a folder"),
            std::string::npos);
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(SafeTensors, nameThatIsNotUtf8IsRefused) {
  ScratchFolder scratch;
  TensorMap tensors;
  tensors.emplace("\xff", Tensor::scalar<float>(1));
  EXPECT_NE(failureOf([&] {
              writeSafeTensors(scratch / "f", tensors);
            }).find("UTF-8"),
            std::string::npos);
  EXPECT_EQ(scratch.files(), 0u);
}

// The header's key for strings about the file.
TEST(SafeTensors, metadataIsNoName) {
  ScratchFolder folder;
  EXPECT_EQ(failureOf([&] {
              writeSafeTensors(folder / "a",
                               {{"__metadata__", Tensor::of<float>({1}, {0})}});
            }),
            "3: " + (folder / "a").string() +
                ": a tensor cannot be called '__metadata__', which means "
                "something else in the file");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(SafeTensors, malformedFilesAreRefused) {
  const std::pair<const char *, const char *> cases[] = {
      {"st-header-length.safetensors", "the header is longer than the file"},
      {"st-header-huge.safetensors", "the header is longer than the file"},
      {"st-not-json.safetensors", "the header is not JSON"},
      {"st-overlap.safetensors", "'x' and 'z' overlap"},
      {"st-wrong-dtype.safetensors", "'x': dtype 'F99' is not known"},
      {"st-wrong-size.safetensors", "'x': 64 bytes are wanted, 60 are there"},
      {"st-truncated.safetensors", "'x': the file ends before its data"}};
  for (const auto &[name, message] : cases) {
    std::string failure = failureOf([&] { SafeTensors file(bad(name)); });
    EXPECT_EQ(failure.find("3: " + bad(name) + ": " + message), 0u) << failure;
    EXPECT_EQ(failure.find('\n'), std::string::npos);
  }
}

TEST(SafeTensors, headersAreChecked) {
  EXPECT_EQ(failureOfHeader("[]"), "3: the header is not a JSON object");
  EXPECT_EQ(failureOfHeader("{\"x\":3}"), "3: 'x': not a JSON object");
  EXPECT_EQ(failureOfHeader("{\"x\":{}}"), "3: 'x': no dtype");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\"}}"), "3: 'x': no shape");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[2]}}"),
            "3: 'x': no data_offsets");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[-2],"
                            "\"data_offsets\":[0,8]}}"),
            "3: 'x': an extent of its shape is not a size");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[2],"
                            "\"data_offsets\":[8,0]}}"),
            "3: 'x': its data ends before it begins");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[4611686018427"
                            "387904,4],\"data_offsets\":[0,8]}}"),
            "3: 'x': the size of shape [4611686018427387904,4] overflows");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],"
                            "\"data_offsets\":[0,4]}}"),
            "3: bytes 4 to 8 belong to no tensor");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"C64\",\"shape\":[1],"
                            "\"data_offsets\":[0,8]}}"),
            "4: 'x': dtype C64 is not supported");
  EXPECT_EQ(failureOfHeader("{\"x\":{\"dtype\":\"F32\",\"shape\":[2],"
                            "\"data_offsets\":[0,8]},\"x\":{}}"),
            "3: 'x' is there twice");
  EXPECT_EQ(failureOfHeader(std::string(100000, '[')),
            "3: the header is nested deeper than 64");
  EXPECT_EQ(failureOfHeader("{\"__metadata__\":{\"a\":\"b\"},\"x\":{\"dtype\":"
                            "\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}"),
            "");
}

TEST(SafeTensors, rangesThatOverlapInPartAreRefused) {
  ScratchFolder scratch;
  auto failureWith = [&](const std::string &x, const std::string &z) {
    std::string header =
        R"({"x":{"dtype":"F32","shape":[16],"data_offsets":)" + x +
        R"(},"z":{"dtype":"F32","shape":[16],"data_offsets":)" + z + "}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string bytes(8, '\0');
    bytes[0] = char(header.size());
    writeFile(scratch / "a", bytes + header + std::string(96, '\0'));
    std::string failure = failureOf([&] { SafeTensors file(scratch / "a"); });
    const std::string path = (scratch / "a").string() + ": ";
    if (size_t at = failure.find(path); at != std::string::npos)
      failure.erase(at, path.size());
    return failure;
  };
  EXPECT_EQ(failureWith("[0,64]", "[32,96]"), "3: 'x' and 'z' overlap");
  EXPECT_EQ(failureWith("[32,96]", "[0,64]"), "3: 'z' and 'x' overlap");
  EXPECT_EQ(failureWith("[0,64]", "[63,127]"),
            "3: 'z': the file ends before its data");
  EXPECT_EQ(failureWith("[0,64]", "[0,64]"), "3: 'x' and 'z' overlap");
}

/// Reading a member must not look at the ones before it.
TEST(SafeTensors, aHeaderOfManyTensorsIsRead) {
  ScratchFolder scratch;
  constexpr int count = 300'000;
  std::string header = "{";
  for (int i = 0; i < count; ++i)
    header += (i ? "," : "") + ("\"t" + std::to_string(i)) +
              R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" +
              std::to_string(i) + "," + std::to_string(i + 1) + "]}";
  header += "}";
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i)
    bytes[size_t(i)] = char(uint64_t(header.size()) >> (8 * i));
  writeFile(scratch / "many", bytes + header + std::string(count, '\1'));
  const std::clock_t start = std::clock();
  EXPECT_EQ(SafeTensors(scratch / "many").entries().size(), size_t(count));
  EXPECT_LT(std::clock() - start, kTooLong);
}

TEST(SafeTensors, whatIsNoFileIsRefused) {
  ScratchFolder scratch;
  EXPECT_EQ(failureOf([] { SafeTensors file("/dev/zero"); }),
            "5: /dev/zero: is not a regular file");
  EXPECT_EQ(failureOf([&] { SafeTensors file(scratch.folder); }).substr(0, 2),
            "5:");
  writeFile(scratch / "empty", "");
  EXPECT_NE(failureOf([&] {
              SafeTensors file(scratch / "empty");
            }).find("the file is empty"),
            std::string::npos);
}

TEST(SafeTensors, booleansAreZeroOrOne) {
  ScratchFolder scratch;
  writeFile(scratch / "f",
            encode("{\"m\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":"
                   "[0,2]}}",
                   std::string("\1\2", 2)));
  SafeTensors file(scratch / "f");
  EXPECT_NE(failureOf([&] {
              file.tensor("m");
            }).find("'m': element 1 is 2; a boolean is 0 or 1"),
            std::string::npos);
}

// Any change to a good file is either harmless or a Failure; the sanitizers of
// the debug preset watch the rest.
TEST(SafeTensors, changedFilesDoNoHarm) {
  ScratchFolder scratch;
  std::string good = readFile(bad("ok.safetensors"));
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    writeFile(scratch / "f", damaged(good, random, round));
    std::string failure = failureOf([&] {
      SafeTensors file(scratch / "f");
      for (const std::string &name : file.names())
        file.tensor(name);
    });
    refused += !failure.empty();
  }
  EXPECT_GT(refused, 150);
}
