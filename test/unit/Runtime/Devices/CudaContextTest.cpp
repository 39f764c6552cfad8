// The context of a GPU beside those of other users in the process, such as a
// framework's.

#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyPtx.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/CudaDriver.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <gtest/gtest.h>

#include <thread>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// Makes a program, runs it and drops it; after each step `check` is called.
template <class Check> void useDevice(Check check) {
  auto device = makeCudaDevice(0, "sm_90");
  check("a device");
  {
    Tensor w = Tensor::of<float>({1}, {3}), x = Tensor::of<float>({1}, {2});
    ParameterStore store;
    Session session(device->load(withPtx(1)), store);
    check("a program");
    StepInputs inputs;
    inputs.tensors = {{"x", x}, {"w", w}};
    for (int run = 0; run < 2; ++run) {
      session.stage(inputs);
      check("inputs");
      session.begin();
      check("the begin of a run");
      session.end();
      check("the end of a run");
      session.output(0);
      check("a result");
    }
    Setting failure("FAKE_DRIVER_FAIL_AT", "cuEventSynchronize");
    EXPECT_THROW(session.run(inputs), Failure);
    check("a run that failed");
  }
  check("the end of a program");
  device.reset();
  check("the end of a device");
  Setting failure("FAKE_DRIVER_FAIL_AT", "cuStreamCreate");
  EXPECT_THROW(makeCudaDevice(0, "sm_90"), Failure);
  check("a device that failed");
}

} // namespace

TEST(CudaContext, theThreadKeepsItsOwn) {
  const cuda::Driver &driver = cuda::Driver::get();
  auto *create =
      findDriverFunction<cuda::Result(cuda::Context *, unsigned, cuda::Device)>(
          "cuCtxCreate_v2");
  auto *destroy =
      findDriverFunction<cuda::Result(cuda::Context)>("cuCtxDestroy_v2");
  cuda::Context theirs = nullptr;
  ASSERT_EQ(create(&theirs, 0, 0), cuda::Success);
  cuda::Address memory = 0;
  ASSERT_EQ(driver.cuMemAlloc_v2(&memory, 4), cuda::Success);
  useDevice(
      [&](const char *step) { EXPECT_EQ(currentContext(), theirs) << step; });
  // Nor does a thread without one get one.
  std::thread([&] {
    useDevice([&](const char *step) {
      EXPECT_EQ(currentContext(), nullptr) << step;
    });
  }).join();
  EXPECT_EQ(driver.cuMemFree_v2(memory), cuda::Success);
  EXPECT_EQ(destroy(theirs), cuda::Success);
}

TEST(CudaContext, isThePrimaryOneAndIsReleased) {
  const cuda::Driver &driver = cuda::Driver::get();
  auto *state =
      findDriverFunction<cuda::Result(cuda::Device, unsigned *, int *)>(
          "cuDevicePrimaryCtxGetState");
  auto isActive = [&] {
    unsigned flags = 0;
    int active = 0;
    EXPECT_EQ(state(0, &flags, &active), cuda::Success);
    return active != 0;
  };
  EXPECT_FALSE(isActive());
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  useDevice([](const char *) {});
  EXPECT_FALSE(isActive());
  EXPECT_EQ(countCalls(folder / "trace", "cuCtxPushCurrent"),
            countCalls(folder / "trace", "cuCtxPopCurrent"));
  EXPECT_EQ(countCalls(folder / "trace", "cuDevicePrimaryCtxRetain"), 2);
  EXPECT_EQ(countCalls(folder / "trace", "cuDevicePrimaryCtxRelease"), 2);
  EXPECT_EQ(countCalls(folder / "trace", "cuDevicePrimaryCtxSetFlags"), 0);

  // Another user's hold on it outlives ours, and so does its memory.
  cuda::Context context = nullptr;
  cuda::Address memory = 0;
  ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), cuda::Success);
  ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), cuda::Success);
  ASSERT_EQ(driver.cuMemAlloc_v2(&memory, 4), cuda::Success);
  useDevice(
      [&](const char *step) { EXPECT_EQ(currentContext(), context) << step; });
  EXPECT_TRUE(isActive());
  EXPECT_EQ(driver.cuMemFree_v2(memory), cuda::Success);
  EXPECT_EQ(driver.cuCtxPopCurrent_v2(&context), cuda::Success);
  EXPECT_EQ(driver.cuDevicePrimaryCtxRelease_v2(0), cuda::Success);
  EXPECT_FALSE(isActive());
}
