// Products of few rows against a copy and a plain read of the matrix, which
// exceeds all caches, alternating in one process, so that other work on the
// machine affects all. The best of many runs counts: the processor time of one
// thread, which excludes other work, and the time of several threads, which
// their waiting for each other is a part of.
//
//   gensyn-bench-rows [repetitions] [instruction set] [threads] [schedule]
//   [part of a name] [points] [columns]
//
// The product's rate is the bytes of the matrix per second; the copy's counts
// its bytes as read and as written. `ratio` is that of the two rates, `of read`
// that of the product's and the read's. A matrix that is lasting is a
// parameter, of which the program may make panels once before. A schedule is an
// attribute of lib/Codegen/Cpu/Contract/ContractSchedule.h, instead of the
// table's. Only the products whose names contain the part are measured if it is
// given, and only of one size if that is, which may be that of a cache.

#include "KernelRunner.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using gensyn::Tensor;
using gensyn::runtime::ThreadPool;
using namespace gensyn::cpu;

namespace {

struct Case {
  int64_t rows, points, columns;
  bool isTransposed;
  std::string element;
  bool isScaled = false;  ///< by a number for each column
  bool isLasting = false; ///< a parameter, whose panels are made before
};

std::string tensorType(int64_t rows, int64_t columns,
                       const std::string &element) {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "x" + element + ">";
}

/// The ops that compute `%w`, the matrix with a scale for each column.
std::string scaled(const Case &what, const std::string &narrow,
                   const std::string &wide, const std::string &scale) {
  const std::string dim = what.isTransposed ? "0" : "1";
  return "  %f = repro.convert %b : " + narrow + " to " + wide +
         "\n  %t = repro.broadcast %s dims [" + dim + "] : " + scale + " to " +
         wide + "\n  %w = repro.mul %f, %t : " + wide + "\n";
}

std::string textOf(const Case &what) {
  const auto [m, k, n, isTransposed, element, isScaled, isLasting] = what;
  const bool isInteger = element[0] == 'i' && !isScaled;
  const std::string sum = isInteger ? "i32" : "f32";
  const std::string a = tensorType(m, k, isInteger ? "i8" : "f32");
  auto typeOfB = [&](const std::string &of) {
    return isTransposed ? tensorType(n, k, of) : tensorType(k, n, of);
  };
  const std::string stored = typeOfB(element),
                    b = isScaled ? typeOfB("f32") : stored,
                    scale = "tensor<" + std::to_string(n) + "xf32>";
  const std::string c = tensorType(m, n, sum);
  const std::string dims = "affine_map<(d0, d1, d2) -> (";
  std::string order;
  if (!isInteger)
    order = k <= 1024 ? " order sequential"
                      : " order blocked<1024, sequential, sequential>";
  return "func.func @f(%a: " + a + ", %b: " + stored +
         (isLasting ? " {gensyn.role = \"parameter\"}" : "") +
         ", %s: " + scale + ") -> " + c + " {\n" +
         (isScaled ? scaled(what, stored, b, scale) : "") +
         "  %c = repro.contract %a, " + (isScaled ? "%w" : "%b") +
         " domain <[" + std::to_string(m) + ", " + std::to_string(n) + ", " +
         std::to_string(k) + "], reduce [2]> maps [" + dims + "d0, d2)>, " +
         dims + (isTransposed ? "d1, d2" : "d2, d1") + ")>, " + dims +
         "d0, d1)>] bounds [in, in]" + order + " : " + a + ", " + b + " -> " +
         c + "\n  return %c : " + c + "\n}\n";
}

/// Runs `part` for equal parts of `bytes` on the pool's threads.
void divide(ThreadPool &pool, size_t bytes,
            const std::function<void(size_t, size_t)> &part) {
  struct Context {
    size_t bytes;
    const std::function<void(size_t, size_t)> &part;
  } context{bytes / pool.size(), part};
  pool.run(
      0, int64_t(pool.size()),
      [](void *opaque, unsigned, int64_t begin, int64_t end) {
        const auto &[bytes, part] = *static_cast<Context *>(opaque);
        part(bytes * size_t(begin), bytes * size_t(end - begin));
      },
      &context);
}

double seconds(unsigned threads, const std::function<void()> &run) {
  if (threads == 1)
    return processorSeconds(run);
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Returns a number that depends on all words, so that they must be read.
uint64_t readAll(const uint64_t *words, size_t count) {
  constexpr size_t kSums = 32;
  uint64_t sums[kSums] = {};
  for (size_t i = 0; i + kSums <= count; i += kSums)
    for (size_t j = 0; j < kSums; ++j)
      sums[j] ^= words[i + j];
  uint64_t all = 0;
  for (uint64_t sum : sums)
    all ^= sum;
  return all;
}

std::string nameOf(const Case &what) {
  std::string name = std::to_string(what.rows) + "x" +
                     std::to_string(what.points) + "x" +
                     std::to_string(what.columns) + " " + what.element;
  if (what.isScaled)
    name += ", scaled";
  if (what.isTransposed)
    name += ", transposed";
  if (what.isLasting)
    name += ", lasting";
  return name;
}

void measure(const Settings &settings, unsigned threads,
             const std::string &schedule, const Case &what) {
  KernelRunner runner(textOf(what));
  runner.compile(settings.target, threads, schedule);
  ThreadPool pool(threads);
  std::vector<Tensor> inputs = runner.makeInputs();
  // Any finite elements: these bytes are ordinary numbers of all types. An i4
  // has a byte whose upper bits are 0.
  for (Tensor &input : inputs)
    std::memset(input.data(),
                input.elementType() == gensyn::ElementType::I4 ? 0x03 : 0x3C,
                static_cast<size_t>(input.byteSize()));
  std::vector<Tensor> outputs = runner.makeOutputs();
  const auto bytes = static_cast<size_t>(inputs[1].byteSize());
  const char *matrix = reinterpret_cast<const char *>(inputs[1].data());
  std::vector<char> target(bytes, 1);
  volatile uint64_t sink = 0;
  double product = 1e30, copy = 1e30, read = 1e30;
  // A large matrix is in no cache when it is read, as in a model of which it is
  // a part.
  constexpr size_t cached = size_t(32) << 20, beyondCaches = size_t(128) << 20;
  const std::vector<uint64_t> other(
      bytes > cached ? beyondCaches / sizeof(uint64_t) : 0, 1);
  auto take = [&](double &best, const std::function<void()> &run) {
    sink = readAll(other.data(), other.size());
    best = std::min(best, seconds(threads, run));
  };
  for (int i = 0; i < settings.repetitions; ++i) {
    take(product, [&] { runner.run(inputs, outputs); });
    take(copy, [&] {
      divide(pool, bytes, [&](size_t first, size_t count) {
        std::memcpy(target.data() + first, matrix + first, count);
      });
    });
    take(read, [&] {
      divide(pool, bytes, [&](size_t first, size_t count) {
        sink = readAll(reinterpret_cast<const uint64_t *>(matrix + first),
                       count / sizeof(uint64_t));
      });
    });
  }
  const double size = double(bytes) * 1e-9;
  const double rate = size / product, copied = 2 * size / copy,
               plain = size / read;
  std::printf("| %-34s | %5.1f | %5.1f | %5.1f | %5.2f | %5.2f |\n",
              nameOf(what).c_str(), rate, copied, plain, rate / copied,
              rate / plain);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  const Settings settings(argc, argv);
  const unsigned threads =
      argc > 3 ? unsigned(std::max(1, std::atoi(argv[3]))) : 1;
  auto argument = [&](int number) -> std::string {
    return argc > number ? argv[number] : "";
  };
  const std::string schedule = argument(4), part = argument(5);
  const int64_t onlyPoints = std::atoll(argument(6).c_str()),
                onlyColumns = std::atoll(argument(7).c_str());
  std::printf("%s, %u threads, best of %d; GB/s\n\n"
              "| product MxKxN | product | copy | read | ratio | of read |\n"
              "| --- | ---: | ---: | ---: | ---: | ---: |\n",
              settings.target.c_str(), threads, settings.repetitions);
  auto measureIf = [&](const Case &what) {
    if (nameOf(what).find(part) != std::string::npos)
      measure(settings, threads, schedule, what);
  };
  for (const char *element : {"f32", "bf16", "f16", "i8", "i4"}) {
    // Matrices of 256 MB, and those of a model's last layer.
    const int64_t points = std::strcmp(element, "f32") == 0 ? 8192
                           : element[0] == 'i'              ? 32768
                                                            : 16384;
    for (auto [isScaled, isLasting] : {std::pair{false, false},
                                       {false, true},
                                       {true, false},
                                       {true, true}}) {
      if (isScaled && element[0] == 'f')
        continue;
      for (bool isTransposed : {false, true}) {
        auto measureSize = [&](int64_t rows, int64_t points, int64_t columns) {
          measureIf({rows, points, columns, isTransposed, element, isScaled,
                     isLasting});
        };
        if (onlyPoints > 0) {
          measureSize(1, onlyPoints, onlyColumns);
          continue;
        }
        for (int64_t rows : {1, 4})
          measureSize(rows, points, 8192);
        measureSize(1, 768, 50257);
      }
    }
  }
  return 0;
}
