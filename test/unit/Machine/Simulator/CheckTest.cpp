// Mappings that fit neither machine nor plan, and those that do not end: one
// line each.

#include "MappingBuilder.h"

#include "gensyn/Machine/Times.h"
#include "gensyn/Numerics/SplitMix64.h"

#include <cstring>
#include <functional>
#include <vector>

#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// Two cores; core 0 loads, computes and stores, and core 1 waits for it.
Mapped makeGood() {
  Mapped mapped(2, {1024, 64});
  mapped.segment().set_counters(1);
  mapped.plan.add_buffers()->set_constant(0);
  mapped.mapping.add_memory_of_buffer(1);
  mapped.plan.mutable_buffers(2)->set_bytes(64);
  mapped.plan.add_faults();
  mapped.machine.memories[0].reserved = quantity(96);
  const uint32_t body = mapped.body(100, {64, 64}, 1);
  mapping::Work &products = *mapped.mapping.mutable_bodies(0)->add_work();
  products.set_operation("multiply_add");
  products.set_type("i8");
  products.set_count(1);
  products.set_rows(4);
  products.set_columns(4);
  products.set_depth(511);
  products.set_unit(1);
  mapped.mapping.mutable_bodies(0)->set_faults(1);
  mapped.load(0, buffer(0), 0, 16).rows(4, 256, 16);
  TaskBuilder compute = mapped.compute(0, body, {local(0), local(64)}).after(0);
  mapping::Fault &fault = *compute.task->mutable_compute()->add_faults();
  fault.add_ranges()->set_size(4);
  fault.mutable_ranges(0)->set_extent(8);
  mapped.store(0, 64, buffer(1), 64).after(1).signals(0);
  mapped.load(1, buffer(1), 0, 64).awaits(0);
  return mapped;
}

struct Wrong {
  const char *line;
  std::function<void(Mapped &)> change;
};

mapping::Copy &copyOf(Mapped &m, uint32_t task) {
  return *m.task(0, task).mutable_copy();
}
mapping::Compute &computeOf(Mapped &m) {
  return *m.task(0, 1).mutable_compute();
}
mapping::Work &workOf(Mapped &m, int number) {
  return *m.mapping.mutable_bodies(0)->mutable_work(number);
}

TEST(MappingCheck, GoodOne) { EXPECT_EQ(makeGood().failure(), ""); }

TEST(MappingCheck, WrongMappings) {
  const Wrong cases[] = {
      {"version 2, expected 1", [](Mapped &m) { m.mapping.set_version(2); }},
      {"4 memories of buffers, the plan has 3 buffers",
       [](Mapped &m) { m.mapping.add_memory_of_buffer(1); }},
      {"path 1 has link 4, expected one of 4",
       [](Mapped &m) { m.mapping.mutable_paths(1)->set_links(0, 4); }},
      {"path 0 has 1021 links, expected at most 1019",
       [](Mapped &m) {
         for (int i = 0; i < 1020; ++i)
           m.mapping.mutable_paths(0)->add_links(0);
       }},
      {"body 0 has 3 operands among 2 arguments",
       [](Mapped &m) { m.mapping.mutable_bodies(0)->set_operands(3); }},
      {"body 0 has an argument of 281474976710657 bytes, expected at most 2^48",
       [](Mapped &m) {
         m.mapping.mutable_bodies(0)->set_arguments(0, (1ull << 48) + 1);
       }},
      {"launch 1 is in no segment",
       [](Mapped &m) { *m.plan.add_launches() = m.plan.launches(0); }},
      {"segment 0 has launch 3, expected one of 1",
       [](Mapped &m) { m.segment().set_launches(0, 3); }},
      {"segment 0 has launch 0, which another one has, too",
       [](Mapped &m) { m.segment().add_launches(0); }},
      {"segment 0 has launch 0 after 1",
       [](Mapped &m) {
         *m.plan.add_launches() = m.plan.launches(0);
         m.segment().set_launches(0, 1);
         m.segment().add_launches(0);
       }},
      {"segment 0 has 16777217 counters, expected at most 16777216",
       [](Mapped &m) { m.segment().set_counters((1 << 24) + 1); }},
      {"segment 0: core 2, expected one of 2",
       [](Mapped &m) { m.segment().mutable_cores(1)->set_core(2); }},
      {"segment 0: core 0 is listed twice",
       [](Mapped &m) { m.segment().mutable_cores(1)->set_core(0); }},
      {"segment 0: core 1 is dead",
       [](Mapped &m) { m.machine.cores[1].isDead = true; }},
  };
  for (const Wrong &wrong : cases) {
    Mapped mapped = makeGood();
    wrong.change(mapped);
    EXPECT_EQ(mapped.failure(), "mapping: " + std::string(wrong.line));
  }
  Mapped mapped = makeGood();
  mapped.task(0, 1).set_launch(1);
  EXPECT_EQ(mapped.failure(), "mapping: segment 0, core 0, task 1: launch 1 is "
                              "not one of its segment");
}

