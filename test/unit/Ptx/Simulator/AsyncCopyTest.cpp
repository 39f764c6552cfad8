// cp.async: the time at which copies become visible.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

const std::string prologue =
    ".shared .align 16 .b8 tile[2048];\n"
    "mov.b64 %d10, tile;\nmul.wide.u32 %d11, %thread, 32;\n"
    "add.s64 %d10, %d10, %d11;\n"
    "st.shared.b64 [%d10], 0;\n"
    "st.shared.b64 [%d10+8], 0;\n"
    "st.shared.b64 [%d10+16], 0;\n";

TEST(PtxAsyncCopy, visibleWhenWaitedFor) {
  Row row = {11, 22, 33};
  EXPECT_EQ(run(prologue + "cp.async.cg.shared.global [%d10], [%din], 16;\n"
                           "cp.async.commit_group;\n"
                           "ld.shared.b64 %do, [%d10+8];",
                row),
            0u);
  EXPECT_EQ(run(prologue + "cp.async.cg.shared.global [%d10], [%din], 16;\n"
                           "cp.async.commit_group;\ncp.async.wait_group 0;\n"
                           "ld.shared.b64 %do, [%d10+8];",
                row),
            22u);
  // Not committed: a wait for groups does not cover it, wait_all does.
  EXPECT_EQ(run(prologue + "cp.async.ca.shared.global [%d10], [%din], 8;\n"
                           "cp.async.wait_group 0;\n"
                           "ld.shared.b64 %do, [%d10];",
                row),
            0u);
  EXPECT_EQ(run(prologue + "cp.async.ca.shared.global [%d10], [%din], 8;\n"
                           "cp.async.wait_all;\nld.shared.b64 %do, [%d10];",
                row),
            11u);
}

TEST(PtxAsyncCopy, groupsMayStayOpen) {
  std::string body =
      prologue + "cp.async.ca.shared::cta.global [%d10], [%din], 8;\n"
                 "cp.async.commit_group;\n"
                 "cp.async.ca.shared.global.L2::128B [%d10+8], [%din+8], 8;\n"
                 "cp.async.commit_group;\ncp.async.wait_group 1;\n";
  Row row = {11, 22, 33};
  EXPECT_EQ(run(body + "ld.shared.b64 %do, [%d10];", row), 11u);
  EXPECT_EQ(run(body + "ld.shared.b64 %do, [%d10+8];", row), 0u);
}

TEST(PtxAsyncCopy, theRestIsFilledWithZeros) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i != 40; ++i)
    rows.push_back({~0ull, ~0ull, i % 5 * 4});
  // No byte is read if the size is zero: the address may be any aligned one.
  auto out =
      runRows(prologue + "setp.eq.u32 %p10, %r2, 0;\n"
                         "selp.b64 %d12, 0, %din, %p10;\n"
                         "cp.async.cg.shared.global [%d10], [%d12], 16, %r2;\n"
                         "cp.async.wait_all;\nld.shared.v2.b64 {%d13, %d14}, "
                         "[%d10];\npopc.b64 %r10, %d13;\npopc.b64 %r11, %d14;\n"
                         "add.s32 %ro, %r10, %r11;",
              rows);
  for (uint64_t i = 0; i != rows.size(); ++i)
    EXPECT_EQ(out[i], i % 5 * 32);
}

TEST(PtxAsyncCopy, aPredicateIgnoresTheSource) {
  const std::string rest = "cp.async.wait_all;\nld.shared.b64 %do, [%d10];";
  Row row = {11, 22, 0, 1};
  std::string copy = prologue + "st.shared.b64 [%d10], 5;\n"
                                "cp.async.ca.shared.global [%d10], [%din], 8, ";
  EXPECT_EQ(run(copy + "%p2;\n" + rest, row), 11u);
  EXPECT_EQ(run(copy + "%p3;\n" + rest, row), 0u);
  EXPECT_EQ(run(copy + "!%p3;\n" + rest, row), 11u);
  std::string hint = prologue + "cp.async.cg.shared.global.L2::cache_hint ";
  EXPECT_EQ(run(hint + "[%d10], [%din], 16, %d1;\n" + rest, row), 11u);
  EXPECT_EQ(run(hint + "[%d10], [%din], 16, %r2, %d1;\n" + rest, row), 0u);
}

TEST(PtxAsyncCopy, whatIsNotSimulated) {
  auto error = loadError("cp.async.bulk.shared::cluster.global.mbarrier::"
                         "complete_tx::bytes [%d10], [%d11], 16, [%d12];");
  EXPECT_NE(error.find("does not simulate the tensor memory accelerator"),
            std::string::npos)
      << error;
  EXPECT_NE(loadError("mbarrier.init.shared.b64 [%d10], 1;")
                .find("does not simulate mbarriers"),
            std::string::npos);
  EXPECT_NE(loadError("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                      "{%r10, %r11, %r12, %r13}, {%r14, %r15, %r16, %r17}, "
                      "{%r18, %r19}, {%r10, %r11, %r12, %r13};")
                .find("does not simulate matrix units"),
            std::string::npos);
}

TEST(PtxAsyncCopy, sizes) {
  EXPECT_EQ(loadError("cp.async.cg.shared.global [%d10], [%d11], 8;"),
            "kernel 'k': 'cp.async.cg.shared.global' copies 16 bytes");
  EXPECT_EQ(loadError("cp.async.ca.shared.global [%d10], [%d11], 3;"),
            "kernel 'k': 'cp.async.ca.shared.global' copies 16 bytes, 8 or 4");
}

} // namespace
