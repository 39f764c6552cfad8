// ldmatrix: which lane receives which elements of which rows.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// Fills 4 KiB of shared memory, which has 256 rows of 16 bytes: 16-bit element
/// e of row r is 256 * r + e. %r10 is its address.
const std::string fill = ".shared .align 16 .b8 tile[4096];\n"
                         "mov.b32 %r10, tile;\nmov.b32 %r11, %thread;\n"
                         "FILL:\nshl.b32 %r12, %r11, 2;\n"
                         "add.s32 %r12, %r12, %r10;\nshr.u32 %r13, %r11, 2;\n"
                         "shl.b32 %r13, %r13, 8;\nand.b32 %r14, %r11, 3;\n"
                         "shl.b32 %r14, %r14, 1;\nadd.s32 %r13, %r13, %r14;\n"
                         "mul.lo.u32 %r13, %r13, 0x10001;\n"
                         "add.s32 %r13, %r13, 0x10000;\n"
                         "st.shared.b32 [%r12], %r13;\n"
                         "add.s32 %r11, %r11, 32;\n"
                         "setp.lt.u32 %p10, %r11, 1024;\n@%p10 bra FILL;\n"
                         "bar.warp.sync -1;\n"
                         "shl.b32 %r15, %r0, 4;\nadd.s32 %r15, %r15, %r10;\n";

/// Rows of operands whose first one is the row of shared memory that the lane
/// names; `naming` lanes do, the others name rows that do not exist.
std::vector<Row> namedRows(unsigned naming) {
  std::vector<Row> rows(32);
  for (unsigned lane = 0; lane != 32; ++lane)
    rows[lane] = {lane < naming ? (lane * 37 + 11) % 256 : 1000000};
  return rows;
}

std::vector<uint64_t> load(const std::string &count, const std::string &result,
                           const std::string &dest, bool transposed,
                           const std::vector<Row> &rows) {
  auto module =
      Module::parse(snippet(fill + "ldmatrix.sync.aligned.m8n8." + count +
                            (transposed ? ".trans" : "") + ".shared.b16 " +
                            dest + ", [%r15];\nmov.b32 %ro, " + result + ";"));
  std::vector<uint64_t> out(32);
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return out;
  }
  Launch launch;
  launch.findRaces = true;
  if (auto fault = launchRows(*module, rows, out, launch))
    ADD_FAILURE() << fault->message;
  return out;
}

/// The element of a row of shared memory.
uint32_t element(uint64_t row, unsigned number) {
  return static_cast<uint32_t>(256 * row + number);
}

TEST(PtxLoadMatrix, everyCountPlainAndTransposed) {
  struct Form {
    const char *count, *dest;
    unsigned matrices;
  };
  for (const Form &form : {Form{"x1", "{%r20}", 1},
                           {"x2", "{%r20, %r21}", 2},
                           {"x4", "{%r20, %r21, %r22, %r23}", 4}})
    for (bool transposed : {false, true})
      for (unsigned matrix = 0; matrix != form.matrices; ++matrix) {
        auto rows = namedRows(8 * form.matrices);
        auto out = load(form.count, "%r" + std::to_string(20 + matrix),
                        form.dest, transposed, rows);
        for (unsigned lane = 0; lane != 32; ++lane) {
          // Row and column of the first of two elements, in the result.
          unsigned row = lane / 4, column = lane % 4 * 2;
          auto at = [&](unsigned i, unsigned j) {
            return transposed ? element(rows[8 * matrix + j][0], i)
                              : element(rows[8 * matrix + i][0], j);
          };
          ASSERT_EQ(out[lane], at(row, column) | at(row, column + 1) << 16)
              << form.count << " " << matrix << " lane " << lane;
        }
      }
}

// The address's register may be a result's.
TEST(PtxLoadMatrix, theResultReplacesTheAddress) {
  auto rows = namedRows(32);
  auto out = load("x4", "%r23", "{%r15, %r21, %r22, %r23}", false, rows);
  EXPECT_EQ(out[13], element(rows[27][0], 2) | element(rows[27][0], 3) << 16);
}

