// The routines that code for Arm processors calls (Run-time ABI for the Arm
// Architecture, IHI 0043), and those of the C library. Their arithmetic is
// SoftFloat.c's, so it has the bits of a processor that has f64.

#include "../SoftFloat.h"

#include <stddef.h>

/// The routines of the ABI take floats in core registers, whatever the calling
/// convention of the rest.
#define AEABI __attribute__((pcs("aapcs")))

static uint64_t bits(double x) {
  const gensyn_f64 number = {.value = x};
  return number.bits;
}

static double number(uint64_t x) {
  const gensyn_f64 number = {.bits = x};
  return number.value;
}

static uint32_t bits_f32(float x) {
  const gensyn_f32 number = {.value = x};
  return number.bits;
}

static float number_f32(uint32_t x) {
  const gensyn_f32 number = {.bits = x};
  return number.value;
}

#define SIGN ((uint64_t)1 << 63)

AEABI double __aeabi_dadd(double x, double y) {
  return number(gensyn_add(bits(x), bits(y)));
}
AEABI double __aeabi_dsub(double x, double y) {
  return number(gensyn_add(bits(x), bits(y) ^ SIGN));
}
AEABI double __aeabi_drsub(double x, double y) { return __aeabi_dsub(y, x); }
AEABI double __aeabi_dmul(double x, double y) {
  return number(gensyn_multiply(bits(x), bits(y)));
}
AEABI double __aeabi_ddiv(double x, double y) {
  return number(gensyn_divide(bits(x), bits(y)));
}
double fma(double x, double y, double z) {
  return number(gensyn_fma(bits(x), bits(y), bits(z)));
}
double sqrt(double x) { return number(gensyn_root(bits(x))); }

AEABI int __aeabi_dcmpeq(double x, double y) {
  return gensyn_compare(bits(x), bits(y)) == 0;
}
AEABI int __aeabi_dcmplt(double x, double y) {
  return gensyn_compare(bits(x), bits(y)) == -1;
}
AEABI int __aeabi_dcmple(double x, double y) {
  return gensyn_compare(bits(x), bits(y)) <= 0;
}
AEABI int __aeabi_dcmpgt(double x, double y) {
  return gensyn_compare(bits(x), bits(y)) == 1;
}
AEABI int __aeabi_dcmpge(double x, double y) {
  const int order = gensyn_compare(bits(x), bits(y));
  return order == 0 || order == 1;
}
AEABI int __aeabi_dcmpun(double x, double y) {
  return gensyn_compare(bits(x), bits(y)) == 2;
}

AEABI double __aeabi_f2d(float x) {
  return number(gensyn_from_f32(bits_f32(x)));
}
AEABI float __aeabi_d2f(double x) { return number_f32(gensyn_to_f32(bits(x))); }

static uint64_t magnitude(int64_t x) {
  return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

AEABI double __aeabi_i2d(int32_t x) {
  return number(gensyn_from_integer(magnitude(x), x < 0));
}
AEABI double __aeabi_ui2d(uint32_t x) {
  return number(gensyn_from_integer(x, 0));
}
AEABI double __aeabi_l2d(int64_t x) {
  return number(gensyn_from_integer(magnitude(x), x < 0));
}
AEABI double __aeabi_ul2d(uint64_t x) {
  return number(gensyn_from_integer(x, 0));
}
AEABI float __aeabi_l2f(int64_t x) {
  return number_f32(gensyn_f32_from_integer(magnitude(x), x < 0));
}
AEABI float __aeabi_ul2f(uint64_t x) {
  return number_f32(gensyn_f32_from_integer(x, 0));
}

static int64_t to_signed(uint64_t x, uint32_t width) {
  const int is_negative = x >> 63 != 0;
  const uint64_t limit = ((uint64_t)1 << (width - 1)) - !is_negative;
  const uint64_t size = gensyn_to_integer(x, limit);
  return (int64_t)(is_negative ? -size : size);
}
static uint64_t to_unsigned(uint64_t x, uint64_t limit) {
  return x >> 63 ? 0 : gensyn_to_integer(x, limit);
}

AEABI int32_t __aeabi_d2iz(double x) { return (int32_t)to_signed(bits(x), 32); }
AEABI uint32_t __aeabi_d2uiz(double x) {
  return (uint32_t)to_unsigned(bits(x), UINT32_MAX);
}
AEABI int64_t __aeabi_d2lz(double x) { return to_signed(bits(x), 64); }
AEABI uint64_t __aeabi_d2ulz(double x) {
  return to_unsigned(bits(x), UINT64_MAX);
}
AEABI int64_t __aeabi_f2lz(float x) {
  return to_signed(gensyn_from_f32(bits_f32(x)), 64);
}
AEABI uint64_t __aeabi_f2ulz(float x) {
  return to_unsigned(gensyn_from_f32(bits_f32(x)), UINT64_MAX);
}

// Exact, also for f32: its numbers are some of f64's.
#define ROUND(name, rounding)                                                  \
  double name(double x) { return number(gensyn_round(bits(x), rounding)); }    \
  float name##f(float x) {                                                     \
    return number_f32(                                                         \
        gensyn_to_f32(gensyn_round(gensyn_from_f32(bits_f32(x)), rounding)));  \
  }
