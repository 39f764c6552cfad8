// The update of the parameters in a step: groups, rules, their states, step
// sizes, averages.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPUPDATE_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPUPDATE_H

#include "ModuleParameters.h"
#include "StepProgram.h"
#include "gensyn/Dialect/Train/IR/Registry.h"

namespace gensyn::train {

class StepUpdate {
public:
  StepUpdate(StepProgram &program, const TrainingOptions &options,
             const ModuleParameters &names)
      : program(program), options(options), names(names) {}

  /// Reads the recipe and adds the arguments that it needs. Fails after an
  /// error.
  llvm::LogicalResult read();

  /// Returns the trained parameters, in the order of their gradients.
  llvm::ArrayRef<StepArgument *> getParameters() const { return parameters; }

  /// Builds the next values of parameters, states and averages, and the metrics
  /// of the update.
  void build(llvm::ArrayRef<mlir::Value> gradients);

private:
  /// Parameters that share a rule and a step size.
  struct Group {
    std::vector<std::string> patterns;
    OptimizerChoice choice;
    /// Index into `rules`.
    size_t rule = 0;
    mlir::Value rate = nullptr;
  };
  /// A rule with the states that its parameters share.
  struct Rule {
    OptimizerRuleInterface rule;
    std::vector<StepArgument *> shared;
  };

  llvm::LogicalResult readGroups();
  llvm::LogicalResult readGroup(llvm::StringRef name,
                                const nlohmann::json &object, Group &group);
  llvm::LogicalResult assignGroups();
  llvm::LogicalResult addStates();
  llvm::LogicalResult readAverages();
  StepArgument &addState(Role role, const std::string &owner,
                         const OptimizerState &state);
  void needStep();
  mlir::Value stepNumber();
  void buildRates();
  void buildAverages();

  StepProgram &program;
  const TrainingOptions &options;
  const ModuleParameters &names;
  std::vector<Group> groups; // the optimizer itself, then its groups
  std::vector<Rule> rules;
  ScheduleInterface schedule;
  /// States that depend on the run's metrics: no step changes them.
  std::vector<StepArgument *> scheduleStates;
  std::vector<StepArgument *> parameters;
  std::vector<size_t> groupOf; // of each parameter
  std::vector<std::vector<StepArgument *>> states, averages;
  StepArgument *step = nullptr;
  double decay = 0.0;
  bool warmsUp = false;
};

} // namespace gensyn::train

#endif
