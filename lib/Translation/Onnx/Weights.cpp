// The tensors of a model, as arguments of the function or constants.

#include "Weights.h"
#include "Parameters/InitializerEdits.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using ::onnx::TensorProto;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {

/// The location that a tensor's external_data names.
struct Place {
  std::string file;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

FailureOr<Place> placeOf(const TensorProto &tensor, ImportError &error) {
  Place place;
  for (const auto &entry : tensor.external_data()) {
    uint64_t number = 0;
    bool isNumber = !StringRef(entry.value()).getAsInteger(10, number);
    if (entry.key() == "location")
      place.file = entry.value();
    else if (entry.key() == "offset" || entry.key() == "length") {
      if (!isNumber) {
        error = {Kind::BadModel, "its " + entry.key() + " '" + entry.value() +
                                     "' is not a number"};
        return failure();
      }
      if (entry.key() == "offset")
        place.offset = number;
      else
        place.length = number;
    }
  }
  return place;
}

/// The type of an external tensor, after the checks that importTensor does for
/// other tensors.
FailureOr<RankedTensorType> typeOf(MLIRContext *context,
                                   const TensorProto &tensor,
                                   const Place &place, ImportError &error) {
  error.kind = Kind::BadModel;
  Type element = onnx::elementTypeOf(context, tensor.data_type());
  if (!element || isa<onnx::StringType>(element)) {
    error.message =
        element ? "strings cannot be external" : "has no element type";
    return failure();
  }
  ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  for (auto [i, size] : llvm::enumerate(shape))
    if (size < 0) {
      error.message = "dimension " + std::to_string(i) + " is negative (" +
                      std::to_string(size) + ")";
      return failure();
    }
  std::optional<int64_t> wanted = onnx::fileBytes(shape, element);
  if (!wanted) {
    error.message = "its size overflows";
    return failure();
  }
  if (place.length && *place.length != uint64_t(*wanted)) {
    error.message = std::to_string(*wanted) + " bytes are wanted, " +
                    std::to_string(*place.length) + " are there";
    return failure();
  }
  error = ImportError();
  return RankedTensorType::get(shape, element);
}

/// Quantized numbers are not trained.
bool isQuantized(Type element) {
  return isa<IntegerType>(element) ||
         (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8);
}

/// Adds the scalars that tf2onnx folded from constants, recognized by their
/// names; none of them is a variable of the model.
void addFoldedScalars(const ::onnx::GraphProto &graph,
                      std::set<std::string> &settings) {
  for (const auto &initializer : graph.initializer())
    if (initializer.dims_size() == 0 &&
        StringRef(initializer.name()).starts_with("const_fold_opt__"))
      settings.insert(initializer.name());
  for (const auto &node : graph.node())
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        addFoldedScalars(attribute.g(), settings);
}
} // namespace

void Weights::findSettings(const ::onnx::GraphProto &graph,
                           const ParameterTable &parameters) {
  std::set<std::string> others;
  collectSettings(graph, others);
  for (const std::string &name : others) {
    settings.erase(name);
    statistics.erase(name);
  }
  addFoldedScalars(graph, settings);
  if (symbolicSeed)
    findScales(graph);
  notes = readExporterNotes(graph);
  if (parameters.isComplete)
    notes.constants = parameters.constants;
  settings.insert(notes.constants.begin(), notes.constants.end());
  for (const std::string &name : statistics)
    if (!variables.count(name))
      notes.buffers.insert(name);
}

void Weights::findScales(const ::onnx::GraphProto &graph) {
  llvm::StringMap<const TensorProto *> initializers;
  for (const auto &tensor : graph.initializer())
    initializers[tensor.name()] = &tensor;
  for (const auto &node : graph.node()) {
    if (node.op_type() == "DequantizeLinear" && node.input_size() > 1)
      if (const TensorProto *tensor = initializers.lookup(node.input(0));
          tensor && onnx::elementTypeOf(b.getContext(), tensor->data_type()))
        scaled.try_emplace(node.input(1), tensor);
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        findScales(attribute.g());
  }
}