TEST(PtxLoadMatrix, offsetsAndWideAddresses) {
  auto rows = namedRows(32);
  auto value = [&](const std::string &address) {
    return runRows(fill +
                       "cvt.u64.u32 %d10, %r15;\n"
                       "ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 "
                       "{%ro}, [" +
                       address + "];",
                   rows)[5];
  };
  EXPECT_EQ(value("%d10"), element(rows[1][0], 2) | element(rows[1][0], 3)
                                                        << 16);
  EXPECT_EQ(value("%r15+32"),
            element(rows[1][0] + 2, 2) | element(rows[1][0] + 2, 3) << 16);
}

// On sm_75 all addresses have to be valid.
TEST(PtxLoadMatrix, addressesOfLanesThatNameNoRow) {
  std::string text = snippet(fill + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 "
                                    "{%r20, %ro}, [%r15];");
  text.replace(text.find("sm_80"), 5, "sm_75");
  auto module = Module::parse(text);
  ASSERT_TRUE(module);
  std::vector<uint64_t> out(32);
  EXPECT_FALSE(launchRows(*module, namedRows(32), out));
  auto fault = launchRows(*module, namedRows(16), out);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, Fault::Kind::OutOfBounds);
  EXPECT_EQ(fault->thread[0], 16u);
}

// A lane that receives a row need not be the one that names it.
TEST(PtxLoadMatrix, racesAreThoseOfTheReceivingLanes) {
  auto kind = [](const std::string &transposed, const std::string &between) {
    auto module = Module::parse(
        snippet(".shared .align 16 .b8 tile[512];\nmov.b32 %r10, tile;\n"
                "shl.b32 %r11, %thread, 4;\nadd.s32 %r10, %r10, %r11;\n"
                "st.shared.v4.b32 [%r10], {%r0, %r0, %r0, %r0};\n" +
                between + "ldmatrix.sync.aligned.m8n8.x4" + transposed +
                ".shared.b16 {%r20, %r21, %r22, %ro}, [%r10];"));
    std::vector<uint64_t> out(32);
    Launch launch;
    launch.findRaces = true;
    auto fault = launchRows(*module, namedRows(32), out, launch);
    return fault ? fault->kind : Fault::Kind::Launch;
  };
  for (const char *transposed : {"", ".trans"}) {
    EXPECT_EQ(kind(transposed, ""), Fault::Kind::Race);
    EXPECT_EQ(kind(transposed, "bar.warp.sync -1;\n"), Fault::Kind::Launch);
    EXPECT_EQ(kind(transposed, "bar.sync 0;\n"), Fault::Kind::Launch);
  }
}

TEST(PtxLoadMatrix, formsThatAreRefused) {
  const std::string form = "ldmatrix.sync.aligned.m8n8";
  EXPECT_EQ(loadError(form + ".x2.shared.b16 {%r10, %r11}, [%r12];"), "");
  EXPECT_NE(loadError(form + ".x2.shared.b16 {%r10}, [%r12];")
                .find("is not a vector of 2 registers"),
            std::string::npos);
  EXPECT_NE(loadError(form + ".x2.shared.b16 {%r10, _}, [%r12];")
                .find("is not a register"),
            std::string::npos);
  for (const char *text :
       {"ldmatrix.sync.aligned.m8n8.x1.b16 {%r10}, [%d12];",
        "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r10}, [%d12];",
        "ldmatrix.sync.aligned.m8n8.shared.b16 {%r10}, [%r12];",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r10}, [%r12];",
        "ldmatrix.sync.aligned.m16n16.x1.shared.b16 {%r10}, [%r12];",
        "ldmatrix.sync.m8n8.x1.shared.b16 {%r10}, [%r12];",
        "ldmatrix.aligned.m8n8.x1.shared.b16 {%r10}, [%r12];"})
    EXPECT_NE(loadError(text).find("' is not supported by the simulator"),
              std::string::npos)
        << text;
  std::string old = snippet(form + ".x1.shared.b16 {%r10}, [%r12];");
  old.replace(old.find("sm_80"), 5, "sm_70");
  auto module = Module::parse(old);
  ASSERT_FALSE(module);
  EXPECT_NE(module.error().message.find("needs .target sm_75 or a later one"),
            std::string::npos);
}

} // namespace
