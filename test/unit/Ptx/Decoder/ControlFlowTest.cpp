// Divergence of the threads of a warp.

#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

std::vector<Row> lanes(unsigned count = 64) {
  std::vector<Row> rows;
  for (uint64_t i = 0; i != count; ++i)
    rows.push_back({i, i * 7 % 13});
  return rows;
}

template <class F>
void expectEach(const std::vector<uint64_t> &out, const std::vector<Row> &rows,
                F expected) {
  for (size_t i = 0; i != rows.size(); ++i)
    EXPECT_EQ(out[i], expected(rows[i][0], rows[i][1])) << "thread " << i;
}

TEST(PtxControlFlow, nestedConditions) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.u32 %ro, 0;
	setp.lt.u32 %p10, %r0, 20;
	@!%p10 bra ELSE;
	and.b32 %r10, %r0, 1;
	setp.eq.u32 %p11, %r10, 0;
	@%p11 bra EVEN;
	add.s32 %ro, %ro, 1;
	bra.uni JOIN;
EVEN:
	add.s32 %ro, %ro, 2;
JOIN:
	add.s32 %ro, %ro, 10;
	bra END;
ELSE:
	mov.u32 %ro, 5;
END:
	add.s32 %ro, %ro, 100;)",
                     rows);
  expectEach(out, rows, [](uint64_t a, uint64_t) {
    return a < 20 ? 110 + (a % 2 == 0 ? 2 : 1) : 105u;
  });
}

TEST(PtxControlFlow, loopsOfDifferentLength) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.u32 %ro, 0;
	mov.u32 %r10, 0;
LOOP:
	setp.ge.u32 %p10, %r10, %r1;
	@%p10 bra END;
	add.s32 %ro, %ro, %r10;
	add.s32 %r10, %r10, 1;
	bra LOOP;
END:
	add.s32 %ro, %ro, 1000;)",
                     rows);
  expectEach(out, rows,
             [](uint64_t, uint64_t b) { return 1000 + b * (b - 1) / 2; });
}

TEST(PtxControlFlow, nestedLoopsWithBreakAndContinue) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.u32 %ro, 0;
	mov.u32 %r10, 0;
OUTER:
	setp.ge.u32 %p10, %r10, 5;
	@%p10 bra END;
	add.s32 %r10, %r10, 1;
	mov.u32 %r11, 0;
INNER:
	setp.gt.u32 %p11, %r11, %r1;
	@%p11 bra OUTER;
	add.s32 %r11, %r11, 1;
	xor.b32 %r12, %r11, %r10;
	and.b32 %r12, %r12, 1;
	setp.ne.u32 %p12, %r12, 0;
	@%p12 bra INNER;
	add.s32 %ro, %ro, %r11;
	setp.gt.u32 %p13, %ro, 40;
	@%p13 bra END;
	bra INNER;
END:)",
                     rows);
  expectEach(out, rows, [](uint64_t, uint64_t b) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i != 5; ++i)
      for (uint64_t j = 1; j <= b + 1; ++j) {
        if (((j ^ (i + 1)) & 1) != 0)
          continue;
        sum += j;
        if (sum > 40)
          return sum;
      }
    return sum;
  });
}

TEST(PtxControlFlow, threadsThatReturnEarly) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.b64 %do, 1;
	st.global.b64 [%dout], %do;
	setp.lt.u32 %p10, %r1, 4;
	@%p10 ret;
	setp.lt.u32 %p11, %r1, 8;
	@%p11 bra MIDDLE;
	mov.b64 %do, 3;
	bra END;
MIDDLE:
	mov.b64 %do, 2;
	st.global.b64 [%dout], %do;
	exit;
END:)",
                     rows);
  expectEach(out, rows, [](uint64_t, uint64_t b) {
    return b < 4 ? 1u : b < 8 ? 2u : 3u;
  });
}

TEST(PtxControlFlow, indexedBranches) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.u32 %ro, 9;
	rem.u32 %r10, %r0, 3;
	add.s32 %ro, %ro, 1;
	brx.idx %r10, TARGETS;
