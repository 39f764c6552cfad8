// The race detector: the races that it reports, and accesses that it must not
// report.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// Runs a snippet with the detector; the message of the fault without what
/// precedes the access, or "" if there is none.
std::string raceOf(const std::string &body, uint32_t threads = 64,
                   uint32_t blocks = 1) {
  std::vector<uint64_t> out(threads);
  auto module = Module::parse(snippet(body));
  if (!module)
    return module.error().message;
  Launch launch;
  launch.grid.x = blocks;
  launch.threads = 4;
  launch.findRaces = true;
  auto fault = launchRows(*module, numberedRows(threads), out, launch);
  if (!fault)
    return "";
  EXPECT_TRUE(fault->kind == Fault::Kind::Race ||
              fault->kind == Fault::Kind::Unwritten)
      << fault->message;
  return fault->message.substr(fault->message.find("): ") + 3);
}

const std::string tile = ".shared .align 4 .b8 tile[512];\n"
                         "shl.b32 %r10, %thread, 2;\nmov.b32 %r11, tile;\n"
                         "add.s32 %r12, %r11, %r10;\nmov.u32 %ro, 0;\n";
// Reads the word of thread ^ 32, which is in another warp.
const std::string readOther = "xor.b32 %r13, %r10, 128;\n"
                              "add.s32 %r13, %r11, %r13;\n"
                              "ld.shared.b32 %ro, [%r13];\n";
const std::string writeOwn = "st.shared.b32 [%r12], %r0;\n";

TEST(PtxRaces, aBarrierOrders) {
  EXPECT_EQ(raceOf(tile + writeOwn + "bar.sync 0;\n" + readOther), "");
}

TEST(PtxRaces, aMissingBarrierBetweenWriteAndRead) {
  std::string message = raceOf(tile + writeOwn + readOther);
  // The first warp runs on and reads what the second has not written.
  EXPECT_NE(message.find("in shared memory that was never written"),
            std::string::npos)
      << message;
  message = raceOf(tile + writeOwn + "bar.sync 0;\n" + writeOwn + readOther);
  EXPECT_NE(message.find("races with line"), std::string::npos) << message;
}

TEST(PtxRaces, aMissingBarrierBetweenReadAndWrite) {
  std::string message =
      raceOf(tile + writeOwn + "bar.sync 0;\n" + readOther + writeOwn);
  EXPECT_NE(message.find("races with line"), std::string::npos) << message;
  EXPECT_NE(message.find(" of block number 0, thread ("), std::string::npos);
  EXPECT_EQ(raceOf(tile + writeOwn + "bar.sync 0;\n" + readOther +
                   "bar.sync 0;\n" + writeOwn),
            "");
}

// A reads, B reads, B writes: of two readers the earlier one races.
TEST(PtxRaces, aReadBeforeTheWritersOwn) {
  std::string body = ".shared .b32 cell;\nmov.u32 %ro, 0;\n"
                     "setp.eq.u32 %p10, %thread, 0;\n"
                     "setp.eq.u32 %p11, %thread, 32;\n"
                     "@%p10 st.shared.b32 [cell], 0;\nbar.sync 0;\n"
                     "@%p10 ld.shared.b32 %ro, [cell];\n"
                     "@%p11 ld.shared.b32 %ro, [cell];\n";
  const std::string write = "@%p11 st.shared.b32 [cell], 1;\n";
  EXPECT_EQ(raceOf(body), "");
  std::string message = raceOf(body + write);
  EXPECT_NE(message.find("of block number 0, thread (0, 0, 0)"),
            std::string::npos)
      << message;
  EXPECT_EQ(raceOf(body + "bar.sync 0;\n" + write), "");
}

TEST(PtxRaces, lanesOfAWarpAreNotOrderedByThemselves) {
  std::string neighbour = "xor.b32 %r13, %r10, 4;\nadd.s32 %r13, %r11, %r13;\n"
                          "ld.shared.b32 %ro, [%r13];\n";
  EXPECT_NE(raceOf(tile + writeOwn + neighbour, 32), "");
  EXPECT_EQ(raceOf(tile + writeOwn + "bar.warp.sync -1;\n" + neighbour, 32),
            "");
}

