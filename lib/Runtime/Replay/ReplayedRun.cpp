// See ReplayedRun.h.

#include "ReplayedRun.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Models/ProgramOptions.h"
#include "gensyn/Runtime/Models/TrainingChecks.h"

namespace gensyn::runtime {

namespace fs = std::filesystem;

/// The model and the recipe of a run folder, unless options replace them.
ModelOptions ReplayedRun::completeModel(const ReplaySide &side,
                                        const RunRecord *record) {
  ModelOptions options = side.model;
  options.needsRecipe = true;
  if (!record)
    return options;
  if (options.model.empty()) {
    const auto found = record->program.find("model");
    if (found == record->program.end() || !found->is_string())
      failBadInput((record->folder / "program.json").string() +
                       ": does not name a model",
                   "--model does");
    options.model = found->get<std::string>();
    if (std::error_code ignored; !fs::exists(options.model, ignored))
      failBadInput((record->folder / "program.json").string() + ": its model " +
                       quote(options.model.string()) + " is not here",
                   "--model says where it is now");
  }
  applyProgramOptions(record->program.value("options", nlohmann::json()),
                      (record->folder / "program.json").string(), options);
  const auto recipe = record->state.find("recipe");
  if (options.recipe.empty() && recipe != record->state.end() &&
      recipe->is_object() && !recipe->empty()) {
    options.recipe = record->statePlace / "state.json";
    options.recipeText = recipe->dump();
  }
  return options;
}

TrainOptions ReplayedRun::makeTraining() {
  TrainOptions made;
  made.recipe = model.recipe();
  if (made.recipe.usesTrainingInfo)
    made.initializes = requireTrainingInfo(model, /*lacksRecipe=*/false);
  made.model = modelOptions.model;
  made.recipeFile =
      modelOptions.recipe.empty() ? modelOptions.model : modelOptions.recipe;
  made.data = side.data;
  made.evalData = side.evalData;
  made.parameters = side.parameters;
  made.stopOnNan = false;
  made.classes = model.classes();
  made.backend = modelOptions.backend;
  made.threads = unsigned(modelOptions.threads);
  made.target = model.target();
  return made;
}

/// Before anything is opened.
static const DataSource &requireData(const ReplaySide &side) {
  if (side.data.empty())
    throw Failure(ExitCode::Usage,
                  "--data is required to repeat the steps of a run");
  return side.data;
}

ReplayedRun::ReplayedRun(const ReplaySide &side, const RunRecord *record)
    : side(side), record(record), modelOptions(completeModel(side, record)),
      model(modelOptions), training(makeTraining()),
      source([this](const ProgramRequest &request) {
        std::unique_ptr<Program> program = model.program(request);
        requests[program->executable().program_digest()] = request;
        return program;
      }),
      trainer(training, source, *this, stop), data(requireData(side)) {
  if (!side.evalData.empty())
    evalData.emplace(side.evalData);
}

void ReplayedRun::step(const StepRecord &record) {
  lastLoss = OrderedJson(record.loss).dump();
}

void ReplayedRun::start(int64_t begin) {
  trainer.prepareReplay({&data}, {evalData ? &*evalData : nullptr});
  if (!record)
    return;
  trainer.requireRun(record->state, record->statePlace.string());
  if (begin) {
    const fs::path &place = record->checkpoints.at(begin);
    Checkpoint checkpoint = readCheckpoint(place);
    // The folder is a stranger's: each checkpoint may say something else.
    trainer.requireRun(checkpoint.state, place.string());
    trainer.setState(std::move(checkpoint), place.string());
    const Progress &position = trainer.position();
    if (position.step != begin ||
        position.stepsPerEpoch != trainer.stepsPerEpoch())
      failBadInput(place.string() + ": is at another place of the run");
    return;
  }
  const auto initial = record->program.find("initial_parameters");
  if (initial != record->program.end() &&
      *initial != digestTensors(trainer.state().model))
    failBadInput(record->folder.string() +
                     ": the run began with other parameters than the model's",
                 "--parameters names them");
}

void ReplayedRun::tell(RunWitness &witness) {
  training.witness = &witness;
  trainer.tellBegin();
}

ProgramRun ReplayedRun::programRun(Trainer::NextStep step) {
  const auto request = requests.find(step.programDigest);
  if (request == requests.end())
    throw Failure(ExitCode::Bug, "the step's program was not compiled");
  return {&model, request->second, step.programDigest, std::move(step.ports),
          std::move(step.inputs)};
}

} // namespace gensyn::runtime
