// A reader of the protobuf wire format. It walks models, graphs, nodes and
// tensors itself and leaves every other message to protobuf. So it knows the
// file offset of a tensor's elements, copies none of them, and bounds the
// nesting.

#include "ReadModel.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {
namespace {

/// Field numbers of onnx.proto.
enum : unsigned {
  ModelGraph = 7,
  ModelTraining = 20,
  TrainingInitialization = 1,
  TrainingAlgorithm = 2,
  GraphNode = 1,
  GraphInitializer = 5,
  NodeAttribute = 5,
  AttributeTensor = 5,
  AttributeGraph = 6,
  TensorFloats = 4,
  TensorRaw = 9,
  TensorDoubles = 10,
};

/// Offsets are into the whole file.
struct Field {
  unsigned number = 0;
  bool isBytes = false;
  size_t start = 0, payload = 0, end = 0;
};

class Reader {
public:
  Reader(StringRef file, StringRef self, std::string &error)
      : file(file), self(self), error(error) {}

  bool readModel(::onnx::ModelProto &model);

private:
  bool varint(size_t &at, size_t end, uint64_t &value);
  bool next(size_t &at, size_t end, Field &field);
  bool merge(google::protobuf::Message &message, const Field &field);
  bool readTraining(const Field &field, ::onnx::TrainingInfoProto &training);
  bool readGraph(const Field &field, ::onnx::GraphProto &graph, int depth);
  bool readNode(const Field &field, ::onnx::NodeProto &node, int depth);
  bool readAttribute(const Field &field, ::onnx::AttributeProto &attribute,
                     int depth);
  bool readTensor(const Field &field, TensorProto &tensor, bool isInitializer);
  bool fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    return false;
  }

  /// Calls `read(field)` for each field of a message.
  template <typename Read> bool forEach(size_t at, size_t end, Read read) {
    while (at < end) {
      Field field;
      if (!next(at, end, field) || !read(field))
        return false;
    }
    return true;
  }

  StringRef file, self;
  std::string &error;
};

bool Reader::varint(size_t &at, size_t end, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at >= end)
      return fail("is not a complete protobuf: it ends inside a field");
    uint8_t byte = file[at++];
    if (shift == 63 && byte > 1)
      break;
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return fail("is not a protobuf message: a number at byte " + Twine(at) +
              " is too long");
}

bool Reader::next(size_t &at, size_t end, Field &field) {
  field = Field();
  field.start = at;
  uint64_t tag, length = 0;
  if (!varint(at, end, tag))
    return false;
  field.number = tag >> 3;
  field.payload = at;
  switch (tag & 7) {
  case 0:
    if (!varint(at, end, length))
      return false;
    field.end = at;
    break;
  case 1:
    field.end = at + 8;
    break;
  case 2:
    if (!varint(at, end, length))
      return false;
    field.isBytes = true;
    field.payload = at;
    if (length > end - at)
      return fail("is not a complete protobuf: it ends inside a field");
    field.end = at + length;
    break;
  case 5:
    field.end = at + 4;
    break;
  default:
    return fail("is not a protobuf message: byte " + Twine(field.start) +
                " starts no field");
  }
  if (field.number == 0 || tag >> 32)
    return fail("is not a protobuf message: byte " + Twine(field.start) +
                " starts no field");
  if (field.end > end)
    return fail("is not a complete protobuf: it ends inside a field");
  at = field.end;
  return true;
}

bool Reader::merge(google::protobuf::Message &message, const Field &field) {
  size_t size = field.end - field.start;
  if (size > size_t(std::numeric_limits<int>::max()))
    return fail("has a message of more than 2 GiB");
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(file.data()) + field.start, int(size));
  if (!message.MergePartialFromCodedStream(&stream) ||
      !stream.ConsumedEntireMessage())
    return fail("is not an ONNX model: the message at byte " +
                Twine(field.start) + " is not well formed");
  return true;
}

