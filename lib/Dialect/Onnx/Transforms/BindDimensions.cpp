// Symbolic dimensions: their names in a module, and their sizes.

#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

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

void mapValues(ModuleOp module, function_ref<Type(RankedTensorType)> replace) {
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(mapTensors(result.getType(), replace));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(mapTensors(argument.getType(), replace));
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      SmallVector<Type> arguments, results;
      for (Type type : function.getArgumentTypes())
        arguments.push_back(mapTensors(type, replace));
      for (Type type : function.getResultTypes())
        results.push_back(mapTensors(type, replace));
      function.setType(function.cloneTypeWith(arguments, results));
    }
  });
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
  mapValues(module, [&](RankedTensorType type) {
    for (unsigned i = 0; i < type.getRank(); ++i)
      if (StringRef name = dimensionName(type, i); !name.empty())
        found.insert(name.str());
    return type;
  });
  return {found.begin(), found.end()};
}

LogicalResult bindDimensions(ModuleOp module, const Dimensions &dims) {
  if (dims.empty())
    return success();
  std::vector<std::string> known = dimensionNames(module);
  for (auto &[name, size] : dims)
    if (!llvm::is_contained(known, name)) {
      InFlightDiagnostic error = module.emitError()
                                 << "no dimension is named '" << name << "'";
      if (known.empty())
        return error << "; all are known";
      return error << "; there are '" << llvm::join(known, "', '") << "'";
    }
  mapValues(module, [&](RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<StringRef> names;
    for (auto [i, size] : llvm::enumerate(shape)) {
      names.push_back(dimensionName(type, i));
      auto it = dims.find(names.back().str());
      if (ShapedType::isDynamic(size) && it != dims.end())
        size = it->second;
    }
    return tensorWithNames(shape, type.getElementType(), names);
  });
  return success();
}
} // namespace gensyn::onnx
