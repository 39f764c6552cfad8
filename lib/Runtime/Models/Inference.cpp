// Programs by the shapes of their inputs, and runs of them.

#include "gensyn/Runtime/Models/Inference.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Models/Model.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <pthread.h>

namespace gensyn::runtime {

using Shapes = std::vector<std::vector<int64_t>>;

/// A program for inputs of certain shapes.
struct Specialization {
  Shapes shapes;
  Session session;
  /// For each output of the model, that of the program.
  std::vector<size_t> results;
  uint64_t lastUse = 0;
};

namespace {

/// What all instances need to know about fork: a child has none of the threads
/// of its parent and shares the compiler's socket, so it forgets both.
std::mutex registryMutex;
std::set<Inference *> &registry() {
  static auto *instances = new std::set<Inference *>;
  return *instances;
}

} // namespace

struct Inference::State {
  std::mutex mutex;
  /// The members below are null until the first use, and in a child of fork.
  std::unique_ptr<Model> model;
  ParameterStore store;
  std::vector<std::unique_ptr<Specialization>> programs;
  /// Of the program that was used last.
  std::string digest;
  uint64_t uses = 0;
  /// True if the store has the owner's parameters.
  bool isReplaced = false;

  Specialization &find(const Inference &owner, const Shapes &shapes);
  /// The program that was used last, or null.
  const Specialization *newest() const;
  std::unique_ptr<Specialization> compile(const Inference &owner,
                                          const Shapes &shapes);
};

class Inference::Locked {
public:
  explicit Locked(Inference &owner)
      : state(*owner.state), lock(owner.state->mutex) {
    if (!state.model)
      state.model = std::make_unique<Model>(owner.options);
  }
  State *operator->() { return &state; }

private:
  State &state;
  std::lock_guard<std::mutex> lock;
};

struct ForkHandlers {
  static void prepare() { registryMutex.lock(); }
  static void parent() { registryMutex.unlock(); }
  static void child() {
    // Leaked on purpose: their destructors would wait for threads that are not
    // in this process, and end the compiler of the parent.
    for (Inference *instance : registry()) {
      (void)instance->state.release();
      instance->state = std::make_unique<Inference::State>();
    }
    registryMutex.unlock();
  }
};

static void addToRegistry(Inference *instance) {
  static std::once_flag once;
  std::call_once(once, [] {
    ::pthread_atfork(ForkHandlers::prepare, ForkHandlers::parent,
                     ForkHandlers::child);
  });
  const std::lock_guard lock(registryMutex);
  registry().insert(instance);
}

Inference::Inference(ModelOptions given, size_t mostPrograms, uint64_t seed,
                     std::shared_ptr<const TensorFile> replacing)
    : options(std::move(given)),
      mostPrograms(std::max<size_t>(mostPrograms, 1)), seed(seed),
      parameters(std::move(replacing)), state(std::make_unique<State>()) {
  {
    Locked locked(*this);
    ModelTensors tensors = readModelTensors(
        locked->model->facts(), options.dims, options.model.string());
    inputList = std::move(tensors.inputs);
    outputList = std::move(tensors.outputs);
  }
  Shapes shapes;
  bool anyOpen = false;
  for (const ModelTensor &input : inputList) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    for (const ModelTensor::Dimension &dimension : input.shape) {
      shape.push_back(dimension.size);
      anyOpen |= dimension.isOpen;
    }
  }
  if (!anyOpen)
    prepare(shapes);
  addToRegistry(
      this); // last, since a constructor that throws has no destructor
}

Inference::~Inference() {
  const std::lock_guard lock(registryMutex);
  registry().erase(this);
}

size_t Inference::findInput(const std::string &name) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < inputList.size(); ++i) {
    if (inputList[i].name == name)
      return i;
    names.push_back(inputList[i].name);
  }
  failBadInput(options.model.string() + ": has no input " + quote(name),
               "its inputs are " + listed(names));
}