bool Reader::readTensor(const Field &outer, TensorProto &tensor,
                        bool isInitializer) {
  SmallVector<Field> data;
  bool ok = forEach(outer.payload, outer.end, [&](const Field &field) {
    if (!field.isBytes ||
        (field.number != TensorRaw && field.number != TensorFloats &&
         field.number != TensorDoubles))
      return merge(tensor, field);
    data.push_back(field);
    return true;
  });
  if (!ok)
    return false;
  auto isPlain = [&](const Field &field) {
    int type = tensor.data_type();
    if (field.number == TensorFloats)
      return type == TensorProto::FLOAT || type == TensorProto::COMPLEX64;
    if (field.number == TensorDoubles)
      return type == TensorProto::DOUBLE || type == TensorProto::COMPLEX128;
    return type != TensorProto::STRING;
  };
  // Integers are needed by value (shapes, axes); trainable data is referenced.
  static const int byValue[] = {
      TensorProto::BOOL,   TensorProto::INT2,     TensorProto::UINT2,
      TensorProto::INT4,   TensorProto::UINT4,    TensorProto::INT8,
      TensorProto::UINT8,  TensorProto::INT16,    TensorProto::UINT16,
      TensorProto::INT32,  TensorProto::UINT32,   TensorProto::INT64,
      TensorProto::UINT64, TensorProto::UNDEFINED};
  bool small =
      data.size() == 1 &&
      data[0].end - data[0].payload <= size_t(onnx::maxConstantBytes) &&
      (!isInitializer || llvm::is_contained(byValue, tensor.data_type()));
  bool external = tensor.data_location() == TensorProto::EXTERNAL;
  if (data.size() != 1 || small || external || !isPlain(data[0]) ||
      data[0].end == data[0].payload || tensor.float_data_size() ||
      tensor.double_data_size())
    return llvm::all_of(
        data, [&](const Field &field) { return merge(tensor, field); });
  tensor.set_data_location(TensorProto::EXTERNAL);
  auto set = [&](const char *key, const std::string &value) {
    auto *entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  tensor.clear_external_data();
  set("location", self.str());
  set("offset", std::to_string(data[0].payload));
  set("length", std::to_string(data[0].end - data[0].payload));
  return true;
}

bool Reader::readAttribute(const Field &outer,
                           ::onnx::AttributeProto &attribute, int depth) {
  return forEach(outer.payload, outer.end, [&](const Field &field) {
    if (field.isBytes && field.number == AttributeTensor)
      return readTensor(field, *attribute.mutable_t(), /*isInitializer=*/false);
    if (field.isBytes && field.number == AttributeGraph)
      return readGraph(field, *attribute.mutable_g(), depth + 1);
    return merge(attribute, field);
  });
}

bool Reader::readNode(const Field &outer, ::onnx::NodeProto &node, int depth) {
  return forEach(outer.payload, outer.end, [&](const Field &field) {
    if (field.isBytes && field.number == NodeAttribute)
      return readAttribute(field, *node.add_attribute(), depth);
    return merge(node, field);
  });
}

bool Reader::readGraph(const Field &outer, ::onnx::GraphProto &graph,
                       int depth) {
  if (depth > maxGraphDepth)
    return fail("has subgraphs nested more than " + Twine(maxGraphDepth) +
                " deep");
  return forEach(outer.payload, outer.end, [&](const Field &field) {
    if (field.isBytes && field.number == GraphNode)
      return readNode(field, *graph.add_node(), depth);
    if (field.isBytes && field.number == GraphInitializer)
      return readTensor(field, *graph.add_initializer(),
                        /*isInitializer=*/true);
    return merge(graph, field);
  });
}

bool Reader::readTraining(const Field &outer,
                          ::onnx::TrainingInfoProto &training) {
  return forEach(outer.payload, outer.end, [&](const Field &field) {
    if (field.isBytes && field.number == TrainingInitialization)
      return readGraph(field, *training.mutable_initialization(), 0);
    if (field.isBytes && field.number == TrainingAlgorithm)
      return readGraph(field, *training.mutable_algorithm(), 0);
    return merge(training, field);
  });
}

bool Reader::readModel(::onnx::ModelProto &model) {
  return forEach(0, file.size(), [&](const Field &field) {
    if (field.isBytes && field.number == ModelTraining)
      return readTraining(field, *model.add_training_info());
    if (field.isBytes && field.number == ModelGraph)
      return readGraph(field, *model.mutable_graph(), 0);
    return merge(model, field);
  });
}

/// Recognizes other kinds of files that users pass as models, by their first
/// bytes; empty if unknown.
StringRef recognizeFormat(StringRef bytes) {
  static constexpr struct {
    size_t offset;
    StringLiteral begin, format;
  } formats[] = {
      {0, "PK\x03\x04", "a zip archive"},
      {0, "\x1f\x8b\x08", "a gzip archive"},
      {0, "\x80\x02\x8a", "a pickle of PyTorch"},
      {0, "\x89HDF\r\n\x1a\n", "an HDF5 file"},
      {0, "\x93NUMPY", "an npy file"},
      {0, "GGUF", "a GGUF file"},
      {4, "TFL3", "a TensorFlow Lite model"},
      // Follows the eight bytes of its length, which is less than 2^24.
      {3, StringLiteral::withInnerNUL("\0\0\0\0\0{\""), "a safetensors file"}};
  for (const auto &known : formats)
    if (bytes.drop_front(std::min(known.offset, bytes.size()))
            .starts_with(known.begin))
      return known.format;
  return "";
}

bool looksLikeText(StringRef bytes) {
  return llvm::all_of(bytes.take_front(512), [](unsigned char c) {
    return llvm::isPrint(c) || llvm::isSpace(c);
  });
}
} // namespace

LogicalResult readModel(StringRef bytes, StringRef self,
                        ::onnx::ModelProto &model, std::string &error) {
  if (bytes.empty()) {
    error = "the file is empty";
    return failure();
  }
  if (!Reader(bytes, self, error).readModel(model)) {
    if (StringRef format = recognizeFormat(bytes); !format.empty())
      error = ("is " + format + ", not an ONNX model").str();
    else if (looksLikeText(bytes))
      error = "is text, not an ONNX model";
    return failure();
  }
  if (!model.has_graph()) {
    error = "the model has no graph";
    return failure();
  }
  return success();
}
} // namespace gensyn
