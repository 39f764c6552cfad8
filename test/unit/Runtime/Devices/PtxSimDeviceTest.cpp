// Plans run on the PTX simulator.

#include "../../Executable/TestFiles.h"
#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

TEST(PtxSimDevice, runsAPlan) { expectRuns(*makePtxSimDevice("sm_90", 1), 1); }

TEST(PtxSimDevice, aKernelSeesItsBuffersOnly) {
  auto executable = withPtx(3);
  executable->mutable_plan()->mutable_launches(0)->set_block(0, 4);
  auto program = makePtxSimDevice("sm_90", 1)->load(executable);
  Tensor w(ElementType::F32, {3}), x(ElementType::F32, {3});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }).substr(0, 23),
            "70: kernel 'tiny_add': ");
}

// The order of launches relies on it.
TEST(PtxSimDevice, aKernelWritesNoOperand) {
  auto executable = withPtx(3);
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_launches(0)->set_source_kernel("k0");
  plan.mutable_launches(1)->set_source_kernel("k1");
  auto run = [&] {
    auto program = makePtxSimDevice("sm_90", 1)->load(executable);
    Tensor w(ElementType::F32, {3}), x(ElementType::F32, {3});
    const Tensor *inputs[] = {&w, &x};
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    return failureOf([&] { program->run(inputs, outputs); });
  };
  EXPECT_EQ(run(), "");
  // The second kernel writes its last argument, here what the first one wrote.
  plan.mutable_launches(1)->set_buffers(2, 2);
  plan.mutable_launches(1)->set_buffers(0, 0);
  const std::string failure = run();
  EXPECT_EQ(failure.substr(0, 23), "70: kernel 'tiny_mul': ");
  EXPECT_NE(failure.find("may only be read"), std::string::npos) << failure;
  // As an operand and a result at once it may.
  plan.mutable_launches(1)->set_buffers(0, 2);
  EXPECT_EQ(run(), "");
}

TEST(PtxSimDevice, readsOfWhatNobodyWroteAreFound) {
  auto run = [](bool check, uint32_t threads) {
    auto executable = withPtx(3);
    // The first kernel, whose result the second one reads.
    executable->mutable_plan()->mutable_launches(0)->set_block(0, threads);
    auto program = makePtxSimDevice("sm_90", 1, check)->load(executable);
    Tensor w(ElementType::F32, {3}), x(ElementType::F32, {3});
    const Tensor *inputs[] = {&w, &x};
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    // The second run finds what the first one left.
    std::string failure;
    for (uint32_t block : {3u, threads}) {
      executable->mutable_plan()->mutable_launches(0)->set_block(0, block);
      failure = failureOf([&] { program->run(inputs, outputs); });
    }
    return failure;
  };
  EXPECT_EQ(run(false, 2), "");
  EXPECT_EQ(run(true, 3), "");
  std::string failure = run(true, 2);
  EXPECT_EQ(failure.substr(0, 23), "70: kernel 'tiny_mul': ");
  EXPECT_NE(failure.find("thread (2, 0, 0): read of 4 bytes"),
            std::string::npos);
  EXPECT_NE(failure.find("never written"), std::string::npos);
}

TEST(PtxSimDevice, whatCannotBeLoaded) {
  auto device = makePtxSimDevice("sm_90", 1);
  EXPECT_EQ(failureOf([&] { device->load(makeTinyExecutable(2)); }),
            "4: the program has no PTX for sm_90");
  auto executable = withPtx(2);
  executable->mutable_code(0)->set_data("this is no PTX");
  EXPECT_EQ(failureOf([&] { device->load(executable); }).substr(0, 52),
            "4: the simulator does not understand the program's P");
}
