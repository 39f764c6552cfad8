// What a core's copies bring and take, as files.

#include "../MappingBuilder.h"

#include "gensyn/Machine/CoreRecord.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// The records of all cores, of a run on buffers whose bytes are 0, 1, 2, ...
/// Bodies add 1 to the bytes of their first operand; fault words get 5.
class RecordedRun {
public:
  explicit RecordedRun(Mapped &mapped, std::vector<uint32_t> cores = {})
      : record(std::move(cores)) {
    folder = (std::filesystem::temp_directory_path() / "gensyn-test.XXXXXX")
                 .string();
    if (!mkdtemp(folder.data()))
      throw std::runtime_error("no folder");
    std::vector<uint8_t> arena(mapped.plan.arena_bytes());
    std::iota(arena.begin(), arena.end(), uint8_t(0));
    std::vector<Place> places;
    uint64_t begin = 0;
    for (const plan::Buffer &buffer : mapped.plan.buffers()) {
      places.push_back({arena.data() + begin, buffer.bytes(), true});
      begins.push_back(uint8_t(begin));
      begin += (buffer.bytes() + 63) / 64 * 64;
    }
    FaultWords faults(mapped.plan);
    machine::Values values;
    values.places = places;
    values.faults = &faults;
    values.observer = &record;
    values.call = [](const mapping::Body &body,
                     std::span<uint8_t *const> arguments) {
      const auto results = uint32_t(body.arguments_size());
      for (uint32_t i = body.operands(); i < results; ++i)
        for (uint64_t byte = 0; byte < body.arguments(int(i)); ++byte)
          arguments[i][byte] = uint8_t(arguments[0][byte] + 1);
    };
    machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
    simulator.run(0, &values);
  }
  ~RecordedRun() { std::filesystem::remove_all(folder); }

  std::string read(const std::string &name) {
    std::ifstream file(std::filesystem::path(folder) / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t write() { return record.write(folder); }
  /// The first byte of a buffer.
  uint8_t beginOf(size_t buffer) const { return begins.at(buffer); }

private:
  std::string folder;
  machine::CoreRecord record;
  std::vector<uint8_t> begins;
};

/// Numbers of 32 bits, then bytes.
std::string pack(const std::vector<uint32_t> &numbers,
                 const std::vector<std::string> &parts = {}) {
  std::string text(4 * numbers.size(), 0);
  std::memcpy(text.data(), numbers.data(), text.size());
  for (const std::string &part : parts)
    text += part;
  return text;
}

/// The bytes [first, first + count), each plus `added`.
std::string bytes(int first, int count, int added = 0) {
  std::string text;
  for (int i = first; i < first + count; ++i)
    text.push_back(char(uint8_t(i + added)));
  return text;
}

constexpr uint32_t kEnd = ~uint32_t(0);

TEST(CoreRecords, CopiesInTheOrderOfTheirQueue) {
  Mapped mapped(1, {64, 64});
  const uint32_t body = mapped.body(100, {8, 8}, 1);
  // Two rows of four bytes, the second one 16 bytes behind the first.
  mapped.load(0, buffer(0, 4), 0, 4).rows(2, 16, 4);
  mapped.compute(0, body, {local(0), local(8)}).after(0);
  mapped.store(0, 8, buffer(1), 8).after(1);
  RecordedRun run(mapped);
  EXPECT_EQ(run.write(), 1u);
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 3, 8, 0, 0, 0, 8, 0, 0, /*tasks*/ 0,
                  0,    0, 0, 0, 1, 0, 0, 1, 1, 0, 0},
                 {bytes(4, 4), bytes(20, 4), pack({kEnd})}));
  EXPECT_EQ(run.read("core-000.expected"), bytes(4, 4, 1) + bytes(20, 4, 1));
}

TEST(CoreRecords, BuffersInPlace) {
  Mapped mapped(1, {64, 64});
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  mapped.compute(0, body, {buffer(0), buffer(1)});
  RecordedRun run(mapped);
  run.write();
  // Both buffers as they are before, the written one after.
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 1, 0, 0, 128, 0, 0, 0, 64, 0, 0, 0, 0},
                 {bytes(0, 128), pack({kEnd})}));
  EXPECT_EQ(run.read("core-000.expected"), bytes(0, 64, 1));
}

TEST(CoreRecords, BufferThatIsWrittenOverItself) {
  Mapped mapped(1, {64});
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  mapped.compute(0, body, {buffer(0), buffer(0)});
  RecordedRun run(mapped);
  run.write();
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 1, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 0},
                 {bytes(0, 64), pack({kEnd})}));
  EXPECT_EQ(run.read("core-000.expected"), bytes(0, 64, 1));
}

// What each channel brings is a part of its own, in the order of its queue.
TEST(CoreRecords, Channels) {
  Mapped mapped(1, {64, 64});
  mapped.machine.engines[0].channels.value = 2;
  mapped.load(0, buffer(0, 16), 0, 16);
  mapped.load(0, buffer(0, 0), 16, 4).channel(1);
  mapped.load(0, buffer(0, 4), 32, 4).channel(1).after(0);
  mapped.store(0, 0, buffer(1), 16).after(2);
  RecordedRun run(mapped);
  run.write();
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 4, 16, 8, 0, 0, 16, 0, 0, /*tasks*/ 0, 0, 0,
                  0,    0, 0, 0, 0,  0, 1, 1, 0,  0, 1, 2,           0},
                 {bytes(16, 16), bytes(0, 4), bytes(4, 4), pack({kEnd})}));
  EXPECT_EQ(run.read("core-000.expected"), bytes(16, 16));
}

