// The profile of programs on a driver without a GPU: what is counted, and that
// measuring leaves nothing behind. The driver's times are those of the host's
// clock.

#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// "tiny_add 3 of 108 bytes"; by name, without the times.
std::vector<std::string> counts(const KernelProfile &profile) {
  std::vector<std::string> result;
  for (const KernelTime &time : profile.kernels())
    result.push_back(time.kernel + " " + std::to_string(time.launches) +
                     " of " + std::to_string(int64_t(time.bytes)) + " bytes");
  std::sort(result.begin(), result.end());
  return result;
}

/// All that is measured lies in a run or the copy of its results.
void expectWithinRuns(const KernelProfile &profile) {
  double sum = 0;
  for (const KernelTime &time : profile.kernels()) {
    EXPECT_GE(time.seconds, 0);
    if (!time.isCopy)
      EXPECT_GT(time.seconds, 0);
    sum += time.seconds;
  }
  EXPECT_LE(sum, profile.runSeconds());
}

void runTiny(Session &session, float x) {
  StepInputs inputs;
  inputs.tensors["x"] = Tensor::of<float>({3}, {x, x, x});
  session.run(inputs);
  EXPECT_EQ(session.output(0).as<float>()[2], (x + 1.5f) * 2);
}

/// withPtx in a loop: y = x + w again and again, and then times 2.
std::shared_ptr<plan::Executable> makeLoop(int64_t trips) {
  auto executable = withPtx(3);
  plan::Plan &plan = *executable->mutable_plan();
  plan::Buffer *index = plan.add_buffers();
  index->set_bytes(8);
  index->set_arena(0);
  auto *loop = plan.add_steps()->mutable_loop();
  loop->set_trips(trips);
  loop->set_index(uint32_t(plan.buffers_size() - 1));
  loop->add_body()->set_launch(0);
  plan.add_steps()->set_launch(1);
  return executable;
}

} // namespace

TEST(CudaProfile, graphs) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  KernelProfile profile;
  {
    auto device = makeCudaDevice(0, "sm_90", {.profile = &profile});
    ParameterStore store, other;
    Session first(device->load(withPtx(3)), store);
    Session second(device->load(withPtx(3)), other);
    for (float x : {1.0f, 2.0f, 3.0f})
      runTiny(first, x);
    runTiny(second, 1);
  }
  EXPECT_EQ(profile.runs(), 4);
  EXPECT_EQ(counts(profile),
            (std::vector<std::string>{
                "copy of inputs to the GPU 4 of 48 bytes",
                "copy of parameters to the GPU 2 of 24 bytes",
                "copy of results to the host 4 of 48 bytes",
                "tiny_add 4 of 144 bytes", "tiny_mul 4 of 144 bytes"}));
  expectWithinRuns(profile);
  EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 4);
  EXPECT_EQ(countCalls(folder / "trace", "cuEventCreate"),
            countCalls(folder / "trace", "cuEventDestroy"));
}

TEST(CudaProfile, nothingIsMeasuredUnlessAskedFor) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  ParameterStore store;
  Session session(makeCudaDevice(0, "sm_90")->load(withPtx(3)), store);
  runTiny(session, 1);
  // Those that say that inputs have arrived, of the host and of others, and
  // results, of two runs.
  EXPECT_EQ(countCalls(folder / "trace", "cuEventCreate"), 4);
  EXPECT_EQ(countCalls(folder / "trace", "cuEventRecordWithFlags"), 0);
}

TEST(CudaProfile, launchesOneByOne) {
  // Few that are waited for, and so many that they are no graph.
  for (int64_t trips : {int64_t(5), int64_t(22000)}) {
    Setting blocking("CUDA_LAUNCH_BLOCKING", trips == 5 ? "1" : "0");
    ScratchFolder folder;
    Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
    KernelProfile profile;
    {
      ParameterStore store;
      auto device = makeCudaDevice(0, "sm_90", {.profile = &profile});
      Session session(device->load(makeLoop(trips)), store);
      runTiny(session, 2);
    }
    EXPECT_EQ(profile.runs(), 1);
    EXPECT_EQ(counts(profile),
              (std::vector<std::string>{
                  "copy of inputs to the GPU 1 of 12 bytes",
                  "copy of parameters to the GPU 1 of 12 bytes",
                  "copy of results to the host 1 of 12 bytes",
                  "fill on the GPU " + std::to_string(trips) + " of " +
                      std::to_string(8 * trips) + " bytes",
                  "tiny_add " + std::to_string(trips) + " of " +
                      std::to_string(36 * trips) + " bytes",
                  "tiny_mul 1 of 36 bytes"}));
    expectWithinRuns(profile);
    EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 0);
    const int events = countCalls(folder / "trace", "cuEventCreate");
    EXPECT_LT(events, 5000);
    EXPECT_EQ(events, countCalls(folder / "trace", "cuEventDestroy"));
  }
}

TEST(CudaProfile, faults) {
  // The second kernel leaves its buffers.
  auto executable = withPtx(3);
  executable->mutable_plan()->mutable_launches(1)->set_block(0, 1024);
  KernelProfile profile;
  Tensor w(ElementType::F32, {3}), x(ElementType::F32, {3});
  const Tensor *inputs[] = {&w, &x};
  {
    auto program =
        makeCudaDevice(0, "sm_90", {.profile = &profile})->load(executable);
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }).substr(0, 51),
              "70: GPU 0 (Simulated GPU): an illegal memory access");
    EXPECT_NE(failureOf([&] { program->run(inputs, outputs); }), "");
  }
  EXPECT_EQ(profile.runs(), 0);
  // The next context is whole.
  auto program =
      makeCudaDevice(0, "sm_90", {.profile = &profile})->load(withPtx(3));
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(inputs, outputs);
  EXPECT_EQ(profile.runs(), 1);
  expectWithinRuns(profile);
}

TEST(CudaProfile, copiesHaveLinesOfTheirOwn) {
  plan::Plan plan;
  plan::Launch *launch = plan.add_launches();
  launch->set_kernel("k");
  launch->set_schedule("rows");
  launch->set_operation("n");
  KernelProfile profile;
  profile.addLaunch(plan, 0, 6e-6);
  profile.addCopies("copy of inputs to the GPU", 2, 3000, 1e-6);
  profile.addCopies("copy of results to the host", 1, 4, 0);
  profile.addRun(9e-6);
  profile.addAfterRun(1e-6);
  EXPECT_EQ(
      profile.lines(),
      (std::vector<std::string>{
          "profile    1 runs, 10.0 us each, 60.0 % in kernels, 10.0 % in "
          "copies, 0.0 % by the baseline schedule",
          "   share    us a run launches  Gflop/s     GB/s  kernel, "
          "schedule, node",
          "  60.0 %        6.0        1        -        -  k, rows, n",
          "  10.0 %        1.0        2        -      3.0  copy of inputs "
          "to the GPU",
          "   0.0 %        0.0        1        -        -  copy of "
          "results to the host"}));
  profile.clear();
  EXPECT_EQ(profile.runs(), 0);
  EXPECT_EQ(counts(profile), std::vector<std::string>());
}
