// The driver without a GPU finds what programs do wrong: what it says of other
// tests is worth something.

#include "DriverTrace.h"
#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/CudaDriver.h"

#include <gtest/gtest.h>

#include <bit>
#include <thread>
#include <vector>

using namespace gensyn;
using namespace gensyn::cuda;

namespace {

class FakeDriver : public ::testing::Test {
protected:
  FakeDriver() : driver(Driver::get()) {
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), Success);
    driver.cuCtxPushCurrent_v2(context);
    driver.cuStreamCreate(&stream, StreamNonBlocking);
  }
  ~FakeDriver() override {
    driver.cuCtxPopCurrent_v2(&context);
    driver.cuDevicePrimaryCtxRelease_v2(0);
  }

  Address allocate(size_t bytes) {
    Address address = 0;
    EXPECT_EQ(driver.cuMemAlloc_v2(&address, bytes), Success);
    return address;
  }
  float *allocateHost(size_t count) {
    void *memory = nullptr;
    EXPECT_EQ(driver.cuMemHostAlloc(&memory, count * 4, 0), Success);
    return static_cast<float *>(memory);
  }
  Function load(const char *name) {
    Module module = nullptr;
    Function function = nullptr;
    EXPECT_EQ(driver.cuModuleLoadDataEx(&module,
                                        test::makeTinyPtx("sm_80").c_str(), 0,
                                        nullptr, nullptr),
              Success);
    EXPECT_EQ(driver.cuModuleGetFunction(&function, module, name), Success);
    return function;
  }
  Result launch(Function function, std::vector<Address> arguments,
                unsigned threads, unsigned sharedBytes = 0) {
    size_t bytes = arguments.size() * 8;
    void *extra[] = {kLaunchBuffer, arguments.data(), kLaunchBufferBytes,
                     &bytes, kLaunchEnd};
    return driver.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, sharedBytes,
                                 stream, nullptr, extra);
  }

  const Driver &driver;
  Context context = nullptr;
  Stream stream = nullptr;
};

} // namespace

TEST_F(FakeDriver, resultsAreThereAfterASynchronisationOnly) {
  Address memory = allocate(4);
  float *host = allocateHost(1);
  *host = 3;
  EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, host, 4, stream), Success);
  // Read when the copy is done, and not when it is asked for.
  *host = 4;
  EXPECT_EQ(driver.cuStreamSynchronize(stream), Success);
  EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(host, memory, 4, stream), Success);
  EXPECT_NE(*host, 4);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), Success);
  EXPECT_EQ(*host, 4);
  // Memory that is not pinned is read at once and written at once.
  float pageable = 5;
  EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, &pageable, 4, stream), Success);
  pageable = 6;
  EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(&pageable, memory, 4, stream), Success);
  EXPECT_EQ(pageable, 5);
}

TEST_F(FakeDriver, streamsWaitForEventsOnly) {
  Stream other = nullptr;
  driver.cuStreamCreate(&other, StreamNonBlocking);
  Event event = nullptr;
  driver.cuEventCreate(&event, EventWithoutTiming);
  Address memory = allocate(4);
  float value = 7, found = 0;
  driver.cuMemcpyHtoDAsync_v2(memory, &value, 4, other);
  driver.cuEventRecord(event, other);
  driver.cuMemcpyDtoHAsync_v2(&found, memory, 4, stream);
  EXPECT_NE(found, 7);
  driver.cuStreamWaitEvent(stream, event, 0);
  driver.cuMemcpyDtoHAsync_v2(&found, memory, 4, stream);
  EXPECT_EQ(found, 7);
}

