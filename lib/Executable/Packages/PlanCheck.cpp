// Decodes a plan's signature and rejects an inconsistent plan.
// PlanCheckLaunch.cpp and PlanCheckSteps.cpp check launches and steps.

#include "gensyn/Executable/Packages/PlanCheck.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/Signature.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <optional>
#include <set>

namespace gensyn {

void failPlan(const std::string &message) {
  failBadInput("the program is malformed: " + message);
}

/// True if a tensor of this role is an input of a program rather than computed
/// by it.
static bool isTaken(Role role) {
  return role == Role::Input || role == Role::Target ||
         role == Role::Constant || role == Role::Key || role == Role::Step;
}

/// Checks the types of ports that the runtime writes, or reads as a number.
static void checkRole(const Port &port, bool isInput) {
  const std::string which = quote(port.name) + " ";
  const bool isMade = port.role == Role::Output || port.role == Role::Loss ||
                      port.role == Role::Metric;
  if (isInput ? isMade : isTaken(port.role))
    failPlan(which + (isInput ? "is taken" : "is made") +
             ", which its role "
             "does not allow");
  const int64_t elements = countElements(port.shape).value_or(-1);
  if (isFigure(port) && (elements != 1 || (port.type != ElementType::F32 &&
                                           port.type != ElementType::F64)))
    failPlan(which + "is a metric but not a number");
  if (port.role == Role::Step && elements != 1)
    failPlan(which + "counts steps but is not a number");
  const bool isKey = (port.type == ElementType::UI32 && elements == 2) ||
                     (port.type == ElementType::UI64 && elements == 1);
  if (port.role == Role::Key && !isKey)
    failPlan("its key is neither two ui32 nor one ui64");
}

static Port readPort(const plan::TensorSpec &spec, bool isInput) {
  std::string which = quote(spec.name()) + " ";
  Port port;
  port.name = spec.name();
  port.initial = &spec.initial();
  std::optional<Role> role = roleFromName(spec.role());
  if (!role)
    failPlan(which + "has role " + quote(spec.role()));
  port.role = *role;
  std::optional<ElementType> type = elementTypeFromName(spec.element_type());
  if (!type)
    failPlan(which + "has element type " + quote(spec.element_type()));
  port.type = *type;
  port.shape.assign(spec.shape().begin(), spec.shape().end());
  if (port.shape.size() > 64 || tensorBytes(port.type, port.shape) < 0)
    failPlan(which + "has no valid shape");
  checkRole(port, isInput);
  return port;
}

static void checkDonations(const Signature &signature) {
  std::set<int> replaced;
  if (signature.donated.size() > signature.outputs.size())
    failPlan("it donates more tensors than it has");
  for (size_t j = 0; j < signature.donated.size(); ++j) {
    int i = signature.donated[j];
    if (i == -1)
      continue;
    if (i < 0 || size_t(i) >= signature.inputs.size() ||
        !replaced.insert(i).second)
      failPlan("output " + std::to_string(j) + " replaces input " +
               std::to_string(i));
    const Port &input = signature.inputs[i], &output = signature.outputs[j];
    if (!isKept(input) || input.role == Role::Constant ||
        input.type != output.type || input.shape != output.shape)
      failPlan(quote(output.name) + " cannot replace " + quote(input.name));
  }
}

/// Only an input that is replaced can be overwritten.
static void checkInPlace(const plan::Plan &plan) {
  if (plan.in_place_size() > plan.outputs_size())
    failPlan("it writes more tensors in place than it has");
  for (int j = 0; j < plan.in_place_size(); ++j)
    if (plan.in_place(j) && (j >= plan.donated_size() || plan.donated(j) < 0))
      failPlan("output " + std::to_string(j) +
               " replaces nothing that it could be written over");
}

static void checkBuffer(const plan::Plan &plan, const Signature &signature,
                        int index) {
  const plan::Buffer &buffer = plan.buffers(index);
  std::string which = "buffer " + std::to_string(index) + " ";
  auto checkPort = [&](const std::vector<Port> &ports, uint32_t port) {
    if (port >= ports.size() ||
        buffer.bytes() !=
            uint64_t(tensorBytes(ports[port].type, ports[port].shape)))
      failPlan(which + "does not fit its tensor");
  };
  switch (buffer.place_case()) {
  case plan::Buffer::kInput:
    return checkPort(signature.inputs, buffer.input());
  case plan::Buffer::kOutput:
    return checkPort(signature.outputs, buffer.output());
  case plan::Buffer::kArena:
    if (buffer.arena() % 64 || buffer.arena() > plan.arena_bytes() ||
        buffer.bytes() > plan.arena_bytes() - buffer.arena())
      failPlan(which + "lies outside the arena");
    return;
  case plan::Buffer::kConstant:
    if (buffer.constant() >= uint32_t(plan.constants_size()) ||
        buffer.bytes() != plan.constants(buffer.constant()).size())
      failPlan(which + "does not fit its constant");
    return;
  case plan::Buffer::kFault:
    if (buffer.fault() >= uint32_t(plan.faults_size()) ||
        buffer.bytes() != sizeof(uint64_t))
      failPlan(which + "does not fit its fault word");
    return;
  case plan::Buffer::kPrepared:
    if (buffer.prepared() % 64 || buffer.prepared() > plan.prepared_bytes() ||
        buffer.bytes() > plan.prepared_bytes() - buffer.prepared())
      failPlan(which + "lies outside the prepared values");
    return;
  case plan::Buffer::PLACE_NOT_SET:
    failPlan(which + "has no place");
  }
}

/// The arena and the memory of prepared values end near the end of the last
/// buffer in them.
static void checkArenas(const plan::Plan &plan) {
  uint64_t end = 0, preparedEnd = 0;
  for (const plan::Buffer &buffer : plan.buffers())
    if (buffer.place_case() == plan::Buffer::kArena)
      end = std::max(end, buffer.arena() + buffer.bytes());
    else if (buffer.place_case() == plan::Buffer::kPrepared)
      preparedEnd = std::max(preparedEnd, buffer.prepared() + buffer.bytes());
  auto check = [](const char *what, uint64_t bytes, uint64_t end) {
    constexpr uint64_t slack = uint64_t(1) << 20;
    if (bytes > end + slack)
      failPlan(std::string(what) + std::to_string(bytes) +
               " bytes, its buffers end at " + std::to_string(end));
  };
  check("its arena has ", plan.arena_bytes(), end);
  check("the memory of its prepared values has ", plan.prepared_bytes(),
        preparedEnd);
}

/// Tensors are found by name: a parameter `w.exp_avg` would be taken for Adam's
/// state of a parameter `w`.
static void checkNames(const std::vector<Port> &inputs) {
  std::set<std::string> names;
  for (const Port &port : inputs)
    if (!names.insert(port.name).second)
      failBadInput("two tensors of the program are called " + quote(port.name),
                   "rename the one in the model");
}

Signature readSignature(const plan::Executable &executable) {
  if (executable.version() != 1 && executable.version() != 2)
    failUnsupported("the program has version " +
                    std::to_string(executable.version()) +
                    "; versions 1 and 2 are known");
  const plan::Plan &plan = executable.plan();
  Signature signature;
  for (const plan::TensorSpec &spec : plan.inputs())
    signature.inputs.push_back(readPort(spec, /*isInput=*/true));
  checkNames(signature.inputs);
  for (const plan::TensorSpec &spec : plan.outputs())
    signature.outputs.push_back(readPort(spec, /*isInput=*/false));
  signature.donated.assign(plan.donated().begin(), plan.donated().end());
  checkDonations(signature);
  checkInPlace(plan);
  signature.donated.resize(signature.outputs.size(), -1);
  for (int i = 0; i < plan.buffers_size(); ++i)
    checkBuffer(plan, signature, i);
  checkArenas(plan);
  checkLaunches(plan);
  checkSteps(plan);
  return signature;
}

std::vector<Tensor> makeOutputs(const Signature &signature) {
  std::vector<Tensor> outputs;
  for (const Port &port : signature.outputs)
    outputs.emplace_back(port.type, port.shape);
  return outputs;
}

} // namespace gensyn
