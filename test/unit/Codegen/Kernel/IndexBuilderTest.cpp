// Tests the folding of IndexBuilder and the indices that it finds.

#include "gensyn/Codegen/Kernel/IndexBuilder.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::codegen {
namespace {

class IndexBuilderTest : public ::testing::Test {
protected:
  IndexBuilderTest() {
    context.loadDialect<arith::ArithDialect>();
    Location location = builder.getUnknownLoc();
    x = block.addArgument(builder.getIndexType(), location);
    y = block.addArgument(builder.getIndexType(), location);
    p = block.addArgument(builder.getI1Type(), location);
    builder.setInsertionPointToEnd(&block);
  }

  size_t count(StringRef name) {
    return llvm::count_if(block, [&](Operation &op) {
      return op.getName().getStringRef() == name;
    });
  }

  MLIRContext context;
  Block block;
  OpBuilder builder{&context};
  IndexBuilder index{builder, builder.getUnknownLoc()};
  Value x, y, p;
};

TEST_F(IndexBuilderTest, NeutralNumbersLeaveTheOther) {
  EXPECT_EQ(index.add(x, 0), x);
  EXPECT_EQ(index.add(x, index(0)), x);
  EXPECT_EQ(index.add(index(0), x), x);
  EXPECT_EQ(index.sub(x, index(0)), x);
  EXPECT_EQ(index.mul(x, 1), x);
  EXPECT_EQ(index.mul(x, index(1)), x);
  EXPECT_EQ(index.div(x, 1), x);
  EXPECT_EQ(index.div(x, index(1)), x);
  EXPECT_EQ(getConstantIntValue(index.mul(x, 0)), 0);
  EXPECT_EQ(getConstantIntValue(index.rem(x, 1)), 0);
  EXPECT_EQ(getConstantIntValue(index.rem(x, index(1))), 0);
  // Only constants were emitted.
  EXPECT_EQ(count("arith.constant"), block.getOperations().size());
}

TEST_F(IndexBuilderTest, ANullPredicateAlwaysHolds) {
  EXPECT_EQ(index.both({}, p), p);
  EXPECT_EQ(index.both(p, {}), p);
  EXPECT_FALSE(index.both({}, {}));
  EXPECT_EQ(index.select({}, x, y), x);
  EXPECT_TRUE(block.empty());
}

TEST_F(IndexBuilderTest, ConstantsFold) {
  EXPECT_EQ(getConstantIntValue(index.add(index(7), 5)), 12);
  EXPECT_EQ(getConstantIntValue(index.sub(index(7), index(5))), 2);
  EXPECT_EQ(getConstantIntValue(index.mul(index(7), 5)), 35);
  EXPECT_EQ(getConstantIntValue(index.div(index(17), 5)), 3);
  EXPECT_EQ(getConstantIntValue(index.rem(index(17), 5)), 2);
  EXPECT_EQ(getConstantIntValue(index.min(index(7), 5)), 5);
  EXPECT_TRUE(matchPattern(index.less(index(4), 5), m_One()));
  EXPECT_TRUE(matchPattern(index.less(index(5), 5), m_Zero()));
}

TEST_F(IndexBuilderTest, ANegativeNumberIsNotLess) {
  EXPECT_TRUE(matchPattern(index.less(index(-1), 5), m_Zero()));
}

TEST_F(IndexBuilderTest, IndicesOfEveryElement) {
  int64_t number = 0;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t k = 0; k < 4; ++k) {
        SmallVector<Value> found = index.delinearize(index(number), {2, 3, 4});
        ASSERT_EQ(found.size(), 3u);
        EXPECT_EQ(getConstantIntValue(found[0]), i) << number;
        EXPECT_EQ(getConstantIntValue(found[1]), j) << number;
        EXPECT_EQ(getConstantIntValue(found[2]), k) << number;
        ++number;
      }
}

// The first dimension needs no remainder, and one of extent 1 no arithmetic.
TEST_F(IndexBuilderTest, IndicesTakeNoMoreOpsThanTheyNeed) {
  EXPECT_TRUE(index.delinearize(x, {}).empty());
  EXPECT_EQ(index.delinearize(x, {9}).front(), x);
  SmallVector<Value> found = index.delinearize(x, {5, 1});
  EXPECT_EQ(found[0], x);
  EXPECT_EQ(getConstantIntValue(found[1]), 0);
  EXPECT_EQ(count("arith.remui") + count("arith.divui"), 0u);
  index.delinearize(x, {5, 3, 2});
  EXPECT_EQ(count("arith.remui"), 2u);
  EXPECT_EQ(count("arith.divui"), 2u);
}

TEST_F(IndexBuilderTest, AnIndexIsPutIn) {
  EXPECT_EQ(insertIndex({x, y}, 0, p), (SmallVector<Value>{p, x, y}));
  EXPECT_EQ(insertIndex({x, y}, 1, p), (SmallVector<Value>{x, p, y}));
  EXPECT_EQ(insertIndex({x, y}, 2, p), (SmallVector<Value>{x, y, p}));
}

} // namespace
} // namespace gensyn::codegen