void Weights::collectSettings(const ::onnx::GraphProto &graph,
                              std::set<std::string> &others) {
  // Resize and Upsample take scales as floats, and Dropout its ratio. These are
  // not trained, because shapes and thresholds depend on them. Comparisons have
  // no derivative, and loops may depend on them.
  for (const auto &node : graph.node()) {
    const bool compares = llvm::is_contained(
        {"Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"},
        node.op_type());
    for (int i = 0; i < node.input_size(); ++i) {
      bool isSetting = compares || (i > 0 && (node.op_type() == "Resize" ||
                                              node.op_type() == "Upsample" ||
                                              node.op_type() == "Dropout"));
      // Gradients do not update running statistics.
      (isSetting              ? settings
       : isStatistic(node, i) ? statistics
                              : others)
          .insert(node.input(i));
    }
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        collectSettings(attribute.g(), others);
  }
}

Value Weights::addArgument(Type type, const std::string &name, Role role,
                           Attribute data) {
  // Subgraphs may reuse a name of another graph.
  std::string unique = name;
  while (!argumentNames.insert(unique).second)
    unique = name + "_" + std::to_string(++repeats[name]);
  NamedAttrList list;
  list.set(onnx::names::name, b.getStringAttr(unique));
  list.set(program::kRoleAttr, program::getRoleAttr(b.getContext(), role));
  if (data)
    list.set(onnx::names::data, data);
  attributes.push_back(list.getDictionary(b.getContext()));
  return main.addArgument(type, NameLoc::get(b.getStringAttr(unique)));
}

/// An initializer of trainable floats is a weight, and so is any tensor too
/// large for an attribute.
bool Weights::isArgument(const TensorProto &tensor, bool isNode) const {
  Type element = onnx::elementTypeOf(b.getContext(), tensor.data_type());
  if (isNode || !element || isa<onnx::StringType>(element))
    return isNode;
  if (variables.count(tensor.name()))
    return true;
  ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  std::optional<int64_t> bytes = onnx::fileBytes(shape, element);
  if (bytes && *bytes > onnx::maxConstantBytes)
    return true;
  return !isQuantized(element) && bytes != 0 && !settings.count(tensor.name());
}

/// Returns the common value of a tensor in a file if all its elements have the
/// same bits; null otherwise.
FailureOr<ElementsAttr> Weights::findFill(RankedTensorType type,
                                          const std::string &file,
                                          uint64_t offset, uint64_t length,
                                          ImportError &inner) {
  auto bytes = folder.read(file, offset, length, inner);
  if (failed(bytes))
    return failure();
  const size_t width = onnx::bitsOf(type.getElementType()) / 8;
  StringRef all(*bytes);
  // True if each element equals the one before it.
  if (all.size() < width || all.drop_front(width) != all.drop_back(width))
    return ElementsAttr();
  return ElementsAttr(
      DenseElementsAttr::getFromRawBuffer(type, ArrayRef(all.data(), width)));
}

/// floor(log2) of the square root of the number of elements that a result of
/// the tensor's sums adds: all but the largest extent, whatever the layout.
static int64_t halfLog2OfSum(ArrayRef<int64_t> shape) {
  int64_t largest = 1, elements = 1;
  for (int64_t extent : shape) {
    largest = std::max(largest, extent);
    elements *= std::max<int64_t>(extent, 1);
  }
  return int64_t(llvm::Log2_64(uint64_t(elements / largest))) / 2;
}

static ArrayRef<int64_t> shapeOf(const TensorProto &tensor) {
  return {tensor.dims().data(), size_t(tensor.dims_size())};
}

