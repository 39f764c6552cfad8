// Traces have a limit, and times without rounding.

#include "../Simulator/MappingBuilder.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Machine/TraceFile.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

TEST(TraceFile, KeepsTheFirstTasks) {
  Mapped mapped(1, {64});
  mapped.load(0, buffer(0), 0, 64);
  mapped.compute(0, mapped.body(1, {}, 0), {}).after(0);
  mapped.store(0, 0, buffer(0), 64).after(1);
  const machine::MappedProgram program(mapped.plan, mapped.mapping,
                                       mapped.machine);
  machine::TraceFile trace(2);
  const machine::Statistics run = machine::simulateRun(
      program, [&](const machine::TraceEvent &event) { trace.add(event); });
  EXPECT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace.getOmitted(), 1u);
  const std::string path = testing::TempDir() + "trace.json";
  trace.write(path, program);
  const auto json = nlohmann::json::parse(readText(path, 1 << 16));
  EXPECT_EQ(json["otherData"]["omitted_tasks"], 1);
  // A process, two threads, two tasks.
  ASSERT_EQ(json["traceEvents"].size(), 5u);
  const auto &compute = json["traceEvents"][4];
  EXPECT_EQ(compute["name"], "contract_0");
  EXPECT_EQ(compute["cat"], "compute");
  EXPECT_EQ(compute["tid"], 0);
  EXPECT_EQ(json["traceEvents"][3]["tid"], 1);
  // 3 cycles and 5 more.
  EXPECT_NE(readText(path, 1 << 16).find("\"dur\":0.008000"),
            std::string::npos);
  EXPECT_GT(run.time, 0);
}

} // namespace
