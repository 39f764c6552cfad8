// Pages about responses and runs written by hand.

#include "Report/Sections.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Report/ReportPage.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>
#include <tuple>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::runtime::report;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

TEST(Modules, ByMetadataThenNodeThenParameter) {
  EXPECT_EQ(findModule({{"node", "n"}, {"scope", "layer1.0.conv1"}}),
            (ModulePath{"layer1", "0", "conv1"}));
  EXPECT_EQ(findModule({{"node", "/layer1/layer1.0/conv1/Conv"}}),
            (ModulePath{"layer1", "0", "conv1"}));
  EXPECT_EQ(findModule({{"node", "net/dense/MatMul"}}),
            (ModulePath{"net", "dense"}));
  EXPECT_EQ(findModule({{"node", "n"}, {"parameter_names", {"fc.weight"}}}),
            ModulePath{"fc"});
  EXPECT_EQ(findModule({{"node", "n"}}), ModulePath{});
  EXPECT_EQ(moduleOfParameter("weight"), ModulePath{});
  // Dots at odd places make no empty module.
  EXPECT_EQ(findModule({{"scope", "..a..b."}}), (ModulePath{"a", "b"}));
}

json kernel(const char *name, const json &nodes, const json &readers) {
  json borders = json::array();
  for (const json &reader : readers)
    borders.push_back({{"reader", reader}, {"reason", "a <reason>"}});
  return {{"name", name},
          {"node", nodes.empty() ? json("") : nodes.back()},
          {"nodes", nodes},
          {"borders", borders}};
}

/// A step: two layers, a loss, a derivative and an update.
json makeStep() {
  return {{"parameters", {{{"name", "a.weight"}, {"shape", {2}}}}},
          {"trained", {{"tensors", 1}}},
          {"program_digest", "d1"},
          {"layers",
           {{{"node", "na"},
             {"operator", "Gemm"},
             {"type", "f32"},
             {"shape", {2, 3}},
             {"parameters", 2},
             {"parameter_names", {"a.weight"}},
             {"reads", json::array()}},
            {{"node", "nb"}, {"operator", "Relu"}, {"reads", {0}}}}},
          {"kernels",
           {kernel("k0", {"na", "nb"}, {"k1", "k2"}),
            kernel("k1", json::array(), {"k2"}), kernel("k2", {"na"}, {"k3"}),
            kernel("k3", {"na", "a.weight"}, {"return"})}}};
}

TEST(Modules, PhasesFollowTheLoss) {
  const std::map<std::string, Phase> phases = findPhases(makeStep());
  EXPECT_EQ(phases.at("k0"), Phase::Forward);
  EXPECT_EQ(phases.at("k1"), Phase::Loss);
  EXPECT_EQ(phases.at("k2"), Phase::Backward);
  EXPECT_EQ(phases.at("k3"), Phase::Update);
  json inference = makeStep();
  inference.erase("trained");
  for (const auto &[name, phase] : findPhases(inference))
    EXPECT_EQ(phase, Phase::Forward) << name;
}

void addBuffer(plan::Plan &plan, uint64_t offset, uint64_t bytes) {
  plan::Buffer &buffer = *plan.add_buffers();
  buffer.set_arena(offset);
  buffer.set_bytes(bytes);
}

void addLaunch(plan::Plan &plan, std::initializer_list<uint32_t> buffers,
               const char *operation = "n") {
  plan::Launch &launch = *plan.add_launches();
  launch.set_kernel("k" + std::to_string(plan.launches_size()));
  launch.set_operation(operation);
  for (uint32_t buffer : buffers)
    launch.add_buffers(buffer);
}

TEST(Graph, KernelsNameTheirLayersAndReaders) {
  const OrderedJson graph = describeGraph(makeStep());
  const OrderedJson &first = graph["kernels"][0];
  EXPECT_EQ(first["nodes"], OrderedJson({0, 1}));
  EXPECT_EQ(first["borders"][1], OrderedJson({2, 0}));
  EXPECT_EQ(graph["reasons"], OrderedJson({"a <reason>"}));
  const OrderedJson &update = graph["kernels"][3];
  EXPECT_EQ(update["others"], OrderedJson({"a.weight"}));
  EXPECT_EQ(update["path"], OrderedJson({"a"}));
  EXPECT_EQ(update["borders"][0], OrderedJson({"return", 0}));
  EXPECT_EQ(graph["layers"][0]["type"], "f32[2,3]");
}

