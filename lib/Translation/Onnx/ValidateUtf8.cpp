// Checks that strings of a model are UTF-8: they become names in other formats,
// and parts of messages.

#include "CheckModel.h"

#include "onnx/onnx_pb.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace gensyn {
namespace {
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// True if all strings of a repeated field are UTF-8.
bool isText(const Message &message, const FieldDescriptor *field) {
  const auto *reflection = message.GetReflection();
  if (!field->is_repeated())
    return llvm::json::isUTF8(reflection->GetString(message, field));
  for (int i = 0; i < reflection->FieldSize(message, field); ++i)
    if (!llvm::json::isUTF8(reflection->GetRepeatedString(message, field, i)))
      return false;
  return true;
}

/// Returns the first field that is not UTF-8, searching nested messages too;
/// null if there is none. Fields of type bytes may hold anything.
const FieldDescriptor *findBroken(const Message &message) {
  const auto *reflection = message.GetReflection();
  std::vector<const FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    if (field->type() == FieldDescriptor::TYPE_STRING) {
      if (!isText(message, field))
        return field;
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      int count =
          field->is_repeated() ? reflection->FieldSize(message, field) : 1;
      for (int i = 0; i < count; ++i)
        if (const FieldDescriptor *broken = findBroken(
                field->is_repeated()
                    ? reflection->GetRepeatedMessage(message, field, i)
                    : reflection->GetMessage(message, field)))
          return broken;
    }
  }
  return nullptr;
}
} // namespace

LogicalResult validateUtf8(const ::onnx::ModelProto &model,
                           ImportError &error) {
  const FieldDescriptor *broken = findBroken(model);
  if (!broken)
    return success();
  error = {ImportError::Kind::BadModel, "the " + broken->name() + " of a " +
                                            broken->containing_type()->name() +
                                            " is not UTF-8 text"};
  return failure();
}
} // namespace gensyn
