// Runs the command stream of a core in the RTL of gensyn-block, with a memory
// and the machine's other cores around it, and compares what it stores.
//
// bench STREAM RECORD EXPECTED TIMES [OTHERS]...
//
// STREAM and OTHERS are files of gensyn-run map --block, RECORD and EXPECTED
// are those of gensyn-run simulate --record
// (include/gensyn/Machine/CoreRecord.h). TIMES is a text: cycles from a command
// of the bus to its data, of a burst, and of a signal; then, for the block and
// each of OTHERS, for computing and for copies, a number and as many times of
// tasks in cycles, in their order: of those runs of segments in which the block
// has tasks. Those of the block are only printed beside those of the RTL. Ends
// with 0 if all bytes are equal.

#include "Vgensyn_block.h"
#include "gensyn/Machine/BlockStream.h"
#include "verilated.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace gensyn::machine::block;

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  std::exit(2);
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads numbers, little-endian.
class Bytes {
public:
  explicit Bytes(const std::string &path) : path(path), text(readFile(path)) {}

  const uint8_t *take(size_t count) {
    if (text.size() - place < count)
      fail(path + ": ends early");
    place += count;
    return reinterpret_cast<const uint8_t *>(text.data()) + place - count;
  }
  uint64_t number(unsigned bytes) {
    uint64_t value = 0;
    const uint8_t *from = take(bytes);
    for (unsigned i = 0; i < bytes; ++i)
      value |= uint64_t(from[i]) << 8 * i;
    return value;
  }
  bool isAtEnd() const { return place == text.size(); }

private:
  std::string path, text;
  size_t place = 0;
};

using Words = std::vector<uint64_t>;

size_t lengthOf(uint64_t first) {
  const auto nibble = [&](unsigned shift) { return first >> shift & 15; };
  switch (Opcode(first & 255)) {
  case Opcode::Fetch:
  case Opcode::Store:
    return 3 + 2 * nibble(8);
  case Opcode::Compute:
    return 6 + 3 * (nibble(8) + nibble(12) + nibble(16) + nibble(20));
  default:
    return 1;
  }
}

bool isTask(uint64_t first) {
  return Opcode(first & 255) != Opcode::Wait &&
         Opcode(first & 255) != Opcode::Signal;
}

struct Stream {
  uint64_t memory = 0; ///< bytes of all buffers
  /// By segment and repetition: the words for computing, and for copies.
  std::map<std::pair<uint32_t, uint32_t>, std::array<Words, 2>> runs;
};

Stream readStream(const std::string &path) {
  Bytes bytes(path);
  if (std::memcmp(bytes.take(sizeof(magic)), magic, sizeof(magic)) != 0)
    fail(path + ": is no command stream");
  if (bytes.number(4) != version)
    fail(path + ": has another version");
  Stream stream;
  const uint64_t runs = bytes.number(4), buffers = bytes.number(4);
  bytes.number(4);
  for (uint64_t i = 0; i < buffers; ++i) {
    const uint64_t address = bytes.number(8);
    stream.memory = std::max(stream.memory, address + bytes.number(8));
  }
  for (uint64_t i = 0; i < runs; ++i) {
    const auto segment = uint32_t(bytes.number(4));
    const auto repetition = uint32_t(bytes.number(4));
    std::array<Words, 2> &run = stream.runs[{segment, repetition}];
    for (Words &words : run)
      words.resize(bytes.number(4));
    for (Words &words : run)
      for (uint64_t &word : words)
        word = bytes.number(8);
  }
  return stream;
}

/// One copy of a descriptor, row by row.
class Rows {
public:
  explicit Rows(const uint64_t *words) : words(words) {}

  bool isStore() const { return Opcode(words[0] & 255) == Opcode::Store; }
  uint64_t rowBytes() const { return words[1] >> 32; }
  template <class Visit> void visit(const Visit &visit) const {
    walk((words[0] >> 8 & 15), words[2], visit);
  }

private:
  template <class Visit>
  void walk(uint64_t loops, uint64_t address, const Visit &visit) const {
    if (loops == 0)
      return visit(address);
    const uint64_t *loop = words + 3 + 2 * (loops - 1);
    for (uint64_t i = 0; i < (loop[0] & 0xFFFFFFFF); ++i)
      walk(loops - 1, address + i * uint64_t(int64_t(int32_t(loop[1] >> 32))),
           visit);
  }

  const uint64_t *words;
};

struct Times {
  uint64_t latency = 0, burst = 0, signal = 0;
  /// For the block and each other core.
  std::vector<std::array<std::deque<uint64_t>, 2>> tasks;
};