TEST(Graph, KernelsThatComputeAgainNameTheFirst) {
  json step = makeStep();
  step["kernels"].push_back(kernel("k0_0", {"na"}, {"k2"}));
  step["kernels"].back()["recomputes"] = "k0";
  const OrderedJson graph = describeGraph(step);
  EXPECT_EQ(graph["kernels"][0]["again"], -1);
  EXPECT_EQ(graph["kernels"].back()["again"], 0);
}

TEST(Graph, LayersThatDoNotExistAreNotRead) {
  json step = makeStep();
  step["layers"][1]["reads"] = {0, 2, -1, "x", 0.5};
  EXPECT_EQ(describeGraph(step)["layers"][1]["reads"], OrderedJson::array({0}));
}

TEST(Graph, KernelsOfAPlan) {
  plan::Plan plan;
  for (uint64_t offset : {0, 64})
    addBuffer(plan, offset, 64);
  plan::Buffer &input = *plan.add_buffers();
  input.set_input(0);
  input.set_bytes(8);
  addLaunch(plan, {2, 0}, "na");
  addLaunch(plan, {0, 1}, "na");
  addLaunch(plan, {1, 0, 0}, "");
  addLaunch(plan, {0, 1, 99}, "nb");
  for (const auto &[number, kernel] : {std::pair(0, "k0"), std::pair(1, "k0"),
                                       std::pair(2, "k1"), std::pair(3, "k2")})
    plan.mutable_launches(number)->set_source_kernel(kernel);
  plan.mutable_launches(1)->set_flops(5);
  const json kernels = describePlannedKernels(plan);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0]["name"], "k0");
  EXPECT_EQ(kernels[0]["flops"], 5);
  EXPECT_EQ(kernels[0]["nodes"], json::array({"na"}));
  EXPECT_EQ(kernels[0]["bytes_read"], 8 + 64);
  EXPECT_EQ(kernels[0]["bytes_written"], 128);
  // k1 writes over what it reads.
  EXPECT_EQ(kernels[0]["borders"].size(), 2u);
  EXPECT_EQ(kernels[1]["nodes"], json::array());
  ASSERT_EQ(kernels[1]["borders"].size(), 1u);
  EXPECT_EQ(kernels[1]["borders"][0]["reader"], "k2");
  EXPECT_EQ(kernels[2]["borders"], json::array());
}

TEST(Graph, OrdersAreSentences) {
  EXPECT_EQ(describeOrder({{"operation", "contract"},
                           {"type", "f32"},
                           {"points", 4096},
                           {"order", "blocked<1024>"},
                           {"roundings", 1027},
                           {"relative_to", "terms"}}),
            "contract f32, 4,096 points, order blocked<1024>: error within "
            "1,027 u of the sum of the terms' absolute values, u = 2^-24");
}

TEST(Figures, Units) {
  EXPECT_EQ(printBytes(1536), "1.5 KiB");
  EXPECT_EQ(printFlops(2.5e9), "2.5 Gflop");
}

TEST(Memory, BuffersLiveFromTheirFirstLaunchToTheirLast) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  for (uint64_t offset : {0, 64, 0})
    addBuffer(plan, offset, 64);
  addLaunch(plan, {0});
  addLaunch(plan, {0, 1});
  addLaunch(plan, {1, 2, 99}); // 99 is no buffer
  addLaunch(plan, {2});
  plan.mutable_launches(3)->set_prepares(true);
  const OrderedJson memory =
      describeMemory({"x", &executable, ""}, json::object());
  EXPECT_EQ(memory["buffers"],
            OrderedJson({{0, 64, 0, 1}, {64, 64, 1, 2}, {0, 64, 2, 2}}));
  EXPECT_EQ(memory["live"], OrderedJson({64, 128, 128}));
  EXPECT_EQ(memory["peak"], 1);
}

TEST(Memory, OverlapsCountOnce) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  addBuffer(plan, 0, 128);
  addBuffer(plan, 64, 128);
  addLaunch(plan, {0, 1});
  const OrderedJson memory =
      describeMemory({"x", &executable, ""}, json::object());
  EXPECT_EQ(memory["live"], OrderedJson({192}));
}

