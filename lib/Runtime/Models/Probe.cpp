// Asks the compiler which op made a NaN, for the ops of a program, and for
// their values.

#include "gensyn/Runtime/Models/Model.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Executable/probe.pb.h"
#include "gensyn/Executable/proof.pb.h"

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

void Model::requireCompiler() const {
  if (packed)
    failUnsupported("the op can be named with the ONNX model and the compiler");
}

std::vector<ProgramOp> Model::listOps(const ProgramRequest &request,
                                      const std::string &programDigest) {
  requireCompiler();
  plan::ProbeRequest probe;
  *probe.mutable_program() = makeRequest(request);
  probe.set_program_digest(programDigest);
  probe.set_lists_ops(true);
  return readProgramOps(compiler->probe(probe));
}

plan::EntriesResponse
Model::listEntries(const ProgramRequest &request,
                   const std::string &programDigest,
                   const std::vector<uint64_t> &described) {
  requireCompiler();
  plan::EntriesRequest entries;
  *entries.mutable_program() = makeRequest(request);
  entries.set_program_digest(programDigest);
  for (uint64_t number : described)
    entries.add_described(uint32_t(number));
  return compiler->listEntries(entries);
}

std::unique_ptr<Program>
Model::programWithValues(const ProgramRequest &request,
                         const std::vector<int64_t> &positions) {
  requireCompiler();
  plan::CompileRequest compile = makeRequest(request);
  plan::ProbedOps &probed = *compile.mutable_probed_ops();
  for (int64_t position : positions)
    probed.add_positions(uint32_t(position));
  // The values to return are kept, whatever the step was allowed.
  compile.set_memory_budget(0);
  compile.set_prepared_memory(0);
  return device->load(compiler->compile(compile));
}

NonFiniteOps Model::probe(int64_t batchSize, const std::string &programDigest,
                          const std::vector<Tensor> &inputs) {
  requireCompiler();
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
