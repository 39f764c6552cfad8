// Graphs with branches, on a driver that runs their nodes in any order that
// their dependencies allow: a dependency that is missing gives other values.

#include "Devices/CudaBranches.h"
#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

#include <gtest/gtest.h>

#include <set>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// Names launches as kernels of their own.
void nameKernels(plan::Plan &plan) {
  for (int i = 0; i < plan.launches_size(); ++i)
    plan.mutable_launches(i)->set_source_kernel("k" + std::to_string(i));
}

/// Of w and x: a = w + x; b = a * x and c = a + w side by side; y = b + c,
/// beside d = x * x in the memory of a, and d + x over w.
std::shared_ptr<plan::Executable> makeDiamond() {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "w", "parameter", {3}).mutable_initial()->set_fill(1.5);
  addInput(plan, "x", "input", {3});
  addOutput(plan, "w", "parameter", {3}, 0);
  addOutput(plan, "y", "output", {3});
  plan.add_in_place(true);
  plan.add_in_place(false);
  plan.set_arena_bytes(4 * 64);
  // 0 w, 1 x, 2 new w, 3 y, 4 a, 5 b, 6 c, 7 d in the memory of a.
  for (uint32_t i = 0; i < 8; ++i) {
    plan::Buffer &buffer = *plan.add_buffers();
    buffer.set_bytes(12);
    if (i < 2)
      buffer.set_input(i);
    else if (i < 4)
      buffer.set_output(i - 2);
    else
      buffer.set_arena(i == 7 ? 0 : 64 * (i - 4));
  }
  auto add = [&](const char *kernel, std::vector<uint32_t> buffers) {
    plan::Launch &launch = *plan.add_launches();
    launch.set_kernel(kernel);
    launch.mutable_buffers()->Add(buffers.begin(), buffers.end());
    launch.add_grid(1);
    launch.add_block(3);
  };
  add("tiny_add", {0, 1, 4});
  add("tiny_mul", {4, 1, 5});
  add("tiny_add", {4, 0, 6});
  add("tiny_add", {5, 6, 3});
  add("tiny_mul", {1, 1, 7});
  add("tiny_add", {7, 1, 2}); // over w, which others read
  nameKernels(plan);
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(makeTinyPtx("sm_90"));
  return executable;
}

std::vector<Tensor> runOn(Device &device, const plan::Executable &executable) {
  auto program = device.load(std::make_shared<plan::Executable>(executable));
  Tensor w = Tensor::of<float>({3}, {1.5f, 2, 3}),
         x = Tensor::of<float>({3}, {2, 5, 7});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  for (int run = 0; run < 2; ++run)
    program->run(inputs, outputs);
  return outputs;
}

} // namespace

TEST(CudaBranches, AnyOrderGivesTheSameBits) {
  const auto executable = makeDiamond();
  const std::vector<Tensor> wanted =
      runOn(*makePtxSimDevice("sm_90", 1, /*checkMemory=*/true), *executable);
  for (const char *seed : {"", "1", "2", "3", "4", "5", "6", "7"}) {
    Setting order("FAKE_DRIVER_GRAPH_SEED", seed);
    const std::vector<Tensor> found =
        runOn(*makeCudaDevice(0, "sm_90"), *executable);
    for (size_t j = 0; j < wanted.size(); ++j)
      EXPECT_TRUE(found[j].bitEqual(wanted[j])) << j << ", seed " << seed;
  }
}

TEST(CudaBranches, StepsFollowWhatTheyNeed) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  const auto executable = makeDiamond();
  EXPECT_EQ(
      findLaunchGraph(executable->plan()).predecessors,
      (std::vector<std::vector<uint32_t>>{{}, {0}, {0}, {1, 2}, {1, 2}, {4}}));
  runOn(*makeCudaDevice(0, "sm_90"), *executable);
  const std::string call = "cuStreamUpdateCaptureDependencies ";
  // y and d follow b and c; what is after the steps follows y and the new w.
  EXPECT_EQ(countCalls(folder / "trace", call + "2"), 2 * 3);
  EXPECT_EQ(countCalls(folder / "trace", call + "1"), 2 * 4);
}

TEST(CudaBranches, ProfilesAreOfChains) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  KernelProfile profile;
  const auto executable = makeDiamond();
  const std::vector<Tensor> wanted =
      runOn(*makePtxSimDevice("sm_90", 1), *executable);
  const std::vector<Tensor> found =
      runOn(*makeCudaDevice(0, "sm_90", {.profile = &profile}), *executable);
  EXPECT_TRUE(found[1].bitEqual(wanted[1]));
  EXPECT_EQ(countCalls(folder / "trace", "cuStreamUpdateCapture"), 0);
}

