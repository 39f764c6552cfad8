// Converts tensors of ONNX messages to MLIR attributes and back. Small ones are
// DenseElementsAttr (readable text), larger ones resources whose blob owns
// protobuf's string.

#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Numerics/Sizes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn::onnx {
namespace {

/// Elements of 2, 4 and 6 bits are one stream of bits in ONNX, lowest first,
/// and a byte each in MLIR.
std::string unpack(const std::string &packed, unsigned bits, int64_t count) {
  std::string out(count, 0);
  for (int64_t i = 0; i < count; ++i)
    for (unsigned bit = 0; bit < bits; ++bit) {
      int64_t at = i * bits + bit;
      out[i] |= (packed[at / 8] >> (at % 8) & 1) << bit;
    }
  return out;
}

std::string pack(const std::string &bytes, unsigned bits) {
  std::string out((bytes.size() * bits + 7) / 8, 0);
  for (size_t i = 0; i < bytes.size(); ++i)
    for (unsigned bit = 0; bit < bits; ++bit) {
      size_t at = i * bits + bit;
      out[at / 8] |= (bytes[i] >> bit & 1) << (at % 8);
    }
  return out;
}

template <typename Field>
std::string bytesOf(const Field &field, unsigned width) {
  std::string out;
  out.reserve(size_t(field.size()) * width);
  for (auto value : field)
    out.append(reinterpret_cast<const char *>(&value), width); // little endian
  return out;
}

/// The typed repeated field of the element type, in the layout of raw_data.
std::string typedBytes(const TensorProto &tensor, unsigned bits) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64:
    return bytesOf(tensor.float_data(), 4);
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128:
    return bytesOf(tensor.double_data(), 8);
  case TensorProto::INT64:
    return bytesOf(tensor.int64_data(), 8);
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return bytesOf(tensor.uint64_data(), bits / 8);
  case TensorProto::FLOAT6E2M3:
  case TensorProto::FLOAT6E3M2: // an entry for each element; narrower types
                                // pack here too
    return pack(bytesOf(tensor.int32_data(), 1), 6);
  default:
    return bytesOf(tensor.int32_data(), std::max(1u, bits / 8));
  }
}

ElementsAttr denseOf(RankedTensorType type, const std::string &bytes) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  // Copies for alignment: protobuf's string may start anywhere. One word more
  // than needed, so that an empty tensor still has an address.
  std::vector<uint64_t> aligned(bytes.size() / 8 + 1);
  memcpy(aligned.data(), bytes.data(), bytes.size());
  return DenseElementsAttr::getFromRawBuffer(
      type,
      ArrayRef<char>(reinterpret_cast<char *>(aligned.data()), bytes.size()));
}

/// The body of a function contains its tensors again at each call, so equal
/// tensors share their bytes. Others get a name by their content, since the
/// manager would try the numbers after a taken name one by one.
ElementsAttr resourceOf(RankedTensorType type, StringRef name,
                        std::unique_ptr<std::string> bytes) {
  auto &manager =
      DenseResourceElementsHandle::getManagerInterface(type.getContext());
  std::string key = name.empty() ? "tensor" : name.str();
  for (bool isTaken = false;; isTaken = true) {
    auto *entry = manager.getBlobManager().lookup(key);
    if (!entry)
      break;
    const AsmResourceBlob *known = entry->getBlob();
    const ArrayRef<char> data = known ? known->getData() : ArrayRef<char>();
    if (known && StringRef(data.data(), data.size()) == *bytes)
      return DenseResourceElementsAttr::get(
          type, DenseResourceElementsHandle(
                    entry, cast<BuiltinDialect>(manager.getDialect())));
    if (isTaken)
      break;
    key += "_" + llvm::utohexstr(llvm::xxh3_64bits(*bytes), /*LowerCase=*/true);
  }
  std::string *owned = bytes.release();
  AsmResourceBlob blob(
      ArrayRef<char>(owned->data(), owned->size()), /*dataAlignment=*/8,
      [owned](void *, size_t, size_t) { delete owned; },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type,
                                        manager.insert(key, std::move(blob)));
}
} // namespace