TEST_F(FakeDriver, nodesOfAGraphRunInAnOrderOfTheirDependencies) {
  const Address memory = allocate(4);
  driver.cuStreamBeginCapture_v2(stream, CaptureThreadLocal);
  auto describe = [&](Graph *graph) {
    CaptureStatus status = 0;
    const GraphNode *nodes = nullptr;
    size_t count = 0;
    EXPECT_EQ(driver.cuStreamGetCaptureInfo_v2(stream, &status, nullptr, graph,
                                               &nodes, &count),
              Success);
    EXPECT_EQ(status, 1);
    return std::vector<GraphNode>(nodes, nodes + count);
  };
  Graph graph = nullptr;
  EXPECT_TRUE(describe(&graph).empty());
  GraphNode root = nullptr;
  EXPECT_EQ(driver.cuGraphAddEmptyNode(&root, graph, nullptr, 0), Success);
  // Fills that follow the root alone: the first one is the last to run.
  std::vector<GraphNode> fills;
  for (unsigned value : {1, 2, 3}) {
    EXPECT_EQ(driver.cuStreamUpdateCaptureDependencies(stream, &root, 1,
                                                       CaptureSetDependencies),
              Success);
    driver.cuMemsetD32Async(memory, value, 1, stream);
    const std::vector<GraphNode> last = describe(nullptr);
    ASSERT_EQ(last.size(), 1U);
    fills.push_back(last[0]);
  }
  EXPECT_EQ(driver.cuStreamUpdateCaptureDependencies(
                stream, fills.data(), fills.size(), CaptureSetDependencies),
            Success);
  auto *host = allocateHost(1);
  driver.cuMemcpyDtoHAsync_v2(host, memory, 4, stream);
  // What no driver takes.
  GraphNode twice[] = {root, root};
  EXPECT_EQ(driver.cuStreamUpdateCaptureDependencies(stream, twice, 2,
                                                     CaptureSetDependencies),
            ErrorInvalidValue);
  GraphNode unknown = reinterpret_cast<GraphNode>(&root);
  EXPECT_EQ(driver.cuStreamUpdateCaptureDependencies(stream, &unknown, 1,
                                                     CaptureSetDependencies),
            ErrorInvalidValue);
  GraphExec executable = nullptr;
  driver.cuStreamEndCapture(stream, &graph);
  EXPECT_EQ(driver.cuStreamUpdateCaptureDependencies(stream, &root, 1,
                                                     CaptureSetDependencies),
            ErrorIllegalState);
  driver.cuGraphInstantiateWithFlags(&executable, graph, 0);
  driver.cuGraphLaunch(executable, stream);
  driver.cuStreamSynchronize(stream);
  EXPECT_EQ(std::bit_cast<unsigned>(*host), 1U);
}

TEST_F(FakeDriver, eventsOfAGraphAreThoseOfItsLastLaunch) {
  Event before = nullptr, after = nullptr;
  driver.cuEventCreate(&before, EventWithTiming);
  driver.cuEventCreate(&after, EventWithTiming);
  Address memory = allocate(4);
  EXPECT_EQ(driver.cuEventRecordWithFlags(before, stream, EventRecordExternal),
            ErrorInvalidValue);
  driver.cuStreamBeginCapture_v2(stream, CaptureThreadLocal);
  EXPECT_EQ(driver.cuEventRecordWithFlags(before, stream, 0),
            ErrorCaptureUnsupported);
  for (Event event : {before, after}) {
    EXPECT_EQ(driver.cuEventRecordWithFlags(event, stream, EventRecordExternal),
              Success);
    driver.cuMemsetD32Async(memory, 1, 1, stream);
  }
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  driver.cuStreamEndCapture(stream, &graph);
  driver.cuGraphInstantiateWithFlags(&executable, graph, 0);
  float milliseconds = -1;
  EXPECT_EQ(driver.cuEventElapsedTime(&milliseconds, before, after),
            ErrorInvalidHandle);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(driver.cuGraphLaunch(executable, stream), Success);
    EXPECT_EQ(driver.cuEventElapsedTime(&milliseconds, before, after),
              ErrorNotReady);
    driver.cuStreamSynchronize(stream);
    EXPECT_EQ(driver.cuEventElapsedTime(&milliseconds, before, after), Success);
    EXPECT_GE(milliseconds, 0);
  }
  // A graph needs its events.
  driver.cuEventDestroy_v2(after);
  driver.cuGraphLaunch(executable, stream);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), ErrorInvalidHandle);
}

TEST_F(FakeDriver, accessesAreChecked) {
  Address memory = allocate(8);
  float values[4] = {};
  EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, values, 12, stream),
            ErrorInvalidValue);
  EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(values, memory + 4, 8, stream),
            ErrorInvalidValue);
  EXPECT_EQ(driver.cuMemsetD32Async(memory, 0, 3, stream), ErrorInvalidValue);
  EXPECT_EQ(driver.cuMemFree_v2(memory + 4), ErrorInvalidValue);
  EXPECT_EQ(driver.cuMemFree_v2(memory), Success);
  EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(values, memory, 4, stream),
            ErrorInvalidValue);
  EXPECT_EQ(driver.cuMemFree_v2(memory), ErrorInvalidValue);
}