Times readTimes(const std::string &path, size_t cores) {
  std::ifstream file(path);
  Times times;
  file >> times.latency >> times.burst >> times.signal;
  times.tasks.resize(cores);
  for (auto &queues : times.tasks)
    for (auto &queue : queues) {
      size_t count = 0;
      file >> count;
      queue.resize(count);
      for (uint64_t &time : queue)
        file >> time;
    }
  if (!file)
    fail(path + ": ends early");
  return times;
}

/// A core that is no block: its tasks take the time that they are given.
class Other {
public:
  Other(std::array<std::deque<uint64_t>, 2> &times) : times(times) {}

  void begin(const std::array<Words, 2> &words) {
    for (size_t i = 0; i < 2; ++i) {
      queues[i] = {&words[i], 0, false, 0, 0};
    }
  }
  bool hasEnded() const {
    return std::all_of(queues.begin(), queues.end(), [](const Queue &queue) {
      return !queue.running && queue.next == queue.words->size();
    });
  }
  bool copies() const { return queues[1].running; }
  /// Does what is possible at a time. `send` is told of signals.
  template <class Send>
  void advance(uint64_t now, const std::vector<uint32_t> &counts,
               const Send &send) {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t i = 0; i < 2; ++i)
        moved |= step(i, now, counts, send);
    }
  }

private:
  struct Queue {
    const Words *words = nullptr;
    size_t next = 0;
    bool running = false;
    uint64_t end = 0;
    uint32_t ended = 0;
  };

  template <class Send>
  bool step(size_t number, uint64_t now, const std::vector<uint32_t> &counts,
            const Send &send) {
    Queue &queue = queues[number];
    if (queue.running) {
      if (queue.end > now)
        return false;
      queue.running = false;
      ++queue.ended;
      return true;
    }
    if (queue.next == queue.words->size())
      return false;
    const uint64_t word = (*queue.words)[queue.next];
    const auto counter = uint32_t(word >> 8 & 0xFFFFFF);
    const auto value = uint32_t(word >> 32);
    switch (Opcode(word & 255)) {
    case Opcode::Wait:
      if (counts[counter] < value)
        return false;
      break;
    case Opcode::Signal:
      send(counter);
      break;
    default:
      if (queues[1 - number].ended < value)
        return false;
      if (times[number].empty())
        fail("times of another core's tasks are missing");
      queue.running = true;
      queue.end = now + times[number].front();
      times[number].pop_front();
    }
    ++queue.next;
    return true;
  }

  std::array<std::deque<uint64_t>, 2> &times;
  std::array<Queue, 2> queues;
};

/// The record of a run of a segment.
struct Record {
  uint32_t segment = 0;
  std::vector<uint8_t> fetched;
};

/// The memory behind the bus: it serves one burst at a time, always whole.
class Memory {
public:
  Memory(uint64_t bytes, const Times &times)
      : cells((bytes + 63) / 64 * 64 + 64), times(times) {}

  uint8_t *at(uint64_t address, uint64_t bytes) {
    if (address > cells.size() || bytes > cells.size() - address)
      fail("an address " + std::to_string(address) +
           " is beyond the memory's buffers");
    return cells.data() + address;
  }

  /// How many other cores copy: their bursts take turns with the block's.
  unsigned others = 0;

  // Before the clock: what the bus shows.
  void drive(Vgensyn_block &top, uint64_t now) {
    top.command_ready = reads.size() < 16 && writes.size() < 16;
    top.write_ready = !writes.empty() && writes.front().left;
    top.read_valid = !beats.empty() && beats.front().first <= now;
    if (top.read_valid)
      top.read_data = beats.front().second;
    top.write_done = !dones.empty() && dones.front() <= now;
  }
  // At the clock.
  void clock(const Vgensyn_block &top, uint64_t now) {
    if (top.write_done)
      dones.pop_front();
    if (top.read_valid && top.read_ready) {
      beats.pop_front();
    }
    if (top.write_valid && top.write_ready)
      takeBeat(top, now);
    if (top.command_valid && top.command_ready)
      takeCommand(top, now);
    while (!reads.empty() && reads.front() <= now)
      reads.pop_front();
  }

private:
  void takeCommand(const Vgensyn_block &top, uint64_t now) {
    if (top.command_write) {
      writes.push_back({top.command_address, top.command_beats, true});
      return;
    }
    const uint64_t start = std::max(now, free);
    free = start + times.burst * (1 + others);
    for (unsigned i = 0; i < top.command_beats; ++i) {
      uint64_t data = 0;
      std::memcpy(&data, at(top.command_address + 8 * i, 8), 8);
      beats.push_back({start + times.latency + 1 + i, data});
    }
    reads.push_back(start + times.latency);
  }
  void takeBeat(const Vgensyn_block &top, uint64_t now) {
    Write &write = writes.front();
    if (write.isFirst)
      write.start = std::max(now, free);
    write.isFirst = false;
    uint8_t *to = at(write.address, 8);
    for (unsigned i = 0; i < 8; ++i)
      if (top.write_strobe >> i & 1)
        to[i] = uint8_t(top.write_data >> 8 * i);
    write.address += 8;
    if (--write.left)
      return;
    free = std::max(write.start + times.burst * (1 + others), now + 1);
    dones.push_back(free + times.latency);
    writes.pop_front();
  }

