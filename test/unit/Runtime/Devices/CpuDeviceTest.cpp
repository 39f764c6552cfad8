// Plans run on native code that a compiler could have made.

#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "../FlushToZero.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static std::shared_ptr<plan::Executable> withCode(int64_t n) {
  auto executable = makeTinyExecutable(n);
  plan::Code *code = executable->add_code();
  code->set_target("x86-64");
  code->set_data(readFile(GENSYN_TINY_KERNELS));
  return executable;
}

TEST(CpuDevice, runsAPlanOnAnyNumberOfThreads) {
  constexpr int64_t n = 1000;
  std::vector<float> numbers(n);
  for (int64_t i = 0; i < n; ++i)
    numbers[size_t(i)] = float(i + 1) * 0.25f;
  Tensor x = Tensor::of<float>({n}, numbers), w(ElementType::F32, {n});
  w.as<float>()[3] = 100.0f;
  const Tensor *inputs[] = {&w, &x};
  for (unsigned threads : {1u, 2u, 5u}) {
    auto device = makeCpuDevice("x86-64", threads);
    EXPECT_EQ(device->target(), "cpu:x86-64");
    auto program = device->load(withCode(n));
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    for (int round = 0; round < 3; ++round) {
      program->run(inputs, outputs);
      for (int64_t i = 0; i < n; ++i)
        ASSERT_EQ(std::as_const(outputs[0]).as<float>()[i],
                  (numbers[size_t(i)] + (i == 3 ? 100.0f : 0.0f)) * 2.0f);
    }
  }
}

TEST(CpuDevice, keepsSubnormalsWhateverTheCallerSet) {
  auto program = makeCpuDevice("x86-64", 1)->load(withCode(1));
  Tensor x = Tensor::of<float>({1}, {1e-40f}), w(ElementType::F32, {1});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  {
    FlushToZero flush;
    program->run(inputs, outputs);
  }
  EXPECT_TRUE(outputs[0].bitEqual(Tensor::of<float>({1}, {2 * 1e-40f})));
}

TEST(CpuDevice, severalProgramsLiveSideBySide) {
  auto device = makeCpuDevice("x86-64", 2);
  Tensor x3 = Tensor::of<float>({3}, {1, 2, 3}), w3(ElementType::F32, {3});
  Tensor x2 = Tensor::of<float>({2}, {5, 6}), w2(ElementType::F32, {2});
  auto first = device->load(withCode(3));
  auto second = device->load(withCode(2));
  std::vector<Tensor> y3 = makeOutputs(first->signature());
  std::vector<Tensor> y2 = makeOutputs(second->signature());
  const Tensor *in3[] = {&w3, &x3}, *in2[] = {&w2, &x2};
  first->run(in3, y3);
  second->run(in2, y2);
  first.reset();
  second->run(in2, y2);
  EXPECT_TRUE(y3[0].bitEqual(Tensor::of<float>({3}, {2, 4, 6})));
  EXPECT_TRUE(y2[0].bitEqual(Tensor::of<float>({2}, {10, 12})));
}

TEST(CpuDevice, profilesItsKernels) {
  KernelProfile profile;
  auto device = makeCpuDevice("x86-64", 1, &profile);
  auto executable = withCode(3);
  const int launches = executable->plan().launches_size();
  executable->mutable_plan()->mutable_launches(0)->set_flops(6);
  auto program = device->load(executable);
  Tensor x = Tensor::of<float>({3}, {1, 2, 3}), w(ElementType::F32, {3});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(inputs, outputs);
  program->run(inputs, outputs);
  EXPECT_EQ(profile.runs(), 2);
  std::vector<KernelTime> kernels = profile.kernels();
  int64_t seen = 0;
  double flops = 0, seconds = 0;
  for (const KernelTime &time : kernels) {
    seen += time.launches;
    flops += time.flops;
    seconds += time.seconds;
    EXPECT_GT(time.bytes, 0);
  }
  EXPECT_EQ(seen, 2 * launches);
  EXPECT_EQ(flops, 12);
  EXPECT_LE(seconds, profile.runSeconds());
}

TEST(KernelProfile, sharesOfRuns) {
  plan::Plan plan;
  plan.add_buffers()->set_bytes(1000);
  auto add = [&](const char *kernel, const char *schedule, const char *node,
                 uint64_t flops) {
    plan::Launch *launch = plan.add_launches();
    launch->set_kernel(kernel);
    launch->set_schedule(schedule);
    launch->set_operation(node);
    launch->set_flops(flops);
    launch->add_buffers(0);
    launch->add_buffers(0);
  };
  add("fast", "baseline", "node 'a'", 0);
  add("slow", "contract", "node 'b'", 3000);
  add("slow", "contract", "node 'c'", 3000);
  add("tiny", "", "node 'd'", 0);
  add("least", "baseline", "node 'd'", 0);
  KernelProfile profile;
  for (int run = 0; run < 2; ++run) {
    for (auto [launch, seconds] :
         {std::pair(0, 1e-6), {1, 3e-6}, {2, 3e-6}, {3, 4e-9}, {4, 2e-9}})
      profile.addLaunch(plan, launch, seconds);
    profile.addRun(10e-6);
  }
  EXPECT_EQ(
      profile.lines(),
      (std::vector<std::string>{
          "profile    2 runs, 10.0 us each, 70.1 % in kernels, 10.0 % by "
          "the baseline schedule",
          "   share    us a run launches  Gflop/s     GB/s  kernel, schedule, "
          "node",
          "  60.0 %        6.0        2      1.0      0.3  slow, contract, "
          "node "
          "'b' and 1 more",
          "  10.0 %        1.0        1        -      1.0  fast, baseline, "
          "node "
          "'a'",
          "   0.1 %        0.0        2        -    333.3  2 more kernels"}));
}

TEST(CpuDevice, whatCannotBeLoaded) {
  auto device = makeCpuDevice("x86-64", 1);
  EXPECT_EQ(failureOf([&] { device->load(makeTinyExecutable(2)); }),
            "4: the program has no code for x86-64");
  auto noKernel = withCode(2);
  noKernel->mutable_plan()->mutable_launches(0)->set_kernel("nobody");
  EXPECT_EQ(failureOf([&] { device->load(noKernel); }),
            "3: the program is malformed: there is no kernel 'nobody'");
  auto noCode = withCode(2);
  noCode->mutable_code(0)->set_data("not an ELF file");
  EXPECT_EQ(failureOf([&] { device->load(noCode); }),
            "3: the kernels cannot be loaded: not an ELF file");
  // Kernels of a package have to say what they access.
  auto packed = makeCpuDevice("x86-64", 1, nullptr, /*isPackaged=*/true);
  EXPECT_EQ(failureOf([&] { packed->load(withCode(2)); }),
            "4: kernel 'tiny_add' does not say what memory it accesses");
}

TEST(CpuDevice, instructionSets) {
  EXPECT_EQ(chooseInstructionSet("native"), nativeInstructionSet());
  for (const std::string &set : nativeInstructionSets())
    EXPECT_EQ(chooseInstructionSet(set), set);
  EXPECT_EQ(failureOf([] { chooseInstructionSet("x87"); }),
            "2: instruction set 'x87' is not known");
}
