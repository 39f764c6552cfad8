// See InitializerEdits.h.

#include "InitializerEdits.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstring>

using llvm::StringRef;
using ::onnx::TensorProto;

namespace gensyn {

static constexpr const char *kindKey =
    "pkg.torch.export.graph_signature.InputSpec.kind";

/// Bytes of an element; 0 for a type that parameters do not have.
static size_t widthOf(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return 4;
  case TensorProto::DOUBLE:
    return 8;
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return 2;
  default:
    return 0;
  }
}

bool isFloatTensor(const TensorProto &tensor) { return widthOf(tensor) != 0; }

bool isScalarTensor(const TensorProto &tensor) {
  return llvm::all_of(tensor.dims(), [](int64_t n) { return n == 1; });
}

bool isStatistic(const ::onnx::NodeProto &node, int operand) {
  return node.op_type() == "BatchNormalization" && operand >= 3;
}

void forEachGraphNode(::onnx::GraphProto &graph,
                      llvm::function_ref<void(::onnx::NodeProto &)> visit) {
  for (auto &node : *graph.mutable_node()) {
    visit(node);
    for (auto &attribute : *node.mutable_attribute()) {
      if (attribute.has_g())
        forEachGraphNode(*attribute.mutable_g(), visit);
      for (auto &inner : *attribute.mutable_graphs())
        forEachGraphNode(inner, visit);
    }
  }
}

InitializerEdits::InitializerEdits(::onnx::GraphProto &graph,
                                   ModelFolder &folder)
    : graph(graph), folder(folder) {
  for (auto &tensor : *graph.mutable_initializer())
    initializers[tensor.name()] = &tensor;
  takeNames(graph);
  forEachGraphNode(graph, [&](::onnx::NodeProto &node) {
    for (auto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        takeNames(*attribute.mutable_g());
  });
}

void InitializerEdits::takeNames(::onnx::GraphProto &from) {
  for (const auto &tensor : from.initializer())
    names.insert(tensor.name());
  for (const auto &value : from.input())
    names.insert(value.name());
  for (const auto &value : from.output())
    names.insert(value.name());
  for (const auto &node : from.node()) {
    names.insert(node.input().begin(), node.input().end());
    names.insert(node.output().begin(), node.output().end());
  }
}

TensorProto *InitializerEdits::find(const std::string &name) const {
  auto found = initializers.find(name);
  return found == initializers.end() ? nullptr : found->second;
}

std::string InitializerEdits::unique(const std::string &name) {
  std::string free = name;
  for (int i = 1; !names.insert(free).second; ++i)
    free = name + "_" + std::to_string(i);
  return free;
}

void InitializerEdits::note(TensorProto &tensor, StringRef kind) {
  tensor.clear_metadata_props();
  if (kind.empty())
    return;
  auto &entry = *tensor.add_metadata_props();
  entry.set_key(kindKey);
  entry.set_value(kind.str());
}

void InitializerEdits::copy(const TensorProto &tensor, const std::string &name,
                            StringRef kind) {
  TensorProto copied = tensor; // adding may invalidate the reference
  TensorProto &added = *graph.add_initializer();
  added = std::move(copied);
  added.set_name(name);
  note(added, kind);
  names.insert(name);
  initializers[name] = &added;
}

void InitializerEdits::addZeros(const TensorProto &like, int64_t count,
                                const std::string &name, StringRef kind) {
  const int type = like.data_type();
  const size_t width = widthOf(like);
  TensorProto &added = *graph.add_initializer();
  added.set_data_type(type);
  added.add_dims(count);
  added.set_raw_data(std::string(size_t(count) * width, '\0'));
  added.set_name(name);
  note(added, kind);
  names.insert(name);
  initializers[name] = &added;
}

std::optional<std::string> InitializerEdits::bytes(const TensorProto &tensor) {
  const size_t width = widthOf(tensor);
  uint64_t size = width;
  for (int64_t extent : tensor.dims())
    if (extent < 0 || __builtin_mul_overflow(size, uint64_t(extent), &size))
      return std::nullopt;
  if (!width)
    return std::nullopt;
  std::string all;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    std::string file;
    uint64_t offset = 0;
    for (const auto &entry : tensor.external_data()) {
      if (entry.key() == "location")
        file = entry.value();
      else if (entry.key() == "offset" &&
               StringRef(entry.value()).getAsInteger(10, offset))
        return std::nullopt;
    }
    ImportError ignored; // the import of the tensor reports errors
    auto read = folder.read(file, offset, size, ignored);
    if (failed(read))
      return std::nullopt;
    all = std::move(*read);
  } else if (tensor.has_raw_data()) {
    all = tensor.raw_data();
  } else if (tensor.data_type() == TensorProto::FLOAT) {
    all.assign(reinterpret_cast<const char *>(tensor.float_data().data()),
               size_t(tensor.float_data_size()) * width);
  } else if (tensor.data_type() == TensorProto::DOUBLE) {
    all.assign(reinterpret_cast<const char *>(tensor.double_data().data()),
               size_t(tensor.double_data_size()) * width);
  }
  if (all.size() != size)
    return std::nullopt;
  return all;
}

