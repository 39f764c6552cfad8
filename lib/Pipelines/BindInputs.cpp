// See BindInputs.h. Every source of a dimension's size has a name; the first
// two sources that disagree are the error.

#include "BindInputs.h"

#include "Report.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

using namespace mlir;

namespace gensyn {
namespace {

/// Calls `visit` with each graph input and its name.
bool visitInputs(ModuleOp module,
                 function_ref<bool(BlockArgument, StringRef)> visit) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument argument : main.getArguments()) {
    const unsigned i = argument.getArgNumber();
    auto name = main.getArgAttrOfType<StringAttr>(i, "onnx.name");
    if (program::hasRole(main, i, Role::Input) &&
        !visit(argument, name ? name.getValue() : StringRef()))
      return false;
  }
  return true;
}

/// "[2,3]"; N is the size of the batch.
std::string describeShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? "," : "") +
            (extent < 0 ? std::string("N") : std::to_string(extent));
  return text + "]";
}

class Binder {
public:
  Binder(ModuleOp module, const plan::CompileRequest &request,
         const Recipe &recipe, int64_t batchSize, plan::Error &error)
      : module(module), request(request), recipe(recipe), batchSize(batchSize),
        error(error) {}

  bool run();

private:
  bool state(const std::string &key, int64_t size, const std::string &origin);
  bool stateDims();
  bool stateBatch();
  bool stateGiven();
  bool stateWindows();
  void setDefaults();
  bool checkRank(StringRef input, RankedTensorType type,
                 ArrayRef<int64_t> shape);
  bool isFirstOfInput(const std::string &key);

  ModuleOp module;
  const plan::CompileRequest &request;
  const Recipe &recipe;
  int64_t batchSize;
  plan::Error &error;
  onnx::Dimensions sizes;
  std::map<std::string, std::string> origins;
};

} // namespace

bool Binder::state(const std::string &key, int64_t size,
                   const std::string &origin) {
  auto [known, isNew] = sizes.try_emplace(key, size);
  if (isNew)
    origins[key] = origin;
  return known->second == size ||
         fail(error, ExitCode::BadInput,
              request.model_path() + ": dimension '" + key + "' is " +
                  Twine(known->second) + " by " + origins[key] + " and " +
                  Twine(size) + " by " + origin);
}

/// The sizes of --dim; its keys may be positions of dimensions that have names.
bool Binder::stateDims() {
  const std::map<std::string, int64_t> dims(request.dims().begin(),
                                            request.dims().end());
  for (const auto &[key, size] : dims) {
    Report report(module.getContext());
    FailureOr<std::string> name = onnx::resolveDimension(module, key);
    if (failed(name))
      return report.fill(request.model_path(), ExitCode::BadInput, error),
             false;
    if (!state(*name, size, "--dim " + key + "=" + std::to_string(size)))
      return false;
  }
  return true;
}

/// True if some graph input has the dimension first.
bool Binder::isFirstOfInput(const std::string &key) {
  return !visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return !type || type.getRank() == 0 || !type.isDynamicDim(0) ||
           onnx::dimensionKey(type, name, 0) != key;
  });
}

/// Binds a symbolic first dimension of every graph input to the batch. If the
/// batch is not a size that the user gave but the remainder of an epoch, --dim
/// is compared with the recipe instead, and the batch takes precedence.
bool Binder::stateBatch() {
  if (batchSize <= 0)
    return true;
  const auto kind = programKindFromName(request.kind());
  const bool isStep = kind == ProgramKind::Train || kind == ProgramKind::Eval;
  if (request.batch_origin().empty() && isStep) {
    for (auto dim = sizes.begin(); dim != sizes.end();) {
      if (!isFirstOfInput(dim->first)) {
        ++dim;
        continue;
      }
      if (recipe.batchSize &&
          !state(dim->first, recipe.batchSize, "the recipe's batch_size"))
        return false;
      dim = sizes.erase(dim);
    }
  }
  const std::string origin = request.batch_origin().empty()
                                 ? "the recipe's batch_size"
                                 : request.batch_origin();
  return visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return !type || type.getRank() == 0 || !type.isDynamicDim(0) ||
           state(onnx::dimensionKey(type, name, 0), batchSize, origin);
  });
}