// A loop with a fixed number of iterations is a step of many nodes.
TEST(CudaBranches, ALoopIsAChain) {
  const auto executable = makeDiamond();
  plan::Plan &plan = *executable->mutable_plan();
  plan::Buffer &index = *plan.add_buffers();
  index.set_bytes(8);
  index.set_arena(192);
  for (uint32_t launch : {0u, 1u, 2u})
    plan.add_steps()->set_launch(launch);
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.set_trips(5);
  loop.set_index(8);
  loop.add_body()->set_launch(3);
  // b and y change places: y is b + c + ... in the end.
  plan.mutable_launches(3)->set_buffers(2, 7);
  loop.add_carries()->set_current(5);
  loop.mutable_carries(0)->set_next(7);
  plan::Step::Copy &copy = *plan.add_steps()->mutable_copy();
  copy.set_from(5);
  copy.set_to(3);
  plan.add_steps()->set_launch(5);
  const std::vector<Tensor> wanted =
      runOn(*makePtxSimDevice("sm_90", 1), *executable);
  EXPECT_EQ(wanted[1].as<float>()[0], 3.5f * 2 + 5 * 5.0f);
  for (const char *seed : {"", "1", "2", "3"}) {
    Setting order("FAKE_DRIVER_GRAPH_SEED", seed);
    const std::vector<Tensor> found =
        runOn(*makeCudaDevice(0, "sm_90"), *executable);
    for (size_t j = 0; j < wanted.size(); ++j)
      EXPECT_TRUE(found[j].bitEqual(wanted[j])) << j << ", seed " << seed;
  }
}

/// Records three steps: two fill a word each, with 1 and 2, and the third
/// copies the first word over the second. Returns the second word after a run.
static unsigned recordedWith(std::vector<std::vector<uint32_t>> predecessors) {
  cuda::DeviceContext context(0);
  const cuda::Driver &driver = context.driver;
  const cuda::CurrentContext entered = context.enter();
  LaunchGraph graph;
  graph.launches = {-1, -1, -1};
  graph.predecessors = std::move(predecessors);
  cuda::Address words = 0;
  EXPECT_EQ(driver.cuMemAlloc_v2(&words, 8), cuda::Success);
  EXPECT_EQ(
      driver.cuStreamBeginCapture_v2(context.compute, cuda::CaptureThreadLocal),
      cuda::Success);
  cuda::CudaBranches branches(context, graph);
  for (unsigned step : {0u, 1u}) {
    branches.begin(step);
    driver.cuMemsetD32Async(words + 4 * step, step + 1, 1, context.compute);
  }
  branches.begin(2);
  driver.cuMemcpyDtoDAsync_v2(words + 4, words, 4, context.compute);
  branches.begin(3);
  cuda::Graph recorded = nullptr;
  cuda::GraphExec executable = nullptr;
  EXPECT_EQ(driver.cuStreamEndCapture(context.compute, &recorded),
            cuda::Success);
  EXPECT_EQ(driver.cuGraphInstantiateWithFlags(&executable, recorded, 0),
            cuda::Success);
  EXPECT_EQ(driver.cuGraphLaunch(executable, context.compute), cuda::Success);
  unsigned value = 0;
  EXPECT_EQ(driver.cuStreamSynchronize(context.compute), cuda::Success);
  EXPECT_EQ(driver.cuMemcpyDtoH_v2(&value, words + 4, 4), cuda::Success);
  driver.cuGraphExecDestroy(executable);
  driver.cuGraphDestroy(recorded);
  driver.cuMemFree_v2(words);
  return value;
}

TEST(CudaBranches, ADependencyThatIsLeftOutShows) {
  std::set<unsigned> unordered, withoutFirst, withoutSecond;
  for (int seed = 0; seed < 24; ++seed) {
    Setting order("FAKE_DRIVER_GRAPH_SEED", std::to_string(seed));
    EXPECT_EQ(recordedWith({{}, {}, {0, 1}}), 1U) << seed;
    EXPECT_EQ(recordedWith({{}, {0}, {1}}), 1U) << seed;
    withoutFirst.insert(recordedWith({{}, {}, {1}}));
    withoutSecond.insert(recordedWith({{}, {}, {0}}));
    unordered.insert(recordedWith({{}, {}, {}}));
  }
  const unsigned unwritten = 0xDBDBDBDB;
  EXPECT_EQ(withoutFirst, (std::set<unsigned>{1, unwritten}));
  EXPECT_EQ(withoutSecond, (std::set<unsigned>{1, 2}));
  EXPECT_EQ(unordered, (std::set<unsigned>{1, 2, unwritten}));
}
