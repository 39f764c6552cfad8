// PTX by hand, and a plan that uses it.
#ifndef GENSYN_TEST_UNIT_RUNTIME_TINYPTX_H
#define GENSYN_TEST_UNIT_RUNTIME_TINYPTX_H

#include "../../Executable/PlanBuilder.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace gensyn::test {

/// c[i] = a[i] <operation> b[i], a thread an element, without a bounds check.
inline std::string makeKernel(const std::string &name,
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

inline std::string makeTinyPtx(const std::string &target) {
  return ".version 7.8\n.target " + target + "\n.address_size 64\n" +
         makeKernel("tiny_add", "add") + makeKernel("tiny_mul", "mul");
}

/// makeTinyExecutable with PTX for sm_90.
inline std::shared_ptr<plan::Executable> withPtx(int64_t n) {
  auto executable = makeTinyExecutable(n);
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(makeTinyPtx("sm_90"));
  for (plan::Launch &launch : *executable->mutable_plan()->mutable_launches()) {
    launch.add_grid(1);
    launch.add_block(uint32_t(n));
  }
  return executable;
}

/// Expects the results of `withPtx` from a device, some times in a row.
inline void expectRuns(runtime::Device &device, int runs) {
  EXPECT_EQ(device.target(), "ptx:sm_90");
  auto program = device.load(withPtx(3));
  Tensor w = Tensor::of<float>({3}, {0.5f, 0, 0});
  Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  for (int run = 0; run < runs; ++run) {
    program->run(inputs, outputs);
    EXPECT_TRUE(outputs[0].bitEqual(Tensor::of<float>({3}, {3, 4, 6})));
  }
}

} // namespace gensyn::test

#endif
