// The floating-point control register, as a caller with fast-math leaves it.
#ifndef GENSYN_TEST_UNIT_RUNTIME_FLUSHTOZERO_H
#define GENSYN_TEST_UNIT_RUNTIME_FLUSHTOZERO_H

#include <cstdint>

namespace gensyn::test {

/// While it lives, this thread takes subnormals for zero. On AArch64 each NaN
/// becomes the default one too.
class FlushToZero {
public:
  FlushToZero() : before(read()) { write(before | bits); }
  ~FlushToZero() { write(before); }
  /// True if the register still says so.
  static bool isSet() { return (read() & bits) == bits; }

private:
#if defined(__x86_64__)
  static constexpr uint64_t bits = 0x8040;
  static uint64_t read() { return __builtin_ia32_stmxcsr(); }
  static void write(uint64_t value) {
    __builtin_ia32_ldmxcsr(static_cast<unsigned>(value));
  }
#elif defined(__aarch64__)
  static constexpr uint64_t bits = 3 << 24;
  static uint64_t read() {
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(uint64_t value) {
    __asm__ volatile("msr fpcr, %0" ::"r"(value));
  }
#endif
  uint64_t before;
};

} // namespace gensyn::test

#endif
