// See SoftFloat.h.

#include "SoftFloat.h"

#define SIGN_BIT ((uint64_t)1 << 63)
#define INFINITE ((uint64_t)0x7ff << 52)
#define NOT_A_NUMBER ((uint64_t)0xfff << 51)
#define FRACTION (((uint64_t)1 << 52) - 1)

static int is_nan(uint64_t x) { return (x & ~SIGN_BIT) > INFINITE; }
static int is_zero(uint64_t x) { return (x & ~SIGN_BIT) == 0; }
static int is_infinite(uint64_t x) { return (x & ~SIGN_BIT) == INFINITE; }

/// The first NaN of two, quiet.
static uint64_t quiet(uint64_t x, uint64_t y) {
  return (is_nan(x) ? x : y) | (uint64_t)1 << 51;
}

static uint32_t leading_zeros(uint64_t x) {
  const uint32_t high = (uint32_t)(x >> 32);
  return high ? (uint32_t)__builtin_clz(high)
              : 32 + (uint32_t)__builtin_clz((uint32_t)x);
}

/// `x` moved right; the last bit also stands for those that are lost.
static uint64_t shift_right(uint64_t x, uint32_t count) {
  if (count == 0)
    return x;
  if (count > 63)
    return x != 0;
  return x >> count | (x << (64 - count) != 0);
}

/// A finite number other than zero: significand * 2^(exponent - 63), where bit
/// 63 of the significand is set.
struct parts {
  uint64_t sign, significand;
  int32_t exponent;
};

static struct parts unpack(uint64_t x) {
  struct parts parts = {x & SIGN_BIT, (x & FRACTION) << 11, 0};
  const int32_t biased = (int32_t)(x >> 52 & 0x7ff);
  if (biased) {
    parts.significand |= SIGN_BIT;
    parts.exponent = biased - 1023;
  } else {
    const uint32_t zeros = leading_zeros(parts.significand);
    parts.significand <<= zeros;
    parts.exponent = -1022 - (int32_t)zeros;
  }
  return parts;
}

/// Rounds; the last bit of the significand stands for all bits behind it.
static uint64_t pack(struct parts parts) {
  int32_t biased = parts.exponent + 1023;
  if (biased > 2046)
    return parts.sign | INFINITE;
  if (biased <= 0) {
    parts.significand = shift_right(parts.significand, (uint32_t)(1 - biased));
    biased = 1;
  }
  const uint32_t rest = (uint32_t)parts.significand & 0x7ff;
  uint64_t kept = parts.significand >> 11;
  kept += rest > 0x400 || (rest == 0x400 && (kept & 1));
  // The leading bit of a normal number, or of one that became it, is added to
  // the exponent.
  return parts.sign | (((uint64_t)(biased - 1) << 52) + kept);
}

static uint64_t pack_normalized(struct parts parts) {
  const uint32_t zeros = leading_zeros(parts.significand);
  parts.significand <<= zeros;
  parts.exponent -= (int32_t)zeros;
  return pack(parts);
}

uint64_t gensyn_add(uint64_t x, uint64_t y) {
  if (is_nan(x) || is_nan(y))
    return quiet(x, y);
  if (is_infinite(x))
    return is_infinite(y) && x != y ? NOT_A_NUMBER : x;
  if (is_infinite(y))
    return y;
  if (is_zero(y))
    return is_zero(x) ? x & y : x;
  if (is_zero(x))
    return y;
  if ((x & ~SIGN_BIT) < (y & ~SIGN_BIT)) {
    const uint64_t other = x;
    x = y;
    y = other;
  }
  struct parts larger = unpack(x), smaller = unpack(y);
  const uint32_t apart = (uint32_t)(larger.exponent - smaller.exponent);
  // Room for the carry.
  larger.significand >>= 1;
  larger.exponent += 1;
  const uint64_t moved = shift_right(smaller.significand >> 1, apart);
  if (larger.sign == smaller.sign)
    larger.significand += moved;
  else
    larger.significand -= moved;
  return larger.significand ? pack_normalized(larger) : 0;
}

/// x * y as 128 bits; returns the upper ones.
static uint64_t multiply_wide(uint64_t x, uint64_t y, uint64_t *low) {
  const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
  const uint64_t a = x0 * y0, b = x0 * y1, c = x1 * y0;
  const uint64_t middle = (a >> 32) + (uint32_t)b + (uint32_t)c;
  *low = middle << 32 | (uint32_t)a;
  return x1 * y1 + (b >> 32) + (c >> 32) + (middle >> 32);
}

uint64_t gensyn_multiply(uint64_t x, uint64_t y) {
  const uint64_t sign = (x ^ y) & SIGN_BIT;
  if (is_nan(x) || is_nan(y))
    return quiet(x, y);
  if (is_infinite(x) || is_infinite(y))
    return is_zero(x) || is_zero(y) ? NOT_A_NUMBER : sign | INFINITE;
  if (is_zero(x) || is_zero(y))
    return sign;
  const struct parts a = unpack(x), b = unpack(y);
  uint64_t low;
  const uint64_t high = multiply_wide(a.significand, b.significand, &low);
  const struct parts product = {sign, high | (low != 0),
                                a.exponent + b.exponent + 1};
  return pack_normalized(product);
}

