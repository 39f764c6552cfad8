// Runs on tensors in a GPU's memory that others own, and results for them, on a
// driver without a GPU (test/lib/FakeDriver).

#include "gensyn/Runtime/Devices/DeviceExchange.h"

#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyPtx.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/CudaDriver.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// Another library in the process, with a stream of its own in the primary
/// context of a GPU.
class Producer {
public:
  explicit Producer(int number = 0)
      : driver(cuda::Driver::get()), number(number) {
    cuda::Context context = nullptr;
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, number), cuda::Success);
    driver.cuCtxPushCurrent_v2(context);
    driver.cuStreamCreate(&stream, cuda::StreamNonBlocking);
    driver.cuEventCreate(&event, cuda::EventWithoutTiming);
  }
  ~Producer() {
    cuda::Context context = nullptr;
    driver.cuEventDestroy_v2(event);
    driver.cuStreamDestroy_v2(stream);
    driver.cuCtxPopCurrent_v2(&context);
    driver.cuDevicePrimaryCtxRelease_v2(number);
  }
  Producer(const Producer &) = delete;
  Producer &operator=(const Producer &) = delete;

  cuda::Address allocate(uint64_t bytes) {
    cuda::Address address = 0;
    EXPECT_EQ(driver.cuMemAlloc_v2(&address, bytes), cuda::Success);
    return address;
  }
  /// Enqueues a copy to the address, and lets a stream wait for it.
  void write(cuda::Address address, std::vector<float> values,
             uint64_t consumer) {
    void *pinned = nullptr;
    driver.cuMemHostAlloc(&pinned, values.size() * 4, 0);
    std::memcpy(pinned, values.data(), values.size() * 4);
    driver.cuMemcpyHtoDAsync_v2(address, pinned, values.size() * 4, stream);
    driver.cuEventRecord(event, stream);
    EXPECT_EQ(driver.cuStreamWaitEvent(reinterpret_cast<cuda::Stream>(consumer),
                                       event, 0),
              cuda::Success);
  }
  std::vector<float> read(cuda::Address address, size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(driver.cuMemcpyDtoH_v2(values.data(), address, count * 4),
              cuda::Success);
    return values;
  }

  const cuda::Driver &driver;
  const int number;
  cuda::Stream stream = nullptr;
  cuda::Event event = nullptr;
};

Value borrow(DeviceExchange &exchange, uint64_t address, int64_t count) {
  Value value(ElementType::F32, {count});
  value.setNew(exchange.borrow(address, uint64_t(count) * 4, "input 'x'"));
  return value;
}

std::vector<float> elements(const Tensor &tensor) {
  const auto span = tensor.span<float>();
  return {span.begin(), span.end()};
}

using Floats = std::vector<float>;

} // namespace

// y = 2 (w + x), w = 1.5.
TEST(DeviceExchange, inputsAreReadWhereTheyAre) {
  // Nor is it needed that copies are late.
  for (const char *eager : {"", "1"}) {
    Setting early("FAKE_DRIVER_EAGER", eager);
    Producer producer;
    auto device = makeCudaDevice(0, "sm_90");
    DeviceExchange &exchange = *device->exchange();
    EXPECT_EQ(exchange.number(), 0);
    ParameterStore store;
    Session session(device->load(withPtx(2)), store);
    const cuda::Address address = producer.allocate(8);
    ScratchFolder folder;
    for (int run = 1; run <= 4; ++run) {
      producer.write(address, {float(run), 0.5}, exchange.stream());
      Value x = borrow(exchange, address, 2);
      StepInputs inputs;
      inputs.onDevice["x"] = &x;
      Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
      session.run(inputs);
      EXPECT_EQ(elements(session.output(0)), (Floats{3 + 2 * float(run), 4}));
      EXPECT_EQ(producer.read(address, 2), (Floats{float(run), 0.5}));
    }
    // The parameters, and nothing else.
    EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyHtoD"), 1);
    EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyDtoD"), 0);
    EXPECT_EQ(countCalls(folder / "trace", "cuMemHostAlloc"), 0);
    // A graph is made when the same addresses come back.
    EXPECT_EQ(countCalls(folder / "trace", "cuGraphInstantiate"), 1);
    EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 3);
  }
}

