// Rounded arithmetic and conversions of every float type against MPFR.

#include "../Oracle.h"
#include "../Support.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

#ifdef GENSYN_HAVE_MPFR
namespace {

struct FloatType {
  const char *name;
  const FloatFormat *format;
  char prefix; ///< of the registers
};

constexpr FloatType types[] = {{"f16", &formatF16, 'h'},
                               {"bf16", &formatBF16, 'h'},
                               {"f32", &formatF32, 'r'},
                               {"f64", &formatF64, 'd'}};

struct Direction {
  const char *name;
  Rounding rounding;
};
constexpr Direction directions[] = {{"rn", Rounding::Rn},
                                    {"rz", Rounding::Rz},
                                    {"rm", Rounding::Rm},
                                    {"rp", Rounding::Rp}};

/// Patterns of a format: any, edges, and numbers near one another.
uint64_t pattern(Patterns &patterns, const FloatFormat &format) {
  uint64_t random = patterns.next();
  uint64_t any = patterns.next() >> (64 - format.width);
  uint64_t sign = any >> (format.width - 1) << (format.width - 1);
  uint64_t one = uint64_t(1) << format.mantissa;
  const uint64_t edges[] = {0,
                            1,
                            one - 1,
                            one,
                            one + 1,
                            format.largest,
                            format.largest + 1,
                            format.nan,
                            static_cast<uint64_t>(format.bias)
                                << format.mantissa};
  if (random % 5 == 0)
    return sign | edges[random / 5 % std::size(edges)];
  if (random % 5 < 3) {
    auto exponent = static_cast<uint64_t>(format.bias) - 6 + random / 5 % 12;
    return sign | exponent << format.mantissa | any % one;
  }
  if (random % 5 == 3) // a subnormal
    return sign | any % one;
  return any;
}

std::vector<Row> rowsOf(Patterns &patterns, const FloatFormat &format) {
  std::vector<Row> rows(512);
  for (Row &row : rows)
    for (unsigned i = 0; i != 3; ++i)
      row[i] = pattern(patterns, format);
  return rows;
}

std::string reg(const FloatType &type, char number) {
  return std::string("%") + type.prefix + number;
}

void check(const FloatType &type, const Direction &direction, char symbol,
           const char *name, unsigned operands) {
  Patterns patterns(static_cast<uint64_t>(symbol));
  std::string text = std::string(name) + "." + direction.name + "." +
                     type.name + " " + reg(type, 'o');
  for (unsigned i = 0; i != operands; ++i)
    text += ", " + reg(type, static_cast<char>('0' + i));
  std::vector<Row> rows = rowsOf(patterns, *type.format);
  auto out = runRows(text + ";", rows);
  for (unsigned i = 0; i != rows.size(); ++i)
    ASSERT_EQ(out[i], oracle(symbol, *type.format, direction.rounding,
                             rows[i][0], rows[i][1], rows[i][2]))
        << text << std::hex << " of " << rows[i][0] << " " << rows[i][1] << " "
        << rows[i][2];
}

TEST(PtxRounding, arithmetic) {
  for (const FloatType &type : types)
    for (const Direction &direction : directions) {
      bool isNarrow = type.prefix == 'h';
      if (isNarrow && direction.rounding != Rounding::Rn)
        continue;
      check(type, direction, '+', "add", 2);
      check(type, direction, '-', "sub", 2);
      check(type, direction, '*', "mul", 2);
      check(type, direction, 'f', "fma", 3);
      if (isNarrow)
        continue;
      check(type, direction, '/', "div", 2);
      check(type, direction, 's', "sqrt", 1);
      check(type, direction, 'r', "rcp", 1);
    }
}

// A second rounding would show in sums of products that cancel.
TEST(PtxRounding, fmaOfNarrowFloatsRoundsOnce) {
  for (const FloatType &type : {types[0], types[1]}) {
    Patterns patterns(7);
    for (unsigned round = 0; round != 16; ++round) {
      std::vector<Row> rows = rowsOf(patterns, *type.format);
      for (Row &row : rows) {
        uint64_t product =
            oracle('*', *type.format, Rounding::Rn, row[0], row[1]);
        uint64_t sign = uint64_t(1) << 15;
        row[2] = (product ^ sign) + patterns.next() % 3 - 1;
        // Also a last place far below.
        if (patterns.next() % 2 == 0)
          row[2] = (row[2] & sign) | patterns.next() % 4;
      }
      std::string text =
          std::string("fma.rn.") + type.name + " %ho, %h0, %h1, %h2;";
      auto out = runRows(text, rows);
      for (unsigned i = 0; i != rows.size(); ++i)
        ASSERT_EQ(out[i],
                  oracle('f', *type.format, Rounding::Rn, rows[i][0] & 0xFFFF,
                         rows[i][1] & 0xFFFF, rows[i][2] & 0xFFFF));
    }
  }
}

TEST(PtxRounding, pairs) {
  struct Pair {
    const char *name;
    const FloatFormat *format;
    unsigned width;
    std::vector<Direction> directions;
  };
  const Pair pairs[] = {{"f16x2", &formatF16, 16, {directions[0]}},
                        {"bf16x2", &formatBF16, 16, {directions[0]}},
                        {"f32x2",
                         &formatF32,
                         32,
                         {std::begin(directions), std::end(directions)}}};
  for (const Pair &pair : pairs)
    for (const Direction &direction : pair.directions)
      for (const char *name : {"add", "sub", "mul", "fma"}) {
        Patterns patterns(3);
        std::vector<Row> rows(256);
        for (Row &row : rows)
          for (unsigned i = 0; i != 3; ++i)
            row[i] = pattern(patterns, *pair.format) |
                     pattern(patterns, *pair.format) << pair.width;
        bool isFma = name[0] == 'f';
        std::string reg = pair.width == 16 ? "%r" : "%d";
        std::string text = std::string(name) + "." + direction.name + "." +
                           pair.name + " " + reg + "o, " + reg + "0, " + reg +
                           "1" + (isFma ? ", " + reg + "2;" : ";");
        auto out = runRows(text, rows);
        char symbol = isFma            ? 'f'
                      : name[0] == 'a' ? '+'
                      : name[0] == 's' ? '-'
                                       : '*';
        uint64_t low = (uint64_t(1) << pair.width) - 1;
        for (unsigned i = 0; i != rows.size(); ++i)
          for (unsigned shift : {0u, pair.width}) {
            auto part = [&](uint64_t word) { return word >> shift & low; };
            ASSERT_EQ(part(out[i]), oracle(symbol, *pair.format,
                                           direction.rounding, part(rows[i][0]),
                                           part(rows[i][1]), part(rows[i][2])))
                << text;
          }
      }
}

TEST(PtxRounding, conversionsBetweenFloats) {
  for (const FloatType &to : types)
    for (const FloatType &from : types)
      for (const Direction &direction : directions) {
        if (to.format->mantissa >= from.format->mantissa ||
            (to.prefix == 'h' && from.prefix == 'h'))
          continue;
        std::string text = std::string("cvt.") + direction.name + "." +
                           to.name + "." + from.name + " " + reg(to, 'o') +
                           ", " + reg(from, '0') + ";";
        Patterns patterns(5);
        std::vector<Row> rows = rowsOf(patterns, *from.format);
        // Next to the narrow numbers, and in the middle of two.
        for (unsigned i = 0; i < rows.size(); i += 2) {
          unsigned more = from.format->mantissa - to.format->mantissa;
          rows[i][0] = (rows[i][0] >> more << more) +
                       (patterns.next() % 3 - 1) +
                       (patterns.next() % 2 << (more - 1));
          rows[i][0] &= ~uint64_t(0) >> (64 - from.format->width);
        }
        auto out = runRows(text, rows);
        for (unsigned i = 0; i != rows.size(); ++i)
          ASSERT_EQ(out[i], oracle('c', *to.format, direction.rounding,
                                   rows[i][0], 0, 0, from.format))
              << text << std::hex << " of " << rows[i][0];
      }
}

uint64_t ofInteger(__int128 value, const FloatFormat &format,
                   Rounding rounding) {
  // Integers of 64 bits are numbers of a format with 64 bits of precision.
  bool negative = value < 0;
  auto magnitude = static_cast<uint64_t>(negative ? -value : value);
  Number exact, result(static_cast<mpfr_prec_t>(format.mantissa + 1));
  mpfr_set_ui(exact.value, magnitude, MPFR_RNDN);
  if (negative)
    mpfr_neg(exact.value, exact.value, MPFR_RNDN);
  mpfr_rnd_t direction = mpfrRounding(rounding);
  mpfr_set_emax(format.bias + 1);
  int ternary = mpfr_set(result.value, exact.value, direction);
  mpfr_check_range(result.value, ternary, direction);
  uint64_t bits = result.bits(format);
  mpfr_set_emax(mpfr_get_emax_max());
  return bits;
}

TEST(PtxRounding, conversionsFromIntegers) {
  for (const FloatType &to : types)
    for (const Direction &direction : directions)
      for (const char *from : {"s32", "u32", "s64", "u64", "s16", "u8"}) {
        bool isWide = from[1] == '6';
        std::string source = isWide ? "%d0" : from[1] == '1' ? "%h0" : "%r0";
        std::string text = std::string("cvt.") + direction.name + "." +
                           to.name + "." + from + " " + reg(to, 'o') + ", " +
                           source + ";";
        Patterns patterns(11);
        std::vector<Row> rows(256);
        for (Row &row : rows)
          row[0] = patterns.doubleWord() >> patterns.next() % 60;
        auto out = runRows(text, rows);
        for (unsigned i = 0; i != rows.size(); ++i) {
          uint64_t bits = rows[i][0];
          __int128 value = from[1] == '8'   ? __int128(uint8_t(bits))
                           : from[1] == '1' ? __int128(int16_t(bits))
                           : from[1] == '3' ? from[0] == 's'
                                                  ? __int128(int32_t(bits))
                                                  : __int128(uint32_t(bits))
                           : from[0] == 's' ? __int128(int64_t(bits))
                                            : __int128(bits);
          ASSERT_EQ(out[i], ofInteger(value, *to.format, direction.rounding))
              << text << std::hex << " of " << bits;
        }
      }
}

} // namespace
#endif
