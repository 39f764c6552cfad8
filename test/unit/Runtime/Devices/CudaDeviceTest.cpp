// Plans through the driver's functions, on a driver without a GPU: this binary
// finds test/lib/FakeDriver when it opens libcuda.so.1.

#include "../../Executable/TestFiles.h"
#include "Devices/CudaSteps.h"
#include "DriverTrace.h"
#include "TinyTraining.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

TEST(CudaDevice, runsAPlan) {
  expectRuns(*makeCudaDevice(0, cudaArchitectures(0).front()), 3);
}

TEST(CudaDevice, parametersStayThere) {
  for (int variant = 0; variant < 4; ++variant) {
    const bool inPlace = variant & 1;
    // Inputs may be copied as late as can be, or before earlier kernels run.
    Setting eager("FAKE_DRIVER_EAGER", variant & 2 ? "1" : "");
    ScratchFolder folder;
    Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
    auto device = makeCudaDevice(0, "sm_90");
    ParameterStore store;
    Session session(device->load(makeTraining(1, inPlace)), store);
    double sum = 1.5;
    session.stage(inputOf(1));
    for (int step = 1; step <= 6; ++step) {
      session.begin();
      // While the step runs: kernels run in end().
      session.stage(inputOf(float(step + 1)));
      session.end();
      sum += step;
      EXPECT_EQ(session.loss(), sum);
    }
    EXPECT_EQ(countCalls(folder / "trace", "cuGraphLaunch"), 6);
    // The parameter once, inputs seven times.
    EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyHtoD"), 8);
    int graphs = countCalls(folder / "trace", "cuGraphInstantiate");
    EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyDtoH"), graphs);
    if (inPlace)
      EXPECT_EQ(graphs, 2); // one a slot of inputs
    else
      EXPECT_LE(graphs, 4);
    EXPECT_EQ(*store.at("w").as<float>(), float(sum));
    EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyDtoH"), graphs + 1);
  }
}

// A step whose only input beside the parameters has no elements.
TEST(CudaDevice, inputsWithoutElements) {
  auto executable = makeTraining(1, false);
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_inputs(1)->set_shape(0, 0);
  plan.mutable_buffers(1)->set_bytes(0);
  for (plan::Launch &launch : *plan.mutable_launches())
    launch.set_buffers(1, 0); // w + w
  ParameterStore store;
  Session session(makeCudaDevice(0, "sm_90")->load(executable), store);
  StepInputs inputs;
  inputs.tensors["x"] = Tensor::of<float>({0}, std::span<const float>());
  for (double loss : {3.0, 6.0}) {
    session.stage(inputs);
    session.begin();
    session.end();
    EXPECT_EQ(session.loss(), loss);
  }
}

// Inputs of several chunks, a short one after a long one, and new ones in the
// same slot.
TEST(CudaDevice, longInputs) {
  const int64_t n = 2500000;
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "long", "input", {n});
  addInput(plan, "short", "input", {3});
  addOutput(plan, "long", "output", {n}, -1);
  addOutput(plan, "short", "output", {3}, -1);
  for (uint32_t port = 0; port < 4; ++port) {
    plan::Buffer *buffer = plan.add_buffers();
    buffer->set_bytes(port % 2 ? 12 : uint64_t(n) * 4);
    if (port < 2)
      buffer->set_input(port);
    else
      buffer->set_output(port - 2);
  }
  for (uint32_t from : {0u, 1u}) {
    plan::Step::Copy &copy = *plan.add_steps()->mutable_copy();
    copy.set_from(from);
    copy.set_to(from + 2);
  }
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(makeTinyPtx("sm_90"));
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  auto program = makeCudaDevice(0, "sm_90")->load(executable);
  std::vector<float> values(static_cast<size_t>(n));
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  for (int run = 1; run <= 3; ++run) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = float(i) + float(run) / 8;
    Tensor first = Tensor::of<float>({n}, values);
    Tensor second = Tensor::of<float>({3}, {1, 2, float(run)});
    const Tensor *inputs[] = {&first, &second};
    program->run(inputs, outputs);
    EXPECT_TRUE(outputs[0].bitEqual(first));
    EXPECT_TRUE(outputs[1].bitEqual(second));
  }
  // 10,000,268 bytes are three chunks a run.
  EXPECT_EQ(countCalls(folder / "trace", "cuMemcpyHtoD"), 9);
}