TEST(DeviceExchange, othersAreCopiedOnTheGpu) {
  Producer producer;
  auto device = makeCudaDevice(0, "sm_90");
  DeviceExchange &exchange = *device->exchange();
  ParameterStore store;
  Session session(device->load(withPtx(2)), store);
  const cuda::Address address = producer.allocate(100);
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  for (uint64_t offset : {4, 32, 64}) {
    producer.write(address + offset, {1, 2}, exchange.stream());
    Value x = borrow(exchange, address + offset, 2);
    StepInputs inputs;
    inputs.onDevice["x"] = &x;
    session.run(inputs);
    EXPECT_EQ(elements(session.output(0)), (Floats{5, 7}));
  }
  EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyDtoDAsync_v2 8"), 2);
}

// Inputs on the host and on the GPU, in either order, aligned or not.
TEST(DeviceExchange, mixedInputs) {
  auto executable = withPtx(2);
  plan::TensorSpec &w = *executable->mutable_plan()->mutable_inputs(0);
  w.set_role("input");
  w.clear_initial();
  Producer producer;
  auto device = makeCudaDevice(0, "sm_90");
  DeviceExchange &exchange = *device->exchange();
  ParameterStore store;
  Session session(device->load(executable), store);
  const cuda::Address address = producer.allocate(100);
  for (int run = 0; run < 12; ++run) {
    const uint64_t offset = run % 3 == 2 ? 12 : 0;
    const char *there = run % 2 ? "w" : "x", *here = run % 2 ? "x" : "w";
    producer.write(address + offset, {float(run), 1}, exchange.stream());
    Value value = borrow(exchange, address + offset, 2);
    StepInputs inputs;
    inputs.onDevice[there] = &value;
    inputs.tensors[here] = Tensor::of<float>({2}, {8, float(run)});
    session.run(inputs);
    EXPECT_EQ(elements(session.output(0)),
              (Floats{2 * float(run) + 16, 2 * float(run) + 2}));
    EXPECT_TRUE(session.listInputs(inputs)[run % 2 ? 0 : 1].bitEqual(
        Tensor::of<float>({2}, {float(run), 1})));
  }
}

// Nothing is copied for an input on the GPU between others.
TEST(DeviceExchange, gapsAreNotCopied) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  for (uint32_t port = 0; port < 3; ++port) {
    const std::string name(1, char('a' + port));
    addInput(plan, name, "input", {100});
    addOutput(plan, name, "output", {100}, -1);
    plan.add_buffers()->set_input(port);
    plan.add_buffers()->set_output(port);
    plan::Step::Copy &copy = *plan.add_steps()->mutable_copy();
    copy.set_from(2 * port);
    copy.set_to(2 * port + 1);
  }
  for (plan::Buffer &buffer : *plan.mutable_buffers())
    buffer.set_bytes(400);
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(makeTinyPtx("sm_90"));
  Producer producer;
  auto device = makeCudaDevice(0, "sm_90");
  ParameterStore store;
  Session session(device->load(executable), store);
  const cuda::Address address = producer.allocate(400);
  producer.write(address, Floats(100, 2), device->exchange()->stream());
  Value b = borrow(*device->exchange(), address, 100);
  // What the copy of a boolean mask does: it waits too.
  EXPECT_EQ(elements(b.read()), Floats(100, 2));
  StepInputs inputs;
  inputs.onDevice["b"] = &b;
  inputs.tensors["a"] = Tensor::of<float>({100}, Floats(100, 1));
  inputs.tensors["c"] = Tensor::of<float>({100}, Floats(100, 3));
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  session.run(inputs);
  for (size_t port = 0; port < 3; ++port)
    EXPECT_EQ(elements(session.output(port)), Floats(100, float(port + 1)));
  EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyHtoDAsync_v2 400"), 2);
  EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyHtoD"), 2);
}

TEST(DeviceExchange, inputsWithoutElements) {
  auto executable = withPtx(1);
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_inputs(1)->set_shape(0, 0);
  plan.mutable_buffers(1)->set_bytes(0);
  plan.mutable_launches(0)->set_buffers(0, 0); // w + w
  auto device = makeCudaDevice(0, "sm_90");
  ParameterStore store;
  Session session(device->load(executable), store);
  Value x = borrow(*device->exchange(), 0, 0);
  StepInputs inputs;
  inputs.onDevice["x"] = &x;
  session.run(inputs);
  EXPECT_EQ(elements(session.output(0)), (Floats{6}));
}

