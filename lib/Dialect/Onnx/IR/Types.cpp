// Converts between ONNX types and MLIR types.

#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn::onnx {
namespace {

/// A row for each element type: ONNX's number, its name in messages, MLIR's
/// type.
struct ElementRow {
  int number;
  const char *name;
  Type (*type)(MLIRContext *);
};

template <unsigned Width,
          IntegerType::SignednessSemantics Sign = IntegerType::Signless>
Type integer(MLIRContext *context) {
  return IntegerType::get(context, Width, Sign);
}
template <typename T> Type builtin(MLIRContext *context) {
  return T::get(context);
}
template <typename T> Type complex(MLIRContext *context) {
  return ComplexType::get(T::get(context));
}

constexpr auto Unsigned = IntegerType::Unsigned;
constexpr ElementRow elements[] = {
    {TensorProto::FLOAT, "float32", builtin<Float32Type>},
    {TensorProto::DOUBLE, "float64", builtin<Float64Type>},
    {TensorProto::FLOAT16, "float16", builtin<Float16Type>},
    {TensorProto::BFLOAT16, "bfloat16", builtin<BFloat16Type>},
    {TensorProto::BOOL, "bool", integer<1>},
    {TensorProto::INT2, "int2", integer<2>},
    {TensorProto::INT4, "int4", integer<4>},
    {TensorProto::INT8, "int8", integer<8>},
    {TensorProto::INT16, "int16", integer<16>},
    {TensorProto::INT32, "int32", integer<32>},
    {TensorProto::INT64, "int64", integer<64>},
    {TensorProto::UINT2, "uint2", integer<2, Unsigned>},
    {TensorProto::UINT4, "uint4", integer<4, Unsigned>},
    {TensorProto::UINT8, "uint8", integer<8, Unsigned>},
    {TensorProto::UINT16, "uint16", integer<16, Unsigned>},
    {TensorProto::UINT32, "uint32", integer<32, Unsigned>},
    {TensorProto::UINT64, "uint64", integer<64, Unsigned>},
    {TensorProto::COMPLEX64, "complex64", complex<Float32Type>},
    {TensorProto::COMPLEX128, "complex128", complex<Float64Type>},
    {TensorProto::STRING, "string", builtin<StringType>},
    {TensorProto::FLOAT8E4M3FN, "float8e4m3fn", builtin<Float8E4M3FNType>},
    {TensorProto::FLOAT8E4M3FNUZ, "float8e4m3fnuz",
     builtin<Float8E4M3FNUZType>},
    {TensorProto::FLOAT8E5M2, "float8e5m2", builtin<Float8E5M2Type>},
    {TensorProto::FLOAT8E5M2FNUZ, "float8e5m2fnuz",
     builtin<Float8E5M2FNUZType>},
    {TensorProto::FLOAT8E8M0, "float8e8m0", builtin<Float8E8M0FNUType>},
    {TensorProto::FLOAT4E2M1, "float4e2m1", builtin<Float4E2M1FNType>},
    {TensorProto::FLOAT6E2M3, "float6e2m3", builtin<Float6E2M3FNType>},
    {TensorProto::FLOAT6E3M2, "float6e3m2", builtin<Float6E3M2FNType>},
};
static_assert(TensorProto::DataType_MAX == TensorProto::FLOAT6E3M2,
              "a new element type");

Type importTensorType(MLIRContext *context,
                      const ::onnx::TypeProto_Tensor &tensor) {
  Type element = elementTypeOf(context, tensor.elem_type());
  if (!element)
    return UnknownType::get(context);
  if (!tensor.has_shape())
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> shape;
  SmallVector<StringRef> names;
  for (const auto &dim : tensor.shape().dim()) {
    bool known = dim.has_dim_value() && dim.dim_value() >= 0;
    shape.push_back(known ? dim.dim_value() : ShapedType::kDynamic);
    names.push_back(dim.dim_param());
  }
  return tensorWithNames(shape, element, names);
}

void exportShape(ShapedType type, ::onnx::TensorShapeProto &shape) {
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    auto *dim = shape.add_dim();
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ShapedType::isDynamic(size))
      dim->set_dim_value(size);
    else if (ranked && !dimensionName(ranked, i).empty())
      dim->set_dim_param(dimensionName(ranked, i).str());
  }
}

template <typename TensorTypeProto>
bool exportTensorType(TensorType type, TensorTypeProto *out) {
  int element = onnxElementOf(type.getElementType());
  out->set_elem_type(element);
  if (type.hasRank())
    exportShape(cast<ShapedType>(type), *out->mutable_shape());
  return element != 0;
}
} // namespace

Type elementTypeOf(MLIRContext *context, int onnxElement) {
  for (const ElementRow &row : elements)
    if (row.number == onnxElement)
      return row.type(context);
  return {};
}

int onnxElementOf(Type element) {
  for (const ElementRow &row : elements)
    if (row.type(element.getContext()) == element)
      return row.number;
  return 0;
}

std::string elementName(int onnxElement) {
  for (const ElementRow &row : elements)
    if (row.number == onnxElement)
      return row.name;
  return "element type " + std::to_string(onnxElement);
}

