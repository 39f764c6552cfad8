// A model file, and the programs of it on a device.
#ifndef GENSYN_RUNTIME_MODELS_MODEL_H
#define GENSYN_RUNTIME_MODELS_MODEL_H

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Runtime/Compiler/Compiler.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Models/ModelOptions.h"
#include "gensyn/Runtime/Models/ProgramOps.h"
#include "gensyn/Runtime/Ranks/ParallelRanks.h"
#include "gensyn/Runtime/Ranks/RankTimes.h"
#include "gensyn/Runtime/Ranks/Sharding.h"
#include "gensyn/Runtime/Training/Train.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

namespace gensyn::machine {
struct Observer;
} // namespace gensyn::machine

namespace gensyn::runtime {

struct ShardedState;

/// The kind of program for a recipe: Train, or Grad without an optimizer.
ProgramKind kindOf(const Recipe &recipe);

/// The compiler library that the options name; a Failure (unsupported) if there
/// is none.
std::shared_ptr<Compiler> openCompiler(const ModelOptions &options);

/// The compiler's request for the options. A target may be "machine:" and the
/// name or file of a machine.
plan::CompileRequest
makeCompileRequest(const ModelOptions &options, ProgramKind kind,
                   const std::string &recipe, const std::string &target,
                   int64_t batchSize, const GivenTensors &given = {});
plan::InfoRequest makeInfoRequest(const ModelOptions &options,
                                  const std::string &recipe);

/// The device and the model that the options name: an ONNX file, which needs
/// the compiler, or a package, which does not.
class Model {
public:
  /// Checks that the model can be read, and opens the compiler and the device
  /// as needed.
  /// `options` must outlive the model. `observer` is told about runs on the
  /// machine of --backend machine:NAME.
  explicit Model(const ModelOptions &options,
                 machine::Observer *observer = nullptr);

  /// Null for an ONNX file.
  const Package *package() const { return packed ? &*packed : nullptr; }
  /// The text of the recipe, and its name in messages; empty if there is none.
  const std::string &recipeText() const { return text; }
  /// The recipe, parsed once. Throws a Failure (bad input).
  const Recipe &recipe() const;
  std::string recipeName() const;
  /// The name of the model's file in messages.
  std::string file() const { return options.model.string(); }
  std::string target() const { return device->target(); }
  /// See Device::exchange.
  DeviceExchange *exchange() const { return device->exchange(); }

  /// Compiles a program, or finds it in the package, and loads it.
  std::unique_ptr<Program> program(const ProgramRequest &request);
  /// The same for a training step that all ranks compute together
  /// (RankedProgram.h), each on its device; other programs, and steps of one
  /// microbatch, each rank runs alone. Of the ranks with the same target one
  /// compiles what all request. Throws a Failure (unsupported) for a
  /// package, and (bad input) if ranks divide otherwise.
  std::unique_ptr<Program> rankedProgram(const ProgramRequest &request,
                                         communication::Communicator &ranks,
                                         Sharding sharding,
                                         ParallelRanks parallel);
  /// The tensors that these programs divide.
  std::shared_ptr<ShardedState> shardedState();
  /// The same without loading it.
  std::shared_ptr<const plan::Executable>
  executable(const ProgramRequest &request);

  /// Searches for the ops that make numbers which are not finite; see
  /// NonFiniteProbe.
  NonFiniteOps probe(int64_t batchSize, const std::string &programDigest,
                     const std::vector<Tensor> &inputs);

  /// Lists the ops of a program. Throws a Failure (bad input) if its digest is
  /// not `programDigest`, and (unsupported) without the compiler.
  std::vector<ProgramOp> listOps(const ProgramRequest &request,
                                 const std::string &programDigest);
  /// The program's entries (docs/Proof.md), or, with numbers of some, their
  /// texts. Throws as listOps().
  plan::EntriesResponse listEntries(const ProgramRequest &request,
                                    const std::string &programDigest,
                                    const std::vector<uint64_t> &described);
  /// Null for a package.
  Compiler *openedCompiler() const { return compiler.get(); }
  /// Compiles a program whose outputs are followed by the results of the ops at
  /// these positions, and loads it.
  std::unique_ptr<Program>
  programWithValues(const ProgramRequest &request,
                    const std::vector<int64_t> &positions);

  /// The response of `info`, as JSON text.
  std::string info() const;
  /// The same for the model alone, without the recipe; requested once.
  const std::string &facts() const;
  /// The number of classes of a classification with the recipe's loss; 0 if the
  /// loss is another one or the number is not known before compiling.
  int64_t classes() const;

  /// The times of kernels so far, if the options ask for them.
  KernelProfile &profile() { return times; }
  /// Of the programs that rankedProgram() made.
  const RankTimes &rankTimes() const { return timesOfRank; }
  RankTimes &rankTimes() { return timesOfRank; }

private:
  void openPackage();
  /// The compiler's request for a program on this device.
  plan::CompileRequest makeRequest(const ProgramRequest &request) const;
  void requireCompiler() const;
  std::string machineName() const;
  std::unique_ptr<Device> makeDevice(KernelProfile *profile);
  /// What times depend on besides the program and its target.
  std::string describeDevice() const;
  /// Gives a request the schedules that are fastest on the device.
  void tune(plan::CompileRequest &request);

  const ModelOptions &options;
  machine::Observer *observer;
  std::string text; ///< of the recipe
  mutable std::optional<Recipe> parsed;
  mutable std::string known;
  /// The inputs of the newest program of ProgramKind::Train.
  GivenTensors trainedOn;
  std::optional<Package> packed;
  std::shared_ptr<Compiler> compiler;
  KernelProfile times;
  RankTimes timesOfRank;
  /// Of the programs that divide the state.
  std::shared_ptr<ShardedState> sharded;
  std::unique_ptr<Device> device;
};

} // namespace gensyn::runtime

#endif
