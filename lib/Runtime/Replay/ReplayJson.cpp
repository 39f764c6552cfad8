// A replay as JSON; see DescribeReplay.h.

#include "gensyn/Runtime/Replay/DescribeReplay.h"

#include "gensyn/Executable/Formats/TensorFile.h"

namespace gensyn::runtime {

static OrderedJson describeJson(const ValueDifference &value) {
  if (!value.reason.empty())
    return {{"reason", value.reason}};
  OrderedJson worst = OrderedJson::array();
  for (const ValueDifference::Element &element : value.worst)
    worst.push_back({{"index", element.index},
                     {"first", element.first},
                     {"second", element.second},
                     {"first_bits", element.firstBits},
                     {"second_bits", element.secondBits},
                     {"ulps", element.ulps}});
  return {{"elements", value.elements},
          {"different", value.different},
          {"worst", worst}};
}

static OrderedJson describeJson(const OpDifference &difference) {
  const ProgramOp &op = difference.op;
  OrderedJson operands = OrderedJson::array();
  for (const OpDifference::Operand &operand : difference.operands) {
    OrderedJson entry = {{"name", operand.name}, {"equal", operand.isEqual}};
    if (operand.value)
      entry["value"] = describeJson(*operand.value);
    operands.push_back(entry);
  }
  const ProgramOp::Result &result = op.results.at(difference.result);
  OrderedJson json = {{"op", op.name},
                      {"operation", op.operation},
                      {"scope", op.scope},
                      {"leads_to", op.leadsTo},
                      {"first_position", difference.position.first},
                      {"second_position", difference.position.second},
                      {"operands_equal", difference.operandsEqual()},
                      {"operands", operands},
                      {"attributes_equal", !difference.attributesDiffer},
                      {"result", difference.result},
                      {"type", longName(result.type)},
                      {"shape", result.shape},
                      {"value", describeJson(difference.value)}};
  if (difference.attributesDiffer) {
    json["first_attributes"] = difference.firstAttributes;
    json["second_attributes"] = difference.secondAttributes;
  }
  return json;
}

static OrderedJson describeJson(const std::optional<Unreproduced> &found) {
  if (!found)
    return {{"reproduced", true}};
  return {
      {"reproduced", false}, {"step", found->step}, {"reason", found->reason}};
}

OrderedJson toJson(const ReplayResult &result) {
  static const char *const kinds[] = {"equal", "judged", "lock step"};
  OrderedJson json = {{"event", "replay"},
                      {"kind", kinds[int(result.kind)]},
                      {"equal", result.isEqual()},
                      {"settings", result.settings},
                      {"first_target", result.firstTarget},
                      {"second_target", result.secondTarget},
                      {"begin", result.begin},
                      {"repeated", result.repeated}};
  json["step"] = result.step ? OrderedJson(*result.step) : OrderedJson();
  if (!result.record.empty())
    json["record"] = result.record;
  if (result.kind != ReplayResult::Kind::Equal) {
    json["first"] = describeJson(result.first);
    json["second"] = describeJson(result.second);
  }
  if (!result.difference)
    return json;
  const StepDifference &step = *result.difference;
  OrderedJson inputs = OrderedJson::array();
  for (const InputDifference &input : step.inputs)
    inputs.push_back({{"name", input.name},
                      {"role", std::string(name(input.role))},
                      {"value", describeJson(input.value)}});
  json["inputs"] = inputs;
  json["first_samples"] = result.firstSamples;
  json["second_samples"] = result.secondSamples;
  json["ops"] = {{"first", step.firstOps},
                 {"second", step.secondOps},
                 {"compared", step.compared},
                 {"only_first", step.onlyFirst},
                 {"only_second", step.onlySecond}};
  json["op"] = step.op ? describeJson(*step.op) : OrderedJson();
  return json;
}

} // namespace gensyn::runtime