ROUND(floor, GENSYN_DOWN)
ROUND(ceil, GENSYN_UP)
ROUND(trunc, GENSYN_TO_ZERO)
ROUND(rint, GENSYN_TO_EVEN)
ROUND(nearbyint, GENSYN_TO_EVEN)
ROUND(roundeven, GENSYN_TO_EVEN)
ROUND(round, GENSYN_AWAY)

/// Returns the quotient; called by the routines below.
uint64_t gensyn_divide_u64(uint64_t x, uint64_t y, uint64_t *rest) {
  uint64_t quotient = 0, left = 0;
  if (!(x >> 32) && !(y >> 32) && y) {
    *rest = (uint32_t)x % (uint32_t)y;
    return (uint32_t)x / (uint32_t)y;
  }
  for (int i = 0; i < 64; ++i) {
    const uint64_t carry = left >> 63;
    left = left << 1 | x >> 63;
    x <<= 1;
    quotient <<= 1;
    if (carry || left >= y) {
      left -= y;
      quotient |= 1;
    }
  }
  *rest = left;
  return quotient;
}

int64_t gensyn_divide_i64(int64_t x, int64_t y, int64_t *rest) {
  uint64_t left;
  const uint64_t quotient =
      gensyn_divide_u64(magnitude(x), magnitude(y), &left);
  *rest = (int64_t)(x < 0 ? -left : left);
  return (int64_t)((x < 0) != (y < 0) ? -quotient : quotient);
}

// They return the quotient in r0 and r1, the rest in r2 and r3.
#define DIVIDE(name, function)                                                 \
  __attribute__((naked)) void name(void) {                                     \
    __asm volatile("push {r4, lr}\n\t"                                         \
                   "sub sp, sp, #16\n\t"                                       \
                   "add r4, sp, #8\n\t"                                        \
                   "str r4, [sp]\n\t"                                          \
                   "bl " #function "\n\t"                                      \
                   "ldrd r2, r3, [sp, #8]\n\t"                                 \
                   "add sp, sp, #16\n\t"                                       \
                   "pop {r4, pc}");                                            \
  }
DIVIDE(__aeabi_uldivmod, gensyn_divide_u64)
DIVIDE(__aeabi_ldivmod, gensyn_divide_i64)

void *memcpy(void *to, const void *from, size_t count) {
  uint8_t *out = to;
  const uint8_t *in = from;
  while (count--)
    *out++ = *in++;
  return to;
}
void *memmove(void *to, const void *from, size_t count) {
  uint8_t *out = to;
  const uint8_t *in = from;
  if ((uintptr_t)out < (uintptr_t)in)
    return memcpy(to, from, count);
  while (count--)
    out[count] = in[count];
  return to;
}
void *memset(void *to, int value, size_t count) {
  uint8_t *out = to;
  while (count--)
    *out++ = (uint8_t)value;
  return to;
}

#define COPIES(name)                                                           \
  void name(void *to, const void *from, size_t count) {                        \
    memmove(to, from, count);                                                  \
  }
COPIES(__aeabi_memcpy)
COPIES(__aeabi_memcpy4)
COPIES(__aeabi_memcpy8)
COPIES(__aeabi_memmove)
COPIES(__aeabi_memmove4)
COPIES(__aeabi_memmove8)

#define FILLS(name, clear)                                                     \
  void name(void *to, size_t count, int value) { memset(to, value, count); }   \
  void clear(void *to, size_t count) { memset(to, 0, count); }
FILLS(__aeabi_memset, __aeabi_memclr)
FILLS(__aeabi_memset4, __aeabi_memclr4)
FILLS(__aeabi_memset8, __aeabi_memclr8)

// A core runs one thread, and nothing interrupts it. Clang has these names
// already, so the functions have others in C.
_Bool gensyn_compare_exchange(uint64_t *value, uint64_t *expected,
                              uint64_t desired, int success,
                              int failure) __asm("__atomic_compare_exchange_8");
_Bool gensyn_compare_exchange(uint64_t *value, uint64_t *expected,
                              uint64_t desired, int success, int failure) {
  (void)success, (void)failure;
  const uint64_t found = *value;
  const _Bool is_equal = found == *expected;
  if (is_equal)
    *value = desired;
  else
    *expected = found;
  return is_equal;
}

uint64_t gensyn_load(const uint64_t *value, int order) __asm("__atomic_load_8");
uint64_t gensyn_load(const uint64_t *value, int order) {
  (void)order;
  return *value;
}
