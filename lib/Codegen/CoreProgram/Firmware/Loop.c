// Runs the tasks of a core: those that compute and those of each channel of the
// copy engine in queues, each in its order.

#include "Tables.h"

static const gensyn_program *const program = &gensyn_core_program;

/// That runs.
static gensyn_step step;

struct queue {
  const gensyn_segment *segment;
  uint32_t head;
  uint16_t number;
  /// Of a queue of copies: its head has started.
  uint16_t is_copying;
};

/// The last repetition fetches nothing for a next one.
static int has_head(struct queue *queue) {
  const gensyn_segment *segment = queue->segment;
  const int is_last = step.repetition + 1 == segment->repetitions;
  while (queue->head < segment->task_count &&
         (segment->tasks[queue->head].queue != queue->number ||
          (is_last && segment->tasks[queue->head].is_ahead)))
    ++queue->head;
  return queue->head < segment->task_count;
}

static int is_ready(struct queue *queue) {
  const gensyn_task *task = &queue->segment->tasks[queue->head];
  for (uint32_t i = 0; i < task->after_count; ++i)
    if (!program->ended[task->lists[i]])
      return 0;
  return !task->await_count ||
         gensyn_may_start(
             queue->head,
             (const gensyn_await *)(task->lists + task->after_count),
             task->await_count);
}

static void end_head(struct queue *queue) {
  const gensyn_task *task = &queue->segment->tasks[queue->head];
  const uint32_t *signals =
      task->lists + task->after_count + 2 * task->await_count;
  program->ended[queue->head++] = 1;
  for (uint32_t i = 0; i < task->signal_count; ++i)
    gensyn_signal(signals[i]);
}

static void run_piece(uint32_t number, const gensyn_compute *compute) {
  const gensyn_piece *piece = compute->piece;
  uint8_t **pointer = program->pointers;
  for (uint32_t i = 0; i < piece->argument_count; ++i) {
    const uint32_t buffer = compute->buffers ? compute->buffers[i] : GENSYN_END;
    const uint32_t distance = compute->steps ? compute->steps[i] : 0;
    *pointer++ = buffer == GENSYN_END
                     ? compute->arguments[i] + step.repetition * distance
                     : gensyn_begin_access(buffer, piece->bytes[i],
                                           i >= piece->operand_count);
  }
  for (uint32_t i = 0; i < piece->fault_count; ++i) {
    program->faults[i] = ~(uint64_t)0;
    *pointer++ = (uint8_t *)&program->faults[i];
  }
  for (uint32_t i = 0; i < piece->workspace_count; ++i)
    *pointer++ = program->workspace + piece->workspaces[i];
  for (uint32_t i = 0; i < piece->call_count; ++i)
    piece->calls[i].function(program->pointers, program->scratch, 0,
                             piece->calls[i].tiles);
  if (compute->buffers)
    for (uint32_t i = 0; i < piece->argument_count; ++i)
      if (compute->buffers[i] != GENSYN_END)
        gensyn_end_access(program->pointers[i], piece->bytes[i],
                          i >= piece->operand_count);
  if (piece->fault_count)
    gensyn_report_faults(number, program->faults, piece->fault_count);
}

/// Starts or ends a copy. Returns true if it has ended.
static int advance_copy(struct queue *queue) {
  const gensyn_task *task = &queue->segment->tasks[queue->head];
  const gensyn_copy *copy = task->what;
  const uint32_t channel = queue->number - GENSYN_COPY;
  if (!queue->is_copying && is_ready(queue)) {
    gensyn_start_copy(
        copy, channel,
        (gensyn_step){step.segment, step.repetition + task->is_ahead});
    queue->is_copying = 1;
  }
  if (!queue->is_copying || !gensyn_is_copied(copy, channel))
    return 0;
  queue->is_copying = 0;
  end_head(queue);
  return 1;
}

static void copy_all(const gensyn_copy *copy, uint32_t channel,
                     gensyn_step of) {
  gensyn_start_copy(copy, channel, of);
  while (!gensyn_is_copied(copy, channel)) {
  }
}

static void load_residents(const gensyn_segment *segment) {
  for (uint32_t i = 0; i < segment->repetitions; ++i)
    for (uint32_t k = 0; k < segment->resident_count; ++k) {
      gensyn_copy copy = *segment->residents[k].copy;
      copy.local += i * segment->residents[k].step;
      copy_all(&copy, 0, (gensyn_step){segment->number, i});
    }
}

static void run_segment(const gensyn_segment *segment) {
  // What later repetitions fetch for the next one.
  for (uint32_t i = 0; step.repetition == 0 && i < segment->task_count; ++i)
    if (segment->tasks[i].is_ahead)
      copy_all(segment->tasks[i].what, segment->tasks[i].queue - GENSYN_COPY,
               step);
  struct queue queues[GENSYN_QUEUES];
  for (uint32_t i = 0; i < GENSYN_QUEUES; ++i)
    queues[i] = (struct queue){segment, 0, i, 0};
  for (uint32_t i = 0; i < segment->task_count; ++i)
    program->ended[i] = 0;
  for (;;) {
    int is_done = 1, has_copied = 0;
    for (uint32_t i = GENSYN_COPY; i < GENSYN_QUEUES; ++i)
      if (has_head(&queues[i])) {
        is_done = 0;
        has_copied |= advance_copy(&queues[i]);
      }
    struct queue *computations = &queues[GENSYN_COMPUTE];
    if (!has_head(computations)) {
      if (is_done)
        return;
    } else if (!has_copied && is_ready(computations)) {
      run_piece(computations->head, segment->tasks[computations->head].what);
      end_head(computations);
    }
  }
}

void gensyn_run(void) {
  for (uint32_t i = 0; i < program->segment_count; ++i)
    load_residents(&program->segments[i]);
  step.segment = GENSYN_END;
  while (gensyn_next_step(&step))
    for (uint32_t i = 0; i < program->segment_count; ++i)
      if (program->segments[i].number == step.segment)
        run_segment(&program->segments[i]);
  gensyn_exit(0);
}