TEST(Memory, WhatALoopReadsLivesToItsEnd) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  for (uint64_t offset : {0, 64, 128, 192})
    addBuffer(plan, offset, 64);
  addLaunch(plan, {0});
  addLaunch(plan, {0, 1});
  addLaunch(plan, {1, 2});
  plan.add_steps()->set_launch(0);
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.set_index(3);
  loop.add_body()->set_launch(1);
  loop.add_body()->set_launch(2);
  const OrderedJson memory =
      describeMemory({"x", &executable, ""}, json::object());
  EXPECT_EQ(memory["buffers"][0], OrderedJson({0, 64, 0, 2}));
  EXPECT_EQ(memory["buffers"][1], OrderedJson({64, 64, 1, 2}));
  // The counter.
  EXPECT_EQ(memory["buffers"][3], OrderedJson({192, 64, 1, 2}));
}

TEST(Memory, LaunchesHaveThePhasesOfTheirKernels) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  addBuffer(plan, 0, 64);
  for (const char *kernel : {"k0", "k1", "k2", "k2", "k3", "k9"}) {
    addLaunch(plan, {0});
    plan.mutable_launches(plan.launches_size() - 1)->set_source_kernel(kernel);
  }
  const OrderedJson launches =
      describeMemory({"x", &executable, ""}, makeStep())["launches"];
  std::vector<std::string> words;
  for (const OrderedJson &launch : launches)
    words.push_back(launch[0].get<std::string>() + " " +
                    launch[2].get<std::string>());
  EXPECT_EQ(words, (std::vector<std::string>{"k0 forward", "k1 loss",
                                             "k2 backward", "k2 backward",
                                             "k3 update", "k9 forward"}));
}

TEST(Memory, LiveBytesAreThoseOfAnyBuffer) {
  std::mt19937 random(7);
  auto below = [&](uint32_t end) { return random() % end; };
  for (int round = 0; round < 20; ++round) {
    plan::Executable executable;
    plan::Plan &plan = *executable.mutable_plan();
    constexpr uint32_t launches = 12;
    std::vector<std::vector<uint32_t>> named(launches);
    std::vector<std::set<uint64_t>> expected(launches);
    for (uint32_t buffer = 0; buffer < 15; ++buffer) {
      const uint64_t offset = below(20), bytes = below(9);
      addBuffer(plan, offset, bytes);
      const uint32_t first = below(launches),
                     last = first + below(launches - first);
      named[first].push_back(buffer);
      named[last].push_back(buffer);
      for (uint32_t at = first; at <= last; ++at)
        for (uint64_t byte = offset; byte < offset + bytes; ++byte)
          expected[at].insert(byte);
    }
    for (const auto &buffers : named) {
      addLaunch(plan, {});
      for (uint32_t buffer : buffers)
        plan.mutable_launches(plan.launches_size() - 1)->add_buffers(buffer);
    }
    const OrderedJson live =
        describeMemory({"x", &executable, ""}, json::object())["live"];
    ASSERT_EQ(live.size(), launches);
    for (uint32_t at = 0; at < launches; ++at)
      EXPECT_EQ(live[at], expected[at].size()) << round << ", " << at;
  }
}

/// Two launches on two threads, twice as long each.
MeasuredRuns makeMeasured(const plan::Executable &executable) {
  MeasuredRuns measured{&executable, {}, 2};
  measured.profile.keepSpans();
  const plan::Plan &plan = executable.plan();
  for (int run = 0; run < 2; ++run) {
    measured.profile.addLaunch(plan, 0, 0.5e-6);
    measured.profile.addLaunch(plan, 1, 1e-6);
    measured.profile.addRun(2e-6);
  }
  measured.profile.setSpans(
      {{0, 0, 0, 0.5e-6}, {1, 0, 0.5e-6, 1.5e-6}, {1, 1, 0.625e-6, 1.5e-6}});
  return measured;
}

