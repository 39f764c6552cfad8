// Attention as one kernel, forward and backward, against the reference: sizes
// around those of tiles and vectors, blocks of orders, layouts, masks.

#include "RunProgram.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu {

std::unique_ptr<Schedule> createContractedRowsSchedule();

namespace {

/// An attention of several heads: softmax(q k^T + mask) v.
struct Attention {
  int64_t heads = 2, queries = 7, keys = 37, dims = 8, values = 5;
  /// Layouts of the tensors, by letters of heads, queries, keys, dims, values.
  std::string q = "hqd", k = "hkd", v = "hkv", y = "hqv";
  /// Orders of the sums of a row, of scores, and of contractions over keys and
  /// queries.
  std::string rowOrder = "lanes<32>", scoreOrder = "sequential",
              keyOrder = "sequential", queryOrder = "sequential";
  bool isCausal = false, hasBias = false, hasBackward = false;

  std::string text() const;

private:
  int64_t extent(char letter) const {
    return letter == 'h'   ? heads
           : letter == 'q' ? queries
           : letter == 'k' ? keys
           : letter == 'd' ? dims
                           : values;
  }
  std::string type(const std::string &letters,
                   const std::string &element = "f32") const {
    std::string text = "tensor<";
    for (char letter : letters)
      text += std::to_string(extent(letter)) + "x";
    return text + element + ">";
  }
  /// The contraction `name` of two tensors over the iterator `reduced`.
  std::string contract(const std::string &name, const std::string &lhs,
                       const std::string &lhsAxes, const std::string &rhs,
                       const std::string &rhsAxes, const std::string &axes,
                       char reduced, const std::string &order) const {
    const std::string all = axes + reduced;
    std::string extents, dims;
    for (size_t i = 0; i < all.size(); ++i) {
      extents += (i ? ", " : "") + std::to_string(extent(all[i]));
      dims += (i ? ", d" : "d") + std::to_string(i);
    }
    auto map = [&](const std::string &letters) {
      std::string text = "affine_map<(" + dims + ") -> (";
      for (size_t i = 0; i < letters.size(); ++i)
        text += (i ? ", d" : "d") + std::to_string(all.find(letters[i]));
      return text + ")>";
    };
    return "%" + name + " = repro.contract %" + lhs + ", %" + rhs +
           " domain <[" + extents + "], reduce [" +
           std::to_string(all.size() - 1) + "]> maps [" + map(lhsAxes) + ", " +
           map(rhsAxes) + ", " + map(axes) + "] bounds [in, in] order " +
           order + " : " + type(lhsAxes) + ", " + type(rhsAxes) + " -> " +
           type(axes) + "\n";
  }
  std::string reduce(const std::string &name, const std::string &kind,
                     const std::string &operand) const {
    return "%" + name + " = repro.reduce " + kind + " %" + operand +
           " domain <[" + std::to_string(heads) + ", " +
           std::to_string(queries) + ", " + std::to_string(keys) +
           "], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
           "affine_map<(d0, d1, d2) -> (d0, d1)>]" +
           (kind == "sum" ? " order " + rowOrder : "") + " : " + type("hqk") +
           " -> " + type("hq") + "\n";
  }
  std::string binary(const std::string &name, const std::string &op,
                     const std::string &x, const std::string &y) const {
    return "%" + name + " = repro." + op + " %" + x + ", %" + y + " : " +
           type("hqk") + "\n";
  }
  std::string wide(const std::string &name, const std::string &row) const {
    return "%" + name + " = repro.broadcast %" + row +
           " dims [0, 1] : " + type("hq") + " to " + type("hqk") + "\n";
  }
};

std::string Attention::text() const {
  std::string body = contract("s0", "q", q, "k", k, "hqk", 'd', scoreOrder);
  std::string score = "s0";
  if (hasBias) {
    body += "%wb = repro.broadcast %bias dims [1, 2] : " + type("qk") + " to " +
            type("hqk") + "\n" + binary("s1", "add", score, "wb");
    score = "s1";
  }
  if (isCausal) {
    const std::string i64 = type("qk", "i64"), i1 = type("qk", "i1");
    body +=
        "%i = repro.iota dim 0 : " + i64 + "\n%j = repro.iota dim 1 : " + i64 +
        "\n%later = repro.compare gt %j, %i : " + i64 +
        "\n%c = repro.constant dense<0xFF800000> : tensor<f32>\n"
        "%never = repro.broadcast %c dims [] : tensor<f32> to " +
        type("hqk") + "\n%hide = repro.broadcast %later dims [1, 2] : " + i1 +
        " to " + type("hqk", "i1") + "\n%s2 = repro.select %hide, %never, %" +
        score + " : " + type("hqk") + "\n";
    score = "s2";
  }
  body += reduce("m", "max", score) + wide("wm", "m") +
          binary("z", "sub", score, "wm") +
          "%e = repro.exp %z : " + type("hqk") + "\n" +
          reduce("l", "sum", "e") + wide("wl", "l") +
          binary("p", "div", "e", "wl") +
          contract("y", "p", "hqk", "v", v, y, 'k', keyOrder);
  std::string results = "%y", types = type(y);
  if (hasBackward) {
    // The gradient depends on the result, as after a loss.
    body += "%dy = repro.mul %y, %g : " + type(y) + "\n" +
            contract("dp", "dy", y, "v", v, "hqk", 'v', "sequential") +
            contract("dv", "p", "hqk", "dy", y, v, 'q', queryOrder) +
            binary("t", "mul", "dp", "p") + reduce("r", "sum", "t") +
            wide("wr", "r") + binary("u", "sub", "dp", "wr") +
            binary("ds", "mul", "u", "p") +
            contract("dq", "ds", "hqk", "k", k, q, 'k', keyOrder) +
            contract("dk", "q", q, "ds", "hqk", k, 'q', queryOrder);
    results += ", %dq, %dk, %dv";
    types += ", " + type(q) + ", " + type(k) + ", " + type(v);
  }
  return "func.func @f(%q: " + type(q) + ", %k: " + type(k) +
         ", %v: " + type(v) + (hasBias ? ", %bias: " + type("qk") : "") +
         (hasBackward ? ", %g: " + type(y) : "") + ") -> (" + types + ") {\n" +
         body + "return " + results + " : " + types + "\n}";
}

void expectContractedRows(const Attention &attention, size_t kernels,
                          uint32_t seed = 1) {
  const std::string text = attention.text();
  SCOPED_TRACE(text);
  testing::Program program(text);
  program.forms = {"nearby", "contracted-rows"};
  OwningOpRef<ModuleOp> module = program.formKernels();
  size_t found = 0;
  module->walk([&](repro::KernelOp kernel) {
    found +=
        repro::getKernelForm(kernel).kind == repro::KernelKind::ContractedRows;
  });
  ASSERT_EQ(found, kernels);
  std::vector<std::vector<Tensor>> cases = {program.makeFiniteInputs(seed),
                                            program.makeInputs(seed)};
  for (const Target *target : testing::getRunnableTargets())
    testing::expectBits(program, createContractedRowsSchedule(), *target,
                        cases);
}

TEST(ContractedRowsSchedule, SizesAroundTiles) {
  for (int64_t keys : {4, 33, 130})
    for (int64_t queries : {1, 48, 197}) {
      Attention attention;
      attention.keys = keys;
      attention.queries = queries;
      attention.dims = 1 + keys % 7;
      attention.values = 1 + queries % 70;
      expectContractedRows(attention, 1, uint32_t(keys + queries));
    }
}

TEST(ContractedRowsSchedule, MasksAndBiases) {
  Attention attention;
  attention.queries = attention.keys = 51;
  attention.isCausal = true;
  expectContractedRows(attention, 1);
  attention.hasBias = true;
  expectContractedRows(attention, 1);
}

TEST(ContractedRowsSchedule, Layouts) {
  Attention attention;
  attention.q = "qhd";
  attention.k = "hdk";
  attention.v = "khv";
  attention.y = "qhv";
  expectContractedRows(attention, 1);
  attention.k = "dhk";
  attention.v = "vkh";
  attention.y = "vhq";
  expectContractedRows(attention, 1);
}

TEST(ContractedRowsSchedule, BlocksOfOrders) {
  Attention attention;
  attention.keys = 300;
  attention.rowOrder = "blocked<128, lanes<16>, lanes<4>>";
  attention.keyOrder = "blocked<64, sequential, sequential>";
  expectContractedRows(attention, 1);
}

// A block that ends within a vector of columns leaves the next one's alone,
// whose slot still has the values that it reads.
TEST(ContractedRowsSchedule, BlocksWithinVectors) {
  Attention attention;
  attention.rowOrder = "blocked<11, lanes<16>, sequential>";
  attention.scoreOrder = "blocked<3, sequential, sequential>";
  for (bool hasBackward : {false, true}) {
    attention.hasBackward = hasBackward;
    expectContractedRows(attention, 1 + size_t(hasBackward));
  }
}

// Scores are computed again from q, k and two numbers a row.
TEST(ContractedRowsSchedule, Backward) {
  Attention attention;
  attention.hasBackward = true;
  expectContractedRows(attention, 2);
  attention.isCausal = attention.hasBias = true;
  attention.queries = 77;
  attention.values = 70;
  expectContractedRows(attention, 2);
  attention.q = "qhd";
  attention.k = "hdk";
  attention.v = "khv";
  attention.y = "qhv";
  expectContractedRows(attention, 2);
}

TEST(ContractedRowsSchedule, SumsInBlocksOfQueries) {
  for (int64_t block : {1, 24, 100}) {
    Attention attention;
    attention.hasBackward = true;
    attention.queries = 101;
    attention.queryOrder =
        "blocked<" + std::to_string(block) + ", sequential, sequential>";
    expectContractedRows(attention, 2, uint32_t(block));
  }
}

} // namespace
} // namespace gensyn::cpu