void Inference::check(std::span<const Given> inputs) const {
  const std::string where = options.model.string() + ": ";
  if (inputs.size() != inputList.size())
    failBadInput(where + "got " + std::to_string(inputs.size()) +
                 " tensors, expected " + std::to_string(inputList.size()));
  std::map<std::string, std::pair<int64_t, const ModelTensor *>> sizes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ModelTensor &input = inputList[i];
    const std::vector<int64_t> &shape = inputs[i].shape;
    const std::string what = where + "input " + quote(input.name) + " is ";
    if (inputs[i].type != input.type)
      failBadInput(what + longName(inputs[i].type) + "; the model wants " +
                   longName(input.type));
    bool fits = shape.size() == input.shape.size();
    for (size_t dim = 0; fits && dim < shape.size(); ++dim) {
      const ModelTensor::Dimension &wanted = input.shape[dim];
      fits = wanted.isOpen || wanted.size == shape[dim];
      if (!wanted.isOpen || wanted.name.empty())
        continue;
      const auto [known, isNew] =
          sizes.try_emplace(wanted.name, shape[dim], &input);
      if (!isNew && known->second.first != shape[dim])
        failBadInput(what + gensyn::describeShape(shape) + ", so dimension " +
                     quote(wanted.name) + " is " + std::to_string(shape[dim]) +
                     "; input " + quote(known->second.second->name) +
                     " has it as " + std::to_string(known->second.first));
    }
    if (!fits)
      failBadInput(what + gensyn::describeShape(shape) + "; the model wants " +
                   input.describeShape());
  }
}

void Inference::checkBooleans(const Tensor &tensor, size_t input) const {
  const std::span<const std::byte> bytes = tensor.byteSpan();
  if (tensor.elementType() == ElementType::I1 &&
      std::any_of(bytes.begin(), bytes.end(),
                  [](std::byte byte) { return byte > std::byte{1}; }))
    failBadInput(options.model.string() + ": input " +
                 quote(inputList[input].name) +
                 " has a boolean that is neither 0 nor 1");
}

std::unique_ptr<Specialization>
Inference::State::compile(const Inference &owner, const Shapes &shapes) {
  GivenTensors given;
  given.name = "the arguments";
  for (size_t i = 0; i < shapes.size(); ++i)
    given.tensors.push_back({owner.inputList[i].name, shapes[i]});
  auto made = std::make_unique<Specialization>(Specialization{
      shapes,
      Session(model->program({ProgramKind::Infer, /*batchSize=*/0, given}),
              store),
      {},
      0});
  // Now the store knows the names, and keeps the values for later programs.
  if (owner.parameters && !std::exchange(isReplaced, true))
    try {
      store.replace(*owner.parameters);
    } catch (...) {
      isReplaced = false;
      throw;
    }
  const Signature &signature = made->session.signature();
  for (const ModelTensor &output : owner.outputList) {
    const auto found = std::find_if(
        signature.outputs.begin(), signature.outputs.end(),
        [&](const Port &port) { return port.name == output.name; });
    if (found == signature.outputs.end())
      failBadInput("the program is malformed: it has no output " +
                   quote(output.name));
    made->results.push_back(size_t(found - signature.outputs.begin()));
  }
  // A package has programs for certain sizes, whatever is asked for.
  for (const Port &port : signature.inputs)
    if (port.role == Role::Input)
      if (const size_t i = owner.findInput(port.name); port.shape != shapes[i])
        failBadInput(owner.options.model.string() + ": input " +
                     quote(port.name) + " is " +
                     gensyn::describeShape(shapes[i]) + "; the model wants " +
                     gensyn::describeShape(port.shape));
  return made;
}

Specialization &Inference::State::find(const Inference &owner,
                                       const Shapes &shapes) {
  Specialization *found = nullptr;
  for (const std::unique_ptr<Specialization> &program : programs)
    if (program->shapes == shapes)
      found = program.get();
  if (!found) {
    std::unique_ptr<Specialization> made = compile(owner, shapes);
    if (programs.size() >= owner.mostPrograms)
      programs.erase(std::min_element(programs.begin(), programs.end(),
                                      [](const auto &a, const auto &b) {
                                        return a->lastUse < b->lastUse;
                                      }));
    found = programs.emplace_back(std::move(made)).get();
  }
  found->lastUse = ++uses;
  digest = found->session.executable().program_digest();
  return *found;
}