TEST(CudaDevice, programsOfOneStoreShareIt) {
  auto device = makeCudaDevice(0, "sm_90");
  ParameterStore store;
  Session first(device->load(makeTraining(1, true)), store);
  Session second(device->load(makeTraining(1, false)), store);
  for (Session *session : {&first, &second, &first, &second, &second})
    session->run(inputOf(1));
  EXPECT_EQ(*store.at("w").as<float>(), 6.5f);
  // And what another device wrote is taken up.
  store.value("w").overwrite() = Tensor::of<float>({1}, {10});
  first.run(inputOf(1));
  EXPECT_EQ(*store.at("w").as<float>(), 11.0f);
}

TEST(CudaDevice, choosesCode) {
  plan::Executable executable;
  for (const char *target : {"x86-64", "sm_75", "sm_90", "sm_80", "sm_100"})
    executable.add_code()->set_target(target);
  auto best = [&](int capability) {
    const auto codes = cuda::chooseCode(executable, capability);
    return codes.size() == 1 ? codes[0]->target() : "";
  };
  EXPECT_EQ(best(70), "");
  EXPECT_EQ(best(75), "sm_75");
  EXPECT_EQ(best(89), "sm_80");
  EXPECT_EQ(best(90), "sm_90");
  EXPECT_EQ(best(103), "sm_100");
  EXPECT_EQ(best(87), "sm_80");
  EXPECT_EQ(best(121), "sm_100");
  // PTX stays behind machine code.
  plan::Code *code = executable.add_code();
  code->set_target("sm_86");
  code->set_data("\x7f"
                 "ELF...");
  EXPECT_EQ(cuda::chooseCode(executable, 86),
            (std::vector<const plan::Code *>{code, &executable.code(3)}));
  // Later devices of its major version run it too.
  EXPECT_EQ(cuda::chooseCode(executable, 89),
            (std::vector<const plan::Code *>{code, &executable.code(3)}));
  EXPECT_EQ(best(80), "sm_80");
  EXPECT_EQ(best(90), "sm_90");
  // Own PTX is better than older machine code.
  executable.add_code()->set_target("sm_89");
  EXPECT_EQ(best(89), "sm_89");
  // Code of devices that came later, and that of a later major version.
  executable.add_code()->set_target("sm_103");
  executable.add_code()->set_target("sm_120");
  EXPECT_EQ(best(100), "sm_100");
  EXPECT_EQ(best(103), "sm_103");
  EXPECT_EQ(best(110), "sm_103");
  EXPECT_EQ(best(121), "sm_120");
}

/// makeTinyExecutable whose machine code, unlike its PTX, subtracts.
static std::shared_ptr<plan::Executable>
withMachineCode(const std::string &simulated) {
  auto executable = withPtx(1);
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  std::string text = makeTinyPtx("sm_90");
  for (size_t at; (at = text.find("add.rn")) != std::string::npos;)
    text.replace(at, 3, "sub");
  code->set_data("\x7f"
                 "ELF simulated " +
                 simulated + "\n" + text);
  return executable;
}

static float runTiny(Device &device, const plan::Executable &executable) {
  auto program = device.load(std::make_shared<plan::Executable>(executable));
  Tensor w = Tensor::of<float>({1}, {3}), x = Tensor::of<float>({1}, {1});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(inputs, outputs);
  return *outputs[0].as<float>();
}