bool Binder::checkRank(StringRef input, RankedTensorType type,
                       ArrayRef<int64_t> shape) {
  if (type.getRank() == int64_t(shape.size()))
    return true;
  return fail(error, ExitCode::BadInput,
              request.given().name() + ": input '" + input + "' has " +
                  countOf(int64_t(shape.size()), "dimension") +
                  "; the model wants " + Twine(type.getRank()));
}

/// Sizes from the tensors given for inputs.
bool Binder::stateGiven() {
  const plan::GivenTensors &given = request.given();
  std::map<std::string, ArrayRef<int64_t>> shapes;
  std::string names;
  for (const plan::GivenTensors::Tensor &tensor : given.tensors()) {
    shapes[tensor.name()] = {tensor.shape().data(),
                             size_t(tensor.shape_size())};
    names += (names.empty() ? "'" : ", '") + tensor.name() + "'";
  }
  return visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto found = shapes.find(name.str());
    if (found == shapes.end())
      return fail(error, ExitCode::BadInput,
                  given.name() + ": no tensor for the model's input '" + name +
                      "'; the file has " + names);
    ArrayRef<int64_t> shape = found->second;
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      return true;
    if (!checkRank(name, type, shape))
      return false;
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (extent >= 0 && type.isDynamicDim(dim) &&
          !state(onnx::dimensionKey(type, name, dim), extent,
                 "input '" + name.str() + "' " + describeShape(shape) + " of " +
                     given.name()))
        return false;
    return true;
  });
}

bool Binder::stateWindows() {
  const int64_t length = request.given().sequence_length();
  return visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return !type || type.getRank() != 2 || !type.isDynamicDim(1) ||
           state(onnx::dimensionKey(type, name, 1), length,
                 "--sequence-length " + std::to_string(length));
  });
}

/// For generated text, whose length has no other source.
void Binder::setDefaults() {
  visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (type && type.getRank() == 2 && type.isDynamicDim(1))
      sizes.try_emplace(onnx::dimensionKey(type, name, 1),
                        request.given().default_length());
    return true;
  });
}

bool Binder::run() {
  if (!stateDims() || !stateBatch())
    return false;
  if (request.given().sequence_length() && !stateWindows())
    return false;
  if (!request.given().tensors().empty() && !stateGiven())
    return false;
  if (request.given().default_length())
    setDefaults();
  Report report(module.getContext());
  if (succeeded(onnx::bindDimensions(module, sizes)))
    return true;
  report.fill(request.model_path(), ExitCode::BadInput, error);
  return false;
}

bool bindInputs(ModuleOp module, const plan::CompileRequest &request,
                const Recipe &recipe, int64_t batchSize, plan::Error &error) {
  return Binder(module, request, recipe, batchSize, error).run();
}

bool requireBound(ModuleOp module, const plan::CompileRequest &request,
                  plan::Error &error) {
  const std::string &path = request.model_path();
  const auto kind = programKindFromName(request.kind());
  const bool hasBatch = kind == ProgramKind::Train || kind == ProgramKind::Eval;
  return visitInputs(module, [&](BlockArgument input, StringRef name) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      return fail(error, ExitCode::Unsupported,
                  path + ": input '" + name +
                      "' is not a tensor of known rank");
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      StringRef symbol = onnx::dimensionName(type, dim);
      return fail(
          error, ExitCode::BadInput,
          path + ": input '" + name + "': dimension " + Twine(dim) +
              (symbol.empty() ? Twine(" has no size and no name")
                              : " ('" + Twine(symbol) + "') has no size"),
          "give it one: --dim " + onnx::dimensionKey(type, name, dim) + "=N" +
              (dim == 0 && hasBatch ? ", or the recipe's batch_size" : ""));
    }
    return true;
  });
}

} // namespace gensyn
