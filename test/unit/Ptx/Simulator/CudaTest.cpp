// Kernels that nvcc compiled from the CUDA files of test/Ptx/cuda/Inputs,
// against the same computations in C++. GENSYN_PTX_CUDA names a folder with
// other PTX texts of these files, such as nvcc's for another architecture.

#include "../Support.h"
#include "Simulator/RoundPack.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// A file's kernels, and memory that they may access.
class Cuda {
public:
  explicit Cuda(const std::string &name) {
    const char *other = std::getenv("GENSYN_PTX_CUDA");
    std::string folder =
        other ? other : std::string(GENSYN_TEST_DIR) + "/Ptx/cuda/Inputs";
    std::ifstream file(folder + "/" + name + ".ptx");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    auto parsed = Module::parse(text);
    if (parsed)
      module = *parsed;
    else
      ADD_FAILURE() << name << ": line " << parsed.error().line << ": "
                    << parsed.error().message;
  }

  template <class T> void read(const std::vector<T> &values) {
    memory.addReadOnly(values.data(), values.size() * sizeof(T));
  }
  template <class T> void write(std::vector<T> &values) {
    memory.add(values.data(), values.size() * sizeof(T));
  }

  /// Arguments are laid out as in CUDA: each at a multiple of its size.
  template <class... T>
  void run(const char *kernel, Dimensions grid, Dimensions block,
           T... arguments) {
    if (!module)
      return;
    std::vector<std::byte> parameters;
    auto append = [&](auto value) {
      size_t at = (parameters.size() + sizeof(value) - 1) / sizeof(value) *
                  sizeof(value);
      parameters.resize(at + sizeof(value));
      std::memcpy(parameters.data() + at, &value, sizeof(value));
    };
    (append(arguments), ...);
    Launch launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.parameters = parameters;
    launch.findRaces = true;
    if (auto fault = module->launch(launch, memory))
      ADD_FAILURE() << fault->message;
  }

private:
  std::optional<Module> module;
  Memory memory;
};