  struct Write {
    uint64_t address;
    unsigned left;
    bool isFirst;
    uint64_t start = 0;
  };
  std::vector<uint8_t> cells;
  const Times &times;
  uint64_t free = 0;
  std::deque<Write> writes;
  std::deque<uint64_t> reads, dones;
  std::deque<std::pair<uint64_t, uint64_t>> beats;
};

class Bench {
public:
  Bench(int count, char **words)
      : stream(readStream(words[0])), record(words[1]), expected(words[2]),
        times(readTimes(words[3], size_t(count) - 3)),
        memory(stream.memory, times) {
    for (int i = 4; i < count; ++i) {
      otherStreams.push_back(readStream(words[i]));
      others.emplace_back(times.tasks[size_t(i) - 3]);
    }
    top.clock = 0;
    top.reset = 1;
    for (int i = 0; i < 4; ++i)
      tick();
    top.reset = 0;
  }

  int run() {
    if (record.number(4) != 0xFFFFFFFF)
      fail("the record has weights that stay in a core, which a block's do "
           "not");
    while (true) {
      Record run;
      run.segment = uint32_t(record.number(4));
      if (run.segment == 0xFFFFFFFF)
        break;
      const auto repetition = uint32_t(record.number(4));
      readRecord(run);
      if (!stream.runs.contains({run.segment, repetition}))
        fail("segment " + std::to_string(run.segment) + ", repetition " +
             std::to_string(repetition) + " is not in the stream");
      if (!runSegment(run, repetition))
        return 1;
    }
    if (!expected.isAtEnd())
      fail("more bytes are expected than the block stores");
    std::printf("%llu cycles in %zu runs, %llu bytes stored are equal\n",
                (unsigned long long)total, runs, (unsigned long long)equal);
    for (size_t q = 0; q < 2; ++q)
      std::printf("%s %zu tasks %llu cycles, simulated %llu\n",
                  q ? "copies" : "computations", tasks[q],
                  (unsigned long long)busy[q],
                  (unsigned long long)simulated[q]);
    return 0;
  }

private:
  void readRecord(Record &run) {
    const uint64_t tasks = record.number(4), fetched = record.number(4);
    uint64_t others = record.number(4); // of a second channel, in place, ...
    others += record.number(4) + record.number(4);
    record.number(4); // what it stores is as long as its copies are
    others += record.number(4) + record.number(4);
    if (others)
      fail("the record has accesses that a block does not make");
    record.take(16 * tasks);
    const uint8_t *bytes = record.take(fetched);
    run.fetched.assign(bytes, bytes + fetched);
  }

  void tick() {
    top.clock = 0;
    top.eval();
    top.clock = 1;
    top.eval();
  }

