// Nodes of a training algorithm, with names that nothing else has.
#pragma once

#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

#include <map>
#include <set>

namespace gensyn {
inline constexpr const char *trainingDomain = "ai.onnx.preview.training";

class AlgorithmBuilder {
public:
  /// Adds to `graph`. Names are others than those of `main` and its subgraphs.
  AlgorithmBuilder(const ::onnx::GraphProto &main, ::onnx::GraphProto &graph,
                   int opset);

  /// A name that is not taken yet, and is from here on.
  std::string fresh(const std::string &wanted);
  bool isTaken(const std::string &name) const { return taken.count(name); }
  void take(const std::string &name) { taken.insert(name); }

  /// A node; returns its output, which is called like `wanted`.
  std::string node(const std::string &op, std::vector<std::string> inputs,
                   const std::string &wanted);
  ::onnx::NodeProto &addNode(const std::string &op, const std::string &domain);

  /// An initializer of one type all of whose elements are `value`.
  std::string fill(const std::string &wanted, int elementType,
                   llvm::ArrayRef<int64_t> shape, double value);
  /// A value of the graph becomes its output, of a type where it is known.
  void output(const std::string &name, const ::onnx::TypeProto *type);

  ::onnx::GraphProto &graph;
  /// Of the default domain.
  const int opset;

private:
  void collect(const ::onnx::GraphProto &graph);

  std::set<std::string> taken;
};

/// The output that a loss is taken of.
struct Prediction {
  std::string name;
  /// With as much of the shape as is known.
  ::onnx::TypeProto type;
};

/// An initializer, and the value that it is given after a step.
struct AlgorithmChange {
  std::string initializer, value;
  int element;
  std::vector<int64_t> shape;
};

struct AdamNumbers {
  double lr, beta1, beta2, eps;
  /// What of a parameter is added to its gradient, and what of it is kept.
  double penalty = 0, kept = 1;
  bool amsgrad = false;
};

/// Nodes of a step of torch.optim's Adam or AdamW, with states that are
/// initializers of the algorithm.
std::vector<AlgorithmChange>
buildAdam(AlgorithmBuilder &b, const AdamNumbers &numbers,
          llvm::ArrayRef<const ::onnx::TensorProto *> parameters,
          llvm::ArrayRef<std::string> gradients);

struct RmsNumbers {
  double lr, alpha, eps, momentum;
  /// The weight decay that is added to a gradient.
  double penalty = 0;
  bool centered = false;
};

/// The same of torch.optim's RMSprop.
std::vector<AlgorithmChange>
buildRmsProp(AlgorithmBuilder &b, const RmsNumbers &numbers,
             llvm::ArrayRef<const ::onnx::TensorProto *> parameters,
             llvm::ArrayRef<std::string> gradients);

/// The loss of a recipe in ONNX's operators: nodes of the algorithm, and the
/// target as its input. Returns the name of the loss; an empty one after an
/// error, which names what cannot be expressed. The keys are read from
/// `loss`, which is not finished.
std::string buildLoss(AlgorithmBuilder &b, train::RecipeObject &loss,
                      const std::string &kind, const Prediction &prediction);
} // namespace gensyn
