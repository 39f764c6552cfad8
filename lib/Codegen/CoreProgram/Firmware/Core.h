// What the program of a core of a machine asks of the machine: the functions
// that somebody writes for a real one. Those of Semihosting.c, for one core in
// an emulator, are weak: others that are linked take their place
// (docs/CorePrograms.md).

#ifndef GENSYN_FIRMWARE_CORE_H
#define GENSYN_FIRMWARE_CORE_H

#include <stdint.h>

/// No segment, no buffer.
#define GENSYN_END UINT32_MAX

/// Rows of adjacent bytes in one dimension: how many, and the distance from one
/// to the next, in bytes.
typedef struct {
  uint32_t count;
  int32_t shared_stride, local_stride;
} gensyn_dimension;

/// Another core, and an address in its memory, from 0 on.
typedef struct {
  uint32_t core, address;
} gensyn_destination;

/// A copy from the core's own memory (`is_store`), or to it and to others that
/// get the same bytes.
typedef struct {
  uint8_t *local;
  /// A buffer of the plan and an offset in it, in bytes; or another core and an
  /// address in its memory (`is_core`).
  uint32_t shared, offset;
  uint32_t row_bytes;
  uint8_t is_store, is_core;
  uint16_t dimension_count, other_count;
  /// False: only others get the bytes, and there is no `local`, which may be 0.
  uint16_t has_local;
  /// Outermost first. The destinations have the same distances.
  const gensyn_dimension *dimensions;
  const gensyn_destination *others;
} gensyn_copy;

/// A counter that tasks of all cores increment, and the value to wait for.
typedef struct {
  uint32_t counter, value;
} gensyn_await;

/// The queues of a core's tasks: those that compute, and those of each channel
/// that copy.
enum { GENSYN_COMPUTE, GENSYN_COPY, GENSYN_CHANNELS = 2 };
enum { GENSYN_QUEUES = GENSYN_COPY + GENSYN_CHANNELS };

/// A segment, and which of its repetitions, from 0 on. Tasks name the buffers
/// of the first one; the machine takes those of `repetition` in their place.
typedef struct {
  uint32_t segment, repetition;
} gensyn_step;

/// Waits until all cores have ended a step, and sets it to the next one. At
/// first its segment is GENSYN_END, and all cores have loaded their weights.
/// Returns 0 where the program ends.
int gensyn_next_step(gensyn_step *step);

/// True if counters have reached their values. The program asks again until
/// they have, and then starts the task.
int gensyn_may_start(uint32_t task, const gensyn_await *awaits, uint32_t count);

/// Increments a counter. All cores, this one too, see what the task wrote when
/// they see that.
void gensyn_signal(uint32_t counter);

/// Starts a copy on a channel of the copy engine, from 0 on, and returns true
/// when it has ended. A channel has one copy at a time; a machine with one
/// engine of one channel may make them one after another. Buffers are those of
/// `step`: before the first step, weights of any one that stay in the core's
/// memory; later the current one, or the next repetition of its segment.
void gensyn_start_copy(const gensyn_copy *copy, uint32_t channel,
                       gensyn_step step);
int gensyn_is_copied(const gensyn_copy *copy, uint32_t channel);

/// Returns the address at which the core reads or writes a whole buffer of the
/// current step where it lies, and is told when it has done so.
uint8_t *gensyn_begin_access(uint32_t buffer, uint32_t bytes, int is_write);
void gensyn_end_access(uint8_t *address, uint32_t bytes, int is_write);

/// Fault words of a task: the least element of its piece that faulted, or all
/// ones.
void gensyn_report_faults(uint32_t task, const uint64_t *words, uint32_t count);

/// Ends the program: 0, or the number of an exception.
_Noreturn void gensyn_exit(uint32_t status);

#endif