TEST(CudaDevice, prefersMachineCode) {
  const float ofPtx = runTiny(*makePtxSimDevice("sm_90", 1), *withPtx(1));
  auto device = makeCudaDevice(0, "sm_90");
  EXPECT_EQ(runTiny(*device, *withPtx(1)), ofPtx);
  const float ofMachineCode = runTiny(*device, *withMachineCode("sm_90"));
  EXPECT_NE(ofMachineCode, ofPtx);
  // The driver does not take it.
  EXPECT_EQ(runTiny(*device, *withMachineCode("sm_91")), ofPtx);
  // The simulator ignores it at any position.
  auto executable = withMachineCode("sm_90");
  executable->mutable_code()->SwapElements(0, 1);
  EXPECT_EQ(runTiny(*makePtxSimDevice("sm_90", 1), *executable), ofPtx);
  // Without PTX there is nothing to fall back to.
  auto alone = withMachineCode("sm_91");
  alone->mutable_code()->erase(alone->code().begin());
  EXPECT_EQ(failureOf([&] { runTiny(*device, *alone); }),
            "4: GPU 0 (Simulated GPU) does not take the program's code for "
            "sm_90: no kernel image is available for execution on the device "
            "(CUDA_ERROR_NO_BINARY_FOR_GPU)");
}

TEST(CudaDevice, prefersMachineCodeOnItsOwnMajorVersionOnly) {
  Setting capability("FAKE_DRIVER_COMPUTE_CAPABILITY", "10.0");
  auto device = makeCudaDevice(0, "sm_90");
  EXPECT_EQ(runTiny(*device, *withMachineCode("sm_100")),
            runTiny(*device, *withPtx(1)));
}

TEST(CudaDevice, machineCodeOfAnOlderMinorVersion) {
  Setting capability("FAKE_DRIVER_COMPUTE_CAPABILITY", "9.3");
  auto device = makeCudaDevice(0, "sm_90");
  EXPECT_NE(runTiny(*device, *withMachineCode("sm_90")),
            runTiny(*device, *withPtx(1)));
}

TEST(CudaDevice, generationsOfAGpu) {
  Setting capability("FAKE_DRIVER_COMPUTE_CAPABILITY", "8.7");
  EXPECT_EQ(cudaArchitectures(0),
            (std::vector<std::string>{"sm_86", "sm_80", "sm_75"}));
  EXPECT_EQ(failureOf([] { cudaArchitectures(1); }),
            "4: there is no GPU 1: the driver has 1, from 0");
}

TEST(CudaDevice, versionsOfPtx) {
  EXPECT_EQ(cuda::driverOfPtx("6.3"), 11000);
  EXPECT_EQ(cuda::driverOfPtx("7.8"), 11080);
  EXPECT_EQ(cuda::driverOfPtx("8.0"), 12000);
  EXPECT_EQ(cuda::driverOfPtx("8.5"), 12050);
  EXPECT_EQ(cuda::driverOfPtx("8.7"), 12080);
  EXPECT_EQ(cuda::driverOfPtx("9.0"), 13000);
  EXPECT_EQ(cuda::driverOfPtx("nine"), 0);
  EXPECT_EQ(cuda::versionText(12080), "12.8");
}

TEST(CudaDevice, memoryIsForeseen) {
  Setting memory("FAKE_DRIVER_MEMORY_BYTES", "9000");
  auto device = makeCudaDevice(0, "sm_90");
  // w, x twice, y, the arena's 64 and an intermediate, a constant.
  EXPECT_EQ(failureOf([&] { device->load(withPtx(400)); }),
            "6: GPU 0 (Simulated GPU) has too little memory: the program needs "
            "9.4 KiB (9664 bytes), 8.8 KiB (9000 bytes) are free");
  EXPECT_NO_THROW(device->load(withPtx(300)));
}

/// The sizes that the functions of a trace are about, in its order.
static std::vector<int> sizesOf(const std::filesystem::path &trace,
                                const std::string &call) {
  std::ifstream file(trace);
  std::vector<int> sizes;
  for (std::string name, size; file >> name >> size;)
    if (name == call)
      sizes.push_back(std::stoi(size));
  return sizes;
}

