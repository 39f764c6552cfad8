// Contractions of 8-bit integers by instructions for them, against the op's own
// evaluation: every way of packing, signed and unsigned operands, odd shapes.
// A processor without such instructions runs none of them; lit says so of
// test/Integration/slices-*.test.

#include "Contract/ContractSchedule.h"
#include "Contract/RandomSizes.h"
#include "ProgramText.h"
#include "RunProgram.h"

#include "gensyn/Codegen/Contraction/ContractView.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::draw;
using testing::mapsOf;
using testing::tensorOf;

/// A product of `m` rows, `n` columns and `k` points; operands may be stored
/// transposed.
ContractCase product(int64_t m, int64_t n, int64_t k, bool ta, bool tb,
                     const std::string &element) {
  return {"product",
          tensorOf(ta ? std::vector{k, m} : std::vector{m, k}, element),
          tensorOf(tb ? std::vector{n, k} : std::vector{k, n}, element),
          tensorOf({m, n}, element == "i8" ? "i32" : "ui32"),
          "domain <" + testing::listOf({m, n, k}) + ", reduce [2]>" +
              mapsOf(3, {ta ? "d2, d0" : "d0, d2", tb ? "d1, d2" : "d2, d1",
                         "d0, d1"}) +
              " bounds [in, in]"};
}

void check(const ContractCase &form, const Target &target,
           std::optional<GemmSizes> sizes, uint32_t seed) {
  SCOPED_TRACE(form.name + std::string(" ") + form.form + " on " +
               std::string(target.name));
  testing::Program program(form.text());
  testing::expectBits(program, createContractSchedule(sizes), target,
                      {program.makeInputs(seed)});
}

/// True if the view's sizes have bytes in panels.
bool multipliesBytes(const codegen::GemmView &view, const Target &target,
                     Type a, Type b) {
  MLIRContext *context = a.getContext();
  const GemmMachine machine =
      machineFor(IntegerType::get(context, 32), a, b, target);
  return chooseGemmSizes(view, machine).multipliesBytes();
}

TEST(ByteContract, IsChosenForRowsOfBytes) {
  MLIRContext context;
  const Type i8 = IntegerType::get(&context, 8),
             u8 = IntegerType::get(&context, 8, IntegerType::Unsigned),
             i16 = IntegerType::get(&context, 16);
  const Target &tiles = *machine::findCpu("x86-64-v4+amx"),
               &vectors = *machine::findCpu("x86-64-v4+vnni"),
               &neon = *machine::findCpu("aarch64+dotprod"),
               &none = *machine::findCpu("x86-64-v4");
  for (bool ta : {false, true})
    for (bool tb : {false, true}) {
      const auto view = codegen::viewOfMatmul(8, 40, 200, ta, tb);
      EXPECT_TRUE(multipliesBytes(view, tiles, i8, i8));
      EXPECT_TRUE(multipliesBytes(view, tiles, u8, u8));
      EXPECT_TRUE(multipliesBytes(view, vectors, i8, i8));
      EXPECT_FALSE(multipliesBytes(view, vectors, u8, u8));
      EXPECT_TRUE(multipliesBytes(view, neon, i8, i8));
      EXPECT_TRUE(multipliesBytes(view, neon, u8, u8));
      EXPECT_FALSE(multipliesBytes(view, tiles, i16, i8));
      EXPECT_FALSE(multipliesBytes(view, none, i8, i8));
    }
  // Few rows take the time of reading B.
  EXPECT_FALSE(multipliesBytes(codegen::viewOfMatmul(7, 40, 200, false, false),
                               tiles, i8, i8));
}