/// Faults of task `task` of core 0.
void expectWrong(uint32_t task, std::initializer_list<Wrong> cases) {
  for (const Wrong &wrong : cases) {
    Mapped mapped = makeGood();
    wrong.change(mapped);
    EXPECT_EQ(mapped.failure(), "mapping: " + taskName(0, task) + wrong.line);
  }
}

TEST(MappingCheck, WrongCopies) {
  expectWrong(
      0,
      {{"it neither copies nor computes",
        [](Mapped &m) { m.task(0, 0).clear_kind(); }},
       {"it waits for task 0, expected an earlier one",
        [](Mapped &m) { m.task(0, 0).add_after(0); }},
       {"counter 1, expected one of 1",
        [](Mapped &m) { m.task(0, 0).add_signals(1); }},
       {"counter 7, expected one of 1",
        [](Mapped &m) { m.task(0, 0).add_awaits()->set_counter(7); }},
       {"a copy of 0 bytes, expected 1 to 2^48",
        [](Mapped &m) { copyOf(m, 0).mutable_dimensions(0)->set_count(0); }},
       {"a copy of too many bytes, expected 1 to 2^48",
        [](Mapped &m) {
          copyOf(m, 0).mutable_dimensions(0)->set_count(~0ull);
        }},
       {"a stride of more than 2^48 bytes",
        [](Mapped &m) {
          copyOf(m, 0).mutable_dimensions(0)->set_from_stride(INT64_MIN);
        }},
       {"17 dimensions of rows, expected at most 16",
        [](Mapped &m) {
          for (int i = 0; i < 16; ++i)
            copyOf(m, 0).add_dimensions()->set_count(1);
        }},
       {"the source is bytes 240 to 1023 of buffer 0, which has 1023",
        [](Mapped &m) {
          m.plan.mutable_buffers(0)->set_bytes(1023);
          copyOf(m, 0).mutable_from()->set_offset(240);
        }},
       {"the source is bytes -768 to 15 of buffer 0, which has 1024",
        [](Mapped &m) {
          copyOf(m, 0).mutable_dimensions(0)->set_from_stride(-256);
        }},
       {"the destination is bytes 3937 to 4000 of the core's memory, which has "
        "4000",
        [](Mapped &m) { copyOf(m, 0).mutable_to()->set_local(3937); }},
       {"the destination is bytes 9223372036854775807 to 9223372036854775807 "
        "of the core's memory, which has 4000",
        [](Mapped &m) {
          copyOf(m, 0).mutable_to()->set_local(~0ull);
          copyOf(m, 0).mutable_to()->set_offset(~0ull);
        }},
       {"rows of the destination at a distance of 15 bytes overlap",
        [](Mapped &m) {
          copyOf(m, 0).mutable_dimensions(0)->set_to_stride(15);
        }},
       {"channel 1 of the copy engine, expected one of 1",
        [](Mapped &m) { copyOf(m, 0).set_channel(1); }},
       {"the source is in no memory",
        [](Mapped &m) { copyOf(m, 0).mutable_from()->clear_memory(); }},
       {"the source is in buffer 3, expected one of 3",
        [](Mapped &m) { copyOf(m, 0).mutable_from()->set_buffer(3); }},
       {"buffer 0 is in memory 0, which is not a shared one",
        [](Mapped &m) { m.mapping.set_memory_of_buffer(0, 0); }},
       {"the source is on core 2, which is none of 2",
        [](Mapped &m) { copyOf(m, 0).mutable_from()->set_core(2); }},
       {"the flow is dropped: path 4 is none of 4",
        [](Mapped &m) { copyOf(m, 0).set_path(4); }},
       {"the flow is dropped: path 1 begins at node 1, which is not the "
        "source's",
        [](Mapped &m) { copyOf(m, 0).set_path(1); }},
       {"the flow is dropped: path 2 ends at node 2, which is not the "
        "destination's",
        [](Mapped &m) { copyOf(m, 0).set_path(2); }},
       {"the flow is dropped: path 0 continues from node 2 after node 1",
        [](Mapped &m) { m.mapping.mutable_paths(0)->add_links(linkFrom(1)); }},
       {"the flow is dropped: path 0 has no links, and its ends are at "
        "different nodes",
        [](Mapped &m) { m.mapping.mutable_paths(0)->clear_links(); }},
       {"the flow is dropped: path 0 leads over link 0, which is dead",
        [](Mapped &m) { m.machine.network.links[0].isDead = true; }}});
  expectWrong(2,
              {{"the destination is in buffer 2, which is only read",
                [](Mapped &m) { copyOf(m, 2).mutable_to()->set_buffer(2); }},
               {"the destination is in buffer 1, which is a fault word",
                [](Mapped &m) { m.plan.mutable_buffers(1)->set_fault(0); }}});
}