TEST(Time, SpansAndMeansOfRuns) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  addBuffer(plan, 0, 64);
  addLaunch(plan, {0}, "first");
  addLaunch(plan, {0}, "");
  plan.mutable_launches(0)->set_flops(100);
  plan.mutable_launches(1)->set_schedule("contract");
  const MeasuredRuns measured = makeMeasured(executable);
  const OrderedJson time = describeTime(measured, makeStep());
  EXPECT_EQ(time["spans"],
            OrderedJson({{0, 0, 0, 500}, {1, 0, 500, 1000}, {1, 1, 625, 875}}));
  EXPECT_EQ(time["launches"][1],
            OrderedJson({"k2", "", "backward", "contract"}));
  EXPECT_DOUBLE_EQ(time["seconds"].get<double>(), 2e-6);
  EXPECT_EQ(time["kernels"][1]["kernel"], "k1");
  EXPECT_EQ(time["kernels"][1]["flops"], 100.0);
  EXPECT_EQ(time["kernels"][1]["launches"], 1.0);
  EXPECT_NE(makeTime(time).find("0.002 ms a run, the mean of 2 runs"),
            std::string::npos);

  const json trace = json::parse(makeTrace(measured));
  const json &events = trace["traceEvents"];
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0]["args"]["name"], "thread 0");
  EXPECT_EQ(events[2]["name"], "first");
  EXPECT_EQ(events[4]["name"], "k2");
  EXPECT_EQ(events[4]["tid"], 1);
  EXPECT_DOUBLE_EQ(events[4]["ts"].get<double>(), 0.625);
  EXPECT_DOUBLE_EQ(events[4]["dur"].get<double>(), 0.875);
}

TEST(Time, LaunchesOfAKernelAreOne) {
  plan::Executable executable;
  plan::Plan &plan = *executable.mutable_plan();
  addBuffer(plan, 0, 64);
  MeasuredRuns measured{&executable, {}, 1};
  measured.profile.keepSpans();
  // Two kernels that are equal have one symbol.
  for (const auto &[symbol, kernel, node] :
       {std::tuple("fma_1_pack", "k4_fma", "a"),
        std::tuple("fma_1", "k4_fma", "a"),
        std::tuple("fma_1", "k7_fma", "b")}) {
    addLaunch(plan, {0}, node);
    const int number = plan.launches_size() - 1;
    plan.mutable_launches(number)->set_kernel(symbol);
    plan.mutable_launches(number)->set_source_kernel(kernel);
    plan.mutable_launches(number)->set_flops(number == 0 ? 0 : 100);
    plan.mutable_launches(number)->set_schedule(number == 0 ? "pack"
                                                            : "contract");
    measured.profile.addLaunch(plan, number, 1e-6);
  }
  measured.profile.addRun(4e-6);
  const OrderedJson kernels = describeTime(measured, json::object())["kernels"];
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["kernel"], "k4_fma");
  EXPECT_DOUBLE_EQ(kernels[0]["seconds"].get<double>(), 2e-6);
  EXPECT_EQ(kernels[0]["flops"], 100.0);
  EXPECT_EQ(kernels[0]["schedule"], "contract");
  EXPECT_EQ(kernels[1]["kernel"], "k7_fma");
  EXPECT_EQ(kernels[1]["node"], "b");
  EXPECT_EQ(measured.profile.kernels()[0].sourceKernels,
            (std::vector<std::string>{"k4_fma", "k7_fma"}));
}

/// Run folders that last as long as a test.
struct Runs : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
  ~Runs() override { fs::remove_all(folder); }

  fs::path write(const std::string &name, const std::string &log) const {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "log.jsonl") << log;
    return folder / name;
  }
  static std::string wordsOf(const fs::path &first, const fs::path &second) {
    return describeRuns({first, second})[1]["against"]["words"]
        .get<std::string>();
  }
};

constexpr char kLog[] = R"({"step":1,"loss":2.5,"lr":0.1,"grad_norm":1.5}
{"step":2,"loss":1.5,"lr":0.1}
{"step":2,"parameters":"aa","eval_loss":1.25}
)";

TEST_F(Runs, EqualRuns) {
  const fs::path a = write("a", kLog), b = write("b", kLog);
  EXPECT_NE(wordsOf(a, b).find("no difference up to step 2"),
            std::string::npos);
  const OrderedJson runs = describeRuns({a, b});
  EXPECT_EQ(runs[0]["steps"][0], OrderedJson({1, 2.5, 0.1, 1.5}));
  EXPECT_TRUE(runs[0]["steps"][1][3].is_null());
  EXPECT_EQ(runs[0]["evaluations"], OrderedJson({{2, 1.25}}));
  EXPECT_FALSE(runs[1]["against"].contains("step"));
}

TEST_F(Runs, StepsThatOneLacksAreNotCompared) {
  const fs::path a = write("a", kLog),
                 b = write("b", "{\"step\":2,\"loss\":1.5}\n");
  EXPECT_NE(wordsOf(a, b).find("no difference up to step 2"),
            std::string::npos);
}

