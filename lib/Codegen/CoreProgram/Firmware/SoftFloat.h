// Correctly rounded arithmetic on the bits of f64, for processors without it:
// to the nearest, ties to even, with subnormal numbers.

#ifndef GENSYN_FIRMWARE_SOFTFLOAT_H
#define GENSYN_FIRMWARE_SOFTFLOAT_H

#include <stdint.h>

typedef union {
  double value;
  uint64_t bits;
} gensyn_f64;

typedef union {
  float value;
  uint32_t bits;
} gensyn_f32;

uint64_t gensyn_add(uint64_t x, uint64_t y);
uint64_t gensyn_multiply(uint64_t x, uint64_t y);
uint64_t gensyn_divide(uint64_t x, uint64_t y);
uint64_t gensyn_root(uint64_t x);
/// x * y + z, rounded once.
uint64_t gensyn_fma(uint64_t x, uint64_t y, uint64_t z);

/// -1, 0 or 1; 2 if one of them is a NaN.
int gensyn_compare(uint64_t x, uint64_t y);

uint64_t gensyn_from_f32(uint32_t x);
uint32_t gensyn_to_f32(uint64_t x);
uint64_t gensyn_from_integer(uint64_t magnitude, int is_negative);
uint32_t gensyn_f32_from_integer(uint64_t magnitude, int is_negative);
/// The magnitude towards zero, at most `limit`.
uint64_t gensyn_to_integer(uint64_t x, uint64_t limit);

/// How a number without a fraction is chosen.
enum gensyn_rounding {
  GENSYN_DOWN,
  GENSYN_UP,
  GENSYN_TO_ZERO,
  GENSYN_TO_EVEN,
  GENSYN_AWAY
};
uint64_t gensyn_round(uint64_t x, enum gensyn_rounding rounding);

#endif
