// Batches: the same number of rows of every tensor.

#include "gensyn/Runtime/Data/DataSet.h"

#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// Six rows of `x` and `y` for a program that takes the given shapes.
struct Rows {
  Rows(std::vector<int64_t> x, std::vector<int64_t> y) {
    Tensor rows = Tensor::of<float>({6, 1}, {0, 1, 2, 3, 4, 5});
    Tensor targets = Tensor::of<int64_t>({6}, {5, 4, 3, 2, 1, 0});
    writeSafeTensors(folder / "data", {{"x", rows}, {"y", targets}});
    signature.inputs = {{"x", Role::Input, ElementType::F32, x, nullptr},
                        {"y", Role::Target, ElementType::I64, y, nullptr}};
  }

  ScratchFolder folder;
  Signature signature;
};

} // namespace

TEST(DataSet, rowsInTheOrderAskedFor) {
  Rows rows({3, 1}, {3});
  DataSet data(rows.folder / "data");
  data.check(rows.signature);
  TensorMap batch = data.batch(rows.signature, std::vector<int64_t>{4, 0, 5});
  EXPECT_EQ(batch.at("x").as<float>()[0], 4.0f);
  EXPECT_EQ(batch.at("y").as<int64_t>()[2], 0);
}

TEST(DataSet, identityIsThatOfTheContents) {
  ScratchFolder folder;
  auto identityOf = [&](const char *name, const TensorMap &tensors) {
    writeSafeTensors(folder / name, tensors);
    return DataSet(folder / name).identity();
  };
  const Tensor x = Tensor::of<float>({2, 2}, {0, 1, 2, 3});
  const std::string identity = identityOf("a", {{"x", x}});
  EXPECT_EQ(identity.size(), 64u);
  EXPECT_EQ(identityOf("b", {{"x", x}}), identity);
  EXPECT_NE(identityOf("c", {{"y", x}}), identity);
  EXPECT_NE(identityOf("d", {{"x", Tensor::of<float>({4}, {0, 1, 2, 3})}}),
            identity);
  EXPECT_NE(identityOf("e", {{"x", Tensor::of<float>({2, 2}, {0, 1, 2, 4})}}),
            identity);
}

// Classes along the first dimension: the target has as many rows as the logits
// have columns.
TEST(DataSet, everyTensorHasTheBatch) {
  Rows rows({3, 1}, {2});
  DataSet data(rows.folder / "data");
  EXPECT_EQ(failureOf([&] { data.check(rows.signature); }),
            "3: " + (rows.folder / "data").string() +
                ": the model takes 'x' as [3,1] and 'y' as [2]");
  EXPECT_EQ(failureOf([&] {
              data.batch(rows.signature, std::vector<int64_t>{4, 0, 5});
            }),
            "70: 'y' does not hold 3 samples");
}

/// Two rows of `x`, which begins with `first`, and of `y`.
static TensorMap twoRows(float first) {
  return {{"x", Tensor::of<float>({2, 1}, {first, first + 1})},
          {"y", Tensor::of<int64_t>({2}, {int64_t(first), 0})}};
}

TEST(DataSet, samplesAreNumberedThroughShards) {
  Rows rows({4, 1}, {4});
  ScratchFolder scratch;
  // Sorted by name; neither hidden files nor others are shards.
  writeSafeTensors(scratch / "b.safetensors", twoRows(2));
  writeSafeTensors(scratch / "a.safetensors", twoRows(0));
  writeSafeTensors(scratch / "c.safetensors",
                   {{"x", Tensor(ElementType::F32, {0, 1})},
                    {"y", Tensor(ElementType::I64, {0})}});
  writeSafeTensors(scratch / "d.safetensors", twoRows(4));
  writeFile(scratch / ".e.safetensors", "half");
  writeFile(scratch / "readme.txt", "words");
  DataSet data(scratch.folder);
  EXPECT_EQ(data.samples(), 6);
  data.check(rows.signature);
  data.expectRandomOrder();
  TensorMap batch =
      data.batch(rows.signature, std::vector<int64_t>{5, 0, 3, 4});
  const std::vector<float> wanted = {5, 0, 3, 4};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(batch.at("x").as<float>()[i], wanted[i]);
  EXPECT_EQ(batch.at("y").as<int64_t>()[3], 4);

  // The same parts one by one, in the order in which they are given.
  DataSource source;
  source.parts = {(scratch / "d.safetensors").string(),
                  (scratch / "a.safetensors").string()};
  DataSet other(source);
  EXPECT_EQ(other.samples(), 4);
  EXPECT_NE(other.identity(), data.identity());
  EXPECT_EQ(other.batch(rows.signature, std::vector<int64_t>{0, 1, 2, 3})
                .at("x")
                .as<float>()[0],
            4.0f);
}

