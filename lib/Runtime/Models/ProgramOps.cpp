// See ProgramOps.h.

#include "gensyn/Runtime/Models/ProgramOps.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Executable/probe.pb.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <cstring>
#include <map>

namespace gensyn::runtime {

[[noreturn]] static void failList() {
  throw Failure(ExitCode::Bug, "the compiler's list of ops is malformed");
}

static ElementType readType(const std::string &name) {
  const auto type = elementTypeFromName(name);
  if (!type)
    failList();
  return *type;
}

static Tensor readConstant(const plan::TensorValue &value) {
  Tensor tensor(readType(value.element_type()),
                {value.shape().begin(), value.shape().end()});
  if (tensor.byteSize() != int64_t(value.data().size()))
    failList();
  std::memcpy(tensor.data(), value.data().data(), value.data().size());
  return tensor;
}

std::vector<ProgramOp> readProgramOps(const plan::ProbeResponse &response) {
  std::vector<ProgramOp> ops;
  for (const plan::ProgramOp &entry : response.ops()) {
    ProgramOp op;
    op.name = entry.name();
    op.operation = entry.operation();
    op.scope = entry.scope();
    op.attributes = entry.attributes();
    op.attributesDigest = entry.attributes_blake3();
    op.leadsTo = entry.leads_to();
    op.isConstant = entry.is_constant();
    if (entry.has_constant())
      op.constant = readConstant(entry.constant());
    for (const plan::ProgramOp::Result &result : entry.results())
      op.results.push_back({readType(result.element_type()),
                            {result.shape().begin(), result.shape().end()}});
    for (const plan::ProgramOp::Operand &operand : entry.operands()) {
      // A value is made before it is read.
      if (operand.op() >= int64_t(ops.size()) ||
          (operand.op() >= 0 &&
           operand.number() >= ops[size_t(operand.op())].results.size()))
        failList();
      op.operands.push_back({operand.op(), operand.number()});
    }
    ops.push_back(std::move(op));
  }
  return ops;
}

/// All that two ops must share to be a pair.
static std::string describePair(const ProgramOp &op) {
  std::string text = op.name + '\n' + op.operation + '\n' + op.leadsTo + '\n' +
                     std::to_string(op.operands.size());
  for (const ProgramOp::Result &result : op.results)
    text += '\n' + longName(result.type) + describeShape(result.shape);
  return text;
}

std::vector<OpPair> pairOps(const std::vector<ProgramOp> &first,
                            const std::vector<ProgramOp> &second) {
  std::map<std::string, std::vector<int64_t>> known;
  for (size_t j = second.size(); j-- > 0;)
    known[describePair(second[j])].push_back(int64_t(j));
  std::vector<OpPair> pairs;
  std::vector<bool> isTaken(second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    OpPair pair = {int64_t(i), -1};
    if (auto found = known.find(describePair(first[i]));
        found != known.end() && !found->second.empty()) {
      pair.second = found->second.back();
      found->second.pop_back();
      isTaken[size_t(pair.second)] = true;
    }
    pairs.push_back(pair);
  }
  for (size_t j = 0; j < second.size(); ++j)
    if (!isTaken[j])
      pairs.push_back({-1, int64_t(j)});
  return pairs;
}

} // namespace gensyn::runtime
