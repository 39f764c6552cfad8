// Symbolic dimensions: lists their names in a module, and binds their sizes.

#include "NodeContext.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// Applies `replace` to each tensor type inside a type.
Type mapTensors(Type type, function_ref<Type(RankedTensorType)> replace) {
  MLIRContext *context = type.getContext();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return replace(tensor);
  if (auto seq = dyn_cast<SeqType>(type))
    return SeqType::get(context, mapTensors(seq.getElement(), replace));
  if (auto opt = dyn_cast<OptType>(type))
    return OptType::get(context, mapTensors(opt.getElement(), replace));
  if (auto sparse = dyn_cast<SparseType>(type))
    return SparseType::get(context, mapTensors(sparse.getElement(), replace));
  return type;
}

/// Applies `replace` to types of arguments, `replaceResult` to those of
/// results.
void mapValues(ModuleOp module, function_ref<Type(RankedTensorType)> replace,
               function_ref<Type(RankedTensorType)> replaceResult) {
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(mapTensors(result.getType(), replaceResult));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(mapTensors(argument.getType(), replace));
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      SmallVector<Type> arguments, results;
      for (Type type : function.getArgumentTypes())
        arguments.push_back(mapTensors(type, replace));
      for (Type type : function.getResultTypes())
        results.push_back(mapTensors(type, replaceResult));
      // Functions of other dialects, which have no tensors, stay as they are:
      // some cannot be rebuilt from their types.
      if (TypeRange(arguments) != TypeRange(function.getArgumentTypes()) ||
          TypeRange(results) != TypeRange(function.getResultTypes()))
        function.setType(function.cloneTypeWith(arguments, results));
    }
  });
}
/// The type without the names of dimensions whose size is known.
Type withoutBoundNames(RankedTensorType type) {
  if (!isa_and_nonnull<ArrayAttr>(type.getEncoding()))
    return type;
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < type.getRank(); ++i)
    names.push_back(dimensionName(type, i));
  return tensorWithNames(type.getShape(), type.getElementType(), names);
}
} // namespace

bool parseDimension(StringRef text, Dimensions &dims) {
  auto [name, value] = text.rsplit('=');
  int64_t size;
  if (name.empty() || value.getAsInteger(10, size) || size <= 0)
    return false;
  dims[name.str()] = size;
  return true;
}

std::vector<std::string> dimensionNames(ModuleOp module) {
  std::set<std::string> found;
  auto note = [&](RankedTensorType type) {
    for (unsigned i = 0; i < type.getRank(); ++i)
      if (StringRef name = dimensionName(type, i);
          type.isDynamicDim(i) && !name.empty())
        found.insert(name.str());
    return type;
  };
  mapValues(module, note, note);
  return {found.begin(), found.end()};
}

static std::string positionKey(StringRef input, unsigned dim) {
  return (input + "[" + Twine(dim) + "]").str();
}

std::string dimensionKey(RankedTensorType type, StringRef input, unsigned dim) {
  StringRef name = dimensionName(type, dim);
  return name.empty() ? positionKey(input, dim) : name.str();
}

namespace {
/// A dimension of an input of a function.
struct Place {
  FunctionOpInterface function;
  unsigned argument = 0;
  unsigned dim = 0;

  RankedTensorType type() const {
    FunctionOpInterface copy = function;
    return cast<RankedTensorType>(copy.getArgument(argument).getType());
  }
};

StringRef inputName(FunctionOpInterface function, unsigned argument) {
  auto name = function.getArgAttrOfType<StringAttr>(argument, "onnx.name");
  return name && program::hasRole(function, argument, Role::Input)
             ? name.getValue()
             : StringRef();
}

/// Calls `visit` with every dimension of the inputs of every function.
void visitPlaces(ModuleOp module, function_ref<void(const Place &)> visit) {
  for (auto function : module.getOps<FunctionOpInterface>())
    for (unsigned i = 0,
                  end = function.isExternal() ? 0 : function.getNumArguments();
         i < end; ++i)
      if (auto type =
              dyn_cast<RankedTensorType>(function.getArgument(i).getType());
          type && !inputName(function, i).empty())
        for (unsigned dim = 0; dim < type.getRank(); ++dim)
          visit({function, i, dim});
}

/// All dimensions of a module, indexed for lookup.
class DimensionIndex {
public:
  explicit DimensionIndex(ModuleOp module) : module(module) {
    for (std::string &name : dimensionNames(module))
      names.insert(name);
    visitPlaces(module, [&](const Place &place) {
      std::string key =
          positionKey(inputName(place.function, place.argument), place.dim);
      places[key].push_back(place);
    });
  }