// Graphs of a program are made anew when another one has moved the memory.
TEST(CudaDevice, programsShareTheMemoryOfRuns) {
  ScratchFolder folder;
  Setting trace("FAKE_DRIVER_TRACE", (folder / "trace").string());
  auto device = makeCudaDevice(0, "sm_90");
  // Programs of different sizes, whose other memory stays where it is.
  auto load = [&](int64_t n, uint64_t arena) {
    auto executable = withPtx(n);
    executable->mutable_plan()->set_arena_bytes(arena);
    return device->load(executable);
  };
  auto expectRun = [](Program &program) {
    std::vector<Tensor> outputs = makeOutputs(program.signature());
    const int64_t n = outputs[0].numElements();
    std::vector<float> ones(size_t(n), 1), zeros(size_t(n), 0);
    Tensor w = Tensor::of<float>({n}, zeros), x = Tensor::of<float>({n}, ones);
    const Tensor *inputs[] = {&w, &x};
    program.run(inputs, outputs);
    EXPECT_EQ(*outputs[0].as<float>(), 2);
  };
  auto small = load(3, 300001);
  for (int run = 0; run < 4; ++run)
    expectRun(*small);
  const int graphs = countCalls(folder / "trace", "cuGraphInstantiate");
  auto large = load(2, 900003);
  for (int run = 0; run < 4; ++run)
    expectRun(*small);
  EXPECT_EQ(countCalls(folder / "trace", "cuGraphInstantiate"), graphs + 2);
  expectRun(*large);
  auto smaller = load(1, 900002);
  expectRun(*smaller);
  expectRun(*small);
  std::vector<int> sizes = sizesOf(folder / "trace", "cuMemAlloc_v2");
  std::erase_if(sizes, [](int size) { return size < 300000; });
  EXPECT_EQ(sizes, (std::vector<int>{300001, 900003}));
  EXPECT_EQ(countCalls(folder / "trace", "cuMemFree"), 1);
}

// What a larger program takes is what the others do not have yet.
TEST(CudaDevice, memoryOfRunsIsForeseenOnce) {
  Setting memory("FAKE_DRIVER_MEMORY_BYTES", "12000");
  auto device = makeCudaDevice(0, "sm_90");
  auto load = [&](uint64_t arena) {
    auto executable = withPtx(3);
    executable->mutable_plan()->set_arena_bytes(arena);
    return device->load(executable);
  };
  auto first = load(9000), second = load(9001);
  EXPECT_EQ(failureOf([&] { load(12000); }).substr(0, 46),
            "6: GPU 0 (Simulated GPU) has too little memory");
}

TEST(CudaDevice, localMemoryIsForeseen) {
  auto executable = withPtx(3);
  std::string text = makeTinyPtx("sm_90");
  text.insert(text.find("  .reg"), "  .local .align 4 .b8 depot[1008];\n");
  executable->mutable_code(0)->set_data(text);
  // 2048 threads of one multiprocessor.
  {
    Setting memory("FAKE_DRIVER_MEMORY_BYTES", "2064500");
    auto device = makeCudaDevice(0, "sm_90");
    EXPECT_EQ(
        failureOf([&] { device->load(executable); }),
        "6: GPU 0 (Simulated GPU) has too little memory: the program "
        "needs 2.0 MiB (2064520 bytes), 2.0 MiB (2064500 bytes) are free");
  }
  // Once for all kernels of the context.
  Setting memory("FAKE_DRIVER_MEMORY_BYTES", "2070000");
  auto device = makeCudaDevice(0, "sm_90");
  auto first = device->load(executable), second = device->load(executable);
}

TEST(CudaDevice, largeMemoryIsPages) {
  EXPECT_EQ(cuda::countPages(1000), 1000u);
  EXPECT_EQ(cuda::countPages(uint64_t{1} << 20), uint64_t{2} << 20);
  EXPECT_EQ(cuda::countPages((uint64_t{4} << 20) + 1), uint64_t{6} << 20);
  // Six allocations of 1.2 MB.
  Setting memory("FAKE_DRIVER_MEMORY_BYTES", "9000000");
  auto executable = withPtx(300000);
  for (plan::Launch &launch : *executable->mutable_plan()->mutable_launches())
    launch.set_block(0, 1);
  auto device = makeCudaDevice(0, "sm_90");
  EXPECT_EQ(failureOf([&] { device->load(executable); }),
            "6: GPU 0 (Simulated GPU) has too little memory: the program needs "
            "12.0 MiB (12582912 bytes), 8.6 MiB (9000000 bytes) are free");
}

