// Converts types and tensors of ONNX messages and back.

#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn::onnx;
using ::onnx::TensorProto;

namespace {

class TypesTest : public testing::Test {
protected:
  TypesTest() { context.loadDialect<OnnxDialect>(); }
  MLIRContext context;
};

TEST_F(TypesTest, ElementsBothWays) {
  for (int i = 1; i <= TensorProto::DataType_MAX; ++i) {
    Type element = elementTypeOf(&context, i);
    ASSERT_TRUE(element) << i;
    EXPECT_EQ(onnxElementOf(element), i);
  }
  EXPECT_FALSE(elementTypeOf(&context, TensorProto::UNDEFINED));
}

TEST_F(TypesTest, SymbolicDimensions) {
  ::onnx::TypeProto proto;
  auto *tensor = proto.mutable_tensor_type();
  tensor->set_elem_type(TensorProto::FLOAT);
  tensor->mutable_shape()->add_dim()->set_dim_param("batch");
  tensor->mutable_shape()->add_dim()->set_dim_value(8);
  tensor->mutable_shape()->add_dim();
  Type type = importType(&context, proto);
  EXPECT_EQ(describeType(type), "float32[batch,8,?]");
  ::onnx::TypeProto back;
  ASSERT_TRUE(exportType(type, back));
  EXPECT_EQ(back.SerializeAsString(), proto.SerializeAsString());
}

TEST_F(TypesTest, FileBytes) {
  Builder b(&context);
  EXPECT_EQ(fileBytes({3, 4}, b.getF32Type()), 48);
  EXPECT_EQ(fileBytes({}, b.getF64Type()), 8);
  EXPECT_EQ(fileBytes({5}, b.getI1Type()), 5);
  EXPECT_EQ(fileBytes({5}, b.getIntegerType(4)), 3);
  EXPECT_EQ(fileBytes({5}, Float6E2M3FNType::get(&context)), 4);
  EXPECT_EQ(fileBytes({int64_t(1) << 62, int64_t(1) << 62, 0}, b.getF32Type()),
            0);
  EXPECT_EQ(fileBytes({int64_t(1) << 62, 4}, b.getF32Type()), std::nullopt);
  EXPECT_EQ(fileBytes({-1}, b.getF32Type()), std::nullopt);
}

/// All element types with the bytes 0, 1, 2, ...: raw data survives the round
/// trip.
TEST_F(TypesTest, RawTensorsBothWays) {
  for (int i = 1; i <= TensorProto::DataType_MAX; ++i) {
    if (i == TensorProto::STRING)
      continue;
    for (int64_t count : {0, 1, 5, 2000}) {
      TensorProto tensor;
      tensor.set_data_type(i);
      tensor.add_dims(count);
      int64_t size = *fileBytes({count}, elementTypeOf(&context, i));
      std::string bytes;
      for (int64_t k = 0; k < size; ++k)
        bytes.push_back(i == TensorProto::BOOL ? char(k % 2) : char(k * 37));
      // The bits after the last packed element are zero.
      unsigned bits = bitsOf(elementTypeOf(&context, i));
      if (unsigned used = count * bits % 8)
        bytes.back() &= (1 << used) - 1;
      tensor.set_raw_data(bytes);
      std::string error;
      ElementsAttr value = importTensor(&context, tensor, error);
      ASSERT_TRUE(value) << elementName(i) << " " << count << ": " << error;
      TensorProto back;
      exportTensor(value, back);
      EXPECT_EQ(back.raw_data(), bytes) << elementName(i) << " " << count;
    }
  }
}

TEST_F(TypesTest, TensorFaults) {
  auto errorOf = [&](int type, std::vector<int64_t> dims, std::string raw) {
    TensorProto tensor;
    tensor.set_data_type(type);
    for (int64_t dim : dims)
      tensor.add_dims(dim);
    tensor.set_raw_data(raw);
    std::string error;
    EXPECT_FALSE(importTensor(&context, tensor, error));
    return error;
  };
  EXPECT_EQ(errorOf(TensorProto::FLOAT, {2}, "1234"),
            "8 bytes are wanted, 4 are there");
  EXPECT_EQ(errorOf(TensorProto::FLOAT, {1, -2}, ""),
            "dimension 1 is negative (-2)");
  EXPECT_EQ(errorOf(TensorProto::UNDEFINED, {1}, ""), "has no element type");
  EXPECT_EQ(errorOf(99, {1}, ""), "has the unknown element type 99");
  EXPECT_EQ(errorOf(TensorProto::FLOAT, {int64_t(1) << 62, 2}, ""),
            "its size overflows");
  EXPECT_EQ(errorOf(TensorProto::STRING, {2}, ""),
            "2 strings are wanted, 0 are there");
}
} // namespace
