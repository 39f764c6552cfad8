// Writes trained values into the initializers of a model's messages. The model
// does not pass through the dialect, so everything else is preserved.

#include "gensyn/Translation/Onnx/ExportTrained.h"
#include "CheckModel.h"
#include "InferenceForm.h"
#include "ModelFolder.h"
#include "OutputFile.h"
#include "Parameters/RestoreParameters.h"
#include "TrainingAlgorithm.h"
#include "gensyn/Dialect/Onnx/IR/LibraryError.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Numerics/Convert.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Onnx/FilesRead.h"

#include "google/protobuf/io/coded_stream.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using ::onnx::TensorProto;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {
/// The size limit of a protobuf message, less a margin for the rest of the
/// model, whose size is only estimated here.
constexpr uint64_t mostBytes = (uint64_t(1) << 31) - (1 << 16);
/// Smaller tensors stay in the model's file.
constexpr size_t leastExternal = 1024;

class Writer {
public:
  Writer(const TrainedModel &given, StringRef output, MLIRContext *context,
         TrainedFiles &files, ImportError &error)
      : given(given), output(output), context(context), files(files),
        error(error), folder(folderOf(given.path)) {}

  LogicalResult run();

private:
  LogicalResult read();
  void collect(::onnx::GraphProto &graph);
  void collect(::onnx::NodeProto &node);
  LogicalResult replace(const TrainedTensor &trained);
  LogicalResult embed(TensorProto &tensor);
  LogicalResult write();
  LogicalResult writeData(OutputFile &file);
  LogicalResult fail(Kind kind, const Twine &message) {
    error = {kind, message.str()};
    return failure();
  }

  const TrainedModel &given;
  StringRef output;
  MLIRContext *context;
  TrainedFiles &files;
  ImportError &error;
  ModelFolder folder;
  ::onnx::ModelProto model;
  /// Initializers by name. Nested graphs may reuse a name.
  std::map<std::string, std::vector<TensorProto *>> initializers;
  /// All tensors that may be external.
  std::vector<TensorProto *> tensors;
};
LogicalResult Writer::read() {
  auto buffer = openFileRead(given.path);
  if (!buffer)
    return fail(Kind::Io, given.path + ": cannot be opened: " +
                              buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.size() > mostBytes)
    return fail(Kind::BadModel, given.path + ": has more than 2 GiB");
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()), int(bytes.size()));
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return fail(Kind::BadModel, given.path + ": is not an ONNX model");
  return success();
}

/// Collects tensors in the order of the file.
void Writer::collect(::onnx::GraphProto &graph) {
  for (auto &tensor : *graph.mutable_initializer()) {
    initializers[tensor.name()].push_back(&tensor);
    tensors.push_back(&tensor);
  }
  for (auto &sparse : *graph.mutable_sparse_initializer())
    for (TensorProto *tensor :
         {sparse.mutable_values(), sparse.mutable_indices()})
      tensors.push_back(tensor);
  for (auto &node : *graph.mutable_node())
    collect(node);
}

void Writer::collect(::onnx::NodeProto &node) {
  for (auto &attribute : *node.mutable_attribute()) {
    if (attribute.has_t())
      tensors.push_back(attribute.mutable_t());
    for (auto &tensor : *attribute.mutable_tensors())
      tensors.push_back(&tensor);
    if (attribute.has_g())
      collect(*attribute.mutable_g());
    for (auto &graph : *attribute.mutable_graphs())
      collect(graph);
  }
}

/// "f32[2,8]".
std::string describe(StringRef element, ArrayRef<int64_t> shape) {
  std::string text = element.str() + "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? "," : "") + std::to_string(size);
  return text + "]";
}

/// Returns the bytes of f32 elements, each rounded to the narrower type.
std::string roundTo(Type type, ArrayRef<int64_t> shape,
                    const std::string &bytes) {
  const Tensor wide =
      Tensor::view(ElementType::F32, shape.vec(), bytes.data(), nullptr);
  const Tensor narrow = scalar::convertTensor(
      wide, type.isF16() ? ElementType::F16 : ElementType::BF16);
  return {reinterpret_cast<const char *>(narrow.data()),
          size_t(narrow.byteSize())};
}

LogicalResult Writer::replace(const TrainedTensor &trained) {
  auto found = initializers.find(trained.name);
  if (found == initializers.end())
    return fail(Kind::BadModel,
                given.path + ": has no initializer '" + trained.name + "'");
  if (found->second.size() > 1)
    return fail(Kind::Unsupported,
                given.path + ": several graphs have an initializer '" +
                    trained.name + "'");
  TensorProto &tensor = *found->second.front();
  Type type = onnx::elementTypeOf(context, tensor.data_type());
  std::string element;
  if (type)
    llvm::raw_string_ostream(element) << type;
  ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  // Narrow floats train as f32 (precision_r4).
  const bool isMaster =
      trained.element == "f32" && (element == "f16" || element == "bf16");
  if ((element != trained.element && !isMaster) ||
      shape != ArrayRef(trained.shape))
    return fail(Kind::BadModel, given.path + ": initializer '" + trained.name +
                                    "' is " + describe(element, shape) +
                                    ", and its new value " +
                                    describe(trained.element, trained.shape));
  auto wanted =
      onnx::fileBytes(shape, isMaster ? Type(Float32Type::get(context)) : type);
  if (!wanted || uint64_t(*wanted) != trained.length)
    return fail(Kind::BadModel, trained.file + ": '" + trained.name + "' has " +
                                    Twine(trained.length) + " bytes");
  std::string bytes;
  if (trained.length) {
    auto buffer = openFileRead(trained.file, trained.offset, trained.length);
    if (!buffer)
      return fail(Kind::Io, trained.file + ": cannot be read: " +
                                buffer.getError().message());
    bytes = (*buffer)->getBuffer().str();
  }
  if (bytes.size() != trained.length)
    return fail(Kind::Io, trained.file + ": became shorter");
  if (isMaster)
    bytes = roundTo(type, shape, bytes);
  // Keeps the tensor's name, documentation and metadata.
  tensor.clear_float_data();
  tensor.clear_double_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_uint64_data();
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(std::move(bytes));
  ++files.replaced;
  return success();
}

