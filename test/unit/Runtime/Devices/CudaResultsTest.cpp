// Runs that begin before the results of the one before are read, on a driver
// that does work only as far as somebody waits for it.

#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyTraining.h"
#include "gensyn/Runtime/Devices/CudaDriver.h"
#include "gensyn/Runtime/Devices/DeviceExchange.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// makeTraining(1, ...) with a check.
std::shared_ptr<plan::Executable> makeChecked(bool inPlace) {
  auto executable = makeTraining(1, inPlace);
  addCheck(*executable, {1});
  return executable;
}

/// Runs steps with x = first, first + 1, ... of which each begins before the
/// one before has ended, and adds up w.
void runAhead(Session &session, int first, int count, double &w) {
  session.stage(inputOf(float(first)));
  session.begin();
  for (int step = first; step < first + count; ++step) {
    if (step + 1 < first + count) {
      session.stage(inputOf(float(step + 1)));
      session.begin();
    }
    session.end();
    w += step;
    EXPECT_EQ(session.loss(), w);
  }
}

const std::string fault = "3: m.onnx: node 'n' (Gather): index out of range";

} // namespace

TEST(CudaResults, areReadWhileTheNextRunIsInProgress) {
  for (int variant = 0; variant < 4; ++variant) {
    const bool inPlace = variant & 1;
    Setting eager("FAKE_DRIVER_EAGER", variant & 2 ? "1" : "");
    ScratchFolder folder;
    Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
    ParameterStore store;
    Session session(makeCudaDevice(0, "sm_90")->load(makeTraining(1, inPlace)),
                    store);
    EXPECT_TRUE(session.mayRunAhead());
    double w = 1.5;
    // Odd numbers of runs, so that a slot would fall out of step.
    runAhead(session, 1, 5, w);
    EXPECT_EQ(countAhead(folder / "trace"), 4);
    EXPECT_EQ(*store.at("w").as<float>(), float(w));
    runAhead(session, 6, 3, w);
    session.run(inputOf(9));
    w += 9;
    runAhead(session, 10, 4, w);
    EXPECT_EQ(countAhead(folder / "trace"), 4 + 2 + 3);
    EXPECT_EQ(*store.at("w").as<float>(), float(w));
    // One for each slot of inputs and results, where parameters stay in place.
    const int graphs = countCalls(folder / "trace", "cuGraphInstantiate");
    if (inPlace)
      EXPECT_EQ(graphs, 2);
    else
      EXPECT_LE(graphs, 4);
    EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 13);
  }
}

// Then both runs have the slot of no inputs.
TEST(CudaResults, ofRunsWithoutInputs) {
  auto executable = makeTraining(1, true);
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_inputs(1)->set_shape(0, 0);
  plan.mutable_buffers(1)->set_bytes(0);
  for (plan::Launch &launch : *plan.mutable_launches())
    launch.set_buffers(1, 0); // w + w
  ParameterStore store;
  Session session(makeCudaDevice(0, "sm_90")->load(executable), store);
  StepInputs inputs;
  inputs.tensors["x"] = Tensor::of<float>({0}, std::span<const float>());
  double w = 1.5;
  session.stage(inputs);
  session.begin();
  for (int step = 0; step < 5; ++step) {
    session.stage(inputs);
    session.begin();
    session.end();
    EXPECT_EQ(session.loss(), w *= 2);
  }
}

TEST(CudaResults, faultsAreThoseOfTheirRun) {
  for (bool inPlace : {false, true})
    for (int faulty = 1; faulty <= 4; ++faulty) {
      ParameterStore store;
      Session session(makeCudaDevice(0, "sm_90")->load(makeChecked(inPlace)),
                      store);
      EXPECT_TRUE(session.mayRunAhead());
      auto stage = [&](int step) {
        session.stage(inputOf(float(step), step != faulty));
        session.begin();
      };
      stage(1);
      double w = 1.5;
      for (int step = 1; step <= 4; ++step) {
        if (step < 4)
          stage(step + 1);
        w += step;
        EXPECT_EQ(failureOf([&] { session.end(); }),
                  step == faulty ? fault : "")
            << step;
        if (step != faulty)
          EXPECT_EQ(session.loss(), w);
      }
    }
}

// Flags of checks are looked up in the order of the plan, whatever ran before.
TEST(CudaResults, aCheckIsNotForgottenAfterARunWithoutAGraph) {
  auto device = makeCudaDevice(0, "sm_90");
  DeviceExchange &exchange = *device->exchange();
  const cuda::Driver &driver = cuda::Driver::get();
  ParameterStore store;
  Session session(device->load(makeChecked(true)), store);
  cuda::Context context = nullptr;
  ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), cuda::Success);
  ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), cuda::Success);
  std::vector<cuda::Address> addresses(2);
  const float x = 1;
  for (cuda::Address &address : addresses) {
    ASSERT_EQ(driver.cuMemAlloc_v2(&address, 4), cuda::Success);
    driver.cuMemcpyHtoDAsync_v2(
        address, &x, 4, reinterpret_cast<cuda::Stream>(exchange.stream()));
  }
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  auto run = [&](int which, bool ok) {
    Value value(ElementType::F32, {1});
    value.setNew(exchange.borrow(addresses[size_t(which)], 4, "input 'x'"));
    StepInputs inputs = inputOf(1, ok);
    inputs.tensors.erase("x");
    inputs.onDevice["x"] = &value;
    return failureOf([&] { session.run(inputs); });
  };
  // A graph is made when addresses come back; those of a slot do at its second
  // use.
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(run(0, true), "");
  EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 2);
  EXPECT_EQ(run(1, true), "");
  EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 2);
  EXPECT_EQ(run(0, false), fault);
  EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 3);
  driver.cuCtxPopCurrent_v2(&context);
  driver.cuDevicePrimaryCtxRelease_v2(0);
}