TEST(MappingCheck, WrongComputations) {
  expectWrong(
      1,
      {{"body 1, expected one of 1",
        [](Mapped &m) { computeOf(m).set_body(1); }},
       {"1 arguments, body 0 has 2",
        [](Mapped &m) { computeOf(m).mutable_arguments()->RemoveLast(); }},
       {"0 fault words, body 0 has 1",
        [](Mapped &m) { computeOf(m).clear_faults(); }},
       {"1 paths, body 0 has 2", [](Mapped &m) { computeOf(m).add_paths(0); }},
       {"argument 1 is bytes 3937 to 4000 of the core's memory, which has 4000",
        [](Mapped &m) { computeOf(m).mutable_arguments(1)->set_local(3937); }},
       {"argument 0 is in another core's memory",
        [](Mapped &m) { computeOf(m).mutable_arguments(0)->set_core(1); }},
       {"argument 0 is in place in memory 'dram', which cores cannot address",
        [](Mapped &m) {
          m.machine.memories[1].isAddressable = false;
          computeOf(m).mutable_arguments(0)->set_buffer(0);
        }},
       {"unit 2 is not one of a core of kind 'core'",
        [](Mapped &m) { workOf(m, 0).set_unit(2); }},
       {"unit 'array' has no rate for 'float' of 'f32'",
        [](Mapped &m) { workOf(m, 0).set_unit(1); }},
       {"unit 'scalar' has no rate for 'float' of 'f64'",
        [](Mapped &m) { workOf(m, 0).set_type("f64"); }},
       {"unit 'array' accumulates 24 bits, too few for 'multiply_add' of 'i8' "
        "over 512 products",
        [](Mapped &m) { workOf(m, 1).set_depth(512); }},
       {"fault word 0 is for slot 1, expected one of 1",
        [](Mapped &m) { computeOf(m).mutable_faults(0)->set_slot(1); }},
       {"fault word 0 counts elements 5 and 4 more of 8",
        [](Mapped &m) {
          computeOf(m).mutable_faults(0)->mutable_ranges(0)->set_begin(5);
        }},
       {"fault word 0 counts more than 2^40 elements", [](Mapped &m) {
          computeOf(m).mutable_faults(0)->mutable_ranges(0)->set_extent(
              (1ll << 40) + 1);
        }}});
}