  bool isName(StringRef key) const { return names.contains(key); }
  /// One in each function that has the input; none for a name.
  ArrayRef<Place> placesOf(StringRef key) const {
    auto found = places.find(key);
    return found == places.end() ? ArrayRef<Place>() : found->second;
  }
  FailureOr<std::string> resolve(StringRef key) const;

private:
  std::vector<std::string> bindableKeys() const;

  ModuleOp module;
  llvm::StringSet<> names;
  llvm::StringMap<SmallVector<Place, 1>> places;
};

/// The keys that --dim accepts, sorted: symbolic dimensions, and those of
/// inputs that have no name.
std::vector<std::string> DimensionIndex::bindableKeys() const {
  std::vector<std::string> keys;
  for (const auto &name : names)
    keys.push_back(name.getKey().str());
  for (const auto &entry : places) {
    const Place &place = entry.second.front();
    if (place.type().isDynamicDim(place.dim) &&
        dimensionName(place.type(), place.dim).empty())
      keys.push_back(entry.getKey().str());
  }
  llvm::sort(keys);
  return keys;
}

FailureOr<std::string> DimensionIndex::resolve(StringRef key) const {
  if (isName(key))
    return key.str();
  if (ArrayRef<Place> found = placesOf(key); !found.empty()) {
    StringRef name = dimensionName(found[0].type(), found[0].dim);
    return name.empty() ? key.str() : name.str();
  }
  const std::vector<std::string> known = bindableKeys();
  InFlightDiagnostic error = module->emitError()
                             << "no dimension is named '" << key << "'";
  if (known.empty())
    return error << "; all are known", failure();
  return error << "; there are '" << llvm::join(known, "', '") << "'",
         failure();
}

/// Sets the size of a dimension without a name; the function's own type is
/// left.
void setSize(const Place &place, int64_t size) {
  RankedTensorType type = place.type();
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < shape.size(); ++i)
    names.push_back(dimensionName(type, i));
  shape[place.dim] = size;
  FunctionOpInterface function = place.function;
  function.getArgument(place.argument)
      .setType(tensorWithNames(shape, type.getElementType(), names));
}
} // namespace

FailureOr<std::string> resolveDimension(ModuleOp module, StringRef key) {
  return DimensionIndex(module).resolve(key);
}

LogicalResult bindDimensions(ModuleOp module, const Dimensions &given) {
  if (given.empty())
    return success();
  const DimensionIndex index(module);
  Dimensions dims;
  std::map<std::string, std::string> keys;
  for (const auto &[key, size] : given) {
    FailureOr<std::string> name = index.resolve(key);
    if (failed(name))
      return failure();
    auto [other, isNew] = dims.try_emplace(*name, size);
    if (!isNew && other->second != size)
      return module.emitError() << "'" << keys[*name] << "' and '" << key
                                << "' are one dimension, and " << other->second
                                << " and " << size << " are given for it";
    keys[*name] = key;
  }
  for (const auto &[key, size] : dims) {
    if (index.isName(key))
      continue;
    for (const Place &place : index.placesOf(key)) {
      const int64_t fixed = place.type().getDimSize(place.dim);
      if (!ShapedType::isDynamic(fixed) && fixed != size)
        return module.emitError() << "'" << key << "' is " << fixed
                                  << " in the model, and not " << size;
      setSize(place, size);
    }
  }
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      function.setType(
          function.cloneTypeWith(function.getFunctionBody().getArgumentTypes(),
                                 function.getResultTypes()));
  auto bind = [&](RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, size] : llvm::enumerate(shape)) {
      auto it = dims.find(dimensionName(type, i).str());
      if (ShapedType::isDynamic(size) && it != dims.end())
        size = it->second;
    }
    return shape;
  };
  // Results keep the names: a size that follows from a name is less certain
  // than an inferred one (mergeTypes).
  mapValues(
      module,
      [&](RankedTensorType type) {
        return withoutBoundNames(type.clone(bind(type)));
      },
      [&](RankedTensorType type) { return type.clone(bind(type)); });
  return success();
}

void dropBoundNames(ModuleOp module) {
  mapValues(module, withoutBoundNames, withoutBoundNames);
}
} // namespace gensyn::onnx
