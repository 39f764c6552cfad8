// Functions of ranks whose tiles are changed after they were built.

#include "Tensors/VerifyTiles.h"

#include "../../../Harness.h"
#include "Tensors/PhaseBuilder.h"
#include "gensyn/Dialect/InternalError.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::ConcatOp;
using repro::SliceOp;

namespace {
// Each of two ranks computes two rows of the first op and one column of the
// second, and adds that to its part of the sum.
constexpr const char *kSegment = R"(
func.func @segment_0(
    %w: tensor<4x2xf32> {gensyn.name = "w", gensyn.role = "parameter"},
    %x: tensor<4x2xf32> {gensyn.name = "x", gensyn.role = "input"},
    %s: tensor<4x2xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"})
    -> (tensor<4x2xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"})
    attributes {train.donated = array<i64: 2>, train.stage = 0 : i64} {
  %0 = repro.mul %w, %x : tensor<4x2xf32>
  %1 = repro.exp %0 : tensor<4x2xf32>
  %2 = repro.add %s, %1 : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}
)";

class Phases {
public:
  Phases() : module(parseSourceString<ModuleOp>(kSegment, &test::context())) {
    EXPECT_TRUE(module && succeeded(program.build(*module)));
    EXPECT_EQ(program.nodes.size(), 3U);
    cuts = {{0, {0, 2, 4}, 0}, {1, {0, 1, 2}, 0}, {1, {0, 1, 2}, 0}};
    places = std::make_unique<Places>(program, cuts, 2);
    OpBuilder builder(program.segments.front());
    for (unsigned phase = 0; phase < 2; ++phase)
      for (unsigned rank = 0; rank < 2; ++rank)
        build({0, phase, rank}, builder);
  }

  /// The error of the check, with its severity; empty if there is none.
  std::string verify() const {
    std::string text;
    ScopedDiagnosticHandler handler(
        &test::context(), [&](Diagnostic &diagnostic) {
          text += (isInternalError(diagnostic) ? "internal: " : "other: ") +
                  diagnostic.str();
          return success();
        });
    EXPECT_EQ(succeeded(verifyTiles(program, built)), text.empty());
    return text;
  }

  /// The ops of a phase of that type.
  template <class Op> std::vector<Op> find(size_t phase) {
    auto ops = built[phase].function.getOps<Op>();
    return {ops.begin(), ops.end()};
  }

  std::vector<BuiltPhase> built;

private:
  void build(PhaseId id, OpBuilder &builder) {
    PhaseBuilder phase(*places, id, builder,
                       ("phase_" + Twine(built.size())).str(), parameters);
    for (unsigned node = 0; node < 3; ++node)
      if (places->computes(node, id.rank) &&
          places->phaseOf(node, id.rank) == id)
        phase.add(node);
    built.push_back(phase.finish());
  }

  OwningOpRef<ModuleOp> module;
  TensorProgram program;
  std::vector<TensorCut> cuts;
  std::unique_ptr<Places> places;
  ParameterTiles parameters;
};

TEST(VerifyTiles, AcceptsWhatIsBuilt) {
  Phases phases;
  EXPECT_EQ(phases.verify(), "");
  EXPECT_EQ(phases.find<ConcatOp>(2).size(), 1U);
  EXPECT_EQ(phases.find<SliceOp>(1).size(), 4U);
}

TEST(VerifyTiles, FindsATileTwice) {
  Phases phases;
  ConcatOp join = phases.find<ConcatOp>(2).front();
  join->setOperand(1, join->getOperand(0));
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.exp' in @phase_2 reads as operand 0 elements "
            "[0:2, 0:1] and [0:2, 0:1] of the result of 'repro.mul', expected "
            "[0:4, 0:1]");
}

TEST(VerifyTiles, FindsTilesInAnotherOrder) {
  Phases phases;
  ConcatOp join = phases.find<ConcatOp>(3).front();
  Value first = join->getOperand(0);
  join->setOperand(0, join->getOperand(1));
  join->setOperand(1, first);
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.exp' in @phase_3 reads as operand 0 elements "
            "[2:4, 1:2] and [0:2, 1:2] of the result of 'repro.mul', expected "
            "[0:4, 1:2]");
}

