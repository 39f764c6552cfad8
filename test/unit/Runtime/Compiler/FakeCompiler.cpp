// A compiler library for tests of gensyn-run where the real one is not built:
// it takes any file for a line through the origin, y = w x with one weight, and
// a file of the name refused.onnx for a model that cannot be compiled. Kernels
// of slow.onnx and wrong.onnx may have other schedules.

#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/KernelAccess.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include <cstring>

using namespace gensyn;
using gensyn::KernelAccess;
using namespace gensyn::test;

/// Inputs 0 to 2 and constant 0, then for each of loss, gradient, updated and
/// y an output or a place in the arena.
static void addBuffers(plan::Plan &plan, int64_t n,
                       const std::vector<int> &outputs) {
  uint64_t samples = uint64_t(n) * 4;
  const uint64_t bytes[] = {4, samples, samples, 8, 4, 4, 4, samples};
  for (int i = 0; i < 8; ++i) {
    plan::Buffer &buffer = *plan.add_buffers();
    buffer.set_bytes(bytes[i]);
    if (i < 3 && i < plan.inputs_size())
      buffer.set_input(uint32_t(i));
    else if (i == 3)
      buffer.set_constant(0);
    else if (i > 3 && outputs[size_t(i - 4)] >= 0)
      buffer.set_output(uint32_t(outputs[size_t(i - 4)]));
    else
      buffer.set_arena(uint64_t(i) * (64 + samples / 64 * 64));
  }
  plan.set_arena_bytes(10 * (64 + samples));
}

/// The kernels, with what tiny_line accesses filled in.
static std::string makeCode(int64_t n) {
  const uint64_t samples = uint64_t(n) * 4;
  KernelAccess access;
  access.tiles = 1;
  for (uint64_t bytes : {uint64_t(4), samples, samples, uint64_t(8)})
    access.buffers.push_back({bytes});
  for (uint64_t bytes : {uint64_t(4), uint64_t(4), uint64_t(4), samples})
    access.buffers.push_back({bytes, /*isWritten=*/true});
  const std::string text = access.encode();
  std::string code = readFile(GENSYN_TINY_KERNELS);
  // The mark, once: nothing but the constant has it.
  code.replace(code.find(text.substr(0, 8)), text.size(), text);
  return code;
}

/// The kernel of slow.onnx is launched often, with an alternative once. That of
/// wrong.onnx has an alternative with other results.
static void applySchedules(const plan::CompileRequest &request,
                           plan::Executable &executable) {
  const bool isWrong = request.model_path().ends_with("wrong.onnx");
  if (!isWrong && !request.model_path().ends_with("slow.onnx"))
    return;
  plan::Plan &plan = *executable.mutable_plan();
  plan.mutable_launches(0)->set_source_kernel("k0_line");
  const bool isOther =
      request.schedules().find(R"("launches":1)") != std::string::npos;
  constexpr int often = 2000;
  const plan::Launch launch = plan.launches(0);
  for (int i = 1; i < often && !isOther; ++i)
    *plan.add_launches() = launch;
  if (isWrong && isOther)
    plan.mutable_inputs(0)->mutable_initial()->set_literal(
        std::string("\0\0\0\0", 4));
  if (!request.lists_schedules())
    return;
  plan::KernelSchedules &kernel = *executable.add_schedules();
  kernel.set_name("line_0");
  kernel.add_kernels("k0_line");
  kernel.add_alternatives(R"({"launches":2000})");
  kernel.add_alternatives(R"({"launches":1})");
}

static plan::CompileResponse compile(const plan::CompileRequest &request) {
  plan::CompileResponse response;
  if (request.model_path().ends_with("refused.onnx")) {
    response.mutable_error()->set_exit_code(3);
    response.mutable_error()->set_message(request.model_path() +
                                          ": node 'n' (MatMul): inner "
                                          "dimensions 8 and 9 differ");
    response.mutable_error()->set_note("look at node 'n'");
    return response;
  }
  auto dim = request.dims().find("batch");
  int64_t n = request.batch_size()          ? request.batch_size()
              : dim != request.dims().end() ? dim->second
                                            : 1;
  for (const plan::GivenTensors::Tensor &tensor : request.given().tensors())
    if (tensor.name() == "x" && !request.batch_size() &&
        dim == request.dims().end() && tensor.shape(0) > 0)
      n = tensor.shape(0);
  plan::Executable &executable = *response.mutable_executable();
  executable.set_version(1);
  executable.set_kind(request.kind());
  executable.set_program_digest("fake-" + request.kind() + "-" +
                                std::to_string(n));
  executable.set_numerics_version("fake");
  plan::Code &code = *executable.add_code();
  code.set_target(request.target().substr(request.target().find(':') + 1));
  code.set_data(makeCode(n));

  plan::Plan &plan = *executable.mutable_plan();
  float half = 0.5f;
  addInput(plan, "w", "parameter", {})
      .mutable_initial()
      ->set_literal(std::string(reinterpret_cast<char *>(&half), 4));
  addInput(plan, "x", "input", {n});
  if (request.kind() != "infer")
    addInput(plan, "target", "target", {n});
  plan.add_constants(&n, sizeof(n));
  if (request.kind() == "infer") {
    addOutput(plan, "y", "output", {n});
    addBuffers(plan, n, {-1, -1, -1, 0});
  } else if (request.kind() == "grad") {
    addOutput(plan, "loss", "loss", {});
    addOutput(plan, "w", "output", {});
    addBuffers(plan, n, {0, 1, -1, -1});
  } else if (request.kind() == "train") {
    addOutput(plan, "w", "parameter", {}, 0);
    addOutput(plan, "loss", "loss", {});
    addBuffers(plan, n, {1, -1, 0, -1});
  } else {
    addOutput(plan, "y", "output", {n});
    addOutput(plan, "loss", "loss", {});
    addBuffers(plan, n, {1, -1, -1, 0});
  }
  plan::Launch &launch = *plan.add_launches();
  launch.set_kernel("tiny_line");
  launch.set_tiles(1);
  for (uint32_t buffer = 0; buffer < 8; ++buffer)
    launch.add_buffers(buffer);
  applySchedules(request, executable);
  return response;
}

static int answer(const google::protobuf::MessageLite &message,
                  uint8_t **response, size_t *size) {
  std::string bytes = message.SerializeAsString();
  *response = static_cast<uint8_t *>(std::malloc(bytes.size() + 1));
  std::memcpy(*response, bytes.data(), bytes.size());
  *size = bytes.size();
  return 0;
}

int gensyn_compiler_call(const char *method, const uint8_t *request,
                         size_t size, uint8_t **response,
                         size_t *responseSize) {
  if (std::string(method) == "compile") {
    plan::CompileRequest asked;
    if (!asked.ParseFromArray(request, int(size)))
      return 1;
    return answer(compile(asked), response, responseSize);
  }
  if (std::string(method) == "info") {
    plan::InfoResponse info;
    info.set_json(
        R"({"model": "line.onnx", "producer": "a test", "opsets": {"": 17},
            "inputs": [{"name": "x", "type": "f32", "shape": ["batch"]}],
            "outputs": [{"name": "y", "type": "f32", "shape": ["batch"]}],
            "parameters": [{"name": "w", "type": "f32", "shape": []}],
            "parameter_count": 1, "operators": {"Mul": 1},
            "unsupported": [{"node": "n", "operator": "Frob",
                             "reason": "no conversion"}]})");
    return answer(info, response, responseSize);
  }
  return 1;
}

void gensyn_compiler_free(uint8_t *response) { std::free(response); }
