// Decodes a plan's signature and refuses a plan that does not hold together.

#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Program.h"
#include "gensyn/Runtime/SafeTensors.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace gensyn::runtime {

namespace {

constexpr std::pair<const char *, Role> roleNames[] = {
    {"parameter", Role::Parameter}, {"state", Role::State},
    {"input", Role::Input},         {"target", Role::Target},
    {"constant", Role::Constant},   {"key", Role::Key},
    {"step", Role::Step},           {"output", Role::Output},
    {"loss", Role::Loss},           {"average", Role::Average},
    {"metric", Role::Metric}};

} // namespace

[[noreturn]] static void failPlan(const std::string &message) {
  failBadInput("the program is malformed: " + message);
}

static Port readPort(const plan::TensorSpec &spec) {
  std::string which = quote(spec.name()) + " ";
  Port port;
  port.name = spec.name();
  port.initial = &spec.initial();
  bool known = false;
  for (const auto &[word, role] : roleNames)
    if (spec.role() == word) {
      port.role = role;
      known = true;
    }
  if (!known)
    failPlan(which + "has role " + quote(spec.role()));
  std::optional<ElementType> type = elementTypeFromName(spec.element_type());
  if (!type)
    failPlan(which + "has element type " + quote(spec.element_type()));
  port.type = *type;
  port.shape.assign(spec.shape().begin(), spec.shape().end());
  if (port.shape.size() > 64 || tensorBytes(port.type, port.shape) < 0)
    failPlan(which + "has no valid shape");
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

/// Only what is replaced can be overwritten.
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
  case plan::Buffer::PLACE_NOT_SET:
    failPlan(which + "has no place");
  }
}

/// At most three extents of at least 1.
template <class Extents> static bool isGeometry(const Extents &extents) {
  return extents.size() <= 3 &&
         std::all_of(extents.begin(), extents.end(),
                     [](uint32_t extent) { return extent > 0; });
}

/// Whether an extent is beyond what devices take, in x, y and z.
template <class Extents>
static bool isTooLarge(const Extents &extents,
                       const std::array<uint32_t, 3> &most) {
  for (int dim = 0; dim < extents.size(); ++dim)
    if (extents[dim] > most[size_t(dim)])
      return true;
  return false;
}

/// "65536 by 2".
template <class Extents> static std::string describe(const Extents &extents) {
  std::string text;
  for (uint32_t extent : extents)
    text += (text.empty() ? "" : " by ") + std::to_string(extent);
  return text;
}

template <class Extents> static uint64_t countAll(const Extents &extents) {
  uint64_t count = 1;
  for (uint32_t extent : extents)
    count *= extent;
  return count;
}

static void checkLaunch(const plan::Plan &plan, const plan::Launch &launch) {
  std::string which = "kernel " + quote(launch.kernel()) + " ";
  for (uint32_t buffer : launch.buffers())
    if (buffer >= uint32_t(plan.buffers_size()))
      failPlan(which + "has no buffer " + std::to_string(buffer));
  if (launch.tiles() < 0 || launch.scratch_bytes() > uint64_t(1) << 40)
    failPlan(which + "has an impossible size");
  if (!isGeometry(launch.grid()) || !isGeometry(launch.block()))
    failPlan(which + "has an impossible grid");
  if (isTooLarge(launch.grid(), {2147483647, 65535, 65535}) ||
      isTooLarge(launch.block(), {1024, 1024, 64}) ||
      countAll(launch.block()) > 1024)
    throw Failure(ExitCode::OutOfResources,
                  which + "needs a grid of " + describe(launch.grid()) +
                      " blocks of " + describe(launch.block()) +
                      " threads; a GPU has at most 2147483647 by 65535 by "
                      "65535 of 1024",
                  "a smaller batch needs fewer of them");
}

namespace {
/// Checks steps: every number in them, and that what they write may be written.
class StepCheck {
public:
  explicit StepCheck(const plan::Plan &plan) : plan(plan) {}