TEST(PtxRaces, namedBarriersOrderThoseThatTakePart) {
  std::string produce =
      "setp.ge.u32 %p10, %thread, 32;\n@%p10 bra CONSUME;\n" + writeOwn;
  std::string consume = "bra.uni END;\nCONSUME:\n";
  EXPECT_EQ(raceOf(tile + produce + "bar.arrive 1, 64;\n" + consume +
                   "bar.sync 1, 64;\n" + readOther + "END:\n"),
            "");
  // After its announcement the producer may not write again.
  EXPECT_NE(raceOf(tile + produce + "bar.arrive 1, 64;\n" + writeOwn + consume +
                   "bar.sync 1, 64;\n" + readOther + "END:\n"),
            "");
}

TEST(PtxRaces, threadsOfDifferentBlocks) {
  // Every block writes the same outputs.
  std::string message = raceOf("mov.u32 %ro, 1;", 64, 2);
  EXPECT_NE(message.find("in global memory races with line"), std::string::npos)
      << message;
  EXPECT_NE(message.find("block number 0"), std::string::npos);
}

TEST(PtxRaces, atomicsDoNotRaceWithAtomics) {
  std::string body = ".shared .b32 cell;\nmov.u32 %ro, 0;\n"
                     "setp.eq.u32 %p10, %thread, 0;\n"
                     "@%p10 st.shared.b32 [cell], 0;\nbar.sync 0;\n"
                     "red.shared.add.u32 [cell], 1;\n";
  EXPECT_EQ(raceOf(body), "");
  EXPECT_NE(raceOf(body + "ld.shared.b32 %ro, [cell];"), "");
  EXPECT_EQ(raceOf(body + "bar.sync 0;\nld.shared.b32 %ro, [cell];"), "");
}

TEST(PtxRaces, partsOfAWord) {
  std::string bytes = ".shared .align 4 .b8 tile[64];\nmov.b32 %r11, tile;\n"
                      "add.s32 %r12, %r11, %thread;\nmov.u32 %ro, 0;\n"
                      "st.shared.b8 [%r12], %r0;\n";
  EXPECT_EQ(raceOf(bytes), "");
  EXPECT_EQ(raceOf(bytes + "bar.sync 0;\nld.shared.b32 %ro, [tile+60];"), "");
  EXPECT_NE(raceOf(bytes + "ld.shared.b32 %ro, [tile];", 32), "");
}

// Each byte has its last write and its readers, whatever happened to the word
// around it.
TEST(PtxRaces, bytesOfAWordHaveTheirOwnAccesses) {
  // Threads t and t + 32 write bytes 0 and 1 of word t.
  const std::string write =
      ".shared .align 4 .b8 tile[128];\nmov.b32 %r11, tile;\n"
      "mov.u32 %ro, 0;\nand.b32 %r12, %thread, 31;\nshl.b32 %r12, %r12, 2;\n"
      "add.s32 %r11, %r11, %r12;\nshr.u32 %r13, %thread, 5;\n"
      "add.s32 %r12, %r11, %r13;\nst.shared.b8 [%r12], %r0;\n"
      "setp.gt.u32 %p10, %thread, 31;\n";
  const std::string readOther = "@%p10 ld.shared.u8 %ro, [%r11];\n";
  EXPECT_NE(raceOf(write + readOther).find("races with line"),
            std::string::npos);
  EXPECT_EQ(raceOf(write + "bar.sync 0;\n" + readOther), "");
  EXPECT_EQ(raceOf(write + "@%p10 ld.shared.u8 %ro, [%r11+1];\n"), "");
  // Words and halves of them after bytes, and the other way.
  const std::string half = "@%p10 ld.shared.u16 %ro, [%r11];\n";
  EXPECT_NE(raceOf(write + half).find("races with line"), std::string::npos);
  EXPECT_EQ(raceOf(write + "bar.sync 0;\n" + half), "");
  const std::string word = "@!%p10 st.shared.b32 [%r11], %r0;\n";
  EXPECT_NE(raceOf(write + "bar.sync 0;\n" + readOther + word)
                .find("races with line"),
            std::string::npos);
  EXPECT_NE(raceOf(write + "bar.sync 0;\n" + word + readOther)
                .find("races with line"),
            std::string::npos);
  EXPECT_EQ(
      raceOf(write + "bar.sync 0;\n" + word + "bar.sync 0;\n" + readOther), "");
}

TEST(PtxRaces, asynchronousCopies) {
  std::string copy = "mul.wide.u32 %d10, %thread, 4;\nmov.b64 %d11, tile;\n"
                     "add.s64 %d11, %d11, %d10;\n"
                     "cp.async.ca.shared.global [%d11], [%din], 4;\n"
                     "cp.async.commit_group;\n";
  EXPECT_EQ(
      raceOf(tile + copy + "cp.async.wait_group 0;\nbar.sync 0;\n" + readOther),
      "");
  EXPECT_NE(raceOf(tile + copy + "cp.async.wait_group 0;\n" + readOther), "");
  // The barrier comes before the wait: the copy may still be in flight.
  EXPECT_NE(raceOf(tile + copy + "bar.sync 0;\n" + readOther +
                   "cp.async.wait_group 0;\n"),
            "");
}

