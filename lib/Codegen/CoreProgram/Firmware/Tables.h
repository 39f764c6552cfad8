// The tables of a core's program, which the compiler fills. They are constants;
// lib/Codegen/CoreProgram/TaskTable.cpp has the same types.

#ifndef GENSYN_FIRMWARE_TABLES_H
#define GENSYN_FIRMWARE_TABLES_H

#include "Core.h"

/// A function of a piece, whose iterations are [0, tiles).
typedef struct {
  void (*function)(uint8_t *const *buffers, uint8_t *scratch, int64_t begin,
                   int64_t end);
  uint32_t tiles;
} gensyn_call;

/// Code of a piece. Its functions run one after another, with the same
/// arguments: operands, results, fault words, workspaces.
typedef struct {
  const gensyn_call *calls;
  /// Bytes of operands and results.
  const uint32_t *bytes;
  uint16_t call_count, operand_count, argument_count, fault_count;
  /// Offsets in gensyn_workspace.
  const uint32_t *workspaces;
  uint32_t workspace_count;
} gensyn_piece;

typedef struct {
  const gensyn_piece *piece;
  /// In the core's memory.
  uint8_t *const *arguments;
  /// None, or for each argument the buffer in which it lies, or GENSYN_END for
  /// one in the core's memory.
  const uint32_t *buffers;
  /// None, or for each argument the distance, in bytes, from its address in one
  /// repetition to that in the next.
  const uint32_t *steps;
} gensyn_compute;

typedef struct {
  /// A gensyn_copy or gensyn_compute.
  const void *what;
  /// Earlier tasks that must have ended; then counters and values; then
  /// counters to increment.
  const uint32_t *lists;
  /// The queue: GENSYN_COMPUTE, or from GENSYN_COPY on that of a channel of the
  /// copy engine.
  uint8_t queue;
  /// A copy for the next repetition; before the first one it is also made for
  /// that.
  uint8_t is_ahead;
  uint16_t after_count, await_count, signal_count;
} gensyn_task;

/// Weights that stay in the core's memory: a copy that is made for each
/// repetition before the first step, to an address `step` bytes further.
typedef struct {
  const gensyn_copy *copy;
  uint32_t step;
} gensyn_resident;

typedef struct {
  uint32_t number, repetitions, task_count, resident_count;
  const gensyn_task *tasks;
  const gensyn_resident *residents;
} gensyn_segment;

typedef struct {
  uint32_t core, segment_count;
  const gensyn_segment *segments;
  /// The part of the core's memory in which buffers are.
  uint8_t *memory;
  uint32_t memory_bytes;
  /// For any piece: pointers, fault words, memory of its functions.
  uint8_t **pointers;
  uint64_t *faults;
  uint8_t *scratch, *workspace;
  /// A byte for each task of a segment.
  uint8_t *ended;
} gensyn_program;

extern const gensyn_program gensyn_core_program;

#endif