StringRef dimensionName(RankedTensorType type, unsigned i) {
  auto names = dyn_cast_or_null<ArrayAttr>(type.getEncoding());
  auto name =
      names && i < names.size() ? dyn_cast<StringAttr>(names[i]) : StringAttr();
  return name ? name.getValue() : StringRef();
}

RankedTensorType tensorWithNames(ArrayRef<int64_t> shape, Type element,
                                 ArrayRef<StringRef> names) {
  SmallVector<Attribute> kept;
  bool any = false;
  for (auto [size, name] : llvm::zip(shape, names)) {
    StringRef keep = ShapedType::isDynamic(size) ? name : StringRef();
    kept.push_back(StringAttr::get(element.getContext(), keep));
    any |= !keep.empty();
  }
  Attribute encoding =
      any ? ArrayAttr::get(element.getContext(), kept) : Attribute();
  return RankedTensorType::get(shape, element, encoding);
}

Type importType(MLIRContext *context, const ::onnx::TypeProto &type) {
  switch (type.value_case()) {
  case ::onnx::TypeProto::kTensorType:
    return importTensorType(context, type.tensor_type());
  case ::onnx::TypeProto::kSequenceType:
    return SeqType::get(context,
                        importType(context, type.sequence_type().elem_type()));
  case ::onnx::TypeProto::kOptionalType:
    return OptType::get(context,
                        importType(context, type.optional_type().elem_type()));
  case ::onnx::TypeProto::kMapType: {
    Type key = elementTypeOf(context, type.map_type().key_type());
    return key ? Type(MapType::get(
                     context, key,
                     importType(context, type.map_type().value_type())))
               : UnknownType::get(context);
  }
  case ::onnx::TypeProto::kSparseTensorType: {
    ::onnx::TypeProto_Tensor dense;
    dense.set_elem_type(type.sparse_tensor_type().elem_type());
    if (type.sparse_tensor_type().has_shape())
      *dense.mutable_shape() = type.sparse_tensor_type().shape();
    return SparseType::get(context, importTensorType(context, dense));
  }
  default:
    return UnknownType::get(context);
  }
}

bool exportType(Type type, ::onnx::TypeProto &out) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return exportTensorType(tensor, out.mutable_tensor_type());
  if (auto seq = dyn_cast<SeqType>(type))
    return exportType(seq.getElement(),
                      *out.mutable_sequence_type()->mutable_elem_type());
  if (auto opt = dyn_cast<OptType>(type))
    return exportType(opt.getElement(),
                      *out.mutable_optional_type()->mutable_elem_type());
  if (auto map = dyn_cast<MapType>(type)) {
    out.mutable_map_type()->set_key_type(onnxElementOf(map.getKey()));
    return exportType(map.getValue(),
                      *out.mutable_map_type()->mutable_value_type());
  }
  if (auto sparse = dyn_cast<SparseType>(type)) {
    auto tensor = dyn_cast<TensorType>(sparse.getElement());
    return tensor && exportTensorType(tensor, out.mutable_sparse_tensor_type());
  }
  return false;
}

::onnx::DataType dataTypeOf(Type type) {
  // Nearly all values are tensors. A table serves them without the lock and the
  // strings of DataTypeUtils.
  static const std::vector<::onnx::DataType> tensors = [] {
    std::vector<::onnx::DataType> table{nullptr};
    for (int i = 1; i <= TensorProto::DataType_MAX; ++i) {
      ::onnx::TypeProto proto;
      proto.mutable_tensor_type()->set_elem_type(i);
      table.push_back(::onnx::Utils::DataTypeUtils::ToType(proto));
    }
    return table;
  }();
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensors[onnxElementOf(tensor.getElementType())];
  ::onnx::TypeProto proto;
  return exportType(type, proto) ? ::onnx::Utils::DataTypeUtils::ToType(proto)
                                 : nullptr;
}

std::string describeType(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }
  std::string text = elementName(onnxElementOf(tensor.getElementType()));
  if (!tensor.hasRank())
    return text;
  text += "[";
  for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
    StringRef name = dimensionName(cast<RankedTensorType>(type), i);
    text += i ? "," : "";
    text += !ShapedType::isDynamic(size) ? std::to_string(size)
            : name.empty()               ? "?"
                                         : name.str();
  }
  return text + "]";
}

unsigned bitsOf(Type element) {
  if (isa<StringType>(element))
    return 0;
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
}

bool hasSymbolicValues(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return isa<FloatType>(element) ||
         (integer && integer.getWidth() > 1 && integer.getWidth() <= 8);
}

std::optional<int64_t> fileBytes(ArrayRef<int64_t> shape, Type element) {
  int64_t bits = bitsOf(element), count = 1;
  // Zero is checked first: [2^62, 2^62, 0] is empty, whatever the order of its
  // dimensions.
  for (int64_t size : shape)
    if (size < 0)
      return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  if (__builtin_mul_overflow(count, bits, &count))
    return std::nullopt;
  return count / 8 + (count % 8 != 0);
}
} // namespace gensyn::onnx
