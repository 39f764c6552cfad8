// The control register of each supported processor.

#include "gensyn/Numerics/FloatEnvironment.h"

namespace gensyn {

#if defined(__x86_64__)

// All exceptions masked, nearest even, neither FTZ (bit 15) nor DAZ (bit 6).
static constexpr uint32_t ieeeControl = 0x1f80;

static uint32_t readControl() { return __builtin_ia32_stmxcsr(); }
static void writeControl(uint32_t value) { __builtin_ia32_ldmxcsr(value); }

#elif defined(__aarch64__)

static constexpr uint64_t ieeeControl = 0;

static uint64_t readControl() {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
static void writeControl(uint64_t value) {
  __asm__ volatile("msr fpcr, %0" ::"r"(value));
}

#else
#error "the floating-point control register of this processor is not known"
#endif

FloatEnvironment::FloatEnvironment() : saved(readControl()) {
  writeControl(ieeeControl);
}

FloatEnvironment::~FloatEnvironment() { writeControl(saved); }

} // namespace gensyn
