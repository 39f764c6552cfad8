// Matrix products against OpenBLAS and 3x3 convolutions against oneDNN (which
// computes PyTorch's), one thread, alternating in one process, so that other
// work on the machine affects both. The best processor time of many runs
// counts.
//
//   gensyn-bench-cpu [repetitions] [instruction set]
//
// Ends with 1 where a ratio is below what docs/Performance.md promises.

#include "KernelRunner.h"

#include <cblas.h>
#ifdef GENSYN_HAVE_DNNL
#include <dnnl.hpp>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <unistd.h>

extern "C" char *openblas_get_corename(void);

using gensyn::Tensor;
using namespace gensyn::cpu;

namespace {

constexpr double kMatmulRatio = 0.8, kConvolutionRatio = 0.7;

/// False once a ratio is below what is promised.
bool good = true;

/// The best times of two alternating measurements.
std::pair<double, double> race(int repetitions,
                               const std::function<void()> &first,
                               const std::function<void()> &second) {
  std::pair<double, double> best(1e30, 1e30);
  for (int i = 0; i < repetitions; ++i) {
    best.first = std::min(best.first, processorSeconds(first));
    best.second = std::min(best.second, processorSeconds(second));
  }
  return best;
}

std::string tensorType(std::initializer_list<int64_t> shape,
                       const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::string contractText(const std::string &lhs, const std::string &rhs,
                         const std::string &result, const std::string &form) {
  return "func.func @f(%a: " + lhs + ", %b: " + rhs + ") -> " + result +
         " {\n  %c = repro.contract %a, %b " + form + " : " + lhs + ", " + rhs +
         " -> " + result + "\n  return %c : " + result + "\n}\n";
}

void report(const Settings &settings, const std::string &what, double flops,
            std::pair<double, double> best, double wanted) {
  double ratio = best.second / best.first;
  std::printf("| %-34s | %7.1f | %7.1f | %5.2f |\n", what.c_str(),
              flops / best.first * 1e-9, flops / best.second * 1e-9, ratio);
  std::fflush(stdout);
  good = good && ratio >= wanted;
}

void matmul(const Settings &settings, int m, int n, int k, bool ta, bool tb) {
  auto order =
      k <= 1024 ? "sequential" : "blocked<1024, sequential, sequential>";
  std::string dims = "affine_map<(d0, d1, d2) -> (";
  KernelRunner runner(contractText(
      ta ? tensorType({k, m}) : tensorType({m, k}),
      tb ? tensorType({n, k}) : tensorType({k, n}), tensorType({m, n}),
      "domain <[" + std::to_string(m) + ", " + std::to_string(n) + ", " +
          std::to_string(k) + "], reduce [2]> maps [" + dims +
          (ta ? "d2, d0" : "d0, d2") + ")>, " + dims +
          (tb ? "d1, d2" : "d2, d1") + ")>, " + dims +
          "d0, d1)>] bounds [in, in] order " + order));
  runner.compile(settings.target);
  std::vector<Tensor> inputs = runner.makeInputs();
  fillNormal(inputs);
  std::vector<Tensor> outputs = runner.makeOutputs();
  std::vector<float> other(static_cast<size_t>(m) * n);
  const Tensor &lhs = inputs[0], &rhs = inputs[1];
  const float *a = lhs.as<float>(), *b = rhs.as<float>();
  auto best = race(
      settings.repetitions, [&] { runner.run(inputs, outputs); },
      [&] {
        cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
                    tb ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, a,
                    ta ? m : k, b, tb ? k : n, 0.0f, other.data(), n);
      });
  char what[80];
  std::snprintf(what, sizeof what, "%dx%dx%d%s%s", m, k, n,
                ta ? ", A transposed" : "", tb ? ", B transposed" : "");
  report(settings, what, 2.0 * m * n * k, best, kMatmulRatio);
}

#ifdef GENSYN_HAVE_DNNL
/// oneDNN's convolution as PyTorch calls it on plain tensors: reorders to its
/// preferred layout and back.
class Convolution {
public:
  Convolution(int64_t n, int64_t c, int64_t f, int64_t size, float *x, float *w,
              float *y)
      : engine(dnnl::engine::kind::cpu, 0), stream(engine) {
    using Tag = dnnl::memory::format_tag;
    auto of = [](dnnl::memory::dims dims, Tag tag) {
      return dnnl::memory::desc(dims, dnnl::memory::data_type::f32, tag);
    };
    dnnl::memory::dims xs{n, c, size, size}, ws{f, c, 3, 3},
        ys{n, f, size, size};
    dnnl::convolution_forward::desc wish(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        of(xs, Tag::any), of(ws, Tag::any), of(ys, Tag::any), {1, 1}, {1, 1},
        {1, 1});
    dnnl::convolution_forward::primitive_desc chosen(wish, engine);
    plain = {dnnl::memory(of(xs, Tag::nchw), engine, x),
             dnnl::memory(of(ws, Tag::oihw), engine, w),
             dnnl::memory(of(ys, Tag::nchw), engine, y)};
    fast = {dnnl::memory(chosen.src_desc(), engine),
            dnnl::memory(chosen.weights_desc(), engine),
            dnnl::memory(chosen.dst_desc(), engine)};
    primitive = dnnl::convolution_forward(chosen);
  }

