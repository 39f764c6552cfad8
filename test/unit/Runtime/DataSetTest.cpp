// Batches: the same number of rows of every tensor.

#include "gensyn/Runtime/DataSet.h"

#include "TestFiles.h"
#include "gensyn/Runtime/Session.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::runtime::test;

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
  checkTensors(data.file(), rows.signature, /*anyBatch=*/true);
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
  EXPECT_EQ(failureOf([&] { checkTensors(data.file(), rows.signature, true); }),
            "3: " + (rows.folder / "data").string() +
                ": the model takes 'x' as [3,1] and 'y' as [2]");
  EXPECT_EQ(failureOf([&] {
              data.batch(rows.signature, std::vector<int64_t>{4, 0, 5});
            }),
            "70: 'y' does not hold 3 samples");
}
