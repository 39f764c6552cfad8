// The program that a step builder makes of a model's forward function: its
// arguments by role, and what each of them is in the next step.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPPROGRAM_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPPROGRAM_H

#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <memory>
#include <vector>

namespace gensyn::train {

/// In the order in which a program takes them.
enum class ArgumentRole {
  Parameter,
  Constant,
  State,
  Average,
  Input,
  Target,
  Key,
  Step
};

/// An argument of the program to be.
struct StepArgument {
  ArgumentRole role;
  std::string name;
  mlir::Type type;
  mlir::NamedAttrList attributes;
  /// The value that it replaces in the forward function; null for a new one.
  mlir::Value forward = nullptr;
  /// Its value in the program, and what the forward ops see: a microbatch's
  /// part of it, where there are several.
  mlir::Value value = nullptr, inner = nullptr;
  /// True if every microbatch sees it, though it is a state that the forward
  /// function does not have.
  bool isSeen = false;
  /// Its value in the next step; null where the program does not say.
  mlir::Value next = nullptr;

  mlir::RankedTensorType tensorType() const {
    return llvm::cast<mlir::RankedTensorType>(type);
  }
};

/// Used in this order: `read`; `add`, `takeAssigned`; `open`, then loss and
/// gradients are built at `builder`; `closeForward`, then what is done once a
/// step; `addResult`, `close`.
class StepProgram {
public:
  explicit StepProgram(mlir::ModuleOp module)
      : module(module), builder(module.getContext()) {}
  ~StepProgram();

  /// Takes over the arguments of `@main`. Fails after an error.
  llvm::LogicalResult read();

  /// A new argument. Its address stays what it is.
  StepArgument &add(ArgumentRole role, std::string name, mlir::Type type);
  /// The argument of the program's step number, an ui32, or of another role
  /// that it has once; null where it has none.
  StepArgument *find(ArgumentRole role) const;
  /// True if an argument is called `name`.
  bool has(llvm::StringRef name) const;
  std::vector<StepArgument *> select(ArgumentRole role) const;

  /// Makes states of the initializers that the model assigns to; without
  /// `isTraining`, constants. Fails after an error.
  llvm::LogicalResult takeAssigned(bool isTraining);

  /// Makes the function, with the forward ops in it, for so many microbatches
  /// of the forward function's inputs. Microbatch i of step s draws the random
  /// numbers of step s * drawsPerStep + i.
  void open(int64_t microbatches, int64_t drawsPerStep);
  /// The forward function's results, for what is built after `open`.
  mlir::OperandRange outputs() { return terminator->getOperands(); }
  /// The name of a graph output.
  llvm::StringRef outputName(unsigned number);

  /// Ends what is done for each microbatch. Returns the sums of `values` over
  /// the microbatches; one microbatch's are the values themselves.
  llvm::SmallVector<mlir::Value>
  closeForward(llvm::ArrayRef<mlir::Value> values);

  /// A result beside the arguments' next values.
  void addResult(mlir::Value value, llvm::StringRef role, llvm::StringRef name);
  /// Puts the function in the place of the forward one.
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
  void addResult(mlir::Value value, llvm::StringRef role, llvm::StringRef name,
                 int64_t donated);
  /// True if a microbatch gets its part of it.
  bool isSplit(const StepArgument &argument) const;
  mlir::Block *openMicrobatch();
  mlir::Value numberStep(mlir::Value step, mlir::Value microbatch);

  std::vector<std::unique_ptr<StepArgument>> arguments;
  std::vector<Result> results;
  mlir::func::FuncOp program;
  mlir::Operation *terminator = nullptr;
  int64_t microbatches = 1, drawsPerStep = 1;
  /// What is done for each microbatch; detached until closeForward.
  mlir::Region body;
};

} // namespace gensyn::train

#endif