// Until its wait a copy may read its source, whatever barriers there are.
TEST(PtxRaces, sourcesOfAsynchronousCopies) {
  // Each thread copies a word of %dout; it may be one that its neighbour in the
  // other warp writes.
  auto race = [](const std::string &between, const std::string &after,
                 uint32_t other = 0) {
    return raceOf(tile + "xor.b32 %r14, %thread, " + std::to_string(other) +
                  ";\n"
                  "sub.s64 %d10, %dout, %doff;\nmul.wide.u32 %d11, %r14, 8;\n"
                  "add.s64 %d11, %d10, %d11;\nst.global.b32 [%d11], 1;\n"
                  "bar.sync 0;\n"
                  "cp.async.ca.shared.global [%r12], [%dout], 4;\n" +
                  between + "cp.async.wait_all;\n" + after + "bar.sync 0;\n");
  };
  const std::string store = "st.global.b32 [%d11], 2;\n";
  EXPECT_EQ(race("", ""), "");
  for (uint32_t other : {0u, 32u})
    for (const std::string &around :
         {store, store + "bar.sync 0;\n", "bar.sync 0;\n" + store,
          "bar.sync 0;\n" + store + "bar.sync 0;\n"})
      EXPECT_NE(race(around, "", other).find("races with line"),
                std::string::npos)
          << other << around;
  // After its own wait a thread may write; another one needs a barrier, too.
  EXPECT_EQ(race("", store), "");
  EXPECT_NE(race("", store, 32), "");
  EXPECT_NE(race("bar.sync 0;\n", store, 32), "");
  EXPECT_EQ(race("", "bar.sync 0;\n" + store, 32), "");
}

// Whatever the order and the barriers: a launch may not write what it loads as
// read-only.
TEST(PtxRaces, nonCoherentLoads) {
  const std::string first = "sub.s64 %d10, %dout, %doff;\nmov.u32 %ro, 0;\n"
                            "setp.eq.u32 %p10, %thread, 0;\n"
                            "setp.eq.u32 %p11, %thread, 40;\n";
  const std::string store = "@%p10 st.global.b32 [%d10+8], 1;\n";
  const std::string incoherent = "@%p10 ld.global.nc.b32 %ro, [%d10+8];\n";
  const std::string other = "@%p11 ld.global.nc.b32 %ro, [%d10+8];\n";
  const std::string barrier = "bar.sync 0;\n", end = "ret;\n";
  EXPECT_EQ(raceOf(first + incoherent + barrier + other + end), "");
  EXPECT_NE(raceOf(first + incoherent + store + end).find(" loads with .nc"),
            std::string::npos);
  EXPECT_NE(
      raceOf(first + other + barrier + store + end).find(" loads with .nc"),
      std::string::npos);
  for (const std::string &load :
       {incoherent, other, std::string("@%p10 ldu.global.b32 %ro, [%d10+8];\n"),
        std::string("@%p10 ld.global.nc.u8 %ro, [%d10+11];\n")})
    EXPECT_NE(raceOf(first + store + barrier + load + end)
                  .find("with .nc, which line"),
              std::string::npos)
        << load;
  // Other bytes, and loads that are coherent.
  EXPECT_EQ(raceOf(first + store + barrier +
                   "@%p10 ld.global.nc.b32 %ro, [%d10+12];\n" + end),
            "");
  EXPECT_EQ(raceOf(first + "@%p10 ld.global.nc.u8 %ro, [%d10+8];\n" + barrier +
                   "@%p10 st.global.b8 [%d10+9], 1;\n" + end),
            "");
  EXPECT_EQ(raceOf(first + store + barrier +
                   "@%p10 ld.global.b32 %ro, [%d10+8];\n" + end),
            "");
  EXPECT_NE(loadError("st.global.nc.b32 [%d10], %r1;"), "");
}

TEST(PtxRaces, localMemoryIsPrivate) {
  EXPECT_EQ(raceOf(".local .b32 cell;\nst.local.b32 [cell], %r0;\n"
                   "ld.local.b32 %ro, [cell];"),
            "");
}

} // namespace