TEST_F(FakeDriver, launchesAreChecked) {
  Function function = load("tiny_add");
  Address memory = allocate(4);
  EXPECT_EQ(launch(function, {memory, memory}, 1), ErrorInvalidValue);
  EXPECT_EQ(launch(function, {memory, memory, memory, memory}, 1),
            ErrorInvalidValue);
  EXPECT_EQ(launch(function, {memory, memory, memory}, 1025),
            ErrorInvalidValue);
  EXPECT_EQ(launch(function, {memory, memory, memory}, 1, 50000),
            ErrorInvalidValue);
  EXPECT_EQ(
      driver.cuFuncSetAttribute(function, FunctionDynamicSharedBytes, 50000),
      Success);
  EXPECT_EQ(launch(function, {memory, memory, memory}, 1, 50000), Success);
  EXPECT_EQ(
      driver.cuFuncSetAttribute(function, FunctionDynamicSharedBytes, 240000),
      ErrorInvalidValue);
  Function none = nullptr;
  EXPECT_EQ(driver.cuStreamSynchronize(stream), Success);
  EXPECT_EQ(launch(none, {memory, memory, memory}, 1), ErrorInvalidHandle);
}

TEST_F(FakeDriver, faultsOfKernelsLast) {
  Function function = load("tiny_add");
  Address memory = allocate(4), gone = allocate(4);
  driver.cuMemFree_v2(gone);
  EXPECT_EQ(launch(function, {memory, gone, memory}, 1), Success);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), ErrorIllegalAddress);
  EXPECT_EQ(driver.cuMemAlloc_v2(&gone, 4), ErrorIllegalAddress);
  EXPECT_EQ(driver.cuCtxSynchronize(), ErrorIllegalAddress);
}

TEST_F(FakeDriver, graphsRepeatWhatWasRecorded) {
  Function function = load("tiny_add");
  Address memory = allocate(4);
  const float one = 1;
  driver.cuMemcpyHtoDAsync_v2(memory, &one, 4, stream);
  EXPECT_EQ(driver.cuStreamBeginCapture_v2(stream, CaptureThreadLocal),
            Success);
  EXPECT_EQ(launch(function, {memory, memory, memory}, 1), Success);
  Address other = 0;
  EXPECT_EQ(driver.cuMemAlloc_v2(&other, 4), ErrorCaptureUnsupported);
  Graph graph = nullptr;
  EXPECT_EQ(driver.cuStreamEndCapture(stream, &graph), Success);
  GraphExec executable = nullptr;
  EXPECT_EQ(driver.cuGraphInstantiateWithFlags(&executable, graph, 0), Success);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(driver.cuGraphLaunch(executable, stream), Success);
  float found = 0;
  driver.cuMemcpyDtoHAsync_v2(&found, memory, 4, stream);
  EXPECT_EQ(found, 8);
  driver.cuStreamBeginCapture_v2(stream, CaptureThreadLocal);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), ErrorCaptureUnsupported);
  EXPECT_EQ(driver.cuStreamEndCapture(stream, &graph), ErrorCaptureUnsupported);
}

TEST_F(FakeDriver, contextsDoNotShareMemory) {
  Address memory = allocate(4);
  float value = 1;
  auto *create = test::findDriverFunction<Result(Context *, unsigned, Device)>(
      "cuCtxCreate_v2");
  auto *destroy = test::findDriverFunction<Result(Context)>("cuCtxDestroy_v2");
  Context other = nullptr;
  EXPECT_EQ(create(&other, 0, 0), Success);
  EXPECT_EQ(test::currentContext(), other);
  EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, &value, 4, nullptr),
            ErrorInvalidValue);
  EXPECT_EQ(destroy(other), Success);
  EXPECT_EQ(test::currentContext(), context);
  EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, &value, 4, stream), Success);
  // A thread begins with no context.
  std::thread([&] {
    Address address = 0;
    EXPECT_EQ(driver.cuMemAlloc_v2(&address, 4), ErrorInvalidContext);
  }).join();
  EXPECT_EQ(driver.cuCtxPopCurrent_v2(&context), Success);
  EXPECT_EQ(driver.cuMemFree_v2(memory), ErrorInvalidContext);
  EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), Success);
}
