// Converts attributes of ONNX nodes to MLIR attributes and back: INT is i64,
// FLOAT f32, INTS and FLOATS dense arrays, other lists arrays, SPARSE_TENSOR a
// dictionary.

#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using Proto = ::onnx::AttributeProto;

namespace gensyn::onnx {
namespace {

Attribute importSparse(MLIRContext *context, ::onnx::SparseTensorProto &sparse,
                       std::string &error) {
  Builder b(context);
  Attribute values = importTensor(context, *sparse.mutable_values(), error);
  Attribute indices =
      values ? importTensor(context, *sparse.mutable_indices(), error)
             : nullptr;
  if (!indices)
    return {};
  ArrayRef<int64_t> dims(sparse.dims().data(), sparse.dims_size());
  return b.getDictionaryAttr(
      {b.getNamedAttr("dims", b.getDenseI64ArrayAttr(dims)),
       b.getNamedAttr("indices", indices), b.getNamedAttr("values", values)});
}

void exportSparse(DictionaryAttr value, ::onnx::SparseTensorProto &out) {
  if (auto values = value.getAs<ElementsAttr>("values"))
    exportTensor(values, *out.mutable_values());
  if (auto indices = value.getAs<ElementsAttr>("indices"))
    exportTensor(indices, *out.mutable_indices());
  if (auto dims = value.getAs<DenseI64ArrayAttr>("dims"))
    for (int64_t dim : dims.asArrayRef())
      out.add_dims(dim);
}

/// Lists of anything but numbers. Null if an element fails.
Attribute importList(MLIRContext *context, Proto &attribute,
                     std::string &error) {
  Builder b(context);
  SmallVector<Attribute> list;
  for (const std::string &s : attribute.strings())
    list.push_back(b.getStringAttr(s));
  for (auto &tensor : *attribute.mutable_tensors()) {
    list.push_back(importTensor(context, tensor, error));
    if (!list.back())
      return {};
  }
  for (const auto &type : attribute.type_protos())
    list.push_back(TypeAttr::get(importType(context, type)));
  for (auto &sparse : *attribute.mutable_sparse_tensors()) {
    list.push_back(importSparse(context, sparse, error));
    if (!list.back())
      return {};
  }
  return b.getArrayAttr(list);
}
} // namespace

Attribute importAttribute(MLIRContext *context, Proto &attribute,
                          std::string &error) {
  Builder b(context);
  switch (attribute.type()) {
  case Proto::INT:
    return b.getI64IntegerAttr(attribute.i());
  case Proto::FLOAT:
    return b.getF32FloatAttr(attribute.f());
  case Proto::STRING:
    return b.getStringAttr(attribute.s());
  case Proto::INTS:
    return b.getDenseI64ArrayAttr(
        ArrayRef<int64_t>(attribute.ints().data(), attribute.ints_size()));
  case Proto::FLOATS:
    return b.getDenseF32ArrayAttr(
        ArrayRef<float>(attribute.floats().data(), attribute.floats_size()));
  case Proto::TENSOR:
    return importTensor(context, *attribute.mutable_t(), error);
  case Proto::TYPE_PROTO:
    return TypeAttr::get(importType(context, attribute.tp()));
  case Proto::SPARSE_TENSOR:
    return importSparse(context, *attribute.mutable_sparse_tensor(), error);
  case Proto::STRINGS:
  case Proto::TENSORS:
  case Proto::TYPE_PROTOS:
  case Proto::SPARSE_TENSORS:
    return importList(context, attribute, error);
  default:
    error = "is of a kind that is not supported";
    return {};
  }
}

void exportAttribute(StringRef name, Attribute value, Proto::AttributeType kind,
                     Proto &out) {
  out.set_name(name.str());
  out.set_type(kind);
  switch (kind) {
  case Proto::INT:
    out.set_i(cast<IntegerAttr>(value).getInt());
    break;
  case Proto::FLOAT:
    out.set_f(cast<FloatAttr>(value).getValue().convertToFloat());
    break;
  case Proto::STRING:
    out.set_s(cast<StringAttr>(value).str());
    break;
  case Proto::INTS:
    for (int64_t i : cast<DenseI64ArrayAttr>(value).asArrayRef())
      out.add_ints(i);
    break;
  case Proto::FLOATS:
    for (float f : cast<DenseF32ArrayAttr>(value).asArrayRef())
      out.add_floats(f);
    break;
  case Proto::STRINGS:
    for (Attribute s : cast<ArrayAttr>(value))
      out.add_strings(cast<StringAttr>(s).str());
    break;
  case Proto::TENSOR:
    exportTensor(cast<ElementsAttr>(value), *out.mutable_t());
    break;
  case Proto::TENSORS:
    for (Attribute tensor : cast<ArrayAttr>(value))
      exportTensor(cast<ElementsAttr>(tensor), *out.add_tensors());
    break;
  case Proto::TYPE_PROTO:
    exportType(cast<TypeAttr>(value).getValue(), *out.mutable_tp());
    break;
  case Proto::TYPE_PROTOS:
    for (Attribute type : cast<ArrayAttr>(value))
      exportType(cast<TypeAttr>(type).getValue(), *out.add_type_protos());
    break;
  case Proto::SPARSE_TENSOR:
    exportSparse(cast<DictionaryAttr>(value), *out.mutable_sparse_tensor());
    break;
  case Proto::SPARSE_TENSORS:
    for (Attribute sparse : cast<ArrayAttr>(value))
      exportSparse(cast<DictionaryAttr>(sparse), *out.add_sparse_tensors());
    break;
  default: // graphs are regions
    break;
  }
}
} // namespace gensyn::onnx
