// Which ops of a segment ranks divide, and why not the others.

#include "Tensors/ReportTensors.h"

#include "../../../Harness.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <string>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

namespace {
// A product of vectors, a sum of its own, and elementwise ops that depend on a
// view of a parameter.
constexpr const char *kSegment = R"(
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
func.func @segment_0(
    %x: tensor<1x300xf32> {gensyn.name = "x", gensyn.role = "input"},
    %w: tensor<300x1xf32> {gensyn.name = "w", gensyn.role = "parameter"},
    %y: tensor<8x16xf32> {gensyn.name = "y", gensyn.role = "input"},
    %v: tensor<8x16xf32> {gensyn.name = "v", gensyn.role = "parameter"},
    %s0: tensor<1x1xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
    %s1: tensor<8x16xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
    %p: tensor<i1> {gensyn.name = "p", gensyn.role = "input"})
    -> (tensor<1x1xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
        tensor<8x16xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"})
    attributes {train.donated = array<i64: 4, 5>, train.stage = 0 : i64} {
  %0 = repro.contract %x, %w domain <[1, 1, 300], reduce [2]> maps [#x, #w, #y] bounds [in, in] order ORDER : tensor<1x300xf32>, tensor<300x1xf32> -> tensor<1x1xf32>
  %1 = repro.add %s0, %0 : tensor<1x1xf32>
  %2 = repro.add %v, %v : tensor<8x16xf32>
  %3 = SCALED
  %4 = repro.add %s1, %3 : tensor<8x16xf32>
  return %1, %4 : tensor<1x1xf32>, tensor<8x16xf32>
}
)";

TensorReport
reportFor(int64_t ranks, const std::string &order, TensorChooser choose = {},
          const std::string &scaled = "repro.mul %y, %2 : tensor<8x16xf32>") {
  std::string text = kSegment;
  text.replace(text.find("ORDER"), 5, order);
  text.replace(text.find("SCALED"), 6, scaled);
  auto module = parseSourceString<ModuleOp>(text, &test::context());
  TensorReport report;
  EXPECT_TRUE(module &&
              succeeded(cutTensors(*module, ranks, 0, choose, &report)));
  return report;
}

const WholeOps *find(const TensorReport &report, const std::string &operation,
                     WholeReason reason) {
  for (const WholeOps &group : report.whole)
    if (group.operation == operation && group.reason == reason)
      return &group;
  return nullptr;
}

TEST(ReportTensors, CountsWhatIsDivided) {
  const TensorReport report = reportFor(4, "sequential");
  // Two for each point, and one for each element.
  EXPECT_EQ(report.operations, 600 + 1 + 3 * 128);
  EXPECT_EQ(report.divided, 2 * 128);
  ASSERT_EQ(report.places.size(), 4U);
  ASSERT_EQ(report.whole.size(), 3U);
  EXPECT_EQ(report.whole[0].operation, "contract");
  EXPECT_EQ(report.whole[0].operations, 600);
  EXPECT_EQ(report.whole[0].reason, WholeReason::FewIndices);
  EXPECT_EQ(report.whole[1].reason, WholeReason::View);
  EXPECT_EQ(report.whole[1].operations, 128);
  EXPECT_EQ(report.whole[2].operation, "add");
  EXPECT_EQ(report.whole[2].reason, WholeReason::FewIndices);
  EXPECT_EQ(report.whole[2].order.text, "");
}

TEST(ReportTensors, NamesTheOrderOfAPolicyWithEnoughParts) {
  const TensorReport three = reportFor(3, "sequential");
  const WholeOps *group = find(three, "contract", WholeReason::FewIndices);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->points, 300);
  EXPECT_EQ(group->order.text, "sequential");
  EXPECT_EQ(group->order.parts, 1);
  EXPECT_EQ(group->better.text, "blocked<128, sequential, sequential>");
  EXPECT_EQ(group->better.accuracy, "accurate");
  EXPECT_EQ(group->better.parts, 3);
}

TEST(ReportTensors, NamesAnotherPolicyWhereBlocksAreFew) {
  const TensorReport four =
      reportFor(4, "blocked<128, sequential, sequential>");
  const WholeOps *group = find(four, "contract", WholeReason::FewIndices);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->order.parts, 3);
  EXPECT_EQ(group->better.text, "exact");
  EXPECT_EQ(group->better.accuracy, "exact");
  EXPECT_EQ(group->better.parts, 300);
}

TEST(ReportTensors, NamesNoOtherOrderWhereThisOneHasThem) {
  const TensorReport three =
      reportFor(3, "blocked<128, sequential, sequential>");
  const WholeOps *group = find(three, "contract", WholeReason::FewIndices);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->order.parts, 3);
  EXPECT_EQ(group->better.text, "");
}

TEST(ReportTensors, SaysWhatCouldBeDivided) {
  const TensorReport report =
      reportFor(4, "sequential", [](Operation *, unsigned) { return 0U; });
  EXPECT_EQ(report.divided, 0);
  const WholeOps *group = find(report, "mul", WholeReason::Price);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->operations, 128);
  EXPECT_EQ(group->count, 1);
}

TEST(ReportTensors, SaysWhatHasNoPieces) {
  const TensorReport report = reportFor(4, "sequential", {}, R"(
    repro.if %p (%a = %y : tensor<8x16xf32>, %b = %v : tensor<8x16xf32>) -> (tensor<8x16xf32>) {
      %m = repro.mul %a, %b : tensor<8x16xf32>
      repro.yield %m : tensor<8x16xf32>
    } else {
      repro.yield %b : tensor<8x16xf32>
    })");
  const WholeOps *group = find(report, "if", WholeReason::NoPieces);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->operations, 128);
}
} // namespace