TEST(ByteContract, ProductsHaveTheOpsBits) {
  std::mt19937 random(11);
  for (const Target *target : testing::getByteTargets())
    for (int i = 0; i < 24; ++i) {
      const char *element = i / 4 % 2 ? "ui8" : "i8";
      const ContractCase form =
          product(draw(random, 8, 90), draw(random, 1, 90),
                  draw(random, 1, 300), i & 1, i & 2, element);
      GemmSizes sizes;
      const int64_t most = target->vectorRegisters / 8 * 7;
      sizes.lanes = target->lanes(4);
      sizes.mr = draw(random, 1, most);
      sizes.nv = draw(random, 1, most / sizes.mr);
      sizes.kc = draw(random, 1, 200);
      sizes.rows = draw(random, 1, 64);
      sizes.tileRows = draw(random, 1, 64);
      sizes.group = draw(random, 1, 3);
      check(form, *target, i % 3 ? std::optional(sizes) : std::nullopt,
            random());
    }
}

// Sums wrap, of the least numbers, which have no opposite: 133000 products of
// -128 by -128, or of 255 by 255, are more than 2^31 and 2^32.
TEST(ByteContract, SumsWrap) {
  for (const Target *target : testing::getByteTargets())
    for (const char *element : {"i8", "ui8"}) {
      testing::Program program(
          product(9, 17, 133000, false, true, element).text());
      std::vector<Tensor> inputs = program.makeInputs(1);
      for (Tensor &input : inputs)
        std::fill_n(input.as<uint8_t>(), input.numElements(),
                    element[0] == 'i' ? 0x80 : 0xff);
      testing::expectBits(program, createContractSchedule(), *target, {inputs});
    }
}

// Heads of an attention, slices of an operand, rows and columns of several
// dimensions, and windows, which other instructions multiply.
TEST(ByteContract, OtherFormsHaveTheOpsBits) {
  auto bytes = [](std::vector<int64_t> shape) { return tensorOf(shape, "i8"); };
  const std::vector<ContractCase> all = {
      {"heads", bytes({2, 17, 3, 40}), bytes({2, 19, 3, 40}),
       tensorOf({2, 3, 17, 19}, "i32"),
       "domain <[2, 3, 17, 19, 40], reduce [4]>" +
           mapsOf(5, {"d0, d2, d1, d4", "d0, d3, d1, d4", "d0, d1, d2, d3"}) +
           " bounds [in, in]"},
      {"values", bytes({2, 3, 17, 70}), bytes({2, 70, 3, 40}),
       tensorOf({2, 17, 3, 40}, "i32"),
       "domain <[2, 3, 17, 40, 70], reduce [4]>" +
           mapsOf(5, {"d0, d1, d2, d4", "d0, d4, d1, d3", "d0, d2, d1, d3"}) +
           " bounds [in, in]"},
      {"slices", bytes({33, 4, 45}), bytes({4, 45, 21}),
       tensorOf({33, 21}, "i32"),
       "domain <[33, 21, 2, 45], reduce [2, 3]>" +
           mapsOf(4, {"d0, d2 + 1, d3", "d2 + 2, d3, d1", "d0, d1"}) +
           " bounds [in, in]"},
      {"rows of two dimensions", bytes({5, 48, 36}), bytes({36, 18}),
       tensorOf({48, 5, 18}, "i32"),
       "domain <[5, 48, 18, 36], reduce [3]>" +
           mapsOf(4, {"d0, d1, d3", "d3, d2", "d1, d0, d2"}) +
           " bounds [in, in]"},
      {"windows", bytes({2, 8, 20}), bytes({16, 8, 3}),
       tensorOf({2, 16, 20}, "i32"),
       "domain <[2, 16, 20, 8, 3], reduce [3, 4]>" +
           mapsOf(5, {"d0, d3, d2 + d4 - 1", "d1, d3, d4", "d0, d1, d2"}) +
           " bounds [zero, in]"}};
  uint32_t seed = 1;
  for (const Target *target : testing::getByteTargets())
    for (const ContractCase &form : all)
      check(form, *target, std::nullopt, seed++);
}

} // namespace
} // namespace gensyn::cpu
