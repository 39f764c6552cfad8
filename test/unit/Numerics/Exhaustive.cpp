// gensyn-exhaustive: the functions on all 2^32 inputs, minutes each on one
// core.
//
//   gensyn-exhaustive [option ...] [function ...]
//
//   --threads N    instead of one a core
//   --stride N     every N-th block of 4096 inputs
//   --samples N    so many inputs to MPFR whether in doubt or not (10^6)
//   --pow N        so many pairs for pow (10^9)
//   --f64 N        so many inputs for each function in f64 (10^8)
//   --hard BITS    print the inputs whose results lie within 2^-BITS of a
//                  rounding boundary, for HardInputs.h, instead
//
// Without a name: all of them, pow, `f64`, which measures the errors of those
// in f64, `two-float`, which is all functions as pairs of f32 (those named
// are looked at so too), and `convert`, which is every f32 to every narrow
// float against the lists of their values. LLVM's libc says what is right,
// where it has the function; the C library's f64 and 113-bit functions do where
// not. Where one of them disagrees with the code under test, MPFR decides, and
// it also looks at the samples. The table says how often each was wrong. Exit
// status 1 if a result of ours is wrong or nobody can decide.

#include "Exhaustive.h"
#include "Independent.h"
#include "Oracle.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace gensyn::exhaustive {

void Tally::wrongResult(const std::string &what) {
  std::lock_guard<std::mutex> guard(lock);
  if (++wrong <= 8)
    std::printf("  wrong: %s\n", what.c_str());
}

void printHeader() {
  std::printf("LLVM libc: %s, MPFR: %s\n\n"
              "| function | inputs | wrong | LLVM libc wrong | to MPFR | "
              "seconds |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
              independent::llvmUnary("exp") ? "yes" : "absent",
              independent::haveMpfr() ? "yes" : "absent");
  std::fflush(stdout);
}

bool printRow(std::string_view name, const Tally &tally, bool byLlvm,
              double seconds) {
  std::printf("| %s | %" PRIu64 " | %" PRIu64 " | %s | %" PRIu64 " | %.0f |\n",
              std::string(name).c_str(), tally.inputs.load(), tally.wrong,
              byLlvm ? std::to_string(tally.libraryWrong).c_str() : "-",
              tally.toMpfr.load(), seconds);
  std::fflush(stdout);
  return tally.wrong == 0;
}

namespace {
struct Options {
  Settings settings;
  int hard = 0;
  bool pow = false, f64 = false, twoFloat = false, convert = false;
  std::vector<Function> functions;
};

uint32_t bitsOf(float y) {
  return y != y ? 0x7FC00000u : std::bit_cast<uint32_t>(y);
}

/// One function on blocks of inputs, by several threads.
class Check {
public:
  Check(Function function, const Options &options)
      : function(function), options(options),
        library(independent::llvmUnary(name(function))),
        exact(independent::exactUnary(name(function))) {}

  bool run() {
    const uint64_t blocks =
        ((uint64_t{1} << 32) / kBlock + options.settings.stride - 1) /
        options.settings.stride;
    const uint64_t sampleBlocks =
        exact ? (options.settings.samples + kBlock - 1) / kBlock : 0;
    const double seconds = inParallel(
        options.settings.threads, blocks + sampleBlocks, [&](uint64_t block) {
          if (block < blocks)
            all(block * options.settings.stride * kBlock);
          else
            samples((block - blocks) * kBlock);
        });
    return printRow(name(function), tally, library != nullptr, seconds);
  }

private:
  void all(uint64_t first) {
    float x[kBlock], y[kBlock], byTables[kBlock];
    for (uint64_t i = 0; i < kBlock; ++i)
      x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i));
    evaluate(function, x, y, kBlock);
    evaluate(function, x, byTables, kBlock, Method::Tables);
    for (uint64_t i = 0; i < kBlock; ++i) {
      const auto got = std::bit_cast<uint32_t>(y[i]);
      if (std::bit_cast<uint32_t>(byTables[i]) != got)
        decide(x[i], std::bit_cast<uint32_t>(byTables[i]));
      if (library) {
        const uint32_t want = bitsOf(library(x[i]));
        if (want != got && decide(x[i], got) != want) {
          std::lock_guard<std::mutex> guard(tally.lock);
          ++tally.libraryWrong;
        }
      } else {
        const oracle::Answer want = oracle::answer(function, x[i]);
        if (want.undecided || want.bits != got)
          decide(x[i], got);
      }
    }
    tally.inputs += kBlock;
  }

  /// Odd multiples of a constant: every number of bits, every exponent.
  void samples(uint64_t first) {
    float x[kBlock], y[kBlock];
    for (uint64_t i = 0; i < kBlock; ++i)
      x[i] = std::bit_cast<float>(
          static_cast<uint32_t>((first + i) * 0x9E3779B1u));
    evaluate(function, x, y, kBlock);
    for (uint64_t i = 0; i < kBlock; ++i)
      decide(x[i], std::bit_cast<uint32_t>(y[i]));
  }

  /// The right bits, and whether those of ours are they.
  uint32_t decide(float x, uint32_t got) {
    uint32_t want;
    if (exact) {
      ++tally.toMpfr;
      want = independent::roundExact(*exact, x);
    } else {
      const oracle::Answer answer = oracle::answer(function, x);
      want = answer.undecided ? ~got : answer.bits;
    }
    if (want != got) {
      char text[80];
      std::snprintf(text, sizeof text, "x=%08x got %08x want %08x",
                    std::bit_cast<uint32_t>(x), got, want);
      tally.wrongResult(text);
    }
    return want;
  }

  Function function;
  const Options &options;
  independent::Unary library;
  const independent::Exact *exact;
  Tally tally;
};