TEST_F(Runs, TheFirstLossThatDiffers) {
  const fs::path a = write("a", kLog), b = write("b", R"({"step":1,"loss":2.5}
{"step":2,"loss":1.5000000000000002}
{"step":2,"parameters":"ab"}
)");
  const std::string words = wordsOf(a, b);
  EXPECT_NE(words.find("part at or before step 2"), std::string::npos) << words;
  EXPECT_NE(words.find("that after step 2"), std::string::npos) << words;
}

TEST_F(Runs, DigestsAlone) {
  std::string other = kLog;
  other.replace(other.find("aa"), 2, "ab");
  const fs::path a = write("a", kLog), b = write("b", other);
  EXPECT_NE(wordsOf(a, b).find("parameters differ after step 2"),
            std::string::npos);
}

TEST_F(Runs, NumbersThatAreNotFiniteAreGaps) {
  const fs::path a = write("a", "{\"step\":1,\"loss\":\"NaN\"}\n"
                                "{\"step\":3,\"loss\":null}\n{\"step\":");
  const OrderedJson runs = describeRuns({a});
  EXPECT_EQ(runs[0]["steps"], OrderedJson({{1, nullptr, nullptr, nullptr},
                                           {3, nullptr, nullptr, nullptr}}));
}

TEST_F(Runs, MalformedLogs) {
  for (const char *log :
       {"[]\n", "{\"step\":1.5}\n", "x\n", "{\"loss\":1}\n"}) {
    const fs::path a = write("a", log);
    try {
      describeRuns({a});
      ADD_FAILURE() << log;
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput) << log;
      EXPECT_NE(std::string(failure.what()).find("log.jsonl: "),
                std::string::npos);
    }
  }
  EXPECT_THROW(describeRuns({folder / "absent"}), Failure);
}

TEST_F(Runs, ARunMayHaveNoStepYet) {
  for (const char *log : {"", "{\"step\":1}\n", "{\"step\":1,\"lo"}) {
    const fs::path a = write("a", log),
                   b = write("b", "{\"step\":1,\"loss\":2}\n");
    const OrderedJson runs = describeRuns({a, b});
    EXPECT_EQ(runs[0]["count"], 0) << log;
    EXPECT_EQ(runs[0]["lastLoss"], "-") << log;
    EXPECT_NE(runs[1]["against"]["words"].get<std::string>().find(
                  "there is no step to compare"),
              std::string::npos);
    EXPECT_NE(makeCurves(runs).find("</section>"), std::string::npos);
  }
}

TEST_F(Runs, LongRunsAreThinned) {
  std::string log;
  for (int step = 1; step <= 10'000; ++step)
    log += "{\"step\":" + std::to_string(step) + ",\"loss\":1}\n";
  const OrderedJson runs = describeRuns({write("a", log)});
  EXPECT_LE(runs[0]["steps"].size(), 3000u);
  EXPECT_TRUE(runs[0]["thinned"].get<bool>());
}

TEST_F(Runs, PagesAreTheSameAndEscaped) {
  ReportContent content;
  content.model = "<b>&.onnx";
  content.target = "cpu";
  content.info = makeStep();
  content.info["layers"][0]["node"] = "</script><i onload='x'>";
  content.programs = {{"without", nullptr, "<no> memory"}};
  content.runs = {write("a<b", kLog)};
  const std::string page = makeReportPage(content);
  EXPECT_EQ(page, makeReportPage(content));
  EXPECT_EQ(page.find("<i onload"), std::string::npos);
  EXPECT_EQ(page.find("<b>&"), std::string::npos);
  EXPECT_EQ(page.find("<no>"), std::string::npos);
  EXPECT_NE(page.find("&lt;no&gt; memory"), std::string::npos);
  EXPECT_NE(page.find("MIT License"), std::string::npos);
}

TEST(Page, WithoutShapesThereIsNoGraph) {
  ReportContent content;
  content.info = json::object();
  EXPECT_NE(makeReportPage(content).find("There is no graph, since the shapes"),
            std::string::npos);
  content.info["unsupported"] = {
      {{"node", "n<"}, {"operator", "Odd"}, {"reason", "no conversion"}}};
  const std::string page = makeReportPage(content);
  EXPECT_NE(page.find("There is no graph: the summary"), std::string::npos);
  EXPECT_NE(page.find("node n&lt; (Odd): no conversion"), std::string::npos);
}

} // namespace