/// Copies external data into the message.
LogicalResult Writer::embed(TensorProto &tensor) {
  if (tensor.data_location() != TensorProto::EXTERNAL)
    return success();
  std::string file;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const auto &entry : tensor.external_data()) {
    uint64_t number = 0;
    bool isNumber = !StringRef(entry.value()).getAsInteger(10, number);
    if (entry.key() == "location")
      file = entry.value();
    else if (entry.key() == "offset" && isNumber)
      offset = number;
    else if (entry.key() == "length" && isNumber)
      length = number;
  }
  Type type = onnx::elementTypeOf(context, tensor.data_type());
  ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  auto wanted = type && !isa<onnx::StringType>(type) &&
                        llvm::all_of(shape, [](int64_t n) { return n >= 0; })
                    ? onnx::fileBytes(shape, type)
                    : std::nullopt;
  if (!wanted || (length && *length != uint64_t(*wanted)))
    return fail(Kind::BadModel, given.path + ": initializer '" + tensor.name() +
                                    "': its external data has another size");
  auto bytes = folder.read(file, offset, uint64_t(*wanted), error);
  if (failed(bytes)) {
    error.message =
        given.path + ": initializer '" + tensor.name() + "': " + error.message;
    return failure();
  }
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(std::move(*bytes));
  return success();
}

/// Moves the elements of large tensors into the file beside the output.
LogicalResult Writer::writeData(OutputFile &file) {
  const std::string name = llvm::sys::path::filename(files.data).str();
  const std::string zeros(64, '\0');
  uint64_t offset = 0;
  for (TensorProto *tensor : tensors) {
    const std::string &bytes = tensor->raw_data();
    if (bytes.size() < leastExternal)
      continue;
    uint64_t padding = -offset % 64;
    if (failed(file.write(StringRef(zeros).take_front(padding))) ||
        failed(file.write(bytes)))
      return failure();
    offset += padding;
    auto set = [&](const char *key, const std::string &value) {
      auto *entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    set("location", name);
    set("offset", std::to_string(offset));
    set("length", std::to_string(bytes.size()));
    offset += bytes.size();
    tensor->clear_raw_data();
    tensor->set_data_location(TensorProto::EXTERNAL);
  }
  return success();
}

LogicalResult Writer::write() {
  const uint64_t limit =
      given.inlineLimit ? std::min(given.inlineLimit, mostBytes) : mostBytes;
  uint64_t bytes = 0;
  for (TensorProto *tensor : tensors)
    bytes += tensor->raw_data().size();
  // Sizes of whole messages are only defined up to 2 GiB.
  if (bytes > limit || model.ByteSizeLong() > limit)
    files.data = (output + ".data").str();
  std::optional<OutputFile> data;
  if (!files.data.empty() && failed(writeData(data.emplace(files.data, error))))
    return failure();
  std::string text;
  if (model.ByteSizeLong() > mostBytes || !model.SerializeToString(&text))
    return fail(Kind::Unsupported,
                output + ": would have more than 2 GiB without its "
                         "initializers");
  OutputFile file(output, error);
  if (failed(file.write(text)) || (data && failed(data->commit())))
    return failure();
  return file.commit();
}

LogicalResult Writer::run() {
  if (failed(read()))
    return failure();
  // Restores parameters, as the import for training did.
  if (!given.tensors.empty() && !model.training_info_size()) {
    (void)restoreParameters(model, folder);
    if (failed(sortNodes(*model.mutable_graph(), error))) {
      error.message = given.path + ": " + error.message;
      return failure();
    }
  }
  if (!given.keepsTrainingForm && given.recipe.empty() &&
      !model.training_info_size())
    files.inferenceNodes = useInferenceForm(model);
  collect(*model.mutable_graph());
  for (auto &training : *model.mutable_training_info()) {
    collect(*training.mutable_algorithm());
    collect(*training.mutable_initialization());
  }
  for (auto &function : *model.mutable_functions())
    for (auto &node : *function.mutable_node())
      collect(node);
  // This includes files of tensors whose values are replaced: the input model
  // must stay intact.
  for (const TensorProto *tensor : tensors)
    for (const auto &entry : tensor->external_data())
      if (entry.key() == "location")
        noteFileRead(folderOf(given.path) + "/" + entry.value());
  for (const TrainedTensor &trained : given.tensors)
    if (failed(replace(trained)))
      return failure();
  for (TensorProto *tensor : tensors)
    if (failed(embed(*tensor)))
      return failure();
  if (!given.recipe.empty() &&
      failed(addTrainingInfo(model, given.path, given.recipe, context, error)))
    return failure();
  return write();
}
} // namespace

LogicalResult exportTrained(const TrainedModel &model, StringRef output,
                            MLIRContext *context, TrainedFiles &files,
                            ImportError &error) {
  error = ImportError();
  files = TrainedFiles();
  LogicalResult done = failure();
  try {
    done = Writer(model, output, context, files, error).run();
  } catch (const std::exception &e) {
    error = {Kind::BadModel, model.path + ": cannot be exported: " +
                                 onnx::describeLibraryError(e)};
  }
  if (failed(done))
    error.message = oneLine(error.message);
  return done;
}
} // namespace gensyn
