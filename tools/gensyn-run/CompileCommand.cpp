// compile: writes programs of a model into one file.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "CorePrograms.h"
#include "MappingReport.h"
#include "OptionChecks.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Role.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Cpu.h"
#include "gensyn/Machine/Description.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Runtime/Compiler/Assembler.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Models/Model.h"

#include <algorithm>
#include <tuple>

namespace gensyn::run {

using namespace runtime;

std::string describeProgram(const plan::PackedProgram &program) {
  const plan::Executable &executable = program.executable();
  std::string text = executable.program_digest() + " " + executable.kind();
  if (program.batch_size())
    text += ", batch " + std::to_string(program.batch_size());
  text += ", " + program.target() + ", " +
          counted(executable.plan().launches_size(), "kernel");
  for (const std::string &target : listMachineCode(executable))
    text += ", machine code for " + target;
  return text;
}

/// The same of a word that may stand for several targets: "cpu:aarch64+sve" for
/// all lengths of vectors.
static std::vector<std::string> compilerTargets(const std::string &word) {
  std::vector<std::string> targets;
  if (word.starts_with("cpu:"))
    for (const machine::Cpu *cpu : machine::findVectorLengths(word.substr(4)))
      targets.push_back("cpu:" + std::string(cpu->name));
  if (targets.empty())
    targets.push_back(compilerTarget(word));
  return targets;
}

int64_t batchSizeOf(const plan::Plan &plan) {
  for (const plan::TensorSpec &spec : plan.inputs())
    if (const auto role = roleFromName(spec.role());
        (role == Role::Input || role == Role::Target) && spec.shape_size() > 0)
      return spec.shape(0);
  return 0;
}

/// True if no input of the model has a symbolic first extent.
static bool hasFixedBatch(const std::string &info) {
  const nlohmann::json facts = nlohmann::json::parse(info);
  for (const nlohmann::json &input : facts.at("inputs"))
    if (const nlohmann::json &shape = input.at("shape");
        !shape.empty() && shape.at(0).is_string())
      return false;
  return true;
}

namespace {

class Packer {
public:
  explicit Packer(const Options &options);
  ExitCode run();

private:
  void chooseKinds();
  bool needsInitialization() const;
  void openAssembler(const std::vector<std::string> &targets);
  void add(ProgramKind kind, int64_t batchSize, const std::string &target);
  void print(uint64_t bytes) const;