void printHard(Function function, const Options &options) {
  std::mutex lock;
  std::vector<uint32_t> hard;
  const uint64_t blocks =
      (uint64_t{1} << 32) / kBlock / options.settings.stride;
  inParallel(options.settings.threads, blocks, [&](uint64_t block) {
    const uint64_t first = block * options.settings.stride * kBlock;
    for (uint64_t i = first; i < first + kBlock; ++i) {
      const auto bits = static_cast<uint32_t>(i);
      if (oracle::answer(function, std::bit_cast<float>(bits)).closeness <
          options.hard)
        continue;
      std::lock_guard<std::mutex> guard(lock);
      hard.push_back(bits);
    }
  });
  std::printf("%s:\n", std::string(name(function)).c_str());
  std::sort(hard.begin(), hard.end());
  for (size_t i = 0; i < hard.size(); ++i)
    std::printf("0x%08X,%s", hard[i],
                i % 6 == 5 || i + 1 == hard.size() ? "\n" : " ");
  std::fflush(stdout);
}

std::vector<Function> allFunctions() {
  std::vector<Function> all;
  for (int i = 0; i < kNumFunctions; ++i)
    all.push_back(static_cast<Function>(i));
  return all;
}

/// True if the command line makes sense.
bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    uint64_t *number = word == "--stride"    ? &options.settings.stride
                       : word == "--samples" ? &options.settings.samples
                       : word == "--pow"     ? &options.settings.powPairs
                       : word == "--f64"     ? &options.settings.f64Inputs
                                             : nullptr;
    const bool hasValue = i + 1 < argc;
    if (hasValue && number)
      *number = std::strtoull(argv[++i], nullptr, 10);
    else if (hasValue && word == "--threads")
      options.settings.threads = std::max(1, std::atoi(argv[++i]));
    else if (hasValue && word == "--hard")
      options.hard = std::atoi(argv[++i]);
    else if (word == "pow")
      options.pow = true;
    else if (word == "f64")
      options.f64 = true;
    else if (word == "two-float")
      options.twoFloat = true;
    else if (word == "convert")
      options.convert = true;
    else if (auto function = functionFromName(word))
      options.functions.push_back(*function);
    else {
      std::fprintf(stderr, "gensyn-exhaustive: error: '%s' is not a function\n",
                   argv[i]);
      return false;
    }
  }
  options.settings.stride = std::max<uint64_t>(1, options.settings.stride);
  if (options.functions.empty() && !options.pow && !options.f64 &&
      !options.twoFloat && !options.convert) {
    options.pow = options.f64 = options.convert = options.hard == 0;
    options.functions = allFunctions();
  }
  return true;
}
} // namespace

static int run(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return 2;
  if (options.hard) {
    for (Function function : options.functions)
      printHard(function, options);
    return 0;
  }
  printHeader();
  bool right = true;
  for (Function function : options.functions)
    right &= Check(function, options).run();
  if (options.pow)
    right &= checkPow(options.settings);
  if (options.f64)
    right &= checkF64(options.settings);
  if (options.twoFloat || !options.functions.empty())
    right &=
        checkTwoFloat(options.twoFloat ? allFunctions() : options.functions,
                      options.settings);
  if (options.convert)
    right &= checkConversions(options.settings);
  return right ? 0 : 1;
}

} // namespace gensyn::exhaustive

int main(int argc, char **argv) { return gensyn::exhaustive::run(argc, argv); }