uint64_t gensyn_divide(uint64_t x, uint64_t y) {
  const uint64_t sign = (x ^ y) & SIGN_BIT;
  if (is_nan(x) || is_nan(y))
    return quiet(x, y);
  if (is_infinite(x))
    return is_infinite(y) ? NOT_A_NUMBER : sign | INFINITE;
  if (is_infinite(y))
    return sign;
  if (is_zero(y))
    return is_zero(x) ? NOT_A_NUMBER : sign | INFINITE;
  if (is_zero(x))
    return sign;
  const struct parts a = unpack(x), b = unpack(y);
  // Bit by bit, 55 of them and one for the rest.
  uint64_t rest = a.significand >> 1, quotient = 0;
  const uint64_t divisor = b.significand >> 1;
  for (int i = 0; i < 56; ++i) {
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
    rest <<= 1;
  }
  const struct parts result = {sign, quotient << 8 | (rest != 0),
                               a.exponent - b.exponent};
  return pack_normalized(result);
}

uint64_t gensyn_root(uint64_t x) {
  if (is_nan(x))
    return quiet(x, x);
  if (is_zero(x) || x == INFINITE)
    return x;
  if (x & SIGN_BIT)
    return NOT_A_NUMBER;
  struct parts a = unpack(x);
  // significand * 2^exponent with an even exponent, in [1, 4).
  uint64_t given = a.significand >> 2;
  if (a.exponent & 1) {
    given <<= 1;
    a.exponent -= 1;
  }
  // Digit by digit: the square root of given * 2^(2 * 56 - 61) for 56 bits
  // behind the point.
  uint64_t rest = 0, root = 0;
  for (int i = 0; i < 57; ++i) {
    rest = rest << 2 | given >> 61;
    given = given << 2 & (((uint64_t)1 << 63) - 1);
    const uint64_t trial = root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  const struct parts result = {0, root << 7 | (rest != 0), a.exponent / 2};
  return pack_normalized(result);
}

uint64_t gensyn_fma(uint64_t x, uint64_t y, uint64_t z) {
  uint64_t sign = (x ^ y) & SIGN_BIT;
  if (is_nan(x) || is_nan(y))
    return quiet(x, y);
  if (is_nan(z))
    return quiet(z, z);
  if (is_infinite(x) || is_infinite(y)) {
    if (is_zero(x) || is_zero(y) || (is_infinite(z) && (z & SIGN_BIT) != sign))
      return NOT_A_NUMBER;
    return sign | INFINITE;
  }
  if (is_infinite(z))
    return z;
  if (is_zero(x) || is_zero(y))
    return is_zero(z) ? z & (sign | ~SIGN_BIT) : z;
  const struct parts a = unpack(x), b = unpack(y);
  uint64_t low;
  uint64_t high = multiply_wide(a.significand, b.significand, &low);
  int32_t exponent = a.exponent + b.exponent + 1;
  if (!(high & SIGN_BIT)) {
    high = high << 1 | low >> 63;
    low <<= 1;
    exponent -= 1;
  }
  if (!is_zero(z)) {
    const struct parts c = unpack(z);
    uint64_t other_high = c.significand, other_low = 0;
    int32_t other_exponent = c.exponent;
    uint64_t other_sign = c.sign;
    const int is_smaller =
        exponent < other_exponent ||
        (exponent == other_exponent &&
         (high < other_high || (high == other_high && low < other_low)));
    if (is_smaller) {
      const uint64_t swapped[4] = {high, low, sign,
                                   (uint64_t)(int64_t)exponent};
      high = other_high, low = other_low, sign = other_sign;
      exponent = other_exponent;
      other_high = swapped[0], other_low = swapped[1];
      other_sign = swapped[2], other_exponent = (int32_t)swapped[3];
    }
    // Room for the carry: the lowest bits of both are zero.
    low = low >> 1 | high << 63;
    high >>= 1;
    uint32_t apart = (uint32_t)(exponent - other_exponent) + 1;
    exponent += 1;
    if (apart >= 64) {
      const int is_lost = other_low != 0;
      other_low = shift_right(other_high, apart - 64) | is_lost;
      other_high = 0;
    } else {
      const int is_lost = other_low << (64 - apart) != 0;
      other_low = other_low >> apart | other_high << (64 - apart) | is_lost;
      other_high >>= apart;
    }
    if (sign == other_sign) {
      const uint64_t sum = low + other_low;
      high += other_high + (sum < low);
      low = sum;
    } else {
      high -= other_high + (low < other_low);
      low -= other_low;
    }
    if (!high && !low)
      return 0;
  }
  if (!high) {
    high = low;
    low = 0;
    exponent -= 64;
  }
  const uint32_t zeros = leading_zeros(high);
  if (zeros) {
    high = high << zeros | low >> (64 - zeros);
    low <<= zeros;
  }
  const struct parts result = {sign, high | (low != 0),
                               exponent - (int32_t)zeros};
  return pack(result);
}

int gensyn_compare(uint64_t x, uint64_t y) {
  if (is_nan(x) || is_nan(y))
    return 2;
  if (x == y || (is_zero(x) && is_zero(y)))
    return 0;
  // As integers, whose order is that of the numbers.
  const int64_t a = x & SIGN_BIT ? -(int64_t)(x & ~SIGN_BIT) : (int64_t)x;
  const int64_t b = y & SIGN_BIT ? -(int64_t)(y & ~SIGN_BIT) : (int64_t)y;
  return a < b ? -1 : 1;
}

uint64_t gensyn_from_f32(uint32_t x) {
  const uint64_t sign = (uint64_t)(x >> 31) << 63;
  const uint32_t biased = x >> 23 & 0xff;
  const uint64_t fraction = x & 0x7fffff;
  if (biased == 0xff)
    return sign | INFINITE | fraction << 29 | (uint64_t)(fraction != 0) << 51;
  if (biased)
    return sign | (uint64_t)(biased + 1023 - 127) << 52 | fraction << 29;
  if (!fraction)
    return sign;
  const struct parts parts = {sign, fraction << 40, -126};
  return pack_normalized(parts);
}

/// Like pack, with the fewer bits of f32.
static uint32_t pack_f32(struct parts parts) {
  const uint32_t sign = (uint32_t)(parts.sign >> 32);
  int32_t biased = parts.exponent + 127;
  if (biased > 254)
    return sign | (uint32_t)0xff << 23;
  if (biased <= 0) {
    parts.significand = shift_right(parts.significand, (uint32_t)(1 - biased));
    biased = 1;
  }
  const uint64_t half = (uint64_t)1 << 39;
  const uint64_t rest = parts.significand & (2 * half - 1);
  uint32_t kept = (uint32_t)(parts.significand >> 40);
  kept += rest > half || (rest == half && (kept & 1));
  return sign | (((uint32_t)(biased - 1) << 23) + kept);
}

uint32_t gensyn_to_f32(uint64_t x) {
  const uint32_t sign = (uint32_t)(x >> 63) << 31;
  if (is_nan(x))
    return sign | (uint32_t)0x1ff << 22 | (uint32_t)(x >> 29 & 0x3fffff);
  if (is_infinite(x))
    return sign | (uint32_t)0xff << 23;
  return is_zero(x) ? sign : pack_f32(unpack(x));
}

static struct parts from_integer(uint64_t magnitude, int is_negative) {
  const uint32_t zeros = leading_zeros(magnitude);
  const struct parts parts = {is_negative ? SIGN_BIT : 0, magnitude << zeros,
                              63 - (int32_t)zeros};
  return parts;
}

uint64_t gensyn_from_integer(uint64_t magnitude, int is_negative) {
  return magnitude ? pack(from_integer(magnitude, is_negative)) : 0;
}

uint32_t gensyn_f32_from_integer(uint64_t magnitude, int is_negative) {
  return magnitude ? pack_f32(from_integer(magnitude, is_negative)) : 0;
}

uint64_t gensyn_to_integer(uint64_t x, uint64_t limit) {
  if (is_nan(x) || is_zero(x))
    return 0;
  if (is_infinite(x))
    return limit;
  const struct parts parts = unpack(x);
  if (parts.exponent < 0)
    return 0;
  if (parts.exponent > 63)
    return limit;
  const uint64_t whole = parts.significand >> (63 - parts.exponent);
  return whole < limit ? whole : limit;
}

uint64_t gensyn_round(uint64_t x, enum gensyn_rounding rounding) {
  const int32_t exponent = (int32_t)(x >> 52 & 0x7ff) - 1023;
  const uint64_t sign = x & SIGN_BIT, size = x & ~SIGN_BIT;
  if (is_nan(x))
    return quiet(x, x);
  if (exponent >= 52 || !size)
    return x;
  const uint64_t one = (uint64_t)1023 << 52;
  if (exponent < 0) {
    const uint64_t half = (uint64_t)1022 << 52;
    const int is_one = rounding == GENSYN_DOWN ? sign != 0
                       : rounding == GENSYN_UP ? sign == 0
                       : rounding == GENSYN_AWAY
                           ? size >= half
                           : rounding == GENSYN_TO_EVEN && size > half;
    return is_one ? sign | one : sign;
  }
  const uint64_t unit = (uint64_t)1 << (52 - exponent);
  const uint64_t rest = size & (unit - 1);
  const uint64_t below = size - rest;
  const int is_up =
      rounding == GENSYN_DOWN   ? rest && sign
      : rounding == GENSYN_UP   ? rest && !sign
      : rounding == GENSYN_AWAY ? rest >= unit / 2
      : rounding == GENSYN_TO_ZERO
          ? 0
          : rest > unit / 2 || (rest == unit / 2 && (below & unit));
  // The carry moves into the exponent.
  return sign | (below + (is_up ? unit : 0));
}