TEST(CoreRecords, CopyToSeveralCores) {
  Mapped mapped(2, {64, 64});
  mapped.segment().set_counters(1);
  mapped.multicast(buffer(0), 256, 64).signals(0);
  mapped.store(1, 256, buffer(1), 64).awaits(0);
  RecordedRun run(mapped);
  run.write();
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 1, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                 {bytes(0, 64), pack({kEnd})}));
  EXPECT_EQ(run.read("core-001.in"),
            pack({kEnd, 0, 0, 1, 0, 0, 0, 72, 64, 0, 0, 0, 0, 0, 72, 256, 64},
                 {bytes(0, 64), pack({kEnd})}));
}

TEST(CoreRecords, RowsOfOtherCores) {
  Mapped mapped(2, {64, 64});
  mapped.segment().set_counters(2);
  mapping::Path &path = *mapped.mapping.add_paths();
  path.add_links(linkFrom(0));
  path.add_links(linkTo(1));
  mapped.load(0, buffer(0), 0, 64);
  mapped.copy(0, local(0), remote(1, 256), 64, 4).after(0).signals(0);
  mapped.store(1, 256, buffer(1), 64).awaits(0);
  RecordedRun run(mapped);
  EXPECT_EQ(run.write(), 2u);
  EXPECT_EQ(run.read("core-001.in"),
            pack({kEnd, 0, 0, 1, 0, 0, 0, 72, 64, 0, 0, 0, 0, 0, 72, 256, 64},
                 {bytes(0, 64), pack({kEnd})}));
  EXPECT_EQ(run.read("core-001.expected"), bytes(0, 64));
  EXPECT_EQ(run.read("core-000.expected"), bytes(0, 64));
}

TEST(CoreRecords, ChosenCores) {
  Mapped mapped(2, {64});
  mapped.load(0, buffer(0), 0, 64);
  mapped.load(1, buffer(0), 0, 64);
  RecordedRun run(mapped, {1});
  EXPECT_EQ(run.write(), 1u);
  EXPECT_EQ(run.read("core-000.in"), "");
  EXPECT_NE(run.read("core-001.in"), "");
  RecordedRun other(mapped, {2});
  EXPECT_THROW(other.write(), Failure);
}

/// A segment that runs twice: of buffers 0 and 1, then of 1 and 2, and of 3 and
/// 4, whose bytes do not change.
Mapped makeRepeated() {
  Mapped mapped(1, std::vector<uint64_t>(5, 8));
  mapped.machine.engines[0].channels.value = 2;
  mapped.plan.clear_launches();
  mapped.plan.add_launches()->set_kernel("k0");
  mapped.plan.add_launches()->set_kernel("k1");
  mapping::Repetition &repetition = *mapped.segment().add_repetitions();
  repetition.add_launches(1);
  for (uint32_t number : {0, 1, 3}) {
    mapped.segment().add_buffers(number);
    repetition.add_buffers(number + 1);
  }
  for (int weight : {3, 4})
    mapped.plan.mutable_buffers(weight)->set_constant(uint32_t(weight));
  return mapped;
}

/// The bytes of the weights come before the first repetition.
TEST(CoreRecords, Weights) {
  Mapped mapped = makeRepeated();
  mapped.mapping.add_weights(3);
  mapped.mapping.add_weights(4);
  mapping::Location weight = local(64);
  weight.set_step(64);
  mapped.compute(0, mapped.body(100, {8, 8}, 1), {weight, local(0)});
  mapped.store(0, 0, buffer(1), 8).after(0);
  mapping::Copy &copy =
      *mapped.segment().mutable_cores(0)->add_residents()->mutable_copy();
  *copy.mutable_from() = buffer(3);
  *copy.mutable_to() = weight;
  copy.set_row_bytes(8);
  RecordedRun run(mapped);
  run.write();
  const int first = run.beginOf(3), next = run.beginOf(4);
  EXPECT_EQ(
      run.read("core-000.in"),
      pack({0, 0, 8}, {bytes(first, 8), pack({0, 1, 8}), bytes(next, 8)}) +
          pack({kEnd, 0, 0, 2, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0,   0, 0,
                1,    2, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, kEnd}));
  EXPECT_EQ(run.read("core-000.expected"),
            bytes(first, 8, 1) + bytes(next, 8, 1));
}

/// What is copied ahead for the first repetition is a part of it, and no task
/// of it has ended before; the last one copies nothing ahead.
TEST(CoreRecords, Ahead) {
  Mapped mapped = makeRepeated();
  mapped.compute(0, mapped.body(100, {8, 8}, 1), {local(64), local(0)});
  mapped.store(0, 0, buffer(1), 8).after(0);
  mapped.load(0, buffer(3), 64, 8).channel(1).after(0);
  mapped.task(0, 2).set_ahead(true);
  RecordedRun run(mapped);
  run.write();
  const int first = run.beginOf(3), next = run.beginOf(4);
  EXPECT_EQ(run.read("core-000.in"),
            pack({kEnd, 0, 0, 3, 0, 16, 0, 0, 8, 0, 0, /*tasks*/ 0,
                  0,    0, 0, 1, 0, 0,  0, 1, 0, 0, 0},
                 {bytes(first, 8), bytes(next, 8)}) +
                pack({0, 1, 3, 0, 0, 0, 0, 8, 0, 0, 0,   0,
                      0, 0, 1, 0, 0, 0, 0, 0, 0, 0, kEnd}));
  EXPECT_EQ(run.read("core-000.expected"),
            bytes(first, 8, 1) + bytes(next, 8, 1));
}

} // namespace
