// Builds the losses of recipes as ONNX nodes.

#include "AlgorithmBuilder.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {
namespace {

class LossBuilder {
public:
  LossBuilder(AlgorithmBuilder &b, train::RecipeObject &loss,
              const Prediction &prediction)
      : b(b), loss(loss), prediction(prediction) {}

  std::string build(const std::string &kind);

private:
  std::string softmaxCrossEntropy();
  std::string huber();
  std::string binaryCrossEntropy();
  std::string reduce(const std::string &elements);
  std::string addTarget(const ::onnx::TypeProto &type);
  std::string number(const char *name, double value) {
    return b.fill(name, prediction.type.tensor_type().elem_type(), {}, value);
  }
  /// The difference between the prediction and a target of its type.
  std::string difference() {
    return b.node("Sub", {prediction.name, addTarget(prediction.type)},
                  "loss.difference");
  }
  bool needs(int opset, const char *op);
  std::string refuse(const Twine &what) {
    loss.error() << what << " cannot be expressed by ONNX's operators";
    return "";
  }

  AlgorithmBuilder &b;
  train::RecipeObject &loss;
  const Prediction &prediction;
};

bool LossBuilder::needs(int opset, const char *op) {
  if (b.opset >= opset)
    return true;
  loss.error() << "the operator " << op << " needs operator set " << opset
               << ", and the model has " << b.opset;
  return false;
}

std::string LossBuilder::addTarget(const ::onnx::TypeProto &type) {
  std::string name = loss.text("target", "target");
  if (b.isTaken(name)) {
    loss.error() << "the target's name '" << name
                 << "' is taken by a tensor of the graph";
    return name;
  }
  b.take(name);
  auto &input = *b.graph.add_input();
  input.set_name(name);
  *input.mutable_type() = type;
  return name;
}

/// The mean of all elements, or their sum.
std::string LossBuilder::reduce(const std::string &elements) {
  const bool isSum = loss.text("reduction", "mean") == "sum";
  std::string name =
      b.node(isSum ? "ReduceSum" : "ReduceMean", {elements}, "loss");
  auto *keep = b.graph.mutable_node(b.graph.node_size() - 1)->add_attribute();
  keep->set_name("keepdims");
  keep->set_type(::onnx::AttributeProto::INT);
  keep->set_i(0);
  return name;
}

/// The operator expects the classes in dimension 1.
std::string LossBuilder::softmaxCrossEntropy() {
  const int64_t ignored =
      loss.integer("ignore_index").value_or(kDefaultIgnoreIndex);
  int64_t axis = loss.integer("axis").value_or(-1);
  if (loss.number("label_smoothing", 0.0) != 0.0)
    return refuse("'label_smoothing'");
  if (!needs(12, "SoftmaxCrossEntropyLoss"))
    return "";
  const auto &tensor = prediction.type.tensor_type();
  const int64_t rank = tensor.shape().dim_size();
  axis += axis < 0 ? rank : 0;
  if (!tensor.has_shape() || axis < 0 || axis >= rank || rank < 2)
    return refuse("logits of " + Twine(rank) + " dimensions with classes in " +
                  Twine(axis));
  ::onnx::TypeProto target;
  target.mutable_tensor_type()->set_elem_type(TensorProto::INT64);
  auto &shape = *target.mutable_tensor_type()->mutable_shape();
  std::vector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis) {
      *shape.add_dim() = tensor.shape().dim(int(dim));
      order.push_back(dim);
    }
  order.insert(order.begin() + 1, axis);
  std::string scores = prediction.name, labels = addTarget(target);
  if (axis != 1) {
    scores = b.node("Transpose", {scores}, "loss.scores");
    auto *perm = b.graph.mutable_node(b.graph.node_size() - 1)->add_attribute();
    perm->set_name("perm");
    perm->set_type(::onnx::AttributeProto::INTS);
    for (int64_t dim : order)
      perm->add_ints(dim);
  }
  std::string name =
      b.node("SoftmaxCrossEntropyLoss", {scores, labels}, "loss");
  auto *node = b.graph.mutable_node(b.graph.node_size() - 1);
  auto *reduction = node->add_attribute();
  reduction->set_name("reduction");
  reduction->set_type(::onnx::AttributeProto::STRING);
  reduction->set_s(loss.text("reduction", "mean"));
  auto *index = node->add_attribute();
  index->set_name("ignore_index");
  index->set_type(::onnx::AttributeProto::INT);
  index->set_i(ignored);
  return name;
}

std::string LossBuilder::huber() {
  double delta = loss.number("delta", 1.0, train::NumberRange::above(0.0));
  if (!needs(9, "Where"))
    return "";
  std::string d = b.node("Abs", {difference()}, "loss.absolute");
  std::string border = number("loss.delta", delta),
              half = number("loss.half", 0.5);
  std::string isNear = b.node("Less", {d, border}, "loss.is_near");
  std::string halved = b.node("Mul", {d, half}, "loss.halved");
  std::string near = b.node("Mul", {halved, d}, "loss.near");
  std::string rest =
      b.node("Sub", {d, number("loss.half_delta", 0.5 * delta)}, "loss.rest");
  std::string far = b.node("Mul", {border, rest}, "loss.far");
  return reduce(b.node("Where", {isNear, near, far}, "loss.elements"));
}

/// max(z, 0) - z t + log(1 + exp(-|z|)).
std::string LossBuilder::binaryCrossEntropy() {
  const std::string &z = prediction.name;
  std::string t = addTarget(prediction.type);
  std::string product = b.node("Mul", {z, t}, "loss.product");
  std::string positive = b.node("Relu", {z}, "loss.positive");
  std::string absolute = b.node("Abs", {z}, "loss.absolute");
  std::string negative = b.node("Neg", {absolute}, "loss.negative");
  std::string tail = b.node("Softplus", {negative}, "loss.tail");
  std::string linear = b.node("Sub", {positive, product}, "loss.linear");
  return reduce(b.node("Add", {linear, tail}, "loss.elements"));
}

std::string LossBuilder::build(const std::string &kind) {
  if (kind == "softmax_cross_entropy")
    return softmaxCrossEntropy();
  if (kind == "bce_with_logits")
    return binaryCrossEntropy();
  if (kind == "huber")
    return huber();
  if (kind == "mse") {
    std::string d = difference();
    return reduce(b.node("Mul", {d, d}, "loss.squares"));
  }
  if (kind == "l1")
    return reduce(b.node("Abs", {difference()}, "loss.absolute"));
  if (kind == "graph_output") {
    (void)loss.text("target", "target");
    return b.node("Identity", {prediction.name}, "loss");
  }
  return refuse("'" + kind + "'");
}
} // namespace

std::string buildLoss(AlgorithmBuilder &b, train::RecipeObject &loss,
                      const std::string &kind, const Prediction &prediction) {
  std::string name = LossBuilder(b, loss, prediction).build(kind);
  return loss.failed() ? "" : name;
}
} // namespace gensyn
