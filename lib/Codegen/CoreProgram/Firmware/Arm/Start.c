// What a Cortex-M processor does first (Armv7-M Architecture Reference Manual:
// B1.5 exceptions, B3.2 system control space).

#include "../Core.h"

extern uint32_t gensyn_stack_top[], gensyn_zeros_begin[], gensyn_zeros_end[];
void gensyn_run(void);

void gensyn_start(void);
void gensyn_exception(void);

typedef void (*vector)(void);
#define VECTORS                                                                \
  (vector)(uintptr_t) gensyn_stack_top, gensyn_start, gensyn_exception,        \
      gensyn_exception, gensyn_exception, gensyn_exception, gensyn_exception,  \
      0, 0, 0, 0, gensyn_exception, gensyn_exception, 0, gensyn_exception,     \
      gensyn_exception

__attribute__((section(".vectors"), used, aligned(128)))
const vector gensyn_vectors[16] = {VECTORS};

/// Where the processor looks after a reset: in front of the core's memory. The
/// first buffer is written over it.
__attribute__((section(".boot"), used)) const vector gensyn_boot[2] = {
    (vector)(uintptr_t)gensyn_stack_top, gensyn_start};

static volatile uint32_t *const vector_table = (uint32_t *)0xe000ed08;
static volatile uint32_t *const coprocessors = (uint32_t *)0xe000ed88;
static volatile uint32_t *const interrupt_state = (uint32_t *)0xe000ed04;

void gensyn_exception(void) { gensyn_exit(*interrupt_state & 0x1ff); }

/// Calls no function that uses floats before they are switched on.
void gensyn_start(void) {
  *vector_table = (uint32_t)(uintptr_t)gensyn_vectors;
  // Full access to coprocessors 10 and 11, the floating-point unit. Its control
  // register stays as it is after a reset: to the nearest, subnormal numbers,
  // NaNs that propagate.
  *coprocessors |= 0xfu << 20;
  __asm volatile("dsb\n\tisb" ::: "memory");
  for (volatile uint32_t *word = gensyn_zeros_begin; word < gensyn_zeros_end;
       ++word)
    *word = 0;
  gensyn_run();
}