const Specialization *Inference::State::newest() const {
  for (const std::unique_ptr<Specialization> &program : programs)
    if (program->lastUse == uses)
      return program.get();
  return nullptr;
}

std::vector<Tensor> Inference::run(std::span<const Tensor> tensors) {
  std::vector<Given> given;
  given.reserve(tensors.size());
  for (const Tensor &tensor : tensors)
    given.push_back({tensor.elementType(), tensor.shape()});
  check(given);
  Shapes shapes;
  shapes.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    checkBooleans(tensors[i], i);
    shapes.push_back(tensors[i].shape());
  }
  Locked locked(*this);
  Specialization &program = locked->find(*this, shapes);
  StepInputs inputs;
  inputs.seed = seed;
  for (size_t i = 0; i < tensors.size(); ++i)
    inputs.tensors.emplace(inputList[i].name, tensors[i]);
  program.session.run(inputs);
  std::vector<Tensor> results;
  results.reserve(program.results.size());
  for (size_t output : program.results)
    results.push_back(program.session.takeOutput(output));
  return results;
}

std::vector<Value> Inference::run(std::span<Value> values, bool keepsResults) {
  std::vector<Given> given;
  Shapes shapes;
  for (const Value &value : values) {
    given.push_back({value.elementType(), value.shape()});
    shapes.push_back(value.shape());
  }
  check(given);
  Locked locked(*this);
  Specialization &program = locked->find(*this, shapes);
  StepInputs inputs;
  inputs.seed = seed;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string &name = inputList[i].name;
    // Booleans are checked on the host.
    if (values[i].device() && values[i].elementType() != ElementType::I1) {
      inputs.onDevice.emplace(name, &values[i]);
    } else {
      checkBooleans(values[i].read(), i);
      inputs.tensors.emplace(name, values[i].read());
    }
  }
  program.session.run(inputs);
  std::vector<Value> results;
  for (size_t output : program.results)
    results.push_back(keepsResults ? program.session.takeValue(output)
                                   : Value(program.session.takeOutput(output)));
  return results;
}

DeviceExchange *Inference::exchange() {
  return Locked(*this)->model->exchange();
}

void Inference::prepare(const std::vector<std::vector<int64_t>> &shapes) {
  Locked(*this)->find(*this, shapes);
}

std::string Inference::digest() { return Locked(*this)->digest; }

std::string Inference::target() { return Locked(*this)->model->target(); }

size_t Inference::countPrograms() { return Locked(*this)->programs.size(); }

std::string Inference::profile(bool clear) {
  if (!options.profile)
    throw Failure(ExitCode::Usage,
                  options.model.string() + ": no times were measured",
                  "--profile measures them");
  Locked locked(*this);
  KernelProfile &profile = locked->model->profile();
  std::string text = printJson(profile.describe());
  if (clear)
    profile.clear();
  return text;
}

std::string Inference::kernels() {
  ModelOptions request = options;
  {
    Locked locked(*this);
    if (locked->model->package())
      throw Failure(ExitCode::Usage,
                    options.model.string() + ": is compiled already",
                    "kernels are listed for models");
    request.kernelTarget = locked->model->target();
    const Specialization *last = locked->newest();
    for (size_t i = 0; last && i < inputList.size(); ++i)
      for (size_t dim = 0; dim < inputList[i].shape.size(); ++dim)
        if (const auto &open = inputList[i].shape[dim]; !open.name.empty())
          request.dims[open.name] = last->shapes[i][dim];
  }
  const std::string facts =
      openCompiler(request)->info(makeInfoRequest(request, ""));
  try {
    return printJson(OrderedJson::parse(facts).at("kernels"));
  } catch (const nlohmann::json::exception &) {
    throw Failure(ExitCode::Bug, "the compiler lists no kernels");
  }
}

} // namespace gensyn::runtime