std::optional<bool> InitializerEdits::isFilled(const TensorProto &tensor) {
  auto all = bytes(tensor);
  if (!all)
    return std::nullopt;
  const size_t width = widthOf(tensor);
  StringRef text = *all;
  return text.size() <= width ||
         text.drop_front(width) == text.drop_back(width);
}

/// The bytes of the rows along the last dimension.
static std::vector<StringRef> rowsOf(StringRef bytes,
                                     const TensorProto &tensor) {
  const size_t width =
      size_t(tensor.dims(tensor.dims_size() - 1)) * widthOf(tensor);
  std::vector<StringRef> rows;
  for (; !bytes.empty(); bytes = bytes.drop_front(width))
    rows.push_back(bytes.take_front(width));
  return rows;
}

static bool isZero(StringRef row) {
  return row.find_first_not_of('\0') == StringRef::npos;
}

std::optional<bool>
InitializerEdits::hasDistinctRows(const TensorProto &tensor) {
  auto all = bytes(tensor);
  if (!all || tensor.dims_size() < 1)
    return std::nullopt;
  llvm::DenseSet<StringRef> rows;
  for (StringRef row : rowsOf(*all, tensor))
    if (isZero(row) || !rows.insert(row).second)
      return false;
  return true;
}

std::optional<bool> InitializerEdits::hasZeroRow(const TensorProto &tensor) {
  auto all = bytes(tensor);
  if (!all || tensor.dims_size() < 1)
    return std::nullopt;
  const std::vector<StringRef> rows = rowsOf(*all, tensor);
  return llvm::any_of(rows, isZero) && !llvm::all_of(rows, isZero);
}

static std::string transpose(StringRef bytes, int64_t rows, int64_t columns,
                             size_t width) {
  std::string result(bytes.size(), '\0');
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      std::memcpy(&result[size_t(j * rows + i) * width],
                  bytes.data() + size_t(i * columns + j) * width, width);
  return result;
}

std::optional<std::string>
InitializerEdits::transposedBytes(const TensorProto &tensor) {
  auto all = bytes(tensor);
  if (!all || tensor.dims_size() != 2)
    return std::nullopt;
  return transpose(*all, tensor.dims(0), tensor.dims(1), widthOf(tensor));
}

std::optional<std::string> InitializerEdits::derive(const std::string &exact,
                                                    const TensorProto &stored,
                                                    ParameterForm form) {
  const TensorProto *from = find(exact);
  if (!from || from->data_type() != stored.data_type())
    return std::nullopt;
  const bool isSame = llvm::equal(from->dims(), stored.dims());
  const bool isTransposed = form == ParameterForm::Transposed;
  if (isTransposed ? from->dims_size() != 2 || stored.dims_size() != 2 ||
                         from->dims(0) != stored.dims(1) ||
                         from->dims(1) != stored.dims(0)
                   : form != ParameterForm::Reshaped &&
                         (form != ParameterForm::Exact || !isSame))
    return std::nullopt;
  auto have = bytes(*from), want = bytes(stored);
  if (!have || !want ||
      (isTransposed
           ? transpose(*have, from->dims(0), from->dims(1), widthOf(stored))
           : *have) != *want)
    return std::nullopt;
  if (!isTransposed && isSame)
    return exact;
  std::string key = exact;
  for (int64_t extent : stored.dims())
    key += "," + std::to_string(extent);
  std::string &name = derived[key + (isTransposed ? "T" : "")];
  if (!name.empty())
    return name;
  name = unique(exact + (isTransposed ? "/transposed" : "/reshaped"));
  auto &node = *graph.add_node();
  node.set_name(name);
  node.set_op_type(isTransposed ? "Transpose" : "Reshape");
  node.add_input(exact);
  node.add_output(name);
  if (isTransposed) {
    auto &attribute = *node.add_attribute();
    attribute.set_name("perm");
    attribute.set_type(::onnx::AttributeProto::INTS);
    attribute.add_ints(1);
    attribute.add_ints(0);
    return name;
  }
  std::vector<int64_t> dims(stored.dims().begin(), stored.dims().end());
  TensorProto &shape = *graph.add_initializer();
  shape.set_name(unique(name + "/shape"));
  shape.set_data_type(TensorProto::INT64);
  shape.add_dims(int64_t(dims.size()));
  for (int64_t extent : dims)
    shape.add_int64_data(extent);
  node.add_input(shape.name());
  return name;
}

void InitializerEdits::removeUnread(const std::set<std::string> &once) {
  std::set<std::string> read;
  forEachGraphNode(graph, [&](::onnx::NodeProto &node) {
    read.insert(node.input().begin(), node.input().end());
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        for (const auto &value : attribute.g().output())
          read.insert(value.name());
  });
  for (const auto &value : graph.output())
    read.insert(value.name());
  auto &list = *graph.mutable_initializer();
  auto end = std::remove_if(list.begin(), list.end(), [&](TensorProto &tensor) {
    return once.count(tensor.name()) && !read.count(tensor.name());
  });
  list.erase(end, list.end());
  initializers.clear();
  for (auto &tensor : list)
    initializers[tensor.name()] = &tensor;
}

} // namespace gensyn