// Where the host decides what runs, and where times are taken.
TEST(CudaResults, someRunsAreAlone) {
  KernelProfile profile;
  auto mayRunAhead = [&](const std::shared_ptr<plan::Executable> &executable,
                         KernelProfile *measured = nullptr) {
    ParameterStore store;
    return Session(makeCudaDevice(0, "sm_90", {.profile = measured})
                       ->load(executable),
                   store)
        .mayRunAhead();
  };
  EXPECT_TRUE(mayRunAhead(makeChecked(true)));
  EXPECT_FALSE(mayRunAhead(makeChecked(true), &profile));
  {
    Setting blocking("CUDA_LAUNCH_BLOCKING", "1");
    EXPECT_FALSE(mayRunAhead(makeChecked(true)));
  }
  auto executable = makeChecked(true);
  plan::Step::If &branch =
      *executable->mutable_plan()->add_steps()->mutable_branch();
  branch.set_predicate(4);
  EXPECT_FALSE(mayRunAhead(executable));
  ParameterStore store;
  EXPECT_FALSE(
      Session(makePtxSimDevice("sm_90", 1)->load(makeChecked(true)), store)
          .mayRunAhead());
  // A third run has no slot.
  Session session(makeCudaDevice(0, "sm_90")->load(makeTraining(1, true)),
                  store);
  for (int step = 0; step < 2; ++step) {
    session.stage(inputOf(1));
    session.begin();
  }
  EXPECT_EQ(failureOf([&] { session.begin(); }),
            "70: a run begins before those in progress end");
  session.end();
  EXPECT_EQ(session.loss(), 2.5);
  session.end();
  EXPECT_EQ(session.loss(), 3.5);
}

TEST(CudaResults, aProgramMayEndWithRunsInProgress) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  {
    auto device = makeCudaDevice(0, "sm_90");
    for (bool inPlace : {false, true}) {
      ParameterStore store;
      Session session(device->load(makeTraining(1, inPlace)), store);
      for (int step = 0; step < 2; ++step) {
        session.stage(inputOf(1));
        session.begin();
      }
    }
    ParameterStore store;
    Session session(device->load(makeTraining(1, true)), store);
    double w = 1.5;
    runAhead(session, 1, 3, w);
  }
  for (const auto &[make, destroy] :
       {std::pair("cuMemHostAlloc", "cuMemFreeHost"),
        std::pair("cuEventCreate", "cuEventDestroy"),
        std::pair("cuGraphInstantiate", "cuGraphExecDestroy")})
    EXPECT_EQ(countCalls(folder / "trace", make),
              countCalls(folder / "trace", destroy))
        << make;
}

TEST(CudaResults, nothingIsLeftOfAProgramWithoutMemoryForThem) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  {
    auto device = makeCudaDevice(0, "sm_90");
    for (const auto &[call, failure] :
         {std::pair(
              "cuMemHostAlloc:2",
              "6: the NVIDIA driver cannot get 260 bytes of memory of the "
              "host: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"),
          std::pair("cuEventCreate:2",
                    "6: the NVIDIA driver cannot make an event: out of memory "
                    "(CUDA_ERROR_OUT_OF_MEMORY)")}) {
      Setting failing("FAKE_DRIVER_FAIL_AT", call);
      EXPECT_EQ(failureOf([&] { device->load(makeTraining(1, true)); }),
                failure);
    }
    ParameterStore store;
    Session session(device->load(makeTraining(1, true)), store);
    double w = 1.5;
    runAhead(session, 1, 3, w);
  }
  // But for those that failed.
  EXPECT_EQ(countCalls(folder / "trace", "cuMemHostAlloc"),
            countCalls(folder / "trace", "cuMemFreeHost") + 1);
  EXPECT_EQ(countCalls(folder / "trace", "cuEventCreate"),
            countCalls(folder / "trace", "cuEventDestroy") + 1);
  EXPECT_EQ(countCalls(folder / "trace", "cuModuleLoadDataEx"),
            countCalls(folder / "trace", "cuModuleUnload"));
}

// What the driver refuses between the begin of a run and the end of the one
// before.
TEST(CudaResults, errorsBetweenRuns) {
  for (const char *call : {"cuGraphLaunch", "cuEventRecord"}) {
    ParameterStore store;
    Session session(makeCudaDevice(0, "sm_90")->load(makeTraining(1, true)),
                    store);
    double w = 1.5;
    runAhead(session, 1, 4, w);
    session.stage(inputOf(5));
    session.begin();
    session.stage(inputOf(6));
    {
      Setting failing("FAKE_DRIVER_FAIL_AT", call);
      EXPECT_EQ(failureOf([&] { session.begin(); }).substr(0, 3), "70:");
    }
    // The run that had begun is whole.
    session.end();
    EXPECT_EQ(session.loss(), w + 5);
  }
  // A fault of the device is that of the oldest run, and ends the others too.
  ParameterStore store;
  Session session(makeCudaDevice(0, "sm_90")->load(makeTraining(1, true)),
                  store);
  session.stage(inputOf(1));
  session.begin();
  session.stage(inputOf(2));
  session.begin();
  Setting failing("FAKE_DRIVER_FAIL_AT", "cuEventSynchronize:700");
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(failureOf([&] { session.end(); }),
              "70: GPU 0 (Simulated GPU): an illegal memory access was "
              "encountered (CUDA_ERROR_ILLEGAL_ADDRESS) in kernel 'tiny_add'");
}
