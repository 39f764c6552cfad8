// Texts as compilers print them: LLVM for several architectures, and nvcc.

#include "../Support.h"

#include <cmath>
#include <fstream>
#include <iterator>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

const std::array<std::string, 4> samples = {"kernels-sm_75", "kernels-sm_80",
                                            "kernels-sm_90", "kernels-sm_120"};

std::string read(const std::string &name) {
  std::ifstream file(std::string(GENSYN_TEST_DIR) + "/Ptx/Inputs/" + name +
                     ".ptx");
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Module load(const std::string &name) {
  auto module = Module::parse(read(name));
  if (!module) {
    ADD_FAILURE() << name << ":" << module.error().line << ": "
                  << module.error().message;
    std::abort();
  }
  return *module;
}

template <class Parameters>
void runKernel(const Module &module, std::string_view kernel, uint32_t grid,
               uint32_t block, const Parameters &parameters, size_t bytes,
               Memory &memory, uint64_t dynamicSharedBytes = 0) {
  Launch launch;
  launch.kernel = kernel;
  launch.grid.x = grid;
  launch.block.x = block;
  launch.dynamicSharedBytes = dynamicSharedBytes;
  launch.parameters = std::as_bytes(std::span(&parameters, 1)).first(bytes);
  if (auto fault = module.launch(launch, memory))
    ADD_FAILURE() << fault->message;
}

// The same operations as @scalarops of kernels.ll.
float scalarops(float a, float d, float s, int32_t i, uint32_t t) {
  float v = std::sqrt(std::fma(a, d, s) / d);
  v = std::copysign(std::fabs(std::fmin(std::max(std::min(v, a), d), s)), a);
  v = std::floor(std::nearbyint(v)) + std::trunc(d);
  v = std::round(std::nearbyint(-v - s)); // small: exact as f16 and bf16
  double third = std::ceil(static_cast<double>(v)) / 3.0;
  auto i1 = static_cast<int32_t>(static_cast<float>(third));
  auto i2 = static_cast<uint8_t>(std::min(a, 255.0f));
  auto i3 = static_cast<int64_t>(third);
  uint32_t i4 = static_cast<uint32_t>(i1) + i2;
  uint32_t reversed = 0;
  for (int bit = 0; bit != 32; ++bit)
    reversed |= (i4 >> bit & 1) << (31 - bit);
  uint32_t swapped = __builtin_bswap32(reversed), amount = i & 31;
  uint32_t i10 =
      amount == 0 ? swapped : swapped << amount | i4 >> (32 - amount);
  uint32_t i12 = (i10 ^ static_cast<uint32_t>(std::popcount(i4))) |
                 static_cast<uint32_t>(std::countl_zero(i4));
  auto i13 =
      static_cast<int32_t>(i12 - static_cast<uint32_t>(std::countr_zero(i4)));
  int32_t i14 = std::max(i13, i1);
  auto low = static_cast<uint8_t>(static_cast<uint32_t>(i14 >> (t & 31)) >> 3);
  auto extended = static_cast<int64_t>(static_cast<int8_t>(std::min(low, i2)));
  int64_t q = i3 / 7;
  uint64_t q2 = static_cast<uint64_t>(q) / static_cast<uint64_t>(extended | 1);
  int64_t q3 = static_cast<int64_t>(q2) % (int64_t(i) | 1);
  uint64_t f3 = static_cast<uint64_t>(q3) << 13 | q2 >> 51;
  uint64_t counts = static_cast<uint64_t>(std::popcount(f3)) +
                    static_cast<uint64_t>(std::countl_zero(f3));
  int32_t sum;
  uint64_t product;
  bool overflow =
      __builtin_add_overflow(i14, i13, &sum) !=
      __builtin_mul_overflow(q2, static_cast<uint64_t>(q), &product);
  uint64_t chosen = overflow ? counts : static_cast<uint64_t>(q);
  unsigned __int128 wide = ((static_cast<unsigned __int128>(1) << 64) + 13) * 3;
  auto shifted = static_cast<uint64_t>((wide + chosen) >> 60);
  float r = static_cast<float>(static_cast<int64_t>(shifted)) *
            static_cast<float>(chosen);
  bool keep = (std::isnan(r) || r < d) && r != s;
  return keep ? r : std::bit_cast<float>(0x7FC00000u);
}

TEST(PtxSamples, scalarOperations) {
  constexpr int32_t n = 300;
  std::vector<float> x(n), y(n);
  for (int32_t i = 0; i != n; ++i) {
    x[i] = 0.37f * static_cast<float>(i + 1);
    y[i] = 1.0f + static_cast<float>(i * 37 % 101) * 0.61f;
  }
  for (const std::string &name : samples) {
    Module module = load(name);
    std::vector<float> out(n, 0);
    Memory memory;
    memory.addReadOnly(x.data(), n * 4);
    memory.addReadOnly(y.data(), n * 4);
    memory.add(out.data(), n * 4);
    struct {
      const float *x, *y;
      int32_t n;
      float s;
      float *out;
    } parameters = {x.data(), y.data(), n, 40.5f, out.data()};
    runKernel(module, "scalarops", 5, 64, parameters, sizeof(parameters),
              memory);
    for (int32_t i = 0; i != n; ++i)
      ASSERT_EQ(bits(out[i]), bits(scalarops(x[i], y[i], 40.5f, i, i % 64)))
          << name << " " << i;
  }
}

TEST(PtxSamples, reductionInSharedMemory) {
  std::vector<float> x(1024);
  for (size_t i = 0; i != x.size(); ++i)
    x[i] = 1.0f / static_cast<float>(i + 1);
  for (const std::string &name : samples) {
    Module module = load(name);
    std::array<float, 4> out = {};
    Memory memory;
    memory.addReadOnly(x.data(), x.size() * 4);
    memory.add(out.data(), sizeof(out));
    std::array<const void *, 2> parameters = {x.data(), out.data()};
    runKernel(module, "reduce", 4, 256, parameters, 16, memory);
    for (size_t block = 0; block != 4; ++block) {
      std::vector<float> partial(x.begin() + 256 * block,
                                 x.begin() + 256 * (block + 1));
      for (size_t half = 128; half != 0; half /= 2)
        for (size_t i = 0; i != half; ++i)
          partial[i] += partial[i + half];
      EXPECT_EQ(bits(out[block]), bits(partial[0])) << name;
    }
  }
}

/// The results of a kernel of `threads` threads with the parameters (out, n).
template <uint32_t threads>
std::array<int32_t, threads> runOfOne(const Module &module, const char *kernel,
                                      int32_t n) {
  std::array<int32_t, threads> out = {};
  Memory memory;
  memory.add(out.data(), sizeof(out));
  struct {
    int32_t *out;
    int32_t n;
  } parameters = {out.data(), n};
  runKernel(module, kernel, 1, threads, parameters, 12, memory);
  return out;
}

TEST(PtxSamples, localMemoryTablesAndAtomics) {
  for (const std::string &name : samples) {
    Module module = load(name);
    std::array<int32_t, 40> out = runOfOne<40>(module, "locals", 27);
    for (int32_t t = 0; t != 40; ++t)
      EXPECT_EQ(out[t], 11 * t + t % 4 + 1) << name;
  }
}

TEST(PtxSamples, switchAndShuffle) {
  for (const std::string &name : samples) {
    Module module = load(name);
    std::array<int32_t, 32> out = runOfOne<32>(module, "sw", 100);
    std::array<int32_t, 32> value = {5, 700, 10000, 111, 100 ^ 1234, 33};
    for (size_t t = 0; t != 32; ++t)
      EXPECT_EQ(out[t], value[t ^ 1]) << name << " " << t;
  }
}

TEST(PtxSamples, vectors) {
  for (const std::string &name : samples) {
    Module module = load(name);
    alignas(16) std::array<float, 64> x;
    alignas(16) std::array<float, 1008> out = {};
    for (size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<float>(i) + 0.25f;
    Memory memory;
    memory.addReadOnly(x.data(), sizeof(x));
    memory.add(out.data(), sizeof(out));
    std::array<const void *, 2> parameters = {x.data(), out.data()};
    runKernel(module, "vec", 1, 16, parameters, 16, memory, 64);
    for (size_t t = 0; t != 16; ++t) {
      EXPECT_EQ(out[4 * t], x[4 * t + 1]) << name;
      EXPECT_EQ(out[4 * t + 3], 2 * x[4 * t + 3]) << name;
    }
  }
}

/// A matrix product with copies under way while it computes.
struct Product {
  static constexpr uint32_t m = 96, n = 64, k = 80;
  alignas(16) std::array<float, m * k> a;
  alignas(16) std::array<float, k * n> b;
  alignas(16) std::array<float, m * n> c = {};

  Product() {
    for (uint32_t i = 0; i != m * k; ++i)
      a[i] = static_cast<float>(i * 7919 % 1009) / 1009.0f - 0.5f;
    for (uint32_t i = 0; i != k * n; ++i)
      b[i] = static_cast<float>(i * 6007 % 997) / 997.0f - 0.5f;
  }

  std::optional<Fault> run(const Module &module, bool findRaces) {
    Memory memory;
    memory.addReadOnly(a.data(), sizeof(a));
    memory.addReadOnly(b.data(), sizeof(b));
    memory.add(c.data(), sizeof(c));
    std::array<const void *, 3> parameters = {a.data(), b.data(), c.data()};
    Launch launch;
    launch.kernel = "sgemm";
    launch.grid = {n / 32, m / 32, 1};
    launch.block.x = 64;
    launch.parameters = std::as_bytes(std::span(parameters));
    launch.threads = 2;
    launch.findRaces = findRaces;
    return module.launch(launch, memory);
  }
};

TEST(PtxSamples, matrixProduct) {
  Module module = load("product-sm_80");
  for (bool findRaces : {false, true}) {
    Product product;
    auto fault = product.run(module, findRaces);
    ASSERT_FALSE(fault) << fault->message;
    for (uint32_t i = 0; i != Product::m; ++i)
      for (uint32_t j = 0; j != Product::n; ++j) {
        float sum = 0; // a chain of fma over ascending k
        for (uint32_t k = 0; k != Product::k; ++k)
          sum = std::fma(product.a[i * Product::k + k],
                         product.b[k * Product::n + j], sum);
        ASSERT_EQ(bits(product.c[i * Product::n + j]), bits(sum));
      }
  }
}

TEST(PtxSamples, aProductWithoutOneOfItsBarriersRaces) {
  std::string text = read("product-sm_80");
  unsigned barriers = 0;
  for (size_t at = 0; (at = text.find("bar.sync", at)) != text.npos; ++at) {
    std::string damaged = text;
    damaged.replace(at, 2, "//");
    auto module = Module::parse(damaged);
    ASSERT_TRUE(module) << module.error().message;
    auto fault = Product().run(*module, true);
    EXPECT_TRUE(fault && (fault->kind == Fault::Kind::Race ||
                          fault->kind == Fault::Kind::Unwritten));
    ++barriers;
  }
  EXPECT_EQ(barriers, 2u);
}

TEST(PtxSamples, nvcc) {
  Module module = load("cuda");
  ASSERT_EQ(module.kernels().size(), 1u);
  EXPECT_EQ(module.kernels()[0].sharedBytes, 512u);
  EXPECT_EQ(module.kernels()[0].localBytes, 96u);
}

} // namespace