  void run() {
    move(plain[0], fast[0]);
    move(plain[1], fast[1]);
    primitive.execute(stream, {{DNNL_ARG_SRC, fast[0]},
                               {DNNL_ARG_WEIGHTS, fast[1]},
                               {DNNL_ARG_DST, fast[2]}});
    move(fast[2], plain[2]);
    stream.wait();
  }

private:
  void move(dnnl::memory &from, dnnl::memory &to) {
    dnnl::reorder(from, to).execute(stream, from, to);
  }

  dnnl::engine engine;
  dnnl::stream stream;
  std::vector<dnnl::memory> plain, fast;
  dnnl::convolution_forward primitive;
};
#endif

void convolution(const Settings &settings, int64_t n, int64_t c, int64_t f,
                 int64_t size) {
  std::string extents;
  for (int64_t extent : {n, f, size, size, c, int64_t{3}, int64_t{3}})
    extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  std::string dims = "affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (";
  const int64_t points = c * 9, block = (1024 + 143) / 144 * 144;
  std::string order = points <= 1024 ? "sequential"
                                     : "blocked<" + std::to_string(block) +
                                           ", sequential, sequential>";
  KernelRunner runner(contractText(
      tensorType({n, c, size, size}), tensorType({f, c, 3, 3}),
      tensorType({n, f, size, size}),
      "domain <[" + extents + "], reduce [4, 5, 6]> maps [" + dims +
          "d0, d4, d2 + d5 - 1, d3 + d6 - 1)>, " + dims + "d1, d4, d5, d6)>, " +
          dims + "d0, d1, d2, d3)>] bounds [zero, in] order " + order));
  runner.compile(settings.target);
  std::vector<Tensor> inputs = runner.makeInputs();
  fillNormal(inputs);
  std::vector<Tensor> outputs = runner.makeOutputs();
  double flops = 2.0 * static_cast<double>(points * n * f * size * size);
  char what[80];
  std::snprintf(what, sizeof what, "3x3, %d x %d to %d channels, %dx%d", int(n),
                int(c), int(f), int(size), int(size));
#ifdef GENSYN_HAVE_DNNL
  std::vector<float> other(static_cast<size_t>(outputs[0].numElements()));
  Convolution theirs(n, c, f, size, inputs[0].as<float>(),
                     inputs[1].as<float>(), other.data());
  auto best = race(
      settings.repetitions, [&] { runner.run(inputs, outputs); },
      [&] { theirs.run(); });
  report(settings, what, flops, best, kConvolutionRatio);
#else
  // The same products as a matrix product, an upper bound for the convolution.
  const int m = static_cast<int>(f), k = static_cast<int>(points);
  const int columns = static_cast<int>(n * size * size);
  std::vector<float> b(static_cast<size_t>(k) * columns, 1.0f);
  std::vector<float> other(static_cast<size_t>(m) * columns);
  const Tensor &weights = inputs[1];
  const float *a = weights.as<float>();
  auto best = race(
      settings.repetitions, [&] { runner.run(inputs, outputs); },
      [&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, columns, k,
                    1.0f, a, k, b.data(), columns, 0.0f, other.data(), columns);
      });
  report(settings, what, flops, best, kConvolutionRatio);
#endif
}

/// Both libraries read their settings when they are loaded. OpenBLAS is told
/// which kernels to use, since it does not recognize processors newer than
/// itself.
void restartWithSettings(char **argv) {
  const char *done = "GENSYN_BENCH_RESTARTED";
  if (std::getenv(done))
    return;
  setenv(done, "1", 1);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  std::string target =
      argv[1] && argv[2] ? argv[2] : gensyn::runtime::nativeInstructionSet();
  setenv("OPENBLAS_CORETYPE", target == "x86-64-v4" ? "SkylakeX" : "Haswell",
         1);
  setenv("ONEDNN_MAX_CPU_ISA", target == "x86-64-v4" ? "ALL" : "AVX2", 1);
  execv("/proc/self/exe", argv);
}

std::string processorName() {
  std::string name = "unknown processor";
  if (std::FILE *file = std::fopen("/proc/cpuinfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file))
      if (std::strncmp(line, "model name", 10) == 0) {
        name = std::strchr(line, ':') + 2;
        name.erase(name.find_last_not_of('\n') + 1);
        break;
      }
    std::fclose(file);
  }
  return name;
}

} // namespace

int main(int argc, char **argv) {
  restartWithSettings(argv);
  const Settings settings(argc, argv);
  std::printf(
      "%s, one thread, %s; OpenBLAS with its %s kernels; best of %d\n\n",
      processorName().c_str(), settings.target.c_str(), openblas_get_corename(),
      settings.repetitions);
  std::printf("| %-34s | GFLOP/s | OpenBLAS | ratio |\n| --- | ---: | ---: | "
              "---: |\n",
              "product MxKxN");
  const int shapes[][3] = {
      {1024, 1024, 1024}, {511, 257, 513}, {128, 3072, 768}};
  for (auto [m, n, k] : shapes)
    for (int transposed = 0; transposed < 3; ++transposed)
      matmul(settings, m, n, k, transposed == 1, transposed == 2);
#ifdef GENSYN_HAVE_DNNL
  const char *other = "oneDNN";
#else
  const char *other = "sgemm";
#endif
  std::printf("\n| %-34s | GFLOP/s | %s | ratio |\n| --- | ---: | ---: | ---: "
              "|\n",
              "convolution", other);
  convolution(settings, 8, 64, 64, 56);
  convolution(settings, 8, 128, 128, 28);
  convolution(settings, 8, 256, 256, 14);
  convolution(settings, 32, 16, 32, 8);
  return good ? 0 : 1;
}
