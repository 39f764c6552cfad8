// Finds the first op whose results differ; see StepDifference.h.

#include "gensyn/Runtime/Replay/StepDifference.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>

namespace gensyn::runtime {

std::vector<Tensor> computeOpValues(const ProgramRun &run,
                                    const std::vector<ProgramOp> &ops,
                                    const std::vector<int64_t> &positions) {
  const std::unique_ptr<Program> program =
      run.model->programWithValues(run.request, positions);
  size_t count = 0;
  for (int64_t position : positions)
    count += ops[size_t(position)].results.size();
  const Signature &signature = program->signature();
  if (signature.outputs.size() < count ||
      signature.inputs.size() != run.inputs.size())
    throw Failure(ExitCode::Bug, "the probed program lacks values");
  std::vector<const Tensor *> inputs;
  for (const Tensor &input : run.inputs)
    inputs.push_back(&input);
  std::vector<Tensor> outputs = makeOutputs(signature);
  program->run(inputs, outputs);
  return {std::make_move_iterator(outputs.end() - int64_t(count)),
          std::make_move_iterator(outputs.end())};
}

namespace {
class Finder {
public:
  Finder(const ProgramRun &first, const ProgramRun &second,
         const ValueOptions &options)
      : first(first), second(second), options(options) {}

  StepDifference run();

private:
  void compareInputs();
  /// Fills in the pairs that are not compared.
  void countOps();
  /// Moves on from `next` to the pairs of the next run of the programs.
  std::vector<OpPair> choosePairs(size_t &next) const;
  bool compare(const std::vector<OpPair> &pairs);
  void describe(const OpPair &pair, size_t result, ValueDifference value);
  OpDifference::Operand compareOperands(const ProgramOp::Operand &a,
                                        const ProgramOp::Operand &b) const;
  std::string nameOperand(const ProgramOp::Operand &operand) const;
  uint64_t bytesOf(const OpPair &pair) const;

