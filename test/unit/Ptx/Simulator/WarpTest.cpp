// Shuffles, votes and barriers.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

std::vector<Row> lanes(unsigned count = 32) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i != count; ++i)
    rows.push_back({100 + i, i});
  return rows;
}

TEST(PtxWarp, shuffles) {
  auto xors = runRows("shfl.sync.bfly.b32 %ro, %r0, 5, 31, -1;", lanes());
  auto up = runRows("shfl.sync.up.b32 %ro, %r0, 3, 0, -1;", lanes());
  auto down = runRows("shfl.sync.down.b32 %ro, %r0, 3, 31, -1;", lanes());
  auto index = runRows("shfl.sync.idx.b32 %ro, %r0, 9, 31, -1;", lanes());
  for (uint32_t i = 0; i != 32; ++i) {
    EXPECT_EQ(xors[i], 100 + (i ^ 5));
    EXPECT_EQ(up[i], i < 3 ? 100 + i : 100 + i - 3);
    EXPECT_EQ(down[i], i + 3 > 31 ? 100 + i : 100 + i + 3);
    EXPECT_EQ(index[i], 109u);
  }
}

// Segments of eight: c is (mask << 8) | clamp.
TEST(PtxWarp, shufflesInSegments) {
  auto down = runRows("shfl.sync.down.b32 %ro, %r0, 4, 0x181F, -1;", lanes());
  auto index = runRows("shfl.sync.idx.b32 %ro, %r0, 9, 0x181F, -1;", lanes());
  auto inRange =
      runRows("shfl.sync.up.b32 %r10|%po, %r0, 2, 0x1800, -1;", lanes());
  for (uint32_t i = 0; i != 32; ++i) {
    EXPECT_EQ(down[i], i % 8 < 4 ? 104 + i : 100 + i);
    EXPECT_EQ(index[i], 100 + i / 8 * 8 + 1);
    EXPECT_EQ(inRange[i], i % 8 >= 2 ? 1u : 0u);
  }
}

TEST(PtxWarp, aReductionByShuffles) {
  std::string body = "mov.u32 %r10, %r0;\n";
  for (int offset : {16, 8, 4, 2, 1})
    body += "shfl.sync.bfly.b32 %r11, %r10, " + std::to_string(offset) +
            ", 31, -1;\nadd.s32 %r10, %r10, %r11;\n";
  for (uint64_t sum : runRows(body + "mov.u32 %ro, %r10;", lanes()))
    EXPECT_EQ(sum, 32u * 100 + 31 * 16);
}

TEST(PtxWarp, votes) {
  auto vote = [](const std::string &mode, const std::string &test) {
    return runRows("setp." + test + ", 7;\nvote.sync." + mode +
                       ".pred %po, %p10, -1;",
                   lanes());
  };
  EXPECT_EQ(vote("any", "eq.u32 %p10, %r1")[3], 1u);
  EXPECT_EQ(vote("any", "gt.u32 %p10, %r1")[3], 1u);
  EXPECT_EQ(vote("all", "eq.u32 %p10, %r1")[7], 0u);
  EXPECT_EQ(vote("all", "ge.s32 %p10, %r0")[7], 1u);
  EXPECT_EQ(vote("uni", "eq.u32 %p10, %r1")[7], 0u);
  EXPECT_EQ(vote("uni", "lt.s32 %p10, %r0")[7], 1u);
  auto ballot = runRows("setp.lt.u32 %p10, %r1, 5;\n"
                        "vote.sync.ballot.b32 %ro, !%p10, -1;",
                        lanes());
  EXPECT_EQ(ballot[30], 0xFFFFFFE0u);
}

TEST(PtxWarp, matchReduxAndActivemask) {
  auto match = runRows("and.b32 %r10, %r1, 3;\n"
                       "match.any.sync.b32 %ro, %r10, -1;",
                       lanes());
  EXPECT_EQ(match[6], 0x44444444u);
  auto all = runRows("match.all.sync.b32 %r10|%po, %r1, -1;", lanes());
  EXPECT_EQ(all[0], 0u);
  EXPECT_EQ(runRows("redux.sync.add.u32 %ro, %r1, -1;", lanes())[9], 496u);
  EXPECT_EQ(runRows("neg.s32 %r10, %r1;\nredux.sync.min.s32 %ro, %r10, -1;",
                    lanes())[9],
            uint32_t(-31));
  auto active = runRows("mov.u32 %ro, 0;\nsetp.lt.u32 %p10, %r1, 4;\n"
                        "@%p10 activemask.b32 %ro;",
                        lanes());
  EXPECT_EQ(active[0], 15u);
  EXPECT_EQ(active[4], 0u);
}

