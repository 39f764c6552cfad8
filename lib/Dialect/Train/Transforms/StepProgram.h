// The program that a step builder makes of a model's forward function: its
// arguments by role, and their values in the next step.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPPROGRAM_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPPROGRAM_H

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <memory>
#include <vector>

namespace gensyn::train {

/// An argument of the program under construction.
struct StepArgument {
  Role role;
  std::string name;
  mlir::Type type;
  mlir::NamedAttrList attributes;
  /// The value that it replaces in the forward function; null for a new one.
  mlir::Value forward = nullptr;
  /// Its value in the program, and the value that the forward ops use: a
  /// microbatch's slice of it if there are several.
  mlir::Value value = nullptr, inner = nullptr;
  /// True if every microbatch uses it, although it is a state that the forward
  /// function does not have.
  bool isSeen = false;
  /// Its value in the next step; null if the program does not compute it.
  mlir::Value next = nullptr;

  mlir::RankedTensorType tensorType() const {
    return llvm::cast<mlir::RankedTensorType>(type);
  }
};

/// Call order: `read`; `add`, `takeAssigned`; `open`, then loss and gradients
/// are built at `builder`; `closeForward`, then the once-per-step part;
/// `addResult`, `close`.
class StepProgram {
public:
  explicit StepProgram(mlir::ModuleOp module)
      : module(module), builder(module.getContext()) {}
  ~StepProgram();

  /// Takes over the arguments of `@main`. Fails after an error.
  llvm::LogicalResult read();

  /// Adds an argument. Its address is stable.
  StepArgument &add(Role role, std::string name, mlir::Type type);
  /// Returns the argument of the program's step number, a ui32, or of another
  /// unique role; null if it has none.
  StepArgument *find(Role role) const;
  /// True if an argument is called `name`.
  bool has(llvm::StringRef name) const;
  std::vector<StepArgument *> select(Role role) const;

  /// Makes states of the initializers that the model assigns to; constants
  /// without `isTraining`. Fails after an error.
  llvm::LogicalResult takeAssigned(bool isTraining);

  /// Creates the function, with the forward ops in it, for that many
  /// microbatches of the forward function's inputs. Microbatch i of step s
  /// samples the random values of step s * drawsPerStep + i.
  void open(int64_t microbatches, int64_t drawsPerStep);
  /// Returns the forward function's results, for ops that are built after
  /// `open`.
  mlir::OperandRange outputs() { return terminator->getOperands(); }
  /// Returns the name of a graph output.
  llvm::StringRef outputName(unsigned number);

  /// Ends the per-microbatch part. Returns the sums of `values` over the
  /// microbatches; with one microbatch the values themselves.
  llvm::SmallVector<mlir::Value>
  closeForward(llvm::ArrayRef<mlir::Value> values);

  /// Adds a result after the arguments' next values.
  void addResult(mlir::Value value, Role role, llvm::StringRef name);
  /// Replaces the forward function by the program.
  void close();

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::func::FuncOp forward;

private:
  struct Result {
    mlir::Value value;
    mlir::NamedAttrList attributes;
    int64_t donated = -1;
  };
  void addResult(mlir::Value value, Role role, llvm::StringRef name,
                 int64_t donated);
  /// True if a microbatch gets a slice of it.
  bool isSplit(const StepArgument &argument) const;
  mlir::Block *openMicrobatch();
  mlir::Value numberStep(mlir::Value step, mlir::Value microbatch);

  std::vector<std::unique_ptr<StepArgument>> arguments;
  std::vector<Result> results;
  mlir::func::FuncOp program;
  mlir::Operation *terminator = nullptr;
  int64_t microbatches = 1, drawsPerStep = 1;
  /// The per-microbatch part; detached until closeForward.
  mlir::Region body;
};

} // namespace gensyn::train

#endif