  bool runSegment(const Record &run, uint32_t repetition) {
    const std::array<Words, 2> &words =
        stream.runs.at({run.segment, repetition});
    // The first word of each task.
    std::array<std::vector<const uint64_t *>, 2> list;
    for (size_t q = 0; q < 2; ++q)
      for (size_t i = 0; i < words[q].size(); i += lengthOf(words[q][i]))
        if (isTask(words[q][i]))
          list[q].push_back(&words[q][i]);
    static const std::array<Words, 2> none;
    for (size_t i = 0; i < others.size(); ++i) {
      const auto found = otherStreams[i].runs.find({run.segment, repetition});
      others[i].begin(found == otherStreams[i].runs.end() ? none
                                                          : found->second);
    }
    counts.assign(1 << 16, 0);
    sent.clear();
    increments.clear();
    std::array<size_t, 2> pushed{}, started{}, ended{};
    std::array<uint64_t, 2> starts{};
    size_t fetched = 0;
    const uint64_t begin = now;
    top.begin_run = 1;
    tick();
    top.begin_run = 0;
    uint64_t quiet = 0;
    while (true) {
      for (Other &other : others)
        other.advance(now, counts, [&](uint32_t counter) { send(counter); });
      while (!sent.empty() && sent.front().first <= now) {
        ++counts[sent.front().second];
        if (sent.front().second < counters)
          increments.push_back(sent.front().second);
        sent.pop_front();
      }
      top.increment_valid = !increments.empty();
      if (top.increment_valid)
        top.increment_counter = increments.front();
      for (size_t q = 0; q < 2; ++q) {
        const bool isMore = pushed[q] < words[q].size();
        top.push_valid = (top.push_valid & ~(1 << q)) | (isMore << q);
        const uint64_t word = isMore ? words[q][pushed[q]] : 0;
        top.push_data[2 * q] = uint32_t(word);
        top.push_data[2 * q + 1] = uint32_t(word >> 32);
      }
      memory.others =
          unsigned(std::count_if(others.begin(), others.end(),
                                 [](const Other &o) { return o.copies(); }));
      memory.drive(top, now);
      top.clock = 0;
      top.eval();
      // Outputs hold for this cycle.
      for (size_t q = 0; q < 2; ++q)
        if (top.task_start >> q & 1) {
          starts[q] = now;
          if (q && !Rows(list[q][started[q]]).isStore())
            provide(Rows(list[q][started[q]]), run, fetched);
          ++started[q];
          quiet = 0;
        }
      for (size_t q = 0; q < 2; ++q)
        if (top.task_done >> q & 1) {
          endTask(q, now - starts[q]);
          if (q && Rows(list[q][ended[q]]).isStore() &&
              !compare(Rows(list[q][ended[q]]), run, ended[q]))
            return false;
          ++ended[q];
          quiet = 0;
        }
      for (size_t q = 0; q < 2; ++q) {
        if (top.signal_valid >> q & 1)
          send(top.signal_counter >> 8 * q & 255);
        if ((top.push_valid & top.push_ready) >> q & 1)
          ++pushed[q];
      }
      if (top.increment_valid)
        increments.pop_front();
      memory.clock(top, now);
      const bool isIdle = top.idle && pushed[0] == words[0].size() &&
                          pushed[1] == words[1].size();
      top.clock = 1;
      top.eval();
      ++now;
      if (isIdle && std::all_of(others.begin(), others.end(),
                                [](const Other &o) { return o.hasEnded(); }))
        break;
      if (++quiet > 100'000'000)
        fail("segment " + std::to_string(run.segment) +
             ": no task starts or ends any more: " + std::to_string(ended[0]) +
             " of " + std::to_string(list[0].size()) + " computations and " +
             std::to_string(ended[1]) + " of " +
             std::to_string(list[1].size()) + " copies have ended");
    }
    total += now - begin;
    ++runs;
    return true;
  }

  void send(uint32_t counter) { sent.push_back({now + times.signal, counter}); }

  void endTask(size_t queue, uint64_t cycles) {
    busy[queue] += cycles;
    ++tasks[queue];
    uint64_t own = 0;
    if (!times.tasks[0][queue].empty()) {
      own = times.tasks[0][queue].front();
      times.tasks[0][queue].pop_front();
    }
    simulated[queue] += own;
    if (std::getenv("BENCH_TASKS"))
      std::printf("%s %zu %llu %llu\n", queue ? "copy" : "compute",
                  tasks[queue], (unsigned long long)cycles,
                  (unsigned long long)own);
  }

  /// Puts what other cores left in the memory there.
  void provide(const Rows &rows, const Record &run, size_t &fetched) {
    rows.visit([&](uint64_t address) {
      if (run.fetched.size() - fetched < rows.rowBytes())
        fail("the record has fewer bytes than the stream fetches");
      std::memcpy(memory.at(address, rows.rowBytes()),
                  run.fetched.data() + fetched, rows.rowBytes());
      fetched += rows.rowBytes();
    });
  }

  bool compare(const Rows &rows, const Record &run, size_t copy) {
    bool same = true;
    rows.visit([&](uint64_t address) {
      const uint8_t *is = memory.at(address, rows.rowBytes());
      const uint8_t *should = expected.take(rows.rowBytes());
      for (uint64_t i = 0; i < rows.rowBytes() && same; ++i, ++equal)
        if (is[i] != should[i]) {
          std::printf(
              "segment %u: copy %zu: the byte at %llu is %02x, expected %02x\n",
              run.segment, copy, (unsigned long long)(address + i), is[i],
              should[i]);
          same = false;
        }
    });
    return same;
  }

  Vgensyn_block top;
  Stream stream;
  Bytes record, expected;
  Times times;
  Memory memory;
  std::vector<Stream> otherStreams;
  std::vector<Other> others;
  uint64_t now = 0, total = 0, equal = 0;
  size_t runs = 0;
  std::array<uint64_t, 2> busy{}, simulated{};
  std::array<size_t, 2> tasks{};
  std::vector<uint32_t> counts;
  std::deque<std::pair<uint64_t, uint32_t>> sent;
  std::deque<uint32_t> increments;
};

} // namespace

int main(int count, char **words) {
  if (count < 5)
    fail("STREAM RECORD EXPECTED TIMES [OTHERS]... are wanted");
  return Bench(count - 1, words + 1).run();
}