  void check(const google::protobuf::RepeatedPtrField<plan::Step> &steps) {
    for (const plan::Step &step : steps)
      check(step);
  }

private:
  void check(const plan::Step &step) {
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      if (step.launch() >= uint32_t(plan.launches_size()))
        failPlan("a step launches number " + std::to_string(step.launch()));
      return;
    case plan::Step::kCopy:
      checkWritten(step.copy().to(), find(step.copy().from()).bytes());
      return;
    case plan::Step::kCheck:
      checkFlag(step.check().ok());
      checkFault(step.check().fault());
      return;
    case plan::Step::kBranch:
      checkFlag(step.branch().predicate());
      check(step.branch().then_steps());
      check(step.branch().else_steps());
      return;
    case plan::Step::kLoop:
      check(step.loop());
      return;
    case plan::Step::KIND_NOT_SET:
      failPlan("a step does nothing");
    }
  }

  void check(const plan::Step::Loop &loop) {
    if (loop.trips() < 0)
      failPlan("a loop has " + std::to_string(loop.trips()) + " trips");
    checkWritten(loop.index(), sizeof(int64_t));
    if (loop.has_condition())
      checkFlag(loop.condition());
    if (loop.has_exhaust_fault())
      checkFault(loop.exhaust_fault());
    for (const plan::Step::Carry &carry : loop.carries())
      for (uint32_t buffer : {carry.current(), carry.next()})
        if (find(buffer).place_case() != plan::Buffer::kArena ||
            find(buffer).bytes() != find(carry.current()).bytes())
          failPlan("a loop carries buffer " + std::to_string(buffer));
    check(loop.body());
  }

  const plan::Buffer &find(uint32_t buffer) const {
    if (buffer >= uint32_t(plan.buffers_size()))
      failPlan("a step has no buffer " + std::to_string(buffer));
    return plan.buffers(static_cast<int>(buffer));
  }
  void checkFlag(uint32_t buffer) const {
    if (find(buffer).bytes() != 1)
      failPlan("buffer " + std::to_string(buffer) + " is no flag");
  }
  void checkFault(uint32_t fault) const {
    if (fault >= uint32_t(plan.faults_size()))
      failPlan("a step has no fault word " + std::to_string(fault));
  }
  void checkWritten(uint32_t number, uint64_t bytes) const {
    const plan::Buffer &buffer = find(number);
    if (buffer.bytes() != bytes ||
        (buffer.place_case() != plan::Buffer::kArena &&
         buffer.place_case() != plan::Buffer::kOutput))
      failPlan("a step writes buffer " + std::to_string(number));
  }

  const plan::Plan &plan;
};
} // namespace

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
  if (executable.version() != 1)
    failUnsupported("the program has version " +
                    std::to_string(executable.version()) +
                    "; version 1 is known");
  const plan::Plan &plan = executable.plan();
  Signature signature;
  for (const plan::TensorSpec &spec : plan.inputs())
    signature.inputs.push_back(readPort(spec));
  checkNames(signature.inputs);
  for (const plan::TensorSpec &spec : plan.outputs())
    signature.outputs.push_back(readPort(spec));
  signature.donated.assign(plan.donated().begin(), plan.donated().end());
  checkDonations(signature);
  checkInPlace(plan);
  signature.donated.resize(signature.outputs.size(), -1);
  if (plan.arena_bytes() > uint64_t(1) << 48)
    failPlan("its arena is impossibly large");
  for (int i = 0; i < plan.buffers_size(); ++i)
    checkBuffer(plan, signature, i);
  for (const plan::Launch &launch : plan.launches())
    checkLaunch(plan, launch);
  StepCheck(plan).check(plan.steps());
  return signature;
}

std::vector<Tensor> makeOutputs(const Signature &signature) {
  std::vector<Tensor> outputs;
  for (const Port &port : signature.outputs)
    outputs.emplace_back(port.type, port.shape);
  return outputs;
}

} // namespace gensyn::runtime