TEST(MappingCheck, WrongMulticasts) {
  auto make = [] {
    Mapped mapped(2, {64});
    mapped.multicast(buffer(0), 0, 64);
    return mapped;
  };
  EXPECT_EQ(make().failure(), "");
  const std::vector<Wrong> all = {
      {"it copies to several cores, and the network of 'star' has no multicast",
       [](Mapped &m) { m.machine.network.hasMulticast = false; }},
      {"one of several destinations is in a buffer, expected cores",
       [](Mapped &m) { copyOf(m, 0).mutable_others(0)->set_buffer(0); }},
      {"core 0 is its destination twice",
       [](Mapped &m) { *copyOf(m, 0).add_others() = remote(0, 128); }},
      {"the destination is on core 2, which is none of 2",
       [](Mapped &m) { copyOf(m, 0).mutable_others(0)->set_core(2); }},
      {"the destination is bytes 4090 to 4153 of the memory of core 1, which "
       "has 4096",
       [](Mapped &m) { copyOf(m, 0).mutable_others(0)->set_offset(4090); }},
      {"the flow is dropped: path 5 is none of 5",
       [](Mapped &m) { copyOf(m, 0).set_path(5); }},
      {"the flow is dropped: path 4 begins at node 1, which is not the "
       "source's",
       [](Mapped &m) {
         m.mapping.mutable_paths(4)->set_links(0, linkFrom(0));
       }},
      {"the flow is dropped: path 4 does not lead to node 2 of core 1",
       [](Mapped &m) {
         m.mapping.mutable_paths(4)->mutable_links()->Truncate(1);
       }},
      {"the flow is dropped: path 4 has link 0 to node 1, which is reached "
       "already",
       [](Mapped &m) { m.mapping.mutable_paths(4)->add_links(linkTo(0)); }},
      {"the flow is dropped: path 0 does not lead to node 2 of core 1",
       [](Mapped &m) { copyOf(m, 0).set_path(0); }},
      {"the flow is dropped: path 4 leads over link 2, which is dead",
       [](Mapped &m) { m.machine.network.links[2].isDead = true; }},
      {"the flow is dropped: path 4 has link 3 from node 2, which no earlier "
       "one leads to",
       [](Mapped &m) {
         m.mapping.mutable_paths(4)->set_links(1, linkFrom(1));
       }},
      {"the flow is dropped: path 4 does not lead to node 1 of core 0",
       [](Mapped &m) { m.mapping.mutable_paths(4)->clear_links(); }}};
  for (const Wrong &wrong : all) {
    Mapped mapped = make();
    wrong.change(mapped);
    EXPECT_EQ(mapped.failure(), "mapping: " + taskName(0, 0) + wrong.line);
  }
}

TEST(MappingCheck, Deadlocks) {
  Mapped mapped = makeGood();
  mapped.task(1, 0).mutable_awaits(0)->set_value(2);
  EXPECT_EQ(mapped.failure(ExitCode::Bug),
            taskName(1, 0) + "deadlock: it waits for counter 0 to reach 2, but "
                             "only 1 tasks signal it");
  // Each core waits for the other one.
  mapped = makeGood();
  mapped.segment().set_counters(2);
  mapped.task(0, 0).add_awaits()->set_counter(1);
  mapped.task(0, 0).mutable_awaits(0)->set_value(1);
  mapped.task(1, 0).add_signals(1);
  EXPECT_EQ(mapped.failure(ExitCode::Bug),
            taskName(0, 0) + "deadlock: it waits for counter 1 to reach 1, "
                             "which is at 0");
}

TEST(MappingCheck, TooLongToSimulate) {
  Mapped mapped = makeGood();
  workOf(mapped, 0).set_count(~0ull);
  mapped.compute(0, 0, {local(0), local(64)}).after(1);
  *mapped.task(0, 3).mutable_compute() = computeOf(mapped);
  for (uint32_t i = 0; i < 20; ++i)
    *mapped.segment().mutable_cores(0)->add_tasks() = mapped.task(0, 3);
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: segment 0 ends more than 13 days after the beginning");
  mapped = makeGood();
  mapped.machine.memories[0].size = quantity(1ll << 50);
  mapped.plan.mutable_buffers(0)->set_bytes(1ull << 48);
  mapped.machine.network.packet = quantity(1);
  for (uint32_t i = 0; i < 1100; ++i) {
    mapped.load(1, buffer(0), 64, 1ull << 48);
  }
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: segment 0: its copies have more than 4294967296 packets, "
            "counted at each link");
  mapped = makeGood();
  mapped.machine.memories[0].size = quantity(1ll << 50);
  mapped.plan.mutable_buffers(0)->set_bytes(1ull << 48);
  mapped.load(1, buffer(0), 64, 1).rows(1ull << 31, 3, 1);
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: segment 0: its copies have more than 1073741824 rows "
            "that begin within a burst");
}

TEST(MappingCheck, LinksThatWaitForEachOther) {
  Mapped mapped(3, {64});
  // From the memory to core 0 and back, again and again, to core 1.
  mapping::Path &path = *mapped.mapping.mutable_paths(2);
  path.clear_links();
  for (uint32_t link :
       {linkTo(0), linkFrom(0), linkTo(2), linkFrom(2), linkTo(1)})
    path.add_links(link);
  mapped.load(1, buffer(0), 0, 64);
  EXPECT_EQ(mapped.failure(), "");
  path.set_links(2, linkTo(0));
  path.set_links(3, linkFrom(0));
  EXPECT_EQ(mapped.failure(),
            "mapping: deadlock of links: on its paths 2 links wait for each "
            "other in a circle: 0 from node 0 to node 1, 1 from node 1 to node "
            "0");
}

