// Comparisons and selection against the manual.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// The results of all comparisons for one pair, as "01..." in the given order.
std::string all(const std::vector<std::string> &names, const std::string &type,
                const std::string &operands, Row row) {
  std::string result;
  for (const std::string &name : names)
    result +=
        run("setp." + name + "." + type + " %po, " + operands + ";", row) != 0
            ? '1'
            : '0';
  return result;
}

TEST(PtxCompare, integers) {
  std::vector<std::string> six = {"eq", "ne", "lt", "le", "gt", "ge"};
  EXPECT_EQ(all(six, "s32", "%r0, %r1", {0xFFFFFFFF, 1}), "011100");
  EXPECT_EQ(all(six, "u32", "%r0, %r1", {0xFFFFFFFF, 1}), "010011");
  EXPECT_EQ(all(six, "s16", "%h0, %h1", {0x8000, 0x8000}), "100101");
  EXPECT_EQ(all(six, "u64", "%d0, %d1", {1ull << 63, 1}), "010011");
  EXPECT_EQ(all(six, "s64", "%d0, %d1", {1ull << 63, 1}), "011100");
  EXPECT_EQ(all({"lo", "ls", "hi", "hs"}, "u32", "%r0, %r1", {1, 2}), "1100");
  EXPECT_EQ(all({"eq", "ne"}, "b64", "%d0, %d1", {5, 5}), "10");
}

TEST(PtxCompare, floats) {
  std::vector<std::string> names = {"eq",  "ne",  "lt",  "le",  "gt",
                                    "ge",  "equ", "neu", "ltu", "leu",
                                    "gtu", "geu", "num", "nan"};
  auto f32 = [&](float a, float b) {
    return all(names, "f32", "%r0, %r1", {bits(a), bits(b)});
  };
  EXPECT_EQ(f32(1, 2), "01110001110010");
  EXPECT_EQ(f32(2, 1), "01001101001110");
  EXPECT_EQ(f32(0.0f, -0.0f), "10010110010110");
  EXPECT_EQ(all(names, "f32", "%r0, %r1", {0x7FC00000, bits(1.0f)}),
            "00000011111101");
  EXPECT_EQ(all(names, "f64", "%d0, %d1", {bits(1.0), nan64}),
            "00000011111101");
}

TEST(PtxCompare, combinedWithAPredicate) {
  EXPECT_EQ(run("setp.lt.and.s32 %po, %r0, %r1, %p2;", {1, 2, 1}), 1u);
  EXPECT_EQ(run("setp.lt.and.s32 %po, %r0, %r1, %p2;", {1, 2, 0}), 0u);
  EXPECT_EQ(run("setp.lt.or.s32 %po, %r0, %r1, !%p2;", {3, 2, 0}), 1u);
  EXPECT_EQ(run("setp.lt.xor.s32 %po, %r0, %r1, %p2;", {1, 2, 1}), 0u);
  // The second result is of the opposite comparison, combined likewise.
  EXPECT_EQ(run("setp.lt.and.s32 %p10|%po, %r0, %r1, %p2;", {3, 2, 1}), 1u);
  EXPECT_EQ(run("setp.lt.and.s32 %p10|%po, %r0, %r1, %p2;", {3, 2, 0}), 0u);
}

TEST(PtxCompare, setAndSelp) {
  EXPECT_EQ(run("set.lt.u32.s32 %ro, %r0, %r1;", {1, 2}), 0xFFFFFFFFu);
  EXPECT_EQ(run("set.lt.f32.s32 %ro, %r0, %r1;", {1, 2}), bits(1.0f));
  EXPECT_EQ(run("set.ge.u32.f32 %ro, %r0, %r1;", {bits(1.0f), nan32}), 0u);
  EXPECT_EQ(run("selp.b32 %ro, %r0, %r1, %p2;", {10, 20, 1}), 10u);
  EXPECT_EQ(run("selp.b16 %ho, %h0, %h1, %p2;", {10, 20, 0}), 20u);
  EXPECT_EQ(run("selp.f64 %do, %d0, %d1, %p2;", {10, 20, 0}), 20u);
  EXPECT_EQ(run("selp.b32 %ro, 7, 9, %p2;", {0, 0, 1}), 7u);
}

TEST(PtxCompare, everyLaneHasItsOwnPredicate) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i != 67; ++i)
    rows.push_back({i, i * i % 67});
  std::vector<uint64_t> out =
      runRows("setp.gt.u32 %p10, %r0, %r1;\n@%p10 mov.u32 %ro, 1;\n"
              "@!%p10 mov.u32 %ro, 2;",
              rows);
  for (size_t i = 0; i != rows.size(); ++i)
    EXPECT_EQ(out[i], rows[i][0] > rows[i][1] ? 1u : 2u) << i;
}

} // namespace
