// gensyn-exhaustive: the functions in double-float arithmetic, against those in
// f64, which are correct.

#include "Exhaustive.h"
#include "TwoFloat.h"

#include <bit>
#include <cinttypes>
#include <cstdio>

namespace gensyn::exhaustive {

namespace {
bool checkOne(Function function, twofloat::Way way, const Settings &settings) {
  const uint64_t blocks =
      ((uint64_t{1} << 32) / kBlock + settings.stride - 1) / settings.stride;
  Tally tally;
  std::atomic<uint64_t> unsure{0};
  const double seconds =
      inParallel(settings.threads, blocks, [&](uint64_t block) {
        float x[kBlock], want[kBlock], got[kBlock];
        uint32_t open[kBlock];
        const uint64_t first = block * settings.stride * kBlock;
        for (uint64_t i = 0; i < kBlock; ++i)
          x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i));
        evaluate(function, x, want, kBlock);
        twofloat::attempt(function, way, x, got, open, kBlock);
        uint64_t opened = 0;
        for (uint64_t i = 0; i < kBlock; ++i) {
          opened += open[i];
          if (open[i] || std::bit_cast<uint32_t>(got[i]) ==
                             std::bit_cast<uint32_t>(want[i]))
            continue;
          char text[80];
          std::snprintf(text, sizeof text, "x=%08" PRIx64 " got %08x want %08x",
                        first + i, std::bit_cast<uint32_t>(got[i]),
                        std::bit_cast<uint32_t>(want[i]));
          tally.wrongResult(text);
        }
        tally.inputs += kBlock;
        unsure += opened;
      });
  std::printf("| %s%s%s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %.0f |\n",
              std::string(name(function)).c_str(),
              *twofloat::name(way) ? ", " : "", twofloat::name(way),
              tally.inputs.load(), tally.wrong, unsure.load(), seconds);
  std::fflush(stdout);
  return tally.wrong == 0;
}
} // namespace

bool checkTwoFloat(const std::vector<Function> &functions,
                   const Settings &settings) {
  std::printf("\nfrom pairs of f32, against f64:\n\n"
              "| function | inputs | wrong | left to f64 | seconds |\n"
              "| --- | ---: | ---: | ---: | ---: |\n");
  bool right = true;
  for (Function function : functions)
    for (twofloat::Way way : twofloat::kWays)
      if (twofloat::has(function, way))
        right &= checkOne(function, way, settings);
  return right;
}

} // namespace gensyn::exhaustive
