// Plans run on the PTX simulator.

#include "PlanBuilder.h"
#include "TestFiles.h"
#include "gensyn/Runtime/Devices.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::runtime::test;

/// c[i] = a[i] <operation> b[i], a thread an element, without a bounds check.
static std::string makeKernel(const std::string &name,
                              const std::string &operation) {
  return ".visible .entry " + name +
         "(.param .u64 p0, .param .u64 p1, .param .u64 p2)\n"
         "{\n"
         "  .reg .b32 %r<3>;\n"
         "  .reg .b64 %rd<10>;\n"
         "  .reg .f32 %f<4>;\n"
         "  ld.param.u64 %rd1, [p0];\n"
         "  ld.param.u64 %rd2, [p1];\n"
         "  ld.param.u64 %rd3, [p2];\n"
         "  mov.u32 %r1, %tid.x;\n"
         "  mul.wide.u32 %rd4, %r1, 4;\n"
         "  add.s64 %rd5, %rd1, %rd4;\n"
         "  add.s64 %rd6, %rd2, %rd4;\n"
         "  add.s64 %rd7, %rd3, %rd4;\n"
         "  ld.global.f32 %f1, [%rd5];\n"
         "  ld.global.f32 %f2, [%rd6];\n"
         "  " +
         operation +
         ".rn.f32 %f3, %f1, %f2;\n"
         "  st.global.f32 [%rd7], %f3;\n"
         "  ret;\n"
         "}\n";
}

static std::shared_ptr<plan::Executable> withPtx(int64_t n) {
  auto executable = makeTinyExecutable(n);
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(".version 7.8\n.target sm_90\n.address_size 64\n" +
                 makeKernel("tiny_add", "add") + makeKernel("tiny_mul", "mul"));
  for (plan::Launch &launch : *executable->mutable_plan()->mutable_launches()) {
    launch.add_grid(1);
    launch.add_block(uint32_t(n));
  }
  return executable;
}

TEST(PtxSimDevice, runsAPlan) {
  auto device = makePtxSimDevice("sm_90", 1);
  EXPECT_EQ(device->target(), "ptx:sm_90");
  auto program = device->load(withPtx(3));
  Tensor w = Tensor::of<float>({3}, {0.5f, 0, 0});
  Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(inputs, outputs);
  EXPECT_TRUE(outputs[0].bitEqual(Tensor::of<float>({3}, {3, 4, 6})));
}

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

TEST(PtxSimDevice, whatCannotBeLoaded) {
  auto device = makePtxSimDevice("sm_90", 1);
  EXPECT_EQ(failureOf([&] { device->load(makeTinyExecutable(2)); }),
            "4: the program has no PTX for sm_90");
  auto executable = withPtx(2);
  executable->mutable_code(0)->set_data("this is no PTX");
  EXPECT_EQ(failureOf([&] { device->load(executable); }).substr(0, 52),
            "4: the simulator does not understand the program's P");
}