TEST(VerifyTiles, FindsTilesOfOtherColumns) {
  Phases phases;
  // What the second rank sends to the first one.
  for (SliceOp slice : phases.find<SliceOp>(1))
    if (slice.getLimit() == ArrayRef<int64_t>{2, 1}) {
      slice.setStart({0, 1});
      slice.setLimit({2, 2});
    }
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.exp' in @phase_2 reads as operand 0 elements "
            "[0:2, 0:1] and [2:4, 1:2] of the result of 'repro.mul', expected "
            "[0:4, 0:1]");
}

TEST(VerifyTiles, FindsAGap) {
  Phases phases;
  // Two rows instead of four, of which the second is missing.
  ConcatOp join = phases.find<ConcatOp>(2).front();
  OpBuilder builder(join);
  SmallVector<Value> parts(join.getOperands());
  auto tile = [&](Value of, int64_t row) -> Value {
    auto type = cast<RankedTensorType>(of.getType());
    return SliceOp::create(builder, join.getLoc(), type.clone({1, 1}), of,
                           ArrayRef<int64_t>{row, 0},
                           ArrayRef<int64_t>{row + 1, 1},
                           ArrayRef<int64_t>{1, 1});
  };
  const SmallVector<Value> rows = {tile(parts[0], 0), tile(parts[1], 0),
                                   tile(parts[1], 0), tile(parts[1], 1)};
  join->setOperands(rows);
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.exp' in @phase_2 reads as operand 0 elements "
            "[0:1, 0:1] and [2:3, 0:1] and [2:3, 0:1] and [3:4, 0:1] of the "
            "result of 'repro.mul', expected [0:4, 0:1]");
}

TEST(VerifyTiles, FindsStrides) {
  Phases phases;
  for (SliceOp slice : phases.find<SliceOp>(0))
    if (isa<BlockArgument>(slice.getOperand())) {
      slice.setLimit({4, 2});
      slice.setStride({2, 1});
    }
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.mul' in @phase_0 reads as operand 0 elements "
            "[0:4:2, 0:2] of 'w', expected [0:2, 0:2]");
}

TEST(VerifyTiles, FindsAnotherValue) {
  Phases phases;
  Operation *product = phases.built[0].pieces[0].results[0].getDefiningOp();
  Value x = product->getOperand(1);
  phases.built[0].pieces[0].operands[0] = x;
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.mul' in @phase_0 reads as operand 0 elements "
            "none of 'w', expected [0:2, 0:2]");
}

TEST(VerifyTiles, FindsAnotherPartOfASum) {
  Phases phases;
  auto other = DenseI64ArrayAttr::get(&test::context(), {0, 4, 1, 1});
  phases.built[2].function.setResultAttr(0, kTileAttr, other);
  EXPECT_EQ(phases.verify(),
            "internal: @phase_2 returns as 'gensyn.sum.0' elements "
            "[0:4, 0:1] of the result of 'repro.add', expected [0:4, 1:2]");
}

TEST(VerifyTiles, FindsThatASumIsReadElsewhere) {
  Phases phases;
  func::FuncOp function = phases.built[2].function;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    if (function.getArgAttr(number, kTileAttr))
      function.setArgAttr(
          number, kTileAttr,
          DenseI64ArrayAttr::get(&test::context(), {0, 4, 1, 1}));
  EXPECT_EQ(phases.verify(),
            "internal: 'repro.add' in @phase_2 reads as operand 0 elements "
            "[0:4, 1:2] of 'gensyn.sum.0', expected [0:4, 0:1]");
}

TEST(VerifyTiles, FindsPiecesOfAnotherSize) {
  Phases phases;
  phases.built[0].pieces[0].piece[0] = {0, 1};
  EXPECT_NE(phases.verify().find("internal: 'repro.mul' in @phase_0"),
            std::string::npos);
}
} // namespace