TEST(PtxWarp, elect) {
  auto out = runRows("setp.gt.u32 %p10, %laneid, 4;\nmov.u32 %ro, 99;\n"
                     "@%p10 elect.sync %ro|%p11, 0xFFFFFFE0;\n"
                     "@%p11 add.u32 %ro, %ro, 100;",
                     std::vector<Row>(32));
  EXPECT_EQ(out[4], 199u); // never written predicates are set
  EXPECT_EQ(out[5], 105u);
  EXPECT_EQ(out[6], 5u);
}

TEST(PtxWarp, aPartOfAWarpExchanges) {
  auto out = runRows("setp.ge.u32 %p10, %r1, 16;\nmov.u32 %ro, 0;\n"
                     "@%p10 bra END;\n"
                     "shfl.sync.bfly.b32 %ro, %r0, 1, 31, 0xFFFF;\nEND:",
                     lanes());
  EXPECT_EQ(out[4], 105u);
  EXPECT_EQ(out[20], 0u);
}

TEST(PtxWarp, sharedMemoryReductionWithBarriers) {
  std::vector<Row> rows = lanes(256);
  auto out =
      runRows(".shared .align 4 .b8 tile[1024];\n"
              "shl.b32 %r10, %thread, 2;\nmov.b32 %r11, tile;\nadd.s32 %r12, "
              "%r11, %r10;\n"
              "st.shared.b32 [%r12], %r0;\nbar.sync 0;\nmov.u32 %r13, 512;\n"
              "LOOP:\nsetp.ge.u32 %p10, %r10, %r13;\n@%p10 bra SKIP;\n"
              "add.s32 %r14, %r12, %r13;\nld.shared.b32 %r15, [%r14];\n"
              "ld.shared.b32 %r16, [%r12];\nadd.s32 %r16, %r16, %r15;\n"
              "st.shared.b32 [%r12], %r16;\n"
              "SKIP:\nbar.sync 0;\nshr.u32 %r13, %r13, 1;\n"
              "setp.gt.u32 %p11, %r13, 2;\n@%p11 bra LOOP;\n"
              "ld.shared.b32 %ro, [tile];",
              rows);
  for (uint64_t sum : out)
    EXPECT_EQ(sum, 256u * 100 + 255 * 128);
}

TEST(PtxWarp, barriersThatReduce) {
  std::vector<Row> rows = lanes(96);
  auto count = runRows("setp.lt.u32 %p10, %r1, 40;\n"
                       "bar.red.popc.u32 %ro, 1, %p10;",
                       rows);
  auto all = runRows("setp.lt.u32 %p10, %r1, 40;\nbar.red.and.pred %po, 1, "
                     "%p10;",
                     rows);
  auto any =
      runRows("setp.lt.u32 %p10, %r1, 40;\nbarrier.cta.red.or.pred %po, 1, "
              "%p10;",
              rows);
  EXPECT_EQ(count[80], 40u);
  EXPECT_EQ(all[80], 0u);
  EXPECT_EQ(any[80], 1u);
}

// The first warp produces and only announces, the second waits for it.
TEST(PtxWarp, arriveDoesNotWait) {
  auto out = runRows(".shared .b32 cell;\nmov.u32 %ro, 0;\n"
                     "setp.ge.u32 %p10, %r1, 32;\n@%p10 bra CONSUME;\n"
                     "st.shared.b32 [cell], 77;\nbar.arrive 2, 64;\n"
                     "bra.uni END;\nCONSUME:\nbar.sync 2, 64;\n"
                     "ld.shared.b32 %ro, [cell];\nEND:",
                     lanes(64));
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[40], 77u);
}

TEST(PtxWarp, warpsThatEndedHoldNobodyUp) {
  auto out = runRows("mov.u64 %do, 1;\nst.global.b64 [%dout], %do;\n"
                     "setp.lt.u32 %p10, %r1, 32;\n@%p10 ret;\nbar.sync 0;\n"
                     "mov.u64 %do, 2;",
                     lanes(64));
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[63], 2u);
}

} // namespace
