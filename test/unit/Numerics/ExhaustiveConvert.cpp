// All 2^32 f32 to each narrow float, saturating and not, against the list of
// that type's values.

#include "Exhaustive.h"
#include "NarrowOracle.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/NarrowConvert.h"

#include <bit>
#include <cstdio>
#include <memory>
#include <string>

namespace gensyn::exhaustive {
namespace {

/// Rounding to nearest is monotonic, so a block whose two ends convert to one
/// pattern has that pattern throughout. A block is positive or negative: no
/// block has both signs, or numbers and NaNs.
constexpr uint64_t kSpan = 1024;

template <class Narrow, class Oracle>
bool check(const Settings &settings, Narrowing how, const char *suffix,
           Oracle &&oracle) {
  Tally tally;
  const double seconds = inParallel(
      settings.threads, (uint64_t{1} << 32) / kSpan, [&](uint64_t block) {
        auto number = [&](uint64_t i) {
          return std::bit_cast<float>(static_cast<uint32_t>(block * kSpan + i));
        };
        const uint32_t first = oracle(number(0));
        const bool same = first == oracle(number(kSpan - 1)) &&
                          first == oracle(number(1)); // 0 is its own block's
        uint64_t wrong = 0;
        for (uint64_t i = 0; i < kSpan; ++i) {
          const uint32_t want = same ? first : oracle(number(i));
          wrong += narrowTo<Narrow>(number(i), how).bits != want;
        }
        tally.inputs += kSpan;
        for (; wrong != 0; --wrong)
          tally.wrongResult(std::string(name(elementTypeOf<Narrow>())) +
                            suffix + ": block " + std::to_string(block));
      });
  return printRow("f32 to " + std::string(name(elementTypeOf<Narrow>())) +
                      suffix,
                  tally, false, seconds);
}
} // namespace

bool checkConversions(const Settings &settings) {
  bool right = true;
  for (int i = 0; i < kNumElementTypes; ++i)
    dispatch(static_cast<ElementType>(i), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (IsNarrowFloat<T>) {
        if constexpr (T::kFormat.isSigned) {
          const narrow::Oracle oracle(elementTypeOf<T>());
          for (bool saturate : {false, true})
            if (!saturate || T::kFormat.width() == 8)
              right &=
                  check<T>(settings, {saturate}, saturate ? ", saturate" : "",
                           [&](float x) { return oracle.round(x, saturate); });
        } else {
          const char *const names[2][3] = {
              {", nearest", ", up", ", down"},
              {", saturate nearest", ", saturate up", ", saturate down"}};
          for (bool saturate : {false, true})
            for (auto power : {PowerRounding::Nearest, PowerRounding::Up,
                               PowerRounding::Down}) {
              const Narrowing how = {saturate, power};
              right &= check<T>(
                  settings, how, names[saturate][static_cast<int>(power)],
                  [&](float x) { return narrow::roundToPower(x, how); });
            }
        }
      }
    });
  return right;
}

} // namespace gensyn::exhaustive