ElementsAttr importTensor(MLIRContext *context, TensorProto &tensor,
                          std::string &error) {
  Type element = elementTypeOf(context, tensor.data_type());
  if (!element) {
    error = tensor.data_type() == TensorProto::UNDEFINED
                ? "has no element type"
                : "has the unknown " + elementName(tensor.data_type());
    return {};
  }
  ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
  for (auto [i, size] : llvm::enumerate(shape))
    if (size < 0) {
      error = "dimension " + std::to_string(i) + " is negative (" +
              std::to_string(size) + ")";
      return {};
    }
  std::optional<int64_t> wanted = fileBytes(shape, element);
  if (!wanted) {
    error = "its size overflows";
    return {};
  }
  auto type = RankedTensorType::get(shape, element);
  if (isa<StringType>(element)) {
    int64_t count = llvm::is_contained(shape, 0) ? 0 : 1;
    for (int64_t size : shape)
      if (count && __builtin_mul_overflow(count, size, &count))
        count = -1;
    if (tensor.string_data_size() != count) {
      error = std::to_string(count) + " strings are wanted, " +
              std::to_string(tensor.string_data_size()) + " are there";
      return {};
    }
    SmallVector<StringRef> strings(tensor.string_data().begin(),
                                   tensor.string_data().end());
    return DenseStringElementsAttr::get(type, strings);
  }
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    error = "has external data, which is not allowed here";
    return {};
  }
  unsigned bits = bitsOf(element);
  if (!tensor.has_raw_data())
    tensor.set_raw_data(typedBytes(tensor, bits));
  if (tensor.raw_data().size() != uint64_t(*wanted)) {
    error = std::to_string(*wanted) + " bytes are wanted, " +
            std::to_string(tensor.raw_data().size()) + " are there";
    return {};
  }
  std::unique_ptr<std::string> bytes(tensor.release_raw_data());
  if (bits < 8)
    *bytes = unpack(*bytes, bits, type.getNumElements());
  if (int64_t(bytes->size()) <= maxConstantBytes)
    return denseOf(type, *bytes);
  return resourceOf(type, tensor.name(), std::move(bytes));
}

std::string whyNotElements(ElementsAttr value) {
  auto type = cast<ShapedType>(value.getType());
  if (!boundedProduct(type.getShape(), kMaxElements))
    return "has more than 2^40 elements";
  if (!onnxElementOf(type.getElementType()))
    return "has elements of a type that ONNX does not have";
  if (isa<DenseStringElementsAttr>(value))
    return "";
  // Elements of fewer than 8 bits take a byte each.
  const int64_t count = value.getNumElements(),
                bytes = count * ((bitsOf(type.getElementType()) + 7) / 8);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    const size_t found = blob ? blob->getData().size() : 0;
    return found == size_t(bytes)
               ? ""
               : "has a resource of " + std::to_string(found) +
                     " bytes, expected " + std::to_string(bytes);
  }
  if (!isa<DenseIntOrFPElementsAttr>(value))
    return "is neither dense nor a resource";
  // One value may stand for any number of elements.
  return bytes <= kMaxConstantBytes
             ? ""
             : "has " + std::to_string(bytes) + " bytes, expected at most " +
                   std::to_string(kMaxConstantBytes);
}

FailureOr<std::string> rawBytes(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return failure();
    return std::string(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value);
  if (!dense)
    return failure();
  std::string out;
  if (dense.getNumElements() == 0)
    return out;
  if (dense.getElementType().isInteger(1)) {
    for (bool b : dense.getValues<bool>())
      out.push_back(b);
    return out;
  }
  ArrayRef<char> raw = dense.getRawData();
  for (int64_t i = 0, n = dense.isSplat() ? dense.getNumElements() : 1; i < n;
       ++i)
    out.append(raw.begin(), raw.end());
  return out;
}

void exportTensor(ElementsAttr value, TensorProto &out) {
  auto type = cast<ShapedType>(value.getType());
  out.set_data_type(onnxElementOf(type.getElementType()));
  for (int64_t dim : type.getShape())
    out.add_dims(dim);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value)) {
    for (StringRef s : strings.getRawStringData())
      out.add_string_data(s.str());
    return;
  }
  FailureOr<std::string> bytes = rawBytes(value);
  unsigned bits = bitsOf(type.getElementType());
  if (succeeded(bytes))
    out.set_raw_data(bits && bits < 8 ? pack(*bytes, bits) : std::move(*bytes));
}
} // namespace gensyn::onnx