TEST(CudaDevice, whatCannotBeLoaded) {
  auto device = makeCudaDevice(0, "sm_90");
  EXPECT_EQ(failureOf([&] { device->load(makeTinyExecutable(2)); }),
            "4: the program has no code for GPU 0 (Simulated GPU) of compute "
            "capability 9.0");
  auto executable = withPtx(2);
  executable->mutable_code(0)->set_data("\n\nthis is no PTX");
  EXPECT_EQ(failureOf([&] { device->load(executable); }).substr(0, 148),
            "4: GPU 0 (Simulated GPU) does not take the program's code for "
            "sm_90: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX): "
            "ptxas application ptx in");
  executable = withPtx(2);
  executable->mutable_plan()->mutable_launches(1)->set_kernel("other");
  EXPECT_EQ(failureOf([&] { device->load(executable); }),
            "3: the program is malformed: there is no kernel 'other'");
  executable = withPtx(2);
  executable->mutable_plan()->mutable_launches(1)->set_shared_bytes(240000);
  EXPECT_EQ(failureOf([&] { device->load(executable); }),
            "4: kernel 'tiny_mul' needs 240000 bytes of shared memory, and a "
            "block of GPU 0 (Simulated GPU) has 232448");
  executable->mutable_plan()->mutable_launches(1)->set_shared_bytes(100000);
  EXPECT_NO_THROW(device->load(executable));
}

/// A plan whose second kernel leaves its buffers.
static std::shared_ptr<plan::Executable> makeFaulting() {
  auto executable = withPtx(3);
  plan::Launch *launch = executable->mutable_plan()->mutable_launches(1);
  launch->set_block(0, 1024);
  launch->set_operation("m.onnx: node 'n' (Mul)");
  return executable;
}

TEST(CudaDevice, aFaultEndsTheContextAndNotTheProcess) {
  Tensor w(ElementType::F32, {3}), x(ElementType::F32, {3});
  const Tensor *inputs[] = {&w, &x};
  const std::string fault =
      "70: GPU 0 (Simulated GPU): an illegal memory access was encountered "
      "(CUDA_ERROR_ILLEGAL_ADDRESS) in ";
  for (bool oneByOne : {false, true}) {
    Setting blocking("CUDA_LAUNCH_BLOCKING", oneByOne ? "1" : "0");
    auto program = makeCudaDevice(0, "sm_90")->load(makeFaulting());
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }),
              fault + (oneByOne ? "kernel 'tiny_mul' (m.onnx: node 'n' (Mul))"
                                : "one of 2 kernels: 'tiny_add', 'tiny_mul'"));
    EXPECT_NE(failureOf([&] { program->run(inputs, outputs); }), "");
  }
  // The next context is whole.
  auto program = makeCudaDevice(0, "sm_90")->load(withPtx(3));
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  EXPECT_NO_THROW(program->run(inputs, outputs));
}

TEST(CudaDevice, longLoopsAreGraphsAndConditionsAreNot) {
  plan::Plan plan;
  plan.add_launches();
  EXPECT_EQ(cuda::countWork(plan), 1u);
  auto *loop = plan.add_steps()->mutable_loop();
  loop->set_trips(100);
  loop->add_body()->set_launch(0);
  EXPECT_EQ(cuda::countWork(plan), 300u);
  loop->set_trips(int64_t(1) << 40);
  EXPECT_EQ(cuda::countWork(plan), std::nullopt);
  loop->set_trips(100);
  loop->set_condition(0);
  EXPECT_EQ(cuda::countWork(plan), std::nullopt);
  loop->clear_condition();
  auto *fault = plan.add_faults();
  EXPECT_EQ(cuda::countWork(plan), 300u);
  fault->set_in_loop(true);
  EXPECT_EQ(cuda::countWork(plan), std::nullopt);
  fault->set_in_loop(false);
  loop->add_body()->mutable_check();
  EXPECT_EQ(cuda::countWork(plan), std::nullopt);
}
