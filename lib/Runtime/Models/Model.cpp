// Opens the compiler and the device, and requests programs.

#include "gensyn/Runtime/Models/Model.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/ScheduleFile.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <vector>

namespace gensyn::runtime {

ProgramKind kindOf(const Recipe &recipe) {
  return recipe.optimizer ? ProgramKind::Train : ProgramKind::Grad;
}

std::shared_ptr<Compiler> openCompiler(const ModelOptions &options) {
  CompilerLimits limits;
  if (options.compilerMemory)
    limits.memory = *options.compilerMemory;
  if (options.compilerSeconds)
    limits.seconds = static_cast<unsigned>(options.compilerSeconds);
  auto compiler = Compiler::open(options.compilerNeighbour.empty()
                                     ? executableOfProcess()
                                     : options.compilerNeighbour,
                                 limits);
  compiler->setWarn(options.warn);
  compiler->setCache(options.cache);
  return compiler;
}

/// Completes a request for the target "machine:" and a name or file.
static void setMachine(const ModelOptions &options, const std::string &target,
                       plan::CompileRequest &request) {
  for (const auto &[option, isGiven] :
       {std::pair("--memory-budget", options.memoryBudget != 0),
        std::pair("--prepared-memory", options.preparedMemory.has_value())})
    if (isGiven)
      throw Failure(ExitCode::Usage,
                    std::string(option) + " is not for " + quote(target));
  const machine::Description machine =
      machine::findMachine(target.substr(machinePrefix.size()));
  request.set_target(std::string(machinePrefix) + machine.name);
  request.set_machine(machine.text);
  request.set_weights(options.weights);
  if (options.bodies)
    request.set_host(chooseInstructionSet(options.instructionSet));
}

plan::CompileRequest
makeCompileRequest(const ModelOptions &options, ProgramKind kind,
                   const std::string &recipe, const std::string &target,
                   int64_t batchSize, const GivenTensors &given) {
  plan::CompileRequest request;
  request.set_model_path(options.model.string());
  request.set_kind(std::string(name(kind)));
  request.set_recipe_json(kind == ProgramKind::Infer ? std::string() : recipe);
  request.set_recipe_name(options.recipe.string());
  for (const auto &[name, value] : options.dims)
    (*request.mutable_dims())[name] = value;
  request.set_target(target);
  request.set_batch_size(batchSize);
  request.set_batch_origin(options.batchOrigin);
  describe(given, *request.mutable_given());
  request.set_cache_dir(options.cache.string());
  request.set_threads(options.threads);
  request.set_accuracy(options.accuracy);
  request.set_integer_sums(options.integerSums);
  request.set_memory_budget(options.memoryBudget);
  if (options.preparedMemory)
    request.set_prepared_memory(*options.preparedMemory);
  request.set_crash_reproducer(options.crashReproducer.string());
  if (!options.schedules.empty() && !options.autotune) {
    request.set_schedules(readSchedulesText(options.schedules));
    request.set_schedules_name(options.schedules.string());
  }
  if (options.symbolicWeights)
    request.set_symbolic_seed(options.symbolicSeed);
  if (target.starts_with(machinePrefix))
    setMachine(options, target, request);
  else if (!options.weights.empty() && !options.hasOtherTargets)
    throw Failure(ExitCode::Usage, "--weights is for machine:NAME");
  return request;
}

plan::InfoRequest makeInfoRequest(const ModelOptions &options,
                                  const std::string &recipe) {
  plan::InfoRequest request;
  request.set_model_path(options.model.string());
  for (const auto &[name, value] : options.dims)
    (*request.mutable_dims())[name] = value;
  request.set_recipe_json(recipe);
  request.set_recipe_name(options.recipe.string());
  request.set_accuracy(options.accuracy);
  request.set_integer_sums(options.integerSums);
  if (options.symbolicWeights)
    request.set_symbolic_seed(options.symbolicSeed);
  request.set_orders(options.orders);
  request.set_kernels(options.kernelTarget);
  request.set_memory_budget(options.memoryBudget);
  if (options.preparedMemory)
    request.set_prepared_memory(*options.preparedMemory);
  return request;
}

/// For a package: its best code among `known`, which is sorted from best to
/// worst. Else the first.
static std::string chooseCode(const Package *package, const std::string &device,
                              std::vector<std::string> known) {
  for (std::string &name : known)
    name = device + ":" + name;
  std::string target = package ? package->chooseTarget(known) : known.front();
  return target.substr(device.size() + 1);
}

/// The name of the machine of --backend. One of a package need not be known.
std::string Model::machineName() const {
  std::string word = options.backend.substr(machinePrefix.size());
  if (package())
    for (const std::string &target : package()->targets())
      if (target == options.backend)
        return word;
  return machine::findMachine(word).name;
}

std::unique_ptr<Device> Model::makeDevice(KernelProfile *profile) {
  if (options.backend == "reference")
    return makeReferenceDevice(compiler,
                               /*isPackaged=*/package() != nullptr);
  if (options.backend == "ptx-sim") {
    std::vector<std::string> known = machine::listGpusByPreference();
    if (options.sm)
      known = {"sm_" + std::to_string(options.sm)};
    return makePtxSimDevice(chooseCode(package(), "ptx", known),
                            options.threads, options.checkMemory,
                            options.maxInstructions);
  }
  if (options.backend == "cuda") {
    const int number = options.device.value_or(0);
    std::vector<std::string> known = cudaArchitectures(number);
    if (options.sm)
      known = {"sm_" + std::to_string(options.sm)};
    return makeCudaDevice(number, chooseCode(package(), "ptx", known),
                          {profile, options.deviceMemory, options.warn});
  }
  if (options.backend.starts_with(machinePrefix))
    return makeMachineDevice(machineName(), observer,
                             /*isPackaged=*/package() != nullptr);
  std::vector<std::string> known = nativeInstructionSets();
  if (options.instructionSet != "native")
    known = {chooseInstructionSet(options.instructionSet)};
  return makeCpuDevice(chooseCode(package(), "cpu", known), options.threads,
                       profile,
                       /*isPackaged=*/package() != nullptr);
}

/// Refuses options that only matter for compilation, and a recipe other than
/// the compiled one.
void Model::openPackage() {
  packed.emplace(options.model);
  const std::string file = options.model.string();
  for (const auto &[option, isGiven] :
       {std::pair("--dim", !options.dims.empty()),
        std::pair("--accuracy", !options.accuracy.empty()),
        std::pair("--integer-sums", options.integerSums),
        std::pair("--symbolic-weights", options.symbolicWeights),
        std::pair("--weights", !options.weights.empty()),
        std::pair("--memory-budget", options.memoryBudget != 0),
        std::pair("--prepared-memory", options.preparedMemory.has_value()),
        std::pair("--autotune", options.autotune),
        std::pair("--schedules", !options.schedules.empty())})
    if (isGiven)
      throw Failure(ExitCode::Usage, std::string(option) + " is for models: " +
                                         file + " is compiled already");
  const std::string &compiled = packed->message().recipe_json();
  if (options.recipe.empty()) {
    text = compiled;
    if (!text.empty())
      recipe();
    return;
  }
  if (compiled.empty())
    failUnsupported(file + ": was compiled without a recipe",
                    "it has " + packed->describePrograms());
  const Recipe made = parseRecipe(compiled, file + ": its recipe");
  const std::string difference =
      differenceOfPrograms(made.source, recipe().source);
  if (!difference.empty())
    failBadInput(recipeName() + ": " + quote(difference) +
                     " is not as in the recipe that " + file +
                     " was compiled with",
                 "epochs, batch_size, shuffle, drop_last, seed, metrics, best "
                 "and early_stopping can be changed; for anything else compile "
                 "the model again");
}

Model::Model(const ModelOptions &options, machine::Observer *observer)
    : options(options), observer(observer) {
  const bool isPacked = isPackage(options.model);
  if (!options.recipe.empty()) {
    text = options.recipeText.empty() ? readRecipeText(options.recipe)
                                      : options.recipeText;
    // Checked here, before the compiler is loaded.
    recipe();
  }
  if (isPacked)
    openPackage();
  else if (options.recipe.empty() && options.needsRecipe)
    text = "{}"; // the model's training_info defines everything
  if (!isPacked || options.backend == "reference")
    compiler = openCompiler(options);
  device = makeDevice(options.profile ? &times : nullptr);
}

const Recipe &Model::recipe() const {
  if (!parsed)
    parsed = parseRecipe(text, recipeName());
  return *parsed;
}

std::string Model::recipeName() const {
  return options.recipe.empty() ? options.model.string() + ": its recipe"
                                : options.recipe.string();
}

std::shared_ptr<const plan::Executable>
Model::executable(const ProgramRequest &request) {
  if (request.kind == ProgramKind::Train)
    trainedOn = request.given;
  // The other dimensions of a package have the sizes with which it was
  // compiled.
  if (packed)
    return packed->find(request.kind, device->target(),
                        request.batchSize ? request.batchSize
                                          : commonBatch(request.given));
  plan::CompileRequest made = makeRequest(request);
  if (options.autotune && request.kind != ProgramKind::Initialize)
    tune(made);
  return compiler->compile(made);
}

plan::CompileRequest Model::makeRequest(const ProgramRequest &request) const {
  // The file of a machine is named by the option alone.
  const std::string target = options.backend.starts_with(machinePrefix)
                                 ? options.backend
                                 : device->target();
  plan::CompileRequest made = makeCompileRequest(
      options, request.kind, text, target, request.batchSize, request.given);
  for (const ProgramRequest::Nested &nested : request.nested) {
    plan::NestedProgram &to = *made.add_nested();
    to.set_position(nested.position);
    to.set_variant(nested.variant);
  }
  return made;
}

std::unique_ptr<Program> Model::program(const ProgramRequest &request) {
  auto found = executable(request);
  try {
    return device->load(std::move(found));
  } catch (const Failure &failure) {
    if (!packed)
      throw;
    // Errors in a program are errors of its file.
    throw Failure(failure.code, options.model.string() + ": " + failure.what(),
                  failure.note);
  }
}

std::string Model::info() const {
  if (packed)
    return packed->message().info_json();
  return compiler->info(makeInfoRequest(options, text));
}

const std::string &Model::facts() const {
  if (known.empty())
    known = packed ? packed->message().info_json()
                   : compiler->info(makeInfoRequest(options, ""));
  return known;
}

int64_t Model::classes() const {
  const LossSpec &loss = recipe().loss;
  if (!loss.hasClasses())
    return 0;
  try {
    const nlohmann::json described = nlohmann::json::parse(facts());
    for (const nlohmann::json &output : described.at("outputs")) {
      if (!loss.output.empty() && output.at("name") != loss.output)
        continue;
      const nlohmann::json &shape = output.at("shape");
      int64_t axis = loss.axis.value_or(-1);
      axis += axis < 0 ? int64_t(shape.size()) : 0;
      const nlohmann::json &extent = shape.at(size_t(axis));
      return extent.is_number_integer() ? extent.get<int64_t>() : 0;
    }
  } catch (const nlohmann::json::exception &) {
    // Information about the model alone: targets are not checked here.
  }
  return 0;
}

} // namespace gensyn::runtime
