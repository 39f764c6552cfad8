// Prepared values are computed again when the parameters change, and not
// otherwise.

#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

constexpr int64_t n = 3;

/// y = (w + w) * x, the sum prepared.
std::shared_ptr<plan::Executable> makePrepared() {
  auto executable = withPtx(n);
  executable->set_version(2);
  plan::Code *code = executable->add_code();
  code->set_target("x86-64");
  code->set_data(readFile(GENSYN_TINY_KERNELS));
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_buffers(2)->set_prepared(0);
  plan.set_prepared_bytes(64);
  plan.set_arena_bytes(0);
  auto bind = [&](int launch, std::vector<uint32_t> buffers) {
    plan.mutable_launches(launch)->mutable_buffers()->Assign(buffers.begin(),
                                                             buffers.end());
  };
  bind(0, {0, 0, 2});
  bind(1, {2, 1, 4});
  plan.mutable_launches(0)->set_prepares(true);
  return executable;
}

StepInputs inputOf(float x) {
  StepInputs inputs;
  inputs.tensors["x"] = Tensor::of<float>({n}, {x, x + 1, x + 2});
  return inputs;
}

/// Expects 2 w x of a session.
void expectProduct(Session &session, float w, float x) {
  session.run(inputOf(x));
  EXPECT_TRUE(session.output(0).bitEqual(
      Tensor::of<float>({n}, {2 * w * x, 2 * w * (x + 1), 2 * w * (x + 2)})));
}

void setW(ParameterStore &store, float w) {
  store.value("w").overwrite() = Tensor::of<float>({n}, {w, w, w});
}

/// The number of launches of the prepared sum.
int64_t countSums(const KernelProfile &profile) {
  for (const KernelTime &time : profile.kernels())
    if (time.kernel == "tiny_add")
      return time.launches;
  return 0;
}

TEST(Preparation, oncePerSetOfParameters) {
  KernelProfile profile;
  auto device = makeCpuDevice("x86-64", 1, &profile);
  ParameterStore store;
  Session session(device->load(makePrepared()), store);
  for (float x : {1.0f, 2.0f, 3.0f})
    expectProduct(session, 1.5f, x);
  EXPECT_EQ(countSums(profile), 1);
  setW(store, 4);
  expectProduct(session, 4, 1);
  expectProduct(session, 4, 2);
  EXPECT_EQ(countSums(profile), 2);
  // The same numbers in a new tensor count as others.
  setW(store, 4);
  expectProduct(session, 4, 3);
  EXPECT_EQ(countSums(profile), 3);
}

TEST(Preparation, eachProgramHasItsOwn) {
  KernelProfile profile;
  auto device = makeCpuDevice("x86-64", 2, &profile);
  ParameterStore store, other;
  Session first(device->load(makePrepared()), store);
  Session second(device->load(makePrepared()), store);
  Session third(device->load(makePrepared()), other);
  setW(other, 10);
  for (int round = 0; round < 2; ++round) {
    expectProduct(first, 1.5f, 1);
    expectProduct(second, 1.5f, 2);
    expectProduct(third, 10, 3);
  }
  EXPECT_EQ(countSums(profile), 3);
  setW(store, 7);
  expectProduct(first, 7, 1);
  expectProduct(third, 10, 3);
  expectProduct(second, 7, 2);
  EXPECT_EQ(countSums(profile), 5);
}

TEST(Preparation, runsOnTensorsPrepareEachTime) {
  KernelProfile profile;
  auto device = makeCpuDevice("x86-64", 1, &profile);
  ParameterStore store;
  auto loaded = device->load(makePrepared());
  Program &program = *loaded;
  Session session(std::move(loaded), store);
  expectProduct(session, 1.5f, 1);
  Tensor x = Tensor::of<float>({n}, {1, 1, 1});
  std::vector<Tensor> outputs = makeOutputs(program.signature());
  for (float number : {3.0f, 5.0f}) {
    Tensor w = Tensor::of<float>({n}, {number, number, number});
    const Tensor *inputs[] = {&w, &x};
    program.run(inputs, outputs);
    EXPECT_EQ(outputs[0].as<float>()[0], 2 * number);
  }
  // They leave nothing that a session would take for its own.
  expectProduct(session, 1.5f, 1);
  EXPECT_EQ(countSums(profile), 4);
}

TEST(Preparation, otherDevices) {
  for (bool isSimulated : {true, false}) {
    auto device =
        isSimulated ? makePtxSimDevice("sm_90", 1) : makeCudaDevice(0, "sm_90");
    ParameterStore store;
    Session first(device->load(makePrepared()), store);
    Session second(device->load(makePrepared()), store);
    expectProduct(first, 1.5f, 1);
    expectProduct(first, 1.5f, 2);
    expectProduct(second, 1.5f, 2);
    setW(store, 4);
    expectProduct(second, 4, 1);
    expectProduct(first, 4, 1);
    setW(store, 5);
    expectProduct(first, 5, 3);
    expectProduct(first, 5, 4);
  }
}

} // namespace