// Sums of products with a matrix, or with a quantized one and its scales, stay
// about as large as their operands; other floats are between 1/2 and 3/2.
Attribute Weights::makeSymbol(const TensorProto &tensor, RankedTensorType type,
                              bool isArgument, const std::string &file,
                              ImportError &inner) const {
  if (!isArgument) {
    inner = {Kind::BadModel,
             "its values are needed, and '" + file +
                 "' is absent; symbolic values are for weights"};
    return {};
  }
  if (!onnx::hasSymbolicValues(type.getElementType())) {
    inner = {Kind::BadModel, "'" + file + "' is absent, and " +
                                 onnx::describeType(type.getElementType()) +
                                 " has no symbolic values"};
    return {};
  }
  int64_t center = 128, exponent = -7;
  if (auto found = scaled.find(tensor.name()); found != scaled.end()) {
    const int64_t bits = onnx::bitsOf(
        onnx::elementTypeOf(b.getContext(), found->second->data_type()));
    exponent -= bits - 1 + halfLog2OfSum(shapeOf(*found->second));
  } else if (tensor.dims_size() > 1) {
    center = 0;
    exponent = -6 - halfLog2OfSum(shapeOf(tensor));
  }
  return onnx::SymbolicAttr::get(b.getContext(), tensor.name(), *symbolicSeed,
                                 center, exponent);
}

FailureOr<Value> Weights::makeOrFail(Location location, TensorProto &tensor,
                                     bool isNode, ImportError &inner) {
  bool argument = isArgument(tensor, isNode);
  Type element = onnx::elementTypeOf(b.getContext(), tensor.data_type());
  const bool isNoted = notes.buffers.count(tensor.name()) ||
                       notes.constants.count(tensor.name());
  const Role role = isNode || isNoted || (element && isQuantized(element))
                        ? Role::Constant
                        : Role::Parameter;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    FailureOr<Place> place = placeOf(tensor, inner);
    if (failed(place))
      return failure();
    FailureOr<RankedTensorType> type =
        typeOf(b.getContext(), tensor, *place, inner);
    if (failed(type))
      return failure();
    if (symbolicSeed && folder.isAbsent(place->file)) {
      Attribute symbol =
          makeSymbol(tensor, *type, argument, place->file, inner);
      if (!symbol)
        return failure();
      return addArgument(*type, tensor.name(), role, symbol);
    }
    uint64_t length =
        *onnx::fileBytes(type->getShape(), type->getElementType());
    // Packed elements are unpacked here, others when used.
    if (argument && onnx::bitsOf(element) >= 8) {
      if (states.count(tensor.name())) {
        auto fill = findFill(*type, place->file, place->offset, length, inner);
        if (failed(fill))
          return failure();
        if (*fill)
          return addArgument(*type, tensor.name(), role, *fill);
      }
      auto hash = folder.hash(place->file, place->offset, length, inner);
      if (failed(hash))
        return failure();
      return addArgument(*type, tensor.name(), role,
                         onnx::ExternalAttr::get(b.getContext(), place->file,
                                                 place->offset, length, *hash));
    }
    auto bytes = folder.read(place->file, place->offset, length, inner);
    if (failed(bytes))
      return failure();
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(std::move(*bytes));
  }
  std::string name = tensor.name();
  ElementsAttr value =
      onnx::importTensor(b.getContext(), tensor, inner.message);
  if (!value) {
    inner.kind = Kind::BadModel;
    return failure();
  }
  if (argument)
    return addArgument(value.getType(), name, role, value);
  if (!isNode && element && !isQuantized(element))
    constants.push_back(name);
  return Value(onnx::ConstantOp::create(b, location, value));
}

Value Weights::make(Location location, TensorProto &tensor, bool isNode) {
  std::string head =
      (isNode ? "node '" : "initializer '") + tensor.name() + "': ";
  ImportError inner;
  FailureOr<Value> value = makeOrFail(location, tensor, isNode, inner);
  if (succeeded(value))
    return *value;
  if (error.kind == Kind::None)
    error = {inner.kind, head + inner.message};
  return {};
}
} // namespace gensyn