TARGETS: .branchtargets ZERO, ONE, TWO;
ZERO:
	add.s32 %ro, %ro, 100;
	bra END;
ONE:
	add.s32 %ro, %ro, 200;
	bra END;
TWO:
	add.s32 %ro, %ro, 300;
END:
	add.s32 %ro, %ro, 1000;)",
                     rows);
  expectEach(out, rows,
             [](uint64_t a, uint64_t) { return 1010 + 100 * (a % 3 + 1); });
}

// A value computed before the threads diverge must survive in those that wait,
// although the others reuse its slot.
TEST(PtxControlFlow, valuesOfWaitingThreadsAreKept) {
  auto rows = lanes();
  auto out = runRows(R"(
	mul.lo.u32 %r10, %r0, 3;
	mul.lo.u32 %r11, %r0, 5;
	setp.lt.u32 %p10, %r1, 6;
	@%p10 bra THEN;
	add.s32 %r12, %r10, 1;
	mul.lo.u32 %r13, %r12, %r12;
	add.s32 %ro, %r13, %r11;
	bra END;
THEN:
	sub.s32 %r14, %r11, %r10;
	add.s32 %ro, %r14, 7;
END:)",
                     rows);
  expectEach(out, rows, [](uint64_t a, uint64_t b) {
    return b < 6 ? 2 * a + 7 : (3 * a + 1) * (3 * a + 1) + 5 * a;
  });
}

// Guarded instructions keep the old value elsewhere.
TEST(PtxControlFlow, guards) {
  auto rows = lanes();
  auto out = runRows("mov.u32 %ro, 1;\nsetp.gt.u32 %p10, %r1, 5;\n"
                     "@%p10 add.s32 %ro, %r0, 50;\n"
                     "@!%p10 add.s32 %ro, %ro, 1;",
                     rows);
  expectEach(out, rows,
             [](uint64_t a, uint64_t b) { return b > 5 ? a + 50 : 2; });
}

// %r10 is written under a guard only, so its value is carried around the loop
// and its slot must not go to %r11 and the others.
TEST(PtxControlFlow, guardedValuesTravelAroundLoops) {
  auto rows = lanes();
  auto out = runRows(R"(
	mov.u32 %r10, 3;
	mov.u32 %ro, 0;
	mov.u32 %r12, 0;
LOOP:
	setp.eq.u32 %p10, %r12, %r1;
	@%p10 add.s32 %r10, %r0, 100;
	add.s32 %ro, %ro, %r10;
	mul.lo.u32 %r11, %r12, 7;
	add.s32 %r13, %r11, 1000;
	add.s32 %ro, %ro, %r13;
	add.s32 %r12, %r12, 1;
	setp.lt.u32 %p11, %r12, 9;
	@%p11 bra LOOP;)",
                     rows);
  expectEach(out, rows, [](uint64_t a, uint64_t b) {
    uint64_t sum = 0, value = 3;
    for (uint64_t i = 0; i != 9; ++i) {
      value = i == b ? a + 100 : value;
      sum += value + 7 * i + 1000;
    }
    return sum;
  });
}

TEST(PtxControlFlow, barrierInsideAUniformBranch) {
  auto rows = lanes();
  auto out = runRows(R"(
	.shared .b32 cell;
	setp.ge.u32 %p10, %r0, 0;
	mov.u32 %ro, 0;
	@!%p10 bra END;
	setp.ne.u32 %p11, %thread, 33;
	@%p11 bra WAIT;
	st.shared.b32 [cell], 123;
WAIT:
	bar.sync 0;
	ld.shared.b32 %ro, [cell];
END:)",
                     rows);
  expectEach(out, rows, [](uint64_t, uint64_t) { return 123u; });
}

TEST(PtxControlFlow, labelsInScopes) {
  EXPECT_EQ(run("{\nbra L;\nmov.u32 %r10, 5;\nL: mov.u32 %r10, 1;\n}\n"
                "{\nbra L;\nmov.u32 %r10, 6;\nL: add.s32 %ro, %r10, 1;\n}"),
            2u);
}

} // namespace