std::vector<float> someFloats(size_t count, uint64_t seed) {
  Patterns patterns(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value =
        static_cast<float>(static_cast<int64_t>(patterns.next())) * 0x1p-61f;
  return values;
}

std::vector<int> someIntegers(size_t count, int limit, uint64_t seed) {
  Patterns patterns(seed);
  std::vector<int> values(count);
  for (int &value : values)
    value = static_cast<int>(patterns.next() % static_cast<uint64_t>(limit));
  return values;
}

TEST(PtxCuda, saxpy) {
  for (const char *kernel : {"saxpy", "saxpy_strided"}) {
    Cuda cuda("saxpy");
    auto x = someFloats(1000, 1), y = someFloats(1000, 2), expected = y;
    for (size_t i = 0; i != x.size(); ++i)
      expected[i] = std::fma(1.5f, x[i], y[i]);
    cuda.read(x);
    cuda.write(y);
    uint32_t blocks = kernel[5] == '_' ? 2 : 8;
    cuda.run(kernel, {blocks}, {128}, 1000, 1.5f, x.data(), y.data());
    EXPECT_EQ(y, expected) << kernel;
  }
}

TEST(PtxCuda, tiledProduct) {
  constexpr int m = 37, n = 29, k = 43;
  auto a = someFloats(m * k, 3), b = someFloats(k * n, 4);
  std::vector<float> expected(m * n);
  for (int i = 0; i != m; ++i)
    for (int j = 0; j != n; ++j)
      for (int each = 0; each != k; ++each)
        expected[i * n + j] =
            std::fma(a[i * k + each], b[each * n + j], expected[i * n + j]);
  for (uint32_t tile : {8u, 16u}) {
    Cuda cuda("product");
    std::vector<float> c(m * n);
    cuda.read(a);
    cuda.read(b);
    cuda.write(c);
    cuda.run(tile == 8 ? "product8" : "product16",
             {(n + tile - 1) / tile, (m + tile - 1) / tile}, {tile, tile},
             a.data(), b.data(), c.data(), m, n, k);
    EXPECT_EQ(c, expected) << tile;
  }
}

TEST(PtxCuda, exchangesInWarps) {
  Cuda cuda("warps");
  auto x = someIntegers(1024, 1000, 5);
  std::vector<int> sums(4), scans(1024), counts(32, -2);
  auto values = someFloats(1024, 6);
  values[77] = std::nanf("");
  std::vector<float> front(1024, -1.0f);
  cuda.read(x);
  cuda.read(values);
  cuda.write(sums);
  cuda.write(scans);
  cuda.write(front);
  cuda.write(counts);
  cuda.run("block_sum", {4}, {256}, x.data(), sums.data());
  cuda.run("warp_scan", {8}, {128}, x.data(), scans.data());
  cuda.run("compact", {16}, {64}, values.data(), front.data(), counts.data());
  for (int block = 0; block != 4; ++block)
    EXPECT_EQ(sums[block],
              std::accumulate(&x[256 * block], &x[256 * block] + 256, 0));
  for (int warp = 0; warp != 32; ++warp) {
    int sum = 0, count = 0;
    for (int i = 32 * warp; i != 32 * warp + 32; ++i) {
      EXPECT_EQ(scans[i], sum += x[i]);
      if (values[i] > 0)
        EXPECT_EQ(front[32 * warp + count++], values[i]);
    }
    EXPECT_EQ(counts[warp], warp == 77 / 32 ? -1 : count);
  }
}

uint16_t toNarrow(double value, const FloatFormat &format) {
  return static_cast<uint16_t>(packFloat(unpackFloat(bits(value), formatF64),
                                         format, Rounding::Rn, false));
}
double toDouble(uint16_t value, const FloatFormat &format) {
  return std::bit_cast<double>(
      packFloat(unpackFloat(value, format), formatF64, Rounding::Rn, false));
}

TEST(PtxCuda, halves) {
  // Magnitudes from 2^-5 to 16, so that sums and products are exact in doubles.
  constexpr int n = 200;
  Patterns patterns(7);
  auto some = [&](const FloatFormat &format) {
    auto value = static_cast<double>(static_cast<int64_t>(patterns.next()));
    return toNarrow(value * 0x1p-59, format);
  };
  std::vector<uint16_t> x(2 * n), y(2 * n), out(4 * n), pairs(2 * n), brains(n),
      brainsIn(n);
  for (int i = 0; i != 2 * n; ++i) {
    x[i] = some(formatF16);
    y[i] = some(formatF16);
  }
  for (uint16_t &value : brainsIn)
    value = some(formatBF16);
  auto floats = someFloats(n, 8);
  Cuda cuda("halves");
  cuda.read(x);
  cuda.read(y);
  cuda.read(brainsIn);
  cuda.read(floats);
  cuda.write(out);
  cuda.write(pairs);
  cuda.write(brains);
  cuda.run("halves", {4}, {64}, x.data(), y.data(), out.data(), n);
  cuda.run("pairs", {4}, {64}, x.data(), y.data(), pairs.data(), n);
  cuda.run("brains", {4}, {64}, brainsIn.data(), floats.data(), brains.data(),
           n);
  auto half = [](double value) { return toNarrow(value, formatF16); };
  auto wide = [](uint16_t value) { return toDouble(value, formatF16); };
  for (int i = 0; i != 2 * n; ++i) {
    double a = wide(x[i]), b = wide(y[i]);
    uint16_t sum = half(a + b), fused = half(a * b + wide(sum));
    EXPECT_EQ(pairs[i], fused);
    if (i >= n)
      continue;
    EXPECT_EQ(out[4 * i], sum);
    EXPECT_EQ(out[4 * i + 1], half(a * b));
    EXPECT_EQ(out[4 * i + 2], a > b ? fused : fused ^ 0x8000);
    EXPECT_EQ(out[4 * i + 3], half(std::max(std::abs(a), b)));
    double brain = toDouble(toNarrow(floats[i], formatBF16), formatBF16);
    EXPECT_EQ(brains[i],
              toNarrow(toDouble(brainsIn[i], formatBF16) * brain + brain,
                       formatBF16));
  }
}

int controlled(int x, int i) {
  constexpr int weights[] = {3, 1, 4, 1, 5, 9, 2, 6};
  constexpr int calls[] = {0, 10, 20, 30};
  int steps = 0, digits[10] = {}, most = 0, result = 0;
  for (int value = x; value != 1 && steps < 100; ++steps)
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  for (int rest = x; rest != 0; rest /= 10)
    ++digits[rest % 10];
  for (int digit = 1; digit != 10; ++digit)
    if (digits[digit] > digits[most])
      most = digit;
  switch (steps % 7) {
  case 0:
    return steps * weights[i % 8];
  case 1:
    return most - steps;
  case 2:
    return x << most;
  case 3:
    return x ^ calls[i % 4];
  case 4:
    for (int k = 0; k <= most; ++k)
      result += k * weights[k % 8];
    return result;
  case 5:
    return steps - x;
  default:
    return steps;
  }
}

TEST(PtxCuda, loopsAndSwitches) {
  Cuda cuda("control");
  auto x = someIntegers(500, 1000000, 9);
  for (int &value : x)
    ++value;
  std::vector<int> out(500);
  cuda.read(x);
  cuda.write(out);
  cuda.run("control", {4}, {128}, x.data(), out.data(), 500);
  for (int i = 0; i != 500; ++i)
    EXPECT_EQ(out[i], controlled(x[i], i)) << x[i];
}

TEST(PtxCuda, functionsThatStayFunctions) {
  Cuda cuda("functions");
  constexpr int n = 128, length = 9;
  std::vector<double> x(n + length), bounds(2 * n);
  Patterns patterns(10);
  for (double &value : x)
    value = static_cast<double>(static_cast<int64_t>(patterns.next()));
  auto integers = someIntegers(n, 400, 11);
  std::vector<long long> multiples(n, -1);
  cuda.read(x);
  cuda.read(integers);
  cuda.write(bounds);
  cuda.write(multiples);
  cuda.run("bounds", {2}, {64}, x.data(), bounds.data(), length);
  cuda.run("multiples", {2}, {96}, integers.data(), multiples.data(), n);
  for (int i = 0; i != n; ++i) {
    auto [low, high] = std::minmax_element(&x[i], &x[i] + length);
    EXPECT_EQ(bounds[2 * i], *low);
    EXPECT_EQ(bounds[2 * i + 1], *high);
    int value = std::lcm(integers[i], i + 1);
    if (i % 3 == 0)
      value = std::gcd(value, 360);
    EXPECT_EQ(multiples[i], i % 2 == 0 ? -1 : value) << i;
  }
}

TEST(PtxCuda, atomicsOfIntegers) {
  Cuda cuda("counts");
  Patterns patterns(12);
  std::vector<unsigned char> bytes(3000);
  for (unsigned char &byte : bytes)
    byte = static_cast<unsigned char>(patterns.next() & patterns.next());
  std::vector<unsigned> counts(256), expected(256);
  for (unsigned char byte : bytes)
    ++expected[byte];
  auto x = someIntegers(1000, 100000, 13);
  std::vector<int> extremes = {1 << 30, -1, 0, 0};
  std::vector<unsigned long long> sum(1);
  cuda.read(bytes);
  cuda.read(x);
  cuda.write(counts);
  cuda.write(extremes);
  cuda.write(sum);
  cuda.run("histogram", {3}, {128}, bytes.data(), counts.data(), 3000);
  cuda.run("extremes", {4}, {256}, x.data(), extremes.data(), sum.data(), 1000);
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(extremes[0], *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(extremes[1], *std::max_element(x.begin(), x.end()));
  int all = 0, odd = 0;
  unsigned long long total = 0;
  for (int value : x) {
    all |= value;
    odd ^= value;
    total += static_cast<unsigned>(value & 255);
  }
  EXPECT_EQ(extremes[2], all);
  EXPECT_EQ(extremes[3], odd);
  EXPECT_EQ(sum[0], total);
}

} // namespace
