// Measures the thread-instructions that the simulator runs per second.

#include "gensyn/Ptx/Simulator.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace {

using namespace gensyn::ptx;

constexpr uint32_t threads = 128;

std::string kernel(const std::string &body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
         "\t.reg .pred %p<4>;\n\t.reg .b32 %r<40>;\n\t.reg .b32 %f<200>;\n"
         "\t.reg .b64 %d<10>;\n"
         "\tld.param.b64 %d1, [a];\n\tld.param.b64 %d2, [b];\n"
         "\tld.param.b32 %r1, [n];\n\tmov.u32 %r2, %tid.x;\n"
         "\tmov.u32 %r3, %ctaid.x;\n\tmad.lo.u32 %r4, %r3, 128, %r2;\n"
         "\tmul.wide.u32 %d3, %r4, 4;\n\tadd.s64 %d4, %d1, %d3;\n"
         "\tadd.s64 %d5, %d2, %d3;\n" +
         body + "\tret;\n}\n";
}

// Three fma, one load, two adds, a comparison and a branch.
const std::string loop = kernel(R"(
	ld.global.b32 %f1, [%d5];
	mov.b32 %f2, 0f3F800000;
	mov.b32 %f3, 0f00000000;
	mov.u32 %r5, 0;
LOOP:
	ld.global.b32 %f4, [%d4];
	fma.rn.f32 %f2, %f2, %f1, %f4;
	add.rn.f32 %f3, %f3, %f2;
	fma.rn.f32 %f5, %f3, %f1, %f2;
	fma.rn.f32 %f3, %f5, %f1, %f3;
	add.s32 %r5, %r5, 1;
	setp.lt.u32 %p1, %r5, %r1;
	@%p1 bra LOOP;
	st.global.b32 [%d5], %f3;
)");

// The inner loop of a matrix product: per step an 8 x 8 tile of fma, whose
// operands come from shared memory in vectors of four.
std::string tile() {
  std::string body = "\t.shared .align 16 .b8 tile[8192];\n"
                     "\tmov.b64 %d6, tile;\n\tand.b32 %r6, %r2, 7;\n"
                     "\tmul.wide.u32 %d7, %r6, 32;\n\tadd.s64 %d8, %d6, %d7;\n"
                     "\tmov.u32 %r5, 0;\n";
  auto f = [](int number) { return "%f" + std::to_string(number); };
  for (int i = 0; i != 64; ++i)
    body += "\tmov.b32 " + f(i) + ", 0f00000000;\n";
  body += "LOOP:\n";
  for (int step = 0; step != 4; ++step) {
    for (int half = 0; half != 4; ++half)
      body += "\tld.shared.v4.b32 {" + f(64 + 4 * half) + ", " +
              f(65 + 4 * half) + ", " + f(66 + 4 * half) + ", " +
              f(67 + 4 * half) + "}, [" + (half < 2 ? "%d6" : "%d8") + "+" +
              std::to_string(256 * step + 16 * half) + "];\n";
    for (int i = 0; i != 8; ++i)
      for (int j = 0; j != 8; ++j)
        body += "\tfma.rn.f32 " + f(8 * i + j) + ", " + f(64 + i) + ", " +
                f(72 + j) + ", " + f(8 * i + j) + ";\n";
  }
  body += "\tadd.s32 %r5, %r5, 1;\n\tsetp.lt.u32 %p1, %r5, %r1;\n"
          "\t@%p1 bra LOOP;\n";
  for (int i = 1; i != 64; ++i)
    body += "\tadd.rn.f32 %f0, %f0, " + f(i) + ";\n";
  return kernel(body + "\tst.global.b32 [%d5], %f0;\n");
}

// Half of the lanes take one branch, half the other.
const std::string divergent = kernel(R"(
	mov.u32 %r5, 0;
	and.b32 %r6, %r2, 1;
	setp.eq.u32 %p2, %r6, 0;
LOOP:
	@%p2 bra EVEN;
	add.s32 %r7, %r7, %r5;
	xor.b32 %r7, %r7, %r2;
	bra.uni JOIN;
EVEN:
	sub.s32 %r7, %r7, %r5;
	or.b32 %r7, %r7, %r2;
JOIN:
	add.s32 %r5, %r5, 1;
	setp.lt.u32 %p1, %r5, %r1;
	@%p1 bra LOOP;
	st.global.b32 [%d5], %r7;
)");

void run(benchmark::State &state, const std::string &text) {
  auto module = Module::parse(text);
  if (!module) {
    state.SkipWithError(module.error().message.c_str());
    return;
  }
  constexpr uint32_t blocks = 16;
  std::vector<float> a(threads * blocks, 0.5f), b(threads * blocks, 0.25f);
  Memory memory;
  memory.add(a.data(), 4 * a.size());
  memory.add(b.data(), 4 * b.size());
  struct {
    void *a, *b;
    uint32_t n;
  } parameters = {a.data(), b.data(), 1000};
  Launch launch;
  launch.kernel = "k";
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.threads = static_cast<unsigned>(state.range(0));
  launch.parameters = std::as_bytes(std::span(&parameters, 1)).first(20);
  Statistics statistics;
  for (auto _ : state)
    if (auto fault = module->launch(launch, memory, &statistics))
      state.SkipWithError(fault->message.c_str());
  state.counters["thread instructions"] =
      benchmark::Counter(static_cast<double>(statistics.threadInstructions),
                         benchmark::Counter::kIsRate);
}

void loadAndFma(benchmark::State &state) { run(state, loop); }
void matrixTile(benchmark::State &state) { run(state, tile()); }
void divergence(benchmark::State &state) { run(state, divergent); }

void parseAndDecode(benchmark::State &state) {
  std::string text = tile();
  for (auto _ : state)
    benchmark::DoNotOptimize(Module::parse(text));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(text.size()));
}

BENCHMARK(loadAndFma)->Arg(1);
BENCHMARK(loadAndFma)->Arg(2)->UseRealTime();
BENCHMARK(matrixTile)->Arg(1);
BENCHMARK(matrixTile)->Arg(2)->UseRealTime();
BENCHMARK(divergence)->Arg(1);
BENCHMARK(parseAndDecode);

} // namespace

BENCHMARK_MAIN();
