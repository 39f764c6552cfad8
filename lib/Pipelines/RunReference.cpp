// "reference.load", "reference.run": runs a frozen module with the interpreter.

#include "Compiler.h"
#include "FrozenModule.h"
#include "Ports.h"
#include "Report.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Reference/Interpreter.h"

#include <list>
#include <mutex>

using namespace mlir;

namespace gensyn {
namespace {
/// A parsed program, cached since a training run needs it at every step.
struct Parsed {
  std::string digest;
  std::shared_ptr<MLIRContext> context;
  std::shared_ptr<OwningOpRef<ModuleOp>> module;
};

std::mutex mutex;
std::list<Parsed> programs; // the one used last is the first
constexpr size_t kMaxPrograms = 4;
} // namespace

template <class Request>
static std::optional<Parsed> parse(const Request &request, plan::Error &error) {
  for (auto it = programs.begin(); it != programs.end(); ++it)
    if (!request.program_digest().empty() &&
        it->digest == request.program_digest()) {
      programs.splice(programs.begin(), programs, it);
      return programs.front();
    }
  Parsed parsed;
  parsed.digest = request.program_digest();
  parsed.context = createContext();
  Report report(parsed.context.get());
  parsed.module = std::make_shared<OwningOpRef<ModuleOp>>(
      readFrozenModule(request.frozen_module(), parsed.context.get()));
  if (!*parsed.module) {
    report.fill("frozen module", ExitCode::BadInput, error);
    return std::nullopt;
  }
  programs.push_front(parsed);
  if (programs.size() > kMaxPrograms)
    programs.pop_back();
  return parsed;
}

std::optional<Tensor> readTensor(const plan::TensorValue &value) {
  auto type = elementTypeFromName(value.element_type());
  std::vector<int64_t> shape(value.shape().begin(), value.shape().end());
  auto bytes = type ? countBytes(*type, shape) : std::nullopt;
  if (!bytes || *bytes != int64_t(value.data().size()))
    return std::nullopt;
  Tensor tensor(*type, std::move(shape));
  std::copy_n(value.data().data(), *bytes,
              reinterpret_cast<char *>(tensor.data()));
  return tensor;
}

/// Reports errors in a package's program as errors of the package.
static LogicalResult checkPackaged(ModuleOp module,
                                   const plan::LoadRequest &request) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (std::string problem = whyNotPorts(main); !problem.empty())
    return main.emitError(problem);
  FailureOr<std::string> digest = repro::computeDigest(module);
  if (failed(digest))
    return failure();
  if (*digest != request.program_digest())
    return main.emitError("has the digest ")
           << *digest << ", expected " << request.program_digest();
  if (std::string problem = whyNotPlanOf(main, request.plan());
      !problem.empty())
    return main.emitError(problem);
  return success();
}

plan::LoadResponse loadReference(const plan::LoadRequest &request) {
  plan::LoadResponse response;
  std::lock_guard<std::mutex> lock(mutex);
  // Another text may claim the same digest.
  programs.remove_if([&](const Parsed &parsed) {
    return parsed.digest == request.program_digest();
  });
  auto program = parse(request, *response.mutable_error());
  if (!program)
    return response;
  Report report(program->context.get());
  if (failed(checkPackaged(**program->module, request))) {
    programs.pop_front(); // parse() inserts it there
    report.fill("frozen module", ExitCode::BadInput, *response.mutable_error());
  }
  return response;
}

plan::RunResponse runReference(const plan::RunRequest &request) {
  plan::RunResponse response;
  // The interpreter reports through the context, which is not reentrant.
  std::lock_guard<std::mutex> lock(mutex);
  auto program = parse(request, *response.mutable_error());
  if (!program)
    return response;
  Report report(program->context.get());
  SmallVector<Tensor> inputs;
  for (const plan::TensorValue &value : request.inputs()) {
    std::optional<Tensor> tensor = readTensor(value);
    if (!tensor) {
      response.mutable_error()->set_exit_code(int(ExitCode::BadInput));
      response.mutable_error()->set_message(
          "tensor '" + value.name() + "' has a size that is not its type's");
      return response;
    }
    inputs.push_back(std::move(*tensor));
  }
  auto main = (*program->module)->lookupSymbol<func::FuncOp>("main");
  repro::FaultScope faults;
  auto results = reference::interpret(main, inputs);
  if (failed(results)) {
    // The text may be from a package, whose plan may disagree with it.
    report.fill("frozen module", ExitCode::BadInput, *response.mutable_error());
    return response;
  }
  if (!faults.slots().empty())
    for (uint64_t position : faults.getPositions(main))
      response.add_faults(position);
  for (const Tensor &tensor : *results) {
    plan::TensorValue &value = *response.add_outputs();
    value.set_element_type(std::string(name(tensor.elementType())));
    for (int64_t extent : tensor.shape())
      value.add_shape(extent);
    value.set_data(tensor.data(), tensor.byteSize());
  }
  return response;
}

} // namespace gensyn
