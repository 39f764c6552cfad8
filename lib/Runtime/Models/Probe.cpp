// Asks the compiler which op made a NaN.

#include "gensyn/Runtime/Models/Model.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

namespace gensyn::runtime {

static std::optional<NonFiniteOp>
readFinding(const plan::ProbeResponse::Finding &finding) {
  auto type = elementTypeFromName(finding.element_type());
  if (!type)
    return std::nullopt;
  return NonFiniteOp{finding.operation(),
                     *type,
                     {finding.shape().begin(), finding.shape().end()},
                     finding.element()};
}

NonFiniteOps Model::probe(int64_t batchSize, const std::string &programDigest,
                          const std::vector<Tensor> &inputs) {
  if (packed)
    failUnsupported("the op can be named with the ONNX model and the compiler");
  plan::ProbeRequest request;
  *request.mutable_program() = makeCompileRequest(
      options, ProgramKind::Train, text, "reference", batchSize, trainedOn);
  request.set_program_digest(programDigest);
  for (const Tensor &input : inputs) {
    plan::TensorValue &value = *request.add_inputs();
    value.set_element_type(std::string(name(input.elementType())));
    value.mutable_shape()->Add(input.shape().begin(), input.shape().end());
    value.set_data(input.data(), size_t(input.byteSize()));
  }
  const plan::ProbeResponse response = compiler->probe(request);
  NonFiniteOps found;
  if (response.has_nan())
    found.nan = readFinding(response.nan());
  if (response.has_infinity())
    found.infinity = readFinding(response.infinity());
  found.infinityFirst = response.infinity_first();
  return found;
}

} // namespace gensyn::runtime
