// One core in an emulator: what it fetches comes from a file, and what it
// stores goes to another one (Semihosting for AArch32 and AArch64, Arm). The
// arguments of the command line after the program's are their names. The layout
// is that of include/gensyn/Machine/CoreRecord.h.

#include "../Tables.h"

#define WEAK __attribute__((weak))

enum {
  SYS_OPEN = 0x01,
  SYS_WRITE0 = 0x04,
  SYS_WRITE = 0x05,
  SYS_READ = 0x06,
  SYS_SEEK = 0x0a,
  SYS_GET_CMDLINE = 0x15,
  SYS_EXIT_EXTENDED = 0x20
};
enum { APPLICATION_EXIT = 0x20026 };
enum { OPEN_READ = 1, OPEN_WRITE = 5 };

static uint32_t call(uint32_t operation, const void *block) {
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = block;
  __asm volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

WEAK _Noreturn void gensyn_exit(uint32_t status) {
  const uint32_t block[] = {APPLICATION_EXIT, status};
  for (;;)
    call(SYS_EXIT_EXTENDED, block);
}

static _Noreturn void fail(const char *text) {
  call(SYS_WRITE0, text);
  gensyn_exit(100);
}

/// Of a step; see CoreRecord.h.
struct run {
  uint32_t segment, repetition, tasks, fetched[GENSYN_CHANNELS], read, received,
      stored[GENSYN_CHANNELS], written;
};
struct task {
  uint32_t before[GENSYN_QUEUES], received;
};
struct row {
  uint32_t address, count;
};

struct weights {
  uint32_t segment, repetition, bytes;
};

static uint32_t input, output;
static int is_open;
/// Where in the files the next run begins, and the next bytes of each kind are.
static uint32_t next_run, next_output;
static uint32_t task_list, fetched[GENSYN_CHANNELS], read, received_begin,
    received, stored[GENSYN_CHANNELS], written;
static uint32_t tasks;
static const gensyn_task *list;
/// The first step has begun.
static int is_loaded;

static void read_at(uint32_t position, void *bytes, uint32_t count) {
  const uint32_t seek[] = {input, position};
  const uint32_t block[] = {input, (uint32_t)(uintptr_t)bytes, count};
  if (count && (call(SYS_SEEK, seek) || call(SYS_READ, block)))
    fail("the input ends early\n");
}

static void write_at(uint32_t position, const void *bytes, uint32_t count) {
  const uint32_t seek[] = {output, position};
  const uint32_t block[] = {output, (uint32_t)(uintptr_t)bytes, count};
  if (count && (call(SYS_SEEK, seek) || call(SYS_WRITE, block)))
    fail("the output cannot be written\n");
}

static uint32_t open_file(const char *name, uint32_t length, uint32_t mode) {
  const uint32_t block[] = {(uint32_t)(uintptr_t)name, mode, length};
  const uint32_t file = call(SYS_OPEN, block);
  if (file == UINT32_MAX)
    fail("a file cannot be opened\n");
  return file;
}

/// The command line is the program, the input, the output.
static void open_files(void) {
  char line[512];
  uint32_t block[] = {(uint32_t)(uintptr_t)line, sizeof(line)};
  if (call(SYS_GET_CMDLINE, block))
    fail("there is no command line\n");
  uint32_t begins[4] = {0}, ends[4] = {0}, count = 0;
  for (uint32_t i = 0; count < 4 && line[i];) {
    while (line[i] == ' ')
      ++i;
    begins[count] = i;
    while (line[i] && line[i] != ' ')
      ++i;
    ends[count] = i;
    count += ends[count] > begins[count];
  }
  if (count != 3)
    fail("the arguments are not the program, an input and an output\n");
  // The names end with a zero.
  line[ends[1]] = line[ends[2]] = 0;
  input = open_file(line + begins[1], ends[1] - begins[1], OPEN_READ);
  output = open_file(line + begins[2], ends[2] - begins[2], OPEN_WRITE);
}

/// The weights of the record that follow a place, which is moved behind them;
/// returns 0 if none do.
static int next_weights(uint32_t *place, struct weights *weights) {
  read_at(*place, &weights->segment, sizeof(weights->segment));
  *place += sizeof(weights->segment);
  if (weights->segment == GENSYN_END)
    return 0;
  read_at(*place - sizeof(weights->segment), weights, sizeof(*weights));
  *place += sizeof(*weights) - sizeof(weights->segment) + weights->bytes;
  return 1;
}

/// Where the weights of a step begin, which the core copies in their order.
static uint32_t find_weights(gensyn_step step) {
  struct weights weights;
  for (uint32_t place = 0; next_weights(&place, &weights);)
    if (weights.segment == step.segment &&
        weights.repetition == step.repetition)
      return place - weights.bytes;
  return GENSYN_END;
}

static void mark_rows(const gensyn_copy *copy, uint32_t first,
                      const uint8_t *local, uint8_t *kept) {
  if (first == copy->dimension_count) {
    for (uint32_t i = 0; i < copy->row_bytes; ++i)
      kept[local - gensyn_core_program.memory + i] = 1;
    return;
  }
  const gensyn_dimension *dimension = &copy->dimensions[first];
  for (uint32_t i = 0; i < dimension->count; ++i)
    mark_rows(copy, first + 1, local + (int32_t)i * dimension->local_stride,
              kept);
}

/// PSRAM of QEMU's mps2-an386, 16 MiB: buffers that are accessed where they
/// lie, then a byte for each one of the core's memory.
static uint8_t *const shared = (uint8_t *)0x21000000;
enum { SHARED_BYTES = 12 << 20 };

/// As in the simulator, so that bytes that nobody wrote are found: what is no
/// weight and was not fetched ahead is FF.
static void reset_memory(gensyn_step step) {
  uint8_t *const kept = shared + SHARED_BYTES;
  const gensyn_program *program = &gensyn_core_program;
  for (uint32_t i = 0; i < program->memory_bytes; ++i)
    kept[i] = 0;
  for (uint32_t i = 0; i < program->segment_count; ++i) {
    const gensyn_segment *segment = &program->segments[i];
    for (uint32_t r = 0; r < segment->repetitions; ++r)
      for (uint32_t k = 0; k < segment->resident_count; ++k) {
        const gensyn_resident *resident = &segment->residents[k];
        mark_rows(resident->copy, 0, resident->copy->local + r * resident->step,
                  kept);
      }
    for (uint32_t k = 0; segment->number == step.segment && step.repetition &&
                         k < segment->task_count;
         ++k)
      if (segment->tasks[k].is_ahead) {
        const gensyn_copy *copy = segment->tasks[k].what;
        mark_rows(copy, 0, copy->local, kept);
      }
  }
  for (uint32_t i = 0; i < program->memory_bytes; ++i)
    if (!kept[i])
      ((volatile uint8_t *)program->memory)[i] = 0xff;
}

static void require_files(void) {
  if (is_open)
    return;
  open_files();
  is_open = 1;
  struct weights weights;
  while (next_weights(&next_run, &weights)) {
  }
}

WEAK int gensyn_next_step(gensyn_step *step) {
  require_files();
  struct run run;
  uint32_t segment;
  read_at(next_run, &segment, sizeof(segment));
  if (segment == GENSYN_END)
    return 0;
  read_at(next_run, &run, sizeof(run));
  task_list = next_run + sizeof(run);
  read = task_list + run.tasks * sizeof(struct task);
  written = next_output;
  for (uint32_t i = 0; i < GENSYN_CHANNELS; ++i) {
    fetched[i] = read;
    read += run.fetched[i];
    stored[i] = written;
    written += run.stored[i];
  }
  received = received_begin = read + run.read;
  next_run = received + run.received;
  next_output = written + run.written;
  tasks = run.tasks;
  for (uint32_t i = 0; i < gensyn_core_program.segment_count; ++i)
    if (gensyn_core_program.segments[i].number == run.segment)
      list = gensyn_core_program.segments[i].tasks;
  is_loaded = 1;
  step->segment = run.segment;
  step->repetition = run.repetition;
  reset_memory(*step);
  return 1;
}

/// Writes to the core's memory what other cores had sent before a task. Earlier
/// tasks may start later here, and need no less.
static void receive(uint32_t count) {
  while (received - received_begin < count) {
    struct row row;
    read_at(received, &row, sizeof(row));
    received += sizeof(row);
    read_at(received, gensyn_core_program.memory + row.address, row.count);
    received += row.count;
  }
}

/// Tasks of other cores have ended by then. So must those of each queue of this
/// one that had ended in the simulator: some of them may have used memory that
/// other cores then wrote to.
WEAK int gensyn_may_start(uint32_t number, const gensyn_await *awaits,
                          uint32_t count) {
  (void)awaits, (void)count;
  struct task task;
  uint32_t ended[GENSYN_QUEUES] = {0};
  read_at(task_list + number * sizeof(task), &task, sizeof(task));
  for (uint32_t i = 0; i < tasks; ++i)
    ended[list[i].queue] += gensyn_core_program.ended[i];
  for (uint32_t i = 0; i < GENSYN_QUEUES; ++i)
    if (ended[i] < task.before[i])
      return 0;
  receive(task.received);
  return 1;
}

WEAK void gensyn_signal(uint32_t counter) { (void)counter; }

static void copy_rows(const gensyn_copy *copy, uint32_t first, uint8_t *local,
                      uint32_t channel) {
  if (first == copy->dimension_count) {
    if (copy->is_store) {
      write_at(stored[channel], local, copy->row_bytes);
      stored[channel] += copy->row_bytes;
    } else {
      read_at(fetched[channel], local, copy->row_bytes);
      fetched[channel] += copy->row_bytes;
    }
    return;
  }
  const gensyn_dimension *dimension = &copy->dimensions[first];
  for (uint32_t i = 0; i < dimension->count; ++i)
    copy_rows(copy, first + 1, local + (int32_t)i * dimension->local_stride,
              channel);
}

WEAK void gensyn_start_copy(const gensyn_copy *copy, uint32_t channel,
                            gensyn_step step) {
  static gensyn_step loading;
  static int is_loading;
  require_files();
  if (!is_loaded && (!is_loading || step.segment != loading.segment ||
                     step.repetition != loading.repetition)) {
    is_loading = 1;
    loading = step;
    fetched[channel] = find_weights(step);
  }
  // Of a segment that did not run in the simulator nothing is known.
  if (!is_loaded && fetched[channel] == GENSYN_END)
    return;
  // Others get theirs from files of their own.
  if (copy->has_local)
    copy_rows(copy, 0, copy->local, channel);
}

WEAK int gensyn_is_copied(const gensyn_copy *copy, uint32_t channel) {
  (void)copy, (void)channel;
  return 1;
}

/// Buffers of one task lie in the shared memory one after another, each once.
enum { MOST_BUFFERS = 64 };
static struct {
  uint32_t buffer;
  uint8_t *address;
} opened[MOST_BUFFERS];
static uint32_t opened_count, open_accesses, shared_used;

WEAK uint8_t *gensyn_begin_access(uint32_t buffer, uint32_t bytes,
                                  int is_write) {
  (void)is_write;
  uint8_t *address = shared + shared_used;
  ++open_accesses;
  for (uint32_t i = 0; i < opened_count; ++i)
    if (opened[i].buffer == buffer)
      return opened[i].address;
  if (bytes > SHARED_BYTES - shared_used || opened_count == MOST_BUFFERS)
    fail("the buffers of a task exceed the shared memory\n");
  read_at(read, address, bytes);
  read += bytes;
  shared_used += (bytes + 63) & ~(uint32_t)63;
  opened[opened_count].buffer = buffer;
  opened[opened_count++].address = address;
  return address;
}

WEAK void gensyn_end_access(uint8_t *address, uint32_t bytes, int is_write) {
  if (is_write) {
    write_at(written, address, bytes);
    written += bytes;
  }
  if (--open_accesses == 0)
    opened_count = shared_used = 0;
}

WEAK void gensyn_report_faults(uint32_t task, const uint64_t *words,
                               uint32_t count) {
  (void)task;
  write_at(written, words, count * (uint32_t)sizeof(uint64_t));
  written += count * (uint32_t)sizeof(uint64_t);
}
