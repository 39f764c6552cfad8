// Programs of one context whose code is the same bytes have one module.

#include "../../Executable/TestFiles.h"
#include "DriverTrace.h"
#include "TinyPtx.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// y = (x + w) * 2 of w = 1.5 and x = 1.
void expectRun(Program &program) {
  std::vector<Tensor> outputs = makeOutputs(program.signature());
  const int64_t n = outputs[0].numElements();
  const Tensor w = Tensor::of<float>({n}, std::vector<float>(size_t(n), 1.5f));
  const Tensor x = Tensor::of<float>({n}, std::vector<float>(size_t(n), 1));
  const Tensor *inputs[] = {&w, &x};
  program.run(inputs, outputs);
  EXPECT_EQ(outputs[0].as<float>()[n - 1], 5);
}

/// With other bytes that compute the same.
std::shared_ptr<plan::Executable> withComment(const std::string &comment) {
  auto executable = withPtx(2);
  executable->mutable_code(0)->mutable_data()->append("// " + comment + "\n");
  return executable;
}

class CudaModule : public ::testing::Test {
protected:
  int loads() { return countCalls(folder / "trace", "cuModuleLoadDataEx"); }
  int unloads() { return countCalls(folder / "trace", "cuModuleUnload"); }

  ScratchFolder folder;
  Setting trace{"FAKE_DRIVER_TRACE", (folder / "trace").string()};
};

} // namespace

TEST_F(CudaModule, isSharedByProgramsOfTheSameCode) {
  auto device = makeCudaDevice(0, "sm_90");
  auto first = device->load(withPtx(2)), second = device->load(withPtx(3));
  EXPECT_EQ(loads(), 1);
  auto other = device->load(withComment("a"));
  EXPECT_EQ(loads(), 2);
  // Of the bytes, and not of what is before them.
  auto another = device->load(withComment("b"));
  EXPECT_EQ(loads(), 3);
  for (Program *program : {&*first, &*second, &*other, &*another})
    expectRun(*program);
  // The last one unloads it.
  first.reset();
  EXPECT_EQ(unloads(), 0);
  expectRun(*second);
  second.reset();
  EXPECT_EQ(unloads(), 1);
  expectRun(*other);
  // Then it is loaded again.
  first = device->load(withPtx(2));
  EXPECT_EQ(loads(), 4);
  expectRun(*first);
  // Each context has its own.
  auto elsewhere = makeCudaDevice(0, "sm_90");
  auto same = elsewhere->load(withPtx(2));
  EXPECT_EQ(loads(), 5);
  expectRun(*same);
}

TEST_F(CudaModule, isSharedIfItIsMachineCode) {
  auto device = makeCudaDevice(0, "sm_90");
  auto load = [&](const std::string &architecture) {
    auto executable = withPtx(2);
    plan::Code *code = executable->add_code();
    code->set_target("sm_90");
    code->set_data("\x7f"
                   "ELF simulated " +
                   architecture + "\n" + makeTinyPtx("sm_90"));
    return device->load(executable);
  };
  auto first = load("sm_90"), second = load("sm_90");
  EXPECT_EQ(loads(), 1);
  // What the driver does not take is not kept: its PTX is.
  auto third = load("sm_91"), fourth = load("sm_91");
  EXPECT_EQ(loads(), 1 + 2 + 1);
  for (Program *program : {&*first, &*second, &*third, &*fourth})
    expectRun(*program);
}

// Shared memory is asked for once, and not less of it later.
TEST_F(CudaModule, kernelsHaveTheMostThatAProgramAsksFor) {
  auto device = makeCudaDevice(0, "sm_90");
  auto load = [&](uint32_t bytes) {
    auto executable = withPtx(2);
    executable->mutable_plan()->mutable_launches(1)->set_shared_bytes(bytes);
    return device->load(executable);
  };
  auto much = load(100000), less = load(60000), more = load(200000);
  EXPECT_EQ(countCalls(folder / "trace", "cuFuncSetAttribute"), 2);
  EXPECT_EQ(countCalls(folder / "trace", "cuModuleGetFunction"), 2);
  for (Program *program : {&*much, &*less, &*more})
    expectRun(*program);
}

TEST_F(CudaModule, staysAsItIsIfAProgramLacksAKernel) {
  auto device = makeCudaDevice(0, "sm_90");
  auto wrong = withPtx(2);
  wrong->mutable_plan()->mutable_launches(1)->set_kernel("other");
  const std::string missing =
      "3: the program is malformed: there is no kernel 'other'";
  EXPECT_EQ(failureOf([&] { device->load(wrong); }), missing);
  EXPECT_EQ(unloads(), 1);
  auto program = device->load(withPtx(2));
  EXPECT_EQ(failureOf([&] { device->load(wrong); }), missing);
  EXPECT_EQ(unloads(), 1);
  EXPECT_EQ(loads(), 2);
  expectRun(*program);
}
