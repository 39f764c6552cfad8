// "probe": finds the op of a program that made the first number that is not
// finite, or lists the ops.

#include "Compiler.h"
#include "ProbedOps.h"
#include "Report.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/Evaluate/EvaluationObserver.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Reference/Interpreter.h"

#include <cmath>

using namespace mlir;

namespace gensyn {
namespace {
/// The first elements of a tensor that are a NaN and an infinity.
struct NonFinite {
  std::optional<uint64_t> nan, infinity;
};

/// Records the first op with a NaN result from operands without one, and the
/// first with an infinite result from finite operands. Constants and inputs are
/// not counted.
class NonFiniteFinder final : public repro::EvaluationObserver {
public:
  explicit NonFiniteFinder(plan::ProbeResponse &response)
      : response(response) {}

  void evaluated(Operation *op, ArrayRef<Tensor> operands,
                 ArrayRef<Tensor> results) override;

private:
  void note(plan::ProbeResponse::Finding &finding, Operation *op,
            const Tensor &result, uint64_t element);

  plan::ProbeResponse &response;
};
} // namespace

static NonFinite findNonFinite(const Tensor &tensor) {
  if (!isFloat(tensor.elementType()))
    return {};
  const int width = bitWidth(tensor.elementType());
  if (width < 32)
    return findNonFinite(scalar::convertTensor(tensor, ElementType::F32));
  NonFinite found;
  auto look = [&](auto elements) {
    for (uint64_t i = 0; i < elements.size(); ++i)
      if (std::isnan(elements[i])) {
        if (!found.nan)
          found.nan = i;
      } else if (std::isinf(elements[i]) && !found.infinity) {
        found.infinity = i;
      }
  };
  if (width == 32)
    look(tensor.span<float>());
  else
    look(tensor.span<double>());
  return found;
}

void NonFiniteFinder::note(plan::ProbeResponse::Finding &finding, Operation *op,
                           const Tensor &result, uint64_t element) {
  finding.set_operation(codegen::describeNode(op));
  finding.set_element_type(std::string(name(result.elementType())));
  for (int64_t extent : result.shape())
    finding.add_shape(extent);
  finding.set_element(element);
}

void NonFiniteFinder::evaluated(Operation *op, ArrayRef<Tensor> operands,
                                ArrayRef<Tensor> results) {
  if (response.has_nan() || operands.empty())
    return;
  for (const Tensor &result : results) {
    const NonFinite made = findNonFinite(result);
    if (!made.nan && (!made.infinity || response.has_infinity()))
      continue;
    NonFinite given;
    for (const Tensor &operand : operands) {
      const NonFinite one = findNonFinite(operand);
      given.nan = given.nan ? given.nan : one.nan;
      given.infinity = given.infinity ? given.infinity : one.infinity;
    }
    if (made.nan && !given.nan) {
      note(*response.mutable_nan(), op, result, *made.nan);
      response.set_infinity_first(response.has_infinity());
      return;
    }
    if (made.infinity && !response.has_infinity() && !given.nan &&
        !given.infinity)
      note(*response.mutable_infinity(), op, result, *made.infinity);
  }
}

plan::ProbeResponse probeProgram(const plan::ProbeRequest &request) {
  plan::ProbeResponse response;
  plan::Error &error = *response.mutable_error();
  auto context = createContext();
  OwningOpRef<ModuleOp> module =
      freezeAgain(request.program(), request.program_digest(), *context, error);
  if (!module)
    return response;
  if (request.lists_ops()) {
    listProgramOps(*module, response);
    return response;
  }
  SmallVector<Tensor> inputs;
  for (const plan::TensorValue &value : request.inputs()) {
    std::optional<Tensor> tensor = readTensor(value);
    if (!tensor) {
      fail(error, ExitCode::BadInput,
           "an input has a size that is not its type's");
      return response;
    }
    inputs.push_back(std::move(*tensor));
  }
  Report report(context.get());
  NonFiniteFinder finder(response);
  if (failed(reference::interpret(module->lookupSymbol<func::FuncOp>("main"),
                                  inputs)))
    report.fill("reference", ExitCode::Bug, error);
  return response;
}

} // namespace gensyn