  const Options &options;
  std::shared_ptr<Compiler> compiler;
  std::optional<Assembler> assembler;
  std::string recipeText;
  std::optional<Recipe> recipe;
  std::vector<ProgramKind> kinds;
  std::vector<int64_t> batchSizes;
  plan::Package package;
  std::optional<CorePrograms> corePrograms, blockPrograms;
};

} // namespace

Packer::Packer(const Options &options) : options(options) {
  if (isPackage(options.model))
    failBadInput(options.model.string() + ": is compiled already",
                 (options.command == Command::Map ? "map" : "compile") +
                     std::string(" takes an ONNX file"));
  if (!options.recipe.empty()) {
    recipeText = readRecipeText(options.recipe);
    recipe = parseRecipe(recipeText, options.recipe.string());
  }
  chooseKinds();
  batchSizes = options.batchSizes;
  if (batchSizes.empty())
    batchSizes = {recipe ? recipe->batchSize : 0};
}

void Packer::chooseKinds() {
  kinds = options.kinds;
  if (kinds.empty() && options.command == Command::Map) {
    kinds = {recipe ? kindOf(*recipe) : ProgramKind::Infer};
  } else if (kinds.empty()) {
    kinds = {ProgramKind::Infer};
    if (recipe && recipe->optimizer)
      kinds.insert(kinds.end(), {ProgramKind::Train, ProgramKind::Eval});
    else if (recipe)
      kinds.push_back(ProgramKind::Grad);
  }
  for (ProgramKind kind : kinds) {
    if (kind != ProgramKind::Infer && !recipe)
      throw Failure(ExitCode::Usage,
                    "--kind " + std::string(name(kind)) + " needs --recipe");
    if (kind == ProgramKind::Train && !recipe->optimizer)
      failBadInput(options.recipe.string() + ": no 'optimizer'");
  }
}

/// True if the model's training_info has an initialization.
bool Packer::needsInitialization() const {
  if (!recipe || !recipe->usesTrainingInfo ||
      std::find(kinds.begin(), kinds.end(), ProgramKind::Train) == kinds.end())
    return false;
  const nlohmann::json facts = nlohmann::json::parse(package.info_json());
  return facts.value(
      nlohmann::json::json_pointer("/training_info/initialization"), false);
}

/// Before anything is compiled, so that a missing ptxas is reported at once.
void Packer::openAssembler(const std::vector<std::string> &targets) {
  if (!options.assemble)
    return;
  if (std::none_of(
          targets.begin(), targets.end(),
          [](const std::string &target) { return target.starts_with("ptx:"); }))
    throw Failure(ExitCode::Usage, "--assemble needs a target such as sm_90");
  assembler.emplace(options.ptxas);
}

void Packer::add(ProgramKind kind, int64_t batchSize,
                 const std::string &target) {
  if (kind == ProgramKind::Train && options.batchSizes.empty())
    batchSize = recipe->stepSamples();
  plan::CompileRequest request =
      makeCompileRequest(options, kind, recipeText, target, batchSize);
  if (kind != ProgramKind::Initialize)
    requestCorePrograms(options, request);
  if (kind != ProgramKind::Initialize && !options.block.empty())
    request.set_block_programs(true);
  auto executable = compiler->compile(request);
  readSignature(*executable);
  plan::PackedProgram program;
  program.set_target(request.target());
  program.set_batch_size(batchSizeOf(executable->plan()));
  // A fixed batch gives the same program for every requested size.
  for (const plan::PackedProgram &other : package.programs())
    if (other.target() == program.target() &&
        other.executable().kind() == name(kind) &&
        other.batch_size() == program.batch_size())
      return;
  *program.mutable_executable() = *executable;
  if (assembler)
    assembler->addMachineCode(*program.mutable_executable());
  if (request.core_programs())
    corePrograms = writeCorePrograms(options, *program.mutable_executable());
  if (request.block_programs())
    blockPrograms = writeBlockPrograms(options, *program.mutable_executable());
  *package.add_programs() = std::move(program);
}

void Packer::print(uint64_t bytes) const {
  for (const plan::PackedProgram &program : package.programs()) {
    const plan::Executable &executable = program.executable();
    const plan::Plan &plan = executable.plan();
    if (options.json)
      printRecord({{"event", "program"},
                   {"kind", executable.kind()},
                   {"batch_size", program.batch_size()},
                   {"target", program.target()},
                   {"program_digest", executable.program_digest()},
                   {"launches", plan.launches_size()},
                   {"arena_bytes", plan.arena_bytes()},
                   {"machine_code", listMachineCode(executable)}});
    else if (!options.quiet)
      printLine("program  " + describeProgram(program));
    if (executable.mapping().empty())
      continue;
    const std::optional<machine::Statistics> run =
        summarizeMapping(options, executable);
    if (corePrograms && executable.kind() != name(ProgramKind::Initialize))
      printCorePrograms(options, *corePrograms);
    if (blockPrograms && executable.kind() != name(ProgramKind::Initialize))
      printCorePrograms(options, *blockPrograms);
    if (!options.report.empty())
      writeReport(options, package.model(), executable,
                  machine::MappedProgram(executable), run ? &*run : nullptr);
  }
  if (options.json)
    printRecord({{"event", "end"},
                 {"output", options.package.string()},
                 {"bytes", bytes}});
  else if (!options.quiet)
    printLine("wrote    " + options.package.string() + ", " +
              counted(static_cast<int64_t>(bytes), "byte"));
}

ExitCode Packer::run() {
  std::vector<std::string> targets;
  for (const std::string &word : options.targets)
    for (const std::string &target : compilerTargets(word))
      if (std::find(targets.begin(), targets.end(), target) == targets.end())
        targets.push_back(target);
  checkOutputs(options);
  requireWritableFile(options.package);
  checkReport(options);
  if (!options.elf.empty())
    requireEmptyFolder("--elf", options.elf);
  if (!options.block.empty())
    requireEmptyFolder("--block", options.block);
  if (options.parameters == "reference" &&
      options.package.extension() == ".safetensors")
    throw Failure(ExitCode::Usage,
                  "-o " + options.package.string() +
                      ": the parameters get this name with --parameters "
                      "reference");
  openAssembler(targets);
  compiler = openCompiler(options);
  ProgressBar progress(!options.quiet);
  Options describing = options;
  describing.orders = true;
  package.set_producer("gensyn " GENSYN_VERSION);
  package.set_model(options.model.filename().string());
  package.set_recipe_json(recipeText);
  package.set_info_json(
      compiler->info(makeInfoRequest(describing, recipeText)));
  if (needsInitialization())
    kinds.push_back(ProgramKind::Initialize);
  package.set_fixed_batch(hasFixedBatch(package.info_json()));
  for (ProgramKind kind : kinds)
    for (int64_t batchSize : batchSizes)
      for (const std::string &target : targets) {
        progress.show("compiling " + std::string(name(kind)) + " for " +
                      target);
        add(kind, batchSize, target);
      }
  uint64_t bytes =
      writePackage(options.package, package,
                   options.parameters == "embed" ? ParameterPlace::Embedded
                                                 : ParameterPlace::Referenced);
  progress.clear();
  print(bytes);
  return ExitCode::Ok;
}

ExitCode runCompile(const Options &options) { return Packer(options).run(); }

ExitCode runMap(const Options &options) {
  if (!options.sweep.empty())
    return runSweep(options);
  if (options.package.empty())
    throw Failure(ExitCode::Usage, "--output is required");
  Options compiling = options;
  compiling.targets = {std::string(machinePrefix) + options.machine};
  return Packer(compiling).run();
}

} // namespace gensyn::run
