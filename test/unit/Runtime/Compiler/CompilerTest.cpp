// Messages to a compiler and back, with a compiler that is none.

#include "gensyn/Runtime/Compiler/Compiler.h"
#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static int answer(const google::protobuf::MessageLite &message,
                  uint8_t **response, size_t *size) {
  std::string bytes = message.SerializeAsString();
  *response = static_cast<uint8_t *>(std::malloc(bytes.size() + 1));
  std::memcpy(*response, bytes.data(), bytes.size());
  *size = bytes.size();
  return 0;
}

/// Refuses "bad.onnx", has no answer to anything else of that kind, and adds
/// one to the first input of what it interprets.
static int fakeCall(const char *method, const uint8_t *request, size_t size,
                    uint8_t **response, size_t *responseSize) {
  std::string name = method;
  if (name == "compile") {
    plan::CompileRequest asked;
    plan::CompileResponse given;
    if (!asked.ParseFromArray(request, int(size)) ||
        asked.model_path() == "silent.onnx")
      return 1;
    if (asked.model_path() == "large.onnx")
      return 2;
    if (asked.model_path() == "bad.onnx") {
      given.mutable_error()->set_exit_code(3);
      given.mutable_error()->set_message("bad.onnx: no");
      given.mutable_error()->set_note("try another");
    } else {
      if (asked.model_path() == "warned.onnx")
        given.mutable_attached()->add_warnings("a folder");
      *given.mutable_executable() = *makeTinyExecutable(2);
      given.mutable_executable()->set_frozen_module(asked.target());
    }
    return answer(given, response, responseSize);
  }
  if (name == "reference.load") {
    plan::LoadRequest asked;
    plan::LoadResponse given;
    if (!asked.ParseFromArray(request, int(size)))
      return 1;
    if (asked.frozen_module() == "contradicts") {
      given.mutable_error()->set_exit_code(3);
      given.mutable_error()->set_message("frozen module: contradicts");
    }
    return answer(given, response, responseSize);
  }
  plan::RunRequest asked;
  plan::RunResponse given;
  if (!asked.ParseFromArray(request, int(size)))
    return 1;
  if (asked.frozen_module() == "wrong") {
    given.mutable_error()->set_exit_code(3);
    given.mutable_error()->set_message("frozen module: no");
    return answer(given, response, responseSize);
  }
  std::string bytes = asked.inputs(1).data();
  if (asked.frozen_module() == "short")
    bytes.pop_back();
  given.add_outputs()->set_data(bytes);
  return answer(given, response, responseSize);
}

static void fakeFree(uint8_t *response) { std::free(response); }

static std::shared_ptr<Compiler> fakeCompiler() {
  return std::make_shared<Compiler>(fakeCall, fakeFree);
}

TEST(Compiler, failuresKeepCodeMessageAndNote) {
  plan::CompileRequest request;
  request.set_model_path("bad.onnx");
  try {
    fakeCompiler()->compile(request);
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::BadInput);
    EXPECT_STREQ(failure.what(), "bad.onnx: no");
    EXPECT_EQ(failure.note, "try another");
  }
  request.set_model_path("silent.onnx");
  EXPECT_EQ(failureOf([&] { fakeCompiler()->compile(request); }),
            "70: the compiler gives no answer to compile");
  request.set_model_path("large.onnx");
  EXPECT_EQ(failureOf([&] { fakeCompiler()->compile(request); }),
            "6: large.onnx: the compiler ran out of memory");
}

TEST(Compiler, warningsReachWhoeverAsked) {
  auto compiler = fakeCompiler();
  std::vector<std::string> said;
  compiler->setWarn([&](const std::string &line) { said.push_back(line); });
  plan::CompileRequest request;
  request.set_model_path("warned.onnx");
  compiler->compile(request);
  EXPECT_EQ(said, std::vector<std::string>{"a folder"});
  request.set_model_path("quiet.onnx");
  compiler->compile(request);
  EXPECT_EQ(said.size(), 1u);
}

TEST(Compiler, isLookedForBesideTheProgram) {
  ScratchFolder scratch;
  EXPECT_EQ(
      failureOf([&] { Compiler::open(scratch / "gensyn-run"); }),
      "4: ONNX models need the compiler, and libgensyn-compiler.so is not "
      "installed");
  writeFile(scratch / "libgensyn-compiler.so", "not a library");
  // Its process starts with the first request.
  auto compiler = Compiler::open(scratch / "gensyn-run");
  EXPECT_EQ(failureOf([&] { compiler->info({}); }).substr(0, 33),
            "4: the compiler cannot be opened:");
}

TEST(ReferenceDevice, carriesTensorsToTheInterpreterAndBack) {
  auto device = makeReferenceDevice(fakeCompiler());
  plan::CompileRequest request;
  request.set_target(device->target());
  auto program = device->load(fakeCompiler()->compile(request));
  Tensor w(ElementType::F32, {2}), x = Tensor::of<float>({2}, {5, 6});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(inputs, outputs);
  EXPECT_TRUE(outputs[0].bitEqual(x));
}

TEST(ReferenceDevice, wrongAnswersAreErrors) {
  auto device = makeReferenceDevice(fakeCompiler());
  auto executable = makeTinyExecutable(2);
  EXPECT_EQ(failureOf([&] { device->load(executable); }),
            "4: the program has no frozen module to interpret");
  executable->set_frozen_module("short");
  auto program = device->load(executable);
  Tensor w(ElementType::F32, {2}), x(ElementType::F32, {2});
  const Tensor *inputs[] = {&w, &x};
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  // Whoever made the module is to blame.
  EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }),
            "70: the frozen module gives 7 bytes for 'y', expected 8");
  program = makeReferenceDevice(fakeCompiler(), /*isPackaged=*/true)
                ->load(executable);
  EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }),
            "3: the frozen module gives 7 bytes for 'y', expected 8");
}

TEST(ReferenceDevice, aProgramOfAPackageIsCheckedAtLoad) {
  auto executable = makeTinyExecutable(2);
  executable->set_frozen_module("contradicts");
  auto load = [&](bool isPackaged) {
    makeReferenceDevice(fakeCompiler(), isPackaged)->load(executable);
  };
  EXPECT_EQ(failureOf([&] { load(/*isPackaged=*/false); }), "");
  EXPECT_EQ(failureOf([&] { load(/*isPackaged=*/true); }),
            "3: frozen module: contradicts");
}

TEST(ReferenceDevice, whatTheInterpreterSaysOfAModule) {
  auto executable = makeTinyExecutable(2);
  executable->set_frozen_module("wrong");
  Tensor w(ElementType::F32, {2}), x(ElementType::F32, {2});
  const Tensor *inputs[] = {&w, &x};
  for (bool isPackaged : {false, true}) {
    auto program =
        makeReferenceDevice(fakeCompiler(), isPackaged)->load(executable);
    std::vector<Tensor> outputs = makeOutputs(program->signature());
    EXPECT_EQ(failureOf([&] { program->run(inputs, outputs); }),
              isPackaged ? "3: frozen module: no" : "70: frozen module: no");
  }
}