TEST(DeviceExchange, whatIsRefused) {
  Setting devices("FAKE_DRIVER_DEVICES", "2");
  auto device = makeCudaDevice(0, "sm_90");
  DeviceExchange &exchange = *device->exchange();
  auto refusal = [&](uint64_t address, int64_t count) {
    return failureOf([&] { borrow(exchange, address, count); });
  };
  const std::string nowhere = "3: input 'x' is not in the memory of a GPU";
  Producer other(1);
  EXPECT_EQ(refusal(other.allocate(8), 2),
            "4: input 'x' is in the memory of GPU 1; the program runs on GPU 0 "
            "(Simulated GPU)");
  Producer producer;
  const cuda::Address address = producer.allocate(8);
  EXPECT_EQ(refusal(address, 2), "");
  EXPECT_EQ(refusal(address, 3), nowhere);
  EXPECT_EQ(refusal(address, int64_t(1) << 61), nowhere);
  EXPECT_EQ(refusal(0, 2), nowhere);
  producer.driver.cuMemFree_v2(address);
  EXPECT_EQ(refusal(address, 2), nowhere);
  void *host = nullptr;
  producer.driver.cuMemHostAlloc(&host, 8, 0);
  EXPECT_EQ(refusal(reinterpret_cast<uint64_t>(host), 2), nowhere);
  // A value of another shape than the program's.
  ParameterStore store;
  Session session(device->load(withPtx(2)), store);
  Value x = borrow(exchange, producer.allocate(12), 3);
  StepInputs inputs;
  inputs.onDevice["x"] = &x;
  EXPECT_EQ(failureOf([&] { session.run(inputs); }),
            "70: no fitting tensor for the program's 'x'");
  // Other devices have no addresses to share.
  EXPECT_EQ(makePtxSimDevice("sm_90", 1)->exchange(), nullptr);
}

// Memory of others is not read any more when a call has failed.
TEST(DeviceExchange, aFailureWaits) {
  Producer producer;
  auto device = makeCudaDevice(0, "sm_90");
  ParameterStore store;
  Session session(device->load(withPtx(2)), store);
  const cuda::Address address = producer.allocate(8);
  Value x = borrow(*device->exchange(), address, 2);
  StepInputs inputs;
  inputs.onDevice["x"] = &x;
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  {
    Setting failure("FAKE_DRIVER_FAIL_AT", "cuLaunchKernel");
    EXPECT_THROW(session.run(inputs), Failure);
  }
  EXPECT_EQ(countCalls(folder / "trace", "cuStreamSynchronize"), 1);
  producer.write(address, {1, 2}, device->exchange()->stream());
  session.run(inputs);
  EXPECT_EQ(elements(session.output(0)), (Floats{5, 7}));
}

TEST(DeviceExchange, resultsForOthers) {
  Producer producer;
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  Value first;
  uint64_t address = 0;
  {
    auto device = makeCudaDevice(0, "sm_90");
    ParameterStore store;
    Session session(device->load(withPtx(2)), store);
    const cuda::Address given = producer.allocate(8);
    auto run = [&](float x) {
      producer.write(given, {x, 0}, device->exchange()->stream());
      Value value = borrow(*device->exchange(), given, 2);
      StepInputs inputs;
      inputs.onDevice["x"] = &value;
      session.run(inputs);
      return session.takeValue(0);
    };
    first = run(1);
    address = first.device()->share();
    EXPECT_EQ(address, first.device()->share());
    EXPECT_EQ(address % 64, 0u);
    EXPECT_EQ(producer.read(address, 2), (Floats{5, 3}));
    // Later runs write elsewhere.
    Value second = run(2);
    EXPECT_EQ(elements(second.read()), (Floats{7, 3}));
    // What was not shared comes back to later runs, and the rest to the driver,
    // which waits for the work of others.
    const uint64_t other = producer.allocate(4);
    const int frees = countCalls(folder / "trace", "cuMemFree_v2");
    second = Value();
    EXPECT_EQ(countCalls(folder / "trace", "cuMemFree_v2"), frees);
    Value third = run(3);
    third.device()->share();
    third = Value();
    EXPECT_EQ(countCalls(folder / "trace", "cuMemFree_v2"), frees + 1);
    // Once it is in the memory of another library, a result is an input as any
    // other.
    Value again = borrow(*device->exchange(), address, 2);
    StepInputs inputs;
    inputs.onDevice["x"] = &again;
    session.run(inputs);
    EXPECT_EQ(elements(session.output(0)), (Floats{13, 9}));
    producer.driver.cuMemFree_v2(other);
  }
  // And it outlives the device. What others write there is read.
  EXPECT_EQ(producer.read(address, 2), (Floats{5, 3}));
  const Floats written = {8, 9};
  producer.driver.cuMemcpyHtoDAsync_v2(address, written.data(), 8, nullptr);
  EXPECT_EQ(elements(first.read()), written);
  first = Value();
  EXPECT_EQ(producer.driver.cuMemFree_v2(address), cuda::ErrorInvalidValue);
}
