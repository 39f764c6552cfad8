// Builds nodes of a training algorithm under unique names.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_ALGORITHMBUILDER_H
#define GENSYN_LIB_TRANSLATION_ONNX_ALGORITHMBUILDER_H

#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

#include <map>
#include <set>

namespace gensyn {
inline constexpr const char *trainingDomain = "ai.onnx.preview.training";

class AlgorithmBuilder {
public:
  /// Adds to `graph`. New names differ from those of `main` and its subgraphs.
  AlgorithmBuilder(const ::onnx::GraphProto &main, ::onnx::GraphProto &graph,
                   int opset);

  /// Returns a name that is not taken, and reserves it.
  std::string fresh(const std::string &wanted);
  bool isTaken(const std::string &name) const { return taken.count(name); }
  void take(const std::string &name) { taken.insert(name); }

  /// Adds a node and returns its output, whose name starts from `wanted`.
  std::string node(const std::string &op, std::vector<std::string> inputs,
                   const std::string &wanted);
  ::onnx::NodeProto &addNode(const std::string &op, const std::string &domain);

  /// Adds an initializer of one type all of whose elements are `value`.
  std::string fill(const std::string &wanted, int elementType,
                   llvm::ArrayRef<int64_t> shape, double value);
  /// Makes a value an output of the graph, with its type if that is known.
  void output(const std::string &name, const ::onnx::TypeProto *type);

  ::onnx::GraphProto &graph;
  /// Operator in the default domain.
  const int opset;

private:
  void collect(const ::onnx::GraphProto &graph);

  std::set<std::string> taken;
};

/// The output from which a loss is computed.
struct Prediction {
  std::string name;
  /// The type with as much of the shape as is known.
  ::onnx::TypeProto type;
};

/// An initializer, and its value after a step.
struct AlgorithmChange {
  std::string initializer, value;
  int element;
  std::vector<int64_t> shape;
};

struct AdamNumbers {
  double lr, beta1, beta2, eps;
  /// The weight decay terms of a parameter: one is added to its gradient, the
  /// other scales the parameter.
  double penalty = 0, kept = 1;
  bool amsgrad = false;
  /// Epsilon is added before the bias correction.
  bool tensorflowEps = false;
};

/// Adds the nodes of a step of torch.optim's Adam or AdamW, with states that
/// are initializers of the algorithm.
std::vector<AlgorithmChange>
buildAdam(AlgorithmBuilder &b, const AdamNumbers &numbers,
          llvm::ArrayRef<const ::onnx::TensorProto *> parameters,
          llvm::ArrayRef<std::string> gradients);

struct RmsNumbers {
  double lr, alpha, eps, momentum;
  /// The weight decay that is added to a gradient.
  double penalty = 0;
  bool centered = false;
  /// Epsilon is added under the root.
  bool tensorflowEps = false;
};

/// The same for torch.optim's RMSprop.
std::vector<AlgorithmChange>
buildRmsProp(AlgorithmBuilder &b, const RmsNumbers &numbers,
             llvm::ArrayRef<const ::onnx::TensorProto *> parameters,
             llvm::ArrayRef<std::string> gradients);

/// Builds the loss of a recipe from ONNX operators: nodes of the algorithm,
/// with the target as its input. Returns the name of the loss, or an empty name
/// after an error that names what cannot be expressed. Reads the keys of `loss`
/// but does not finish it.
std::string buildLoss(AlgorithmBuilder &b, train::RecipeObject &loss,
                      const std::string &kind, const Prediction &prediction);
} // namespace gensyn

#endif
