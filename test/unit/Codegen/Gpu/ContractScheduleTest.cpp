// The contraction schedule on the simulator against the op's own evaluation,
// bit for bit: odd shapes, every layout and tile, special values.

#include "ContractSchedule.h"
#include "RunOnSimulator.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using testing::Compiled;
using testing::Program;

std::string tensor(std::initializer_list<int64_t> shape,
                   const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::string list(std::initializer_list<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

std::string maps(int rank, std::initializer_list<const char *> results) {
  std::string dims, text;
  for (int i = 0; i < rank; ++i)
    dims += (i ? ", d" : "d") + std::to_string(i);
  for (const char *result : results)
    text += (text.empty() ? "affine_map<(" : ", affine_map<(") + dims +
            ") -> (" + result + ")>";
  return " maps [" + text + "]";
}

/// A contraction; `form` is the op's text from `domain` to its types.
struct ContractCase {
  const char *name;
  std::string lhs, rhs, result, form;

  std::string text() const {
    return "func.func @f(%a: " + lhs + ", %b: " + rhs + ") -> " + result +
           " {\n  %c = repro.contract %a, %b " + form + " : " + lhs + ", " +
           rhs + " -> " + result + "\n  return %c : " + result + "\n}\n";
  }
};

ContractCase matmul(const char *name, int64_t m, int64_t n, int64_t k, bool ta,
                    bool tb, const std::string &order = "sequential",
                    const std::string &element = "f32",
                    const std::string &other = "f32") {
  return {name, ta ? tensor({k, m}, element) : tensor({m, k}, element),
          tb ? tensor({n, k}, other) : tensor({k, n}, other), tensor({m, n}),
          "domain <[" + list({m, n, k}) + "], reduce [2]>" +
              maps(3, {ta ? "d2, d0" : "d0, d2", tb ? "d1, d2" : "d2, d1",
                       "d0, d1"}) +
              " bounds [in, in] order " + order};
}

void check(const ContractCase &form, int sm, const std::string &schedule,
           uint32_t seed) {
  SCOPED_TRACE(std::string(form.name) + " on sm_" + std::to_string(sm) + " " +
               schedule);
  Program program(form.text());
  Schedules schedules;
  schedules.push_back(createContractSchedule());
  Compiled compiled(program, sm, schedule, &schedules);
  ASSERT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(seed)};
  if (form.lhs.ends_with("f32>") && form.rhs.ends_with("f32>"))
    cases.push_back(program.makeFiniteInputs(seed));
  for (const std::vector<Tensor> &inputs : cases) {
    std::vector<Tensor> expected = program.interpret(inputs);
    std::vector<Tensor> actual = compiled.run(inputs);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(testing::firstDifference(expected[i], actual[i]), "");
  }
}

/// Tiles of the table's kinds, small enough for the simulator.
const char *const kTiles[] = {
    "{bm = 64, bn = 64, bk = 16, tm = 4, tn = 8, lanes = 4, stages = 3}",
    "{bm = 32, bn = 64, bk = 8, tm = 8, tn = 8, lanes = 4, stages = 4, "
    "keep_a = true, keep_b = true}",
    "{bm = 64, bn = 32, bk = 16, tm = 16, tn = 4, lanes = 4, stages = 2, "
    "keep_a = true, keep_b = false}",
    "{bm = 32, bn = 32, bk = 8, tm = 4, tn = 4, lanes = 4, stages = 3}",
    "{bm = 8, bn = 64, bk = 16, tm = 4, tn = 4, lanes = 2, stages = 3, "
    "keep_b = true}",
    "{bm = 1, bn = 128, bk = 16, tm = 1, tn = 4, lanes = 1, stages = 3}",
    "{bm = 128, bn = 1, bk = 16, tm = 4, tn = 1, lanes = 32, stages = 3}",
    "{bm = 64, bn = 8, bk = 16, tm = 8, tn = 2, lanes = 8, stages = 2}"};

std::string withRegisters(std::string tile) {
  const size_t at = tile.find("stages = ");
  tile[at + 9] = '2';
  tile.insert(tile.size() - 1, ", async = false");
  return tile;
}

TEST(GpuContractSchedule, MatmulsOfAllLayouts) {
  uint32_t seed = 1;
  for (const char *tile : kTiles)
    for (int i = 0; i < 4; ++i) {
      check(matmul("matmul", 70, 72, 36, i & 1, i & 2), 80, tile, seed++);
      check(matmul("matmul", 70, 72, 36, i & 1, i & 2), 75, withRegisters(tile),
            seed++);
    }
}

TEST(GpuContractSchedule, OddShapes) {
  uint32_t seed = 100;
  for (const char *tile : kTiles)
    for (int i = 0; i < 4; ++i) {
      check(matmul("odd", 35, 67, 19, i & 1, i & 2), 90, tile, seed++);
      check(matmul("even", 34, 66, 2, i & 1, i & 2), 75, withRegisters(tile),
            seed++);
      check(matmul("one point", 3, 5, 1, i & 1, i & 2), 120, tile, seed++);
    }
}

TEST(GpuContractSchedule, OrdersOfBlocks) {
  uint32_t seed = 200;
  for (const char *tile : {kTiles[0], kTiles[1], kTiles[4]})
    for (const char *order : {"blocked<16, sequential, sequential>",
                              "blocked<20, sequential, sequential>",
                              "blocked<7, sequential, sequential>",
                              "blocked<100, sequential, sequential>"})
      for (const char *split : {"split = false", "split = true"})
        for (bool async : {true, false}) {
          std::string text = async ? tile : withRegisters(tile);
          text.insert(text.size() - 1, std::string(", ") + split);
          check(matmul("blocked", 35, 68, 72, false, true, order),
                async ? 80 : 75, text, seed++);
        }
}

TEST(GpuContractSchedule, TheTableOnEveryTarget) {
  uint32_t seed = 300;
  for (int sm : {75, 80, 86, 89, 90, 100, 120}) {
    check(matmul("small", 20, 30, 40, false, false), sm, "", seed++);
    check(matmul("row", 1, 200, 33, false, true), sm, "", seed++);
    check(matmul("column", 200, 1, 33, false, false), sm, "", seed++);
    check(matmul("skinny", 6, 40, 300, false, false,
                 "blocked<64, sequential, sequential>"),
          sm, "", seed++);
  }
}

} // namespace
} // namespace gensyn::gpu
