// See PlanText.h.

#include "PlanText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace json = llvm::json;

namespace gensyn {

static json::Array
describe(const google::protobuf::RepeatedPtrField<plan::TensorSpec> &tensors) {
  json::Array result;
  for (const plan::TensorSpec &tensor : tensors) {
    json::Array shape;
    for (int64_t extent : tensor.shape())
      shape.push_back(extent);
    result.push_back(json::Object{{"name", tensor.name()},
                                  {"role", tensor.role()},
                                  {"type", tensor.element_type()},
                                  {"shape", std::move(shape)}});
  }
  return result;
}

static json::Object describe(const plan::Buffer &buffer) {
  json::Object result{{"bytes", static_cast<int64_t>(buffer.bytes())}};
  switch (buffer.place_case()) {
  case plan::Buffer::kInput:
    result["input"] = buffer.input();
    break;
  case plan::Buffer::kOutput:
    result["output"] = buffer.output();
    break;
  case plan::Buffer::kArena:
    result["arena"] = static_cast<int64_t>(buffer.arena());
    break;
  case plan::Buffer::kConstant:
    result["constant"] = buffer.constant();
    break;
  case plan::Buffer::kFault:
    result["fault"] = buffer.fault();
    break;
  case plan::Buffer::kPrepared:
    result["prepared"] = static_cast<int64_t>(buffer.prepared());
    break;
  case plan::Buffer::PLACE_NOT_SET:
    break;
  }
  return result;
}

template <class Range> static json::Array numbers(const Range &range) {
  json::Array result;
  for (auto value : range)
    result.push_back(static_cast<int64_t>(value));
  return result;
}

static json::Object describe(const plan::Memory &memory) {
  json::Object result{
      {"lower_bound", static_cast<int64_t>(memory.lower_bound())},
      {"without_reuse", static_cast<int64_t>(memory.without_reuse())},
      {"largest", numbers(memory.largest())},
      {"launch", memory.launch()},
      {"written_in_place", memory.written_in_place()}};
  if (memory.arena_before()) {
    result["arena_before"] = static_cast<int64_t>(memory.arena_before());
    result["more_kernels"] = memory.more_kernels();
    result["flops_before"] = static_cast<int64_t>(memory.flops_before());
    result["flops"] = static_cast<int64_t>(memory.flops());
  }
  return result;
}

static json::Array
describe(const google::protobuf::RepeatedPtrField<plan::Step> &steps);

static json::Object describe(const plan::Step::Loop &loop) {
  json::Array carries;
  for (const plan::Step::Carry &carry : loop.carries())
    carries.push_back(json::Array{carry.current(), carry.next()});
  json::Object result{{"trips", loop.trips()},
                      {"index", loop.index()},
                      {"carries", std::move(carries)},
                      {"body", describe(loop.body())}};
  if (loop.has_condition())
    result["condition"] = loop.condition();
  if (loop.has_exhaust_fault())
    result["exhaust_fault"] = loop.exhaust_fault();
  return result;
}

static json::Object describe(const plan::Step::If &branch) {
  return json::Object{{"predicate", branch.predicate()},
                      {"then", describe(branch.then_steps())},
                      {"else", describe(branch.else_steps())}};
}

static json::Object describe(const plan::Step &step) {
  json::Object result;
  switch (step.kind_case()) {
  case plan::Step::kLaunch:
    result["launch"] = step.launch();
    break;
  case plan::Step::kCopy:
    result["copy"] = json::Array{step.copy().from(), step.copy().to()};
    break;
  case plan::Step::kCheck:
    result["check"] = step.check().ok();
    result["fault"] = step.check().fault();
    break;
  case plan::Step::kBranch:
    result["if"] = describe(step.branch());
    break;
  case plan::Step::kLoop:
    result["loop"] = describe(step.loop());
    break;
  case plan::Step::KIND_NOT_SET:
    break;
  }
  return result;
}

static json::Array
describe(const google::protobuf::RepeatedPtrField<plan::Step> &steps) {
  json::Array result;
  for (const plan::Step &step : steps)
    result.push_back(describe(step));
  return result;
}

static json::Array
describe(const google::protobuf::RepeatedPtrField<plan::FaultSlot> &faults) {
  json::Array result;
  for (const plan::FaultSlot &fault : faults)
    result.push_back(json::Object{{"operation", fault.operation()},
                                  {"message", fault.message()},
                                  {"by_element", fault.by_element()},
                                  {"in_loop", fault.in_loop()}});
  return result;
}

std::string printPlan(const plan::Executable &executable) {
  const plan::Plan &plan = executable.plan();
  json::Array buffers, launches, constants;
  for (const plan::Buffer &buffer : plan.buffers())
    buffers.push_back(describe(buffer));
  for (const plan::Launch &launch : plan.launches())
    launches.push_back(
        json::Object{{"kernel", launch.kernel()},
                     {"source_kernel", launch.source_kernel()},
                     {"grid", numbers(launch.grid())},
                     {"block", numbers(launch.block())},
                     {"shared_bytes", launch.shared_bytes()},
                     {"buffers", numbers(launch.buffers())},
                     {"operation", launch.operation()},
                     {"schedule", launch.schedule()},
                     {"flops", static_cast<int64_t>(launch.flops())}});
  for (const std::string &constant : plan.constants())
    constants.push_back(llvm::toHex(constant, /*LowerCase=*/true));
  json::Object whole{{"program_digest", executable.program_digest()},
                     {"numerics_version", executable.numerics_version()},
                     {"kind", executable.kind()},
                     {"inputs", describe(plan.inputs())},
                     {"outputs", describe(plan.outputs())},
                     {"donated", numbers(plan.donated())},
                     {"arena_bytes", static_cast<int64_t>(plan.arena_bytes())},
                     {"buffers", std::move(buffers)},
                     {"constants", std::move(constants)},
                     {"launches", std::move(launches)}};
  if (plan.in_place_size())
    whole["in_place"] = numbers(plan.in_place());
  if (plan.has_memory())
    whole["memory"] = describe(plan.memory());
  if (!plan.steps().empty())
    whole["steps"] = describe(plan.steps());
  if (!plan.faults().empty())
    whole["faults"] = describe(plan.faults());
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}", json::Value(std::move(whole))) << "\n";
  return text;
}

} // namespace gensyn