  const ProgramRun &first, &second;
  const ValueOptions &options;
  std::vector<ProgramOp> firstOps, secondOps;
  std::vector<OpPair> pairs;
  /// The counterpart of each op of the first program, or -1.
  std::vector<int64_t> counterparts;
  StepDifference found;
};
} // namespace

void Finder::compareInputs() {
  std::map<std::pair<Role, std::string>, const Tensor *> others;
  for (size_t j = 0; j < second.ports.size(); ++j)
    others[{second.ports[j].role, second.ports[j].name}] = &second.inputs[j];
  auto only = [&](const Port &port, const char *where) {
    ValueDifference value;
    value.reason = where;
    found.inputs.push_back({port.name, port.role, std::move(value)});
  };
  for (size_t i = 0; i < first.ports.size(); ++i) {
    const Port &port = first.ports[i];
    auto other = others.find({port.role, port.name});
    if (other == others.end()) {
      only(port, "only in the first");
      continue;
    }
    if (auto value = compareValues(first.inputs[i], *other->second))
      found.inputs.push_back({port.name, port.role, std::move(*value)});
    others.erase(other);
  }
  for (const Port &port : second.ports)
    if (others.contains({port.role, port.name}))
      only(port, "only in the second");
}

void Finder::countOps() {
  found.firstOps = int64_t(firstOps.size());
  found.secondOps = int64_t(secondOps.size());
  counterparts.assign(firstOps.size(), -1);
  for (const OpPair &pair : pairs) {
    // Constants are written where values first differ.
    const ProgramOp &op = pair.first >= 0 ? firstOps[size_t(pair.first)]
                                          : secondOps[size_t(pair.second)];
    if (pair.first >= 0)
      counterparts[size_t(pair.first)] = pair.second;
    if (op.isConstant)
      continue;
    found.onlyFirst += pair.second < 0;
    found.onlySecond += pair.first < 0;
    if (found.firstUnpaired.empty() && (pair.first < 0 || pair.second < 0))
      found.firstUnpaired = op.operation;
  }
}

uint64_t Finder::bytesOf(const OpPair &pair) const {
  uint64_t bytes = 0;
  for (const ProgramOp::Result &result : firstOps[size_t(pair.first)].results)
    bytes += uint64_t(countBytes(result.type, result.shape).value_or(0));
  return bytes;
}

std::vector<OpPair> Finder::choosePairs(size_t &next) const {
  std::vector<OpPair> chosen;
  uint64_t bytes = 0;
  for (; next < pairs.size(); ++next) {
    const OpPair &pair = pairs[next];
    if (pair.first < 0 || pair.second < 0 ||
        firstOps[size_t(pair.first)].isConstant)
      continue;
    const uint64_t more = bytesOf(pair);
    if (!chosen.empty() && (int64_t(chosen.size()) >= options.ops ||
                            bytes + more > options.memory))
      break;
    bytes += more;
    chosen.push_back(pair);
  }
  return chosen;
}

std::string Finder::nameOperand(const ProgramOp::Operand &operand) const {
  if (operand.op < 0) {
    const Port &port = first.ports.at(operand.number);
    return std::string(name(port.role)) + " " + quote(port.name);
  }
  const ProgramOp &op = firstOps[size_t(operand.op)];
  return op.isConstant ? "a constant" : op.operation;
}

OpDifference::Operand
Finder::compareOperands(const ProgramOp::Operand &a,
                        const ProgramOp::Operand &b) const {
  OpDifference::Operand operand;
  operand.name = nameOperand(a);
  if (a.op < 0 && b.op < 0) {
    operand.value =
        compareValues(first.inputs.at(a.number), second.inputs.at(b.number));
    operand.isEqual = !operand.value;
    return operand;
  }
  if (a.op < 0 || b.op < 0) {
    operand.isEqual = false;
    return operand;
  }
  const ProgramOp &op = firstOps[size_t(a.op)],
                  &other = secondOps[size_t(b.op)];
  if (op.isConstant && other.isConstant) {
    operand.isEqual = op.attributesDigest == other.attributesDigest;
    if (!operand.isEqual && op.constant && other.constant)
      operand.value = compareValues(*op.constant, *other.constant);
    return operand;
  }
  // Ops before this one have equal values, if they are a pair.
  operand.isEqual = counterparts[size_t(a.op)] == b.op && a.number == b.number;
  return operand;
}

void Finder::describe(const OpPair &pair, size_t result,
                      ValueDifference value) {
  const ProgramOp &op = firstOps[size_t(pair.first)],
                  &other = secondOps[size_t(pair.second)];
  OpDifference difference;
  difference.position = pair;
  difference.op = op;
  difference.result = result;
  difference.value = std::move(value);
  difference.attributesDiffer = op.attributesDigest != other.attributesDigest;
  if (difference.attributesDiffer) {
    difference.firstAttributes = op.attributes;
    difference.secondAttributes = other.attributes;
  }
  for (size_t k = 0; k < op.operands.size() && k < other.operands.size(); ++k)
    difference.operands.push_back(
        compareOperands(op.operands[k], other.operands[k]));
  found.op = std::move(difference);
}

bool Finder::compare(const std::vector<OpPair> &chosen) {
  std::vector<int64_t> firstPositions, secondPositions;
  for (const OpPair &pair : chosen) {
    firstPositions.push_back(pair.first);
    secondPositions.push_back(pair.second);
  }
  const std::vector<Tensor> values = computeOpValues(first, firstOps,
                                                     firstPositions),
                            others = computeOpValues(second, secondOps,
                                                     secondPositions);
  size_t at = 0;
  for (const OpPair &pair : chosen) {
    ++found.compared;
    const size_t results = firstOps[size_t(pair.first)].results.size();
    for (size_t r = 0; r < results; ++r, ++at)
      if (auto value = compareValues(values[at], others[at])) {
        describe(pair, r, std::move(*value));
        return true;
      }
  }
  return false;
}

StepDifference Finder::run() {
  compareInputs();
  firstOps = first.model->listOps(first.request, first.digest);
  secondOps = second.model->listOps(second.request, second.digest);
  pairs = pairOps(firstOps, secondOps);
  countOps();
  int64_t all = 0;
  for (const OpPair &pair : pairs)
    all += pair.first >= 0 && pair.second >= 0 &&
           !firstOps[size_t(pair.first)].isConstant;
  for (size_t next = 0; next < pairs.size();) {
    if (options.progress)
      options.progress(found.compared, all);
    const std::vector<OpPair> chosen = choosePairs(next);
    if (chosen.empty() || compare(chosen))
      break;
  }
  return std::move(found);
}

StepDifference findStepDifference(const ProgramRun &first,
                                  const ProgramRun &second,
                                  const ValueOptions &options) {
  return Finder(first, second, options).run();
}

} // namespace gensyn::runtime