TEST(MappingCheck, TooManyRoutingEntries) {
  Mapped mapped(3, {128});
  mapped.multicast(buffer(0), 0, 64);
  // The same links and cores, and fewer cores.
  *mapped.segment().mutable_cores(0)->add_tasks() = mapped.task(0, 0);
  *mapped.segment().mutable_cores(0)->add_tasks() = mapped.task(0, 0);
  mapped.task(0, 1).mutable_copy()->mutable_from()->set_offset(64);
  mapped.task(0, 2).mutable_copy()->mutable_others()->RemoveLast();
  mapped.machine.network.entries = quantity(2);
  EXPECT_EQ(mapped.failure(), "");
  mapped.machine.network.entries = quantity(1);
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: its multicasts need 2 routing entries in chip 0, whose "
            "router has 1");
}

TEST(MappingCheck, TooManyWays) {
  Mapped mapped(17, {64});
  mapped.machine.memories[1].nodes.resize(1 << 20);
  for (uint32_t core = 0; core < 17; ++core)
    mapped.load(core, buffer(0), 0, 64);
  EXPECT_EQ(mapped.failure(ExitCode::Unsupported),
            "mapping: segment 0: its copies take too many ways through the "
            "network");
}

/// Random changes of a message's bytes end in a result or in one line.
TEST(MappingCheck, ChangedBytes) {
  Mapped mapped = makeGood();
  *mapped.plan.add_launches() = mapped.plan.launches(0);
  *mapped.plan.add_buffers() = mapped.plan.buffers(0);
  mapped.mapping.add_memory_of_buffer(1);
  mapped.segment().add_buffers(0);
  mapping::Repetition &repetition = *mapped.segment().add_repetitions();
  repetition.add_launches(1);
  repetition.add_buffers(3);
  const std::string good = mapped.mapping.SerializeAsString();
  SplitMix64 random(1);
  auto draw = [&](size_t below) {
    return static_cast<size_t>(random() % below);
  };
  std::vector<uint8_t> arena(mapped.plan.arena_bytes() + 64);
  machine::Values values;
  std::vector<Place> places;
  for (const plan::Buffer &buffer : mapped.plan.buffers())
    places.push_back({arena.data() + buffer.arena(), buffer.bytes(), true});
  values.places = places;
  values.call = [](const mapping::Body &body,
                   std::span<uint8_t *const> arguments) {
    for (uint32_t i = 0; i < arguments.size() - body.faults(); ++i)
      if (i >= body.operands())
        std::memset(arguments[i], 1, body.arguments(int(i)));
  };
  int parsed = 0, simulated = 0;
#if GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::LogSilencer quiet; // of names that are not UTF-8
#endif
  for (int i = 0; i < 100'000; ++i) {
    std::string bytes = good;
    for (size_t changes = 1 + draw(3); changes--;) {
      const size_t place = draw(bytes.size());
      switch (draw(6)) {
      case 0:
        bytes[place] = static_cast<char>(draw(256));
        break;
      case 1:
        bytes[place] = static_cast<char>(bytes[place] ^ 1 << draw(8));
        break;
      case 2:
        bytes.erase(place, 1 + draw(4));
        break;
      case 3:
        bytes.insert(place, bytes.substr(draw(bytes.size()), 1 + draw(8)));
        break;
      default: // A small number that stays one.
        bytes[place] = static_cast<char>(bytes[place] ^ 1 << draw(7));
      }
    }
    if (!mapped.mapping.ParseFromString(bytes))
      continue;
    ++parsed;
    try {
      machine::Simulator simulator(mapped.machine, mapped.plan, mapped.mapping);
      for (int k = 0; k < mapped.mapping.segments_size(); ++k) {
        simulator.run(size_t(k));
        simulator.run(size_t(k), &values);
      }
      ++simulated;
    } catch (const Failure &failure) {
      const std::string line = failure.what();
      EXPECT_EQ(line.find('\n'), std::string::npos);
      EXPECT_LT(line.size(), 500u);
    }
  }
  EXPECT_GT(parsed, 10'000);
  EXPECT_GT(simulated, 1'000);
}

} // namespace