TEST(DataSet, shardsAgree) {
  auto failureOfSecond = [](const TensorMap &tensors) {
    ScratchFolder scratch;
    writeSafeTensors(scratch / "1.safetensors", twoRows(0));
    writeSafeTensors(scratch / "2.safetensors", tensors);
    std::string failure = failureOf([&] { DataSet data(scratch.folder); });
    const std::string path = scratch.folder.string() + "/";
    for (size_t at; (at = failure.find(path)) != std::string::npos;)
      failure.erase(at, path.size());
    return failure;
  };
  TensorMap tensors = twoRows(0);
  EXPECT_EQ(failureOfSecond(tensors), "");
  tensors.erase("y");
  EXPECT_EQ(failureOfSecond(tensors),
            "3: 2.safetensors: no 'y', which 1.safetensors has");
  tensors = twoRows(0);
  tensors.emplace("z", Tensor(ElementType::F32, {2}));
  EXPECT_EQ(failureOfSecond(tensors),
            "3: 2.safetensors: 'z' is not in 1.safetensors");
  tensors = twoRows(0);
  tensors["x"] = Tensor(ElementType::F32, {2, 3});
  EXPECT_EQ(failureOfSecond(tensors),
            "3: 2.safetensors: 'x' is float32[2,3], in 1.safetensors "
            "float32[2,1]");
  tensors["x"] = Tensor(ElementType::F64, {2, 1});
  EXPECT_EQ(failureOfSecond(tensors),
            "3: 2.safetensors: 'x' is float64[2,1], in 1.safetensors "
            "float32[2,1]");
  tensors["x"] = Tensor(ElementType::F32, {3, 1});
  EXPECT_EQ(failureOfSecond(tensors),
            "3: 2.safetensors: 'x' has 3 samples, 'y' has 2");
}

/// An .npy file of bytes.
static void writeBytes(const std::filesystem::path &path, int64_t count,
                       const std::string &bytes) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                       std::to_string(count) + ",)}";
  writeFile(path, std::string("\x93NUMPY\1\0", 8) + char(header.size()) + '\0' +
                      header + bytes);
}

TEST(DataSet, arraysTogetherAreOneShard) {
  ScratchFolder scratch;
  writeBytes(scratch / "a.npy", 3, "abc");
  writeBytes(scratch / "b.npy", 3, "def");
  DataSet folder(scratch.folder);
  EXPECT_EQ(folder.samples(), 3);
  EXPECT_EQ(folder.files().front().names(),
            (std::vector<std::string>{"a", "b"}));
  DataSource source;
  source.parts = {"x=" + (scratch / "b.npy").string(),
                  "y=" + (scratch / "a.npy").string()};
  EXPECT_EQ(DataSet(source).files().front().names(),
            (std::vector<std::string>{"x", "y"}));
  source.parts[1] = "x=" + (scratch / "a.npy").string();
  EXPECT_NE(
      failureOf([&] { DataSet data(source); }).find("a.npy: 'x' is also in "),
      std::string::npos);
  source.parts[1] = "y=" + (scratch / "a.bin").string();
  EXPECT_EQ(failureOf([&] { DataSet data(source); }).substr(0, 2), "2:");
  writeSafeTensors(scratch / "c.safetensors", twoRows(0));
  EXPECT_NE(failureOf([&] {
              DataSet data(scratch.folder);
            }).find("a.npy: an array among files that have every tensor"),
            std::string::npos);
}

TEST(DataSet, foldersWithoutShards) {
  ScratchFolder scratch;
  EXPECT_EQ(failureOf([&] { DataSet data(scratch.folder); }),
            "3: " + scratch.folder.string() +
                ": the folder has no file that ends in .safetensors, .npz or "
                ".npy");
}

// Only the requested samples of a file of 8 TiB are read. The thread sanitizer
// leaves too little address space to map it.
#if !__has_feature(thread_sanitizer)
TEST(DataSet, largerThanMemory) {
  ScratchFolder scratch;
  const int64_t rows = int64_t(1) << 32;
  const std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 512)}";
  const std::string begin =
      std::string("\x93NUMPY\1\0", 8) + char(header.size()) + '\0' + header;
  writeFile(scratch / "x.npy", begin);
  std::error_code error;
  std::filesystem::resize_file(scratch / "x.npy",
                               begin.size() + size_t(rows) * 2048, error);
  if (error)
    return; // The file system has no files with holes of that size.
  DataSet data(scratch.folder);
  EXPECT_EQ(data.samples(), rows);
  data.expectRandomOrder();
  Signature signature;
  signature.inputs = {{"x", Role::Input, ElementType::F32, {3, 512}, nullptr}};
  data.check(signature);
  EXPECT_EQ(data.identity().size(), 64u);
  TensorMap batch =
      data.batch(signature, std::vector<int64_t>{rows - 1, 0, rows / 2});
  EXPECT_EQ(batch.at("x").as<float>()[3 * 512 - 1], 0.0f);
}
#endif

TEST(DataSet, classesAreChecked) {
  Rows rows({2, 1}, {2});
  DataSet data(rows.folder / "data");
  const std::string where = "3: " + (rows.folder / "data").string();
  EXPECT_EQ(failureOf([&] { data.limitClasses("y", 5, std::nullopt); }),
            where + ": target 'y': element 0 is 5; the model has classes 0 to "
                    "4");
  // Targets that were not checked then are checked now.
  EXPECT_EQ(failureOf([&] {
              data.batch(rows.signature, std::vector<int64_t>{3, 0});
            }),
            where + ": target 'y' of sample 0: element 0 is 5; the model has "
                    "classes 0 to 4");
  data.limitClasses("y", 5, 5);
  data.batch(rows.signature, std::vector<int64_t>{3, 0});
}
