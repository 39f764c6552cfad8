// The forms of tensors: by reference, as a value, as a constant; and the names
// of arguments.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Translation/Onnx/Export.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace mlir;

namespace gensyn {
namespace {
using ::onnx::TensorProto;

class WeightsTest : public testing::Test {
protected:
  WeightsTest() {
    path = std::filesystem::temp_directory_path() /
           ("gensyn-weights-" + std::to_string(::getpid()) + ".onnx");
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    auto &graph = *model.mutable_graph();
    graph.set_name("g");
    addValue(*graph.add_input(), "x");
    addNode("Relu", {"x"}, "y");
    addValue(*graph.add_output(), "y");
  }
  ~WeightsTest() override { std::filesystem::remove(path); }

  static void addValue(::onnx::ValueInfoProto &info, const std::string &name) {
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(
        TensorProto::FLOAT);
    info.mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->add_dim()
        ->set_dim_value(4);
  }
  ::onnx::NodeProto &addNode(const std::string &type,
                             const std::vector<std::string> &inputs,
                             const std::string &output) {
    auto &node = *model.mutable_graph()->add_node();
    node.set_op_type(type);
    for (auto &input : inputs)
      node.add_input(input);
    node.add_output(output);
    return node;
  }
  TensorProto &addInitializer(const std::string &name, int type, int64_t size) {
    auto &tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    tensor.add_dims(size);
    return tensor;
  }

  /// Imports the model; sets `main`.
  void import() {
    {
      std::ofstream out(path, std::ios::binary);
      model.SerializeToOstream(&out);
    }
    ImportError error;
    module = importOnnxFile(path.string(), {}, &context, error);
    ASSERT_TRUE(module) << error.message;
    main = module->lookupSymbol<func::FuncOp>("main");
  }

  /// "role name: location of the data" of argument `i`.
  std::string argument(unsigned i) {
    auto text = [&](StringRef key) {
      auto value = main.getArgAttrOfType<StringAttr>(i, key);
      return value ? value.str() : "";
    };
    Attribute data = main.getArgAttr(i, onnx::names::data);
    std::string where = !data                           ? "none"
                        : isa<onnx::ExternalAttr>(data) ? "external"
                                                        : "value";
    return text(program::kRoleAttr) + " " + text(onnx::names::name) + ": " +
           where;
  }

  /// The bytes of the file to which the argument's reference points.
  std::string referenced(unsigned i) {
    auto data = main.getArgAttrOfType<onnx::ExternalAttr>(i, onnx::names::data);
    std::ifstream in(path, std::ios::binary);
    in.seekg(data.getOffset());
    std::string bytes(data.getLength(), 0);
    in.read(bytes.data(), bytes.size());
    return bytes;
  }

  std::filesystem::path path;
  ::onnx::ModelProto model;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp main;
};

TEST_F(WeightsTest, ByTypeAndSize) {
  addInitializer("raw", TensorProto::FLOAT, 2).set_raw_data("abcdefgh");
  auto &packed = addInitializer("packed", TensorProto::FLOAT, 2);
  packed.add_float_data(1.5f);
  packed.add_float_data(-2.0f);
  auto &half = addInitializer("half", TensorProto::FLOAT16, 1);
  half.add_int32_data(0x3c00);
  addInitializer("small", TensorProto::INT64, 2)
      .set_raw_data(std::string(16, 1));
  addInitializer("large", TensorProto::INT64, 129)
      .set_raw_data(std::string(1032, 1));
  auto &typed = addInitializer("typed", TensorProto::INT64, 129);
  for (int i = 0; i < 129; ++i)
    typed.add_int64_data(i);
  addInitializer("empty", TensorProto::FLOAT, 0);
  import();
  ASSERT_EQ(main.getNumArguments(), 6u);
  EXPECT_EQ(argument(0), "input x: none");
  EXPECT_EQ(argument(1), "parameter raw: external");
  EXPECT_EQ(referenced(1), "abcdefgh");
  EXPECT_EQ(argument(2), "parameter packed: external");
  const float values[] = {1.5f, -2.0f};
  EXPECT_EQ(referenced(2),
            std::string(reinterpret_cast<const char *>(values), 8));
  EXPECT_EQ(argument(3), "parameter half: value"); // a varint is not two bytes
  EXPECT_EQ(argument(4), "constant large: external");
  EXPECT_EQ(argument(5), "constant typed: value");
  auto constants = main.getOps<onnx::ConstantOp>();
  EXPECT_EQ(std::distance(constants.begin(), constants.end()),
            2); // small, empty
}

TEST_F(WeightsTest, LargeConstantNodesAreArguments) {
  auto &attribute = *addNode("Constant", {}, "c").add_attribute();
  attribute.set_name("value");
  attribute.set_type(::onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(TensorProto::FLOAT);
  attribute.mutable_t()->add_dims(512);
  attribute.mutable_t()->set_raw_data(std::string(2048, 'c'));
  import();
  ASSERT_EQ(main.getNumArguments(), 2u);
  EXPECT_EQ(argument(1), "constant c: external");
  EXPECT_EQ(referenced(1), std::string(2048, 'c'));
}

/// Data that the file does not hold as bytes is a value of the argument.
TEST_F(WeightsTest, LargeConstantsInOtherForms) {
  auto add = [&](const std::string &output, const std::string &name, int type) {
    auto &attribute = *addNode("Constant", {}, output).add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::AttributeType(type));
    return &attribute;
  };
  auto *typed =
      add("typed", "value", ::onnx::AttributeProto::TENSOR)->mutable_t();
  typed->set_data_type(TensorProto::INT64);
  typed->add_dims(200);
  auto *ints = add("ints", "value_ints", ::onnx::AttributeProto::INTS);
  auto *few = add("few", "value_ints", ::onnx::AttributeProto::INTS);
  few->add_ints(3);
  for (int i = 0; i < 200; ++i) {
    typed->add_int64_data(i);
    ints->add_ints(i);
  }
  import();
  ASSERT_EQ(main.getNumArguments(), 3u);
  EXPECT_EQ(argument(1), "constant typed: value");
  EXPECT_EQ(argument(2), "constant ints: value");
  EXPECT_EQ(main.getArgumentTypes()[1], main.getArgumentTypes()[2]);
  EXPECT_EQ(
      onnx::rawBytes(main.getArgAttrOfType<ElementsAttr>(1, onnx::names::data))
          .value(),
      onnx::rawBytes(main.getArgAttrOfType<ElementsAttr>(2, onnx::names::data))
          .value());
}

TEST_F(WeightsTest, ScalesOfResizeAreConstants) {
  addInitializer("scales", TensorProto::FLOAT, 1)
      .set_raw_data(std::string("\0\0\0\x40", 4));
  addInitializer("both", TensorProto::FLOAT, 1)
      .set_raw_data(std::string("\0\0\0\x40", 4));
  addNode("Resize", {"x", "", "scales"}, "r");
  addNode("Resize", {"x", "", "both"}, "s");
  addNode("Neg", {"both"}, "n");
  import();
  ASSERT_EQ(main.getNumArguments(), 2u);
  EXPECT_EQ(argument(1), "parameter both: external");
}

/// Before IR version 4 every weight is listed as an input too.
TEST_F(WeightsTest, ListedWeightsAreNoInputs) {
  model.set_ir_version(3);
  addInitializer("w", TensorProto::FLOAT, 4).set_raw_data(std::string(16, 'w'));
  addValue(*model.mutable_graph()->add_input(), "w");
  import();
  ASSERT_EQ(main.getNumArguments(), 2u);
  EXPECT_EQ(argument(0), "input x: none");
  EXPECT_EQ(argument(1), "parameter w: external");
}

/// Branches may have initializers of the same name.
TEST_F(WeightsTest, WeightsOfSubgraphs) {
  addInitializer("condition", TensorProto::BOOL, 1)
      .set_raw_data(std::string(1, 1));
  auto &node = addNode("If", {"condition"}, "z");
  for (const char *name : {"then_branch", "else_branch"}) {
    auto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::GRAPH);
    auto &graph = *attribute.mutable_g();
    graph.set_name(name);
    auto &tensor = *graph.add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_dims(4);
    tensor.set_raw_data(std::string(16, *name));
    auto &inner = *graph.add_node();
    inner.set_op_type("Neg");
    inner.add_input("w");
    inner.add_output(std::string(name) + "_out");
    addValue(*graph.add_output(), std::string(name) + "_out");
  }
  import();
  ASSERT_EQ(main.getNumArguments(), 3u);
  EXPECT_EQ(argument(1), "parameter w: external");
  EXPECT_EQ(argument(2), "parameter w_1: external");
  EXPECT_EQ(referenced(1) + referenced(2),
            std::string(16, 'e') + std::string(16, 't'));
}

/// Errors with which ONNX's checker or inference would crash.
TEST_F(WeightsTest, Faults) {
  auto errorOf = [&] {
    {
      std::ofstream out(path, std::ios::binary);
      model.SerializeToOstream(&out);
    }
    ImportError error;
    EXPECT_FALSE(importOnnxFile(path.string(), {}, &context, error));
    return error.message.substr(path.string().size() + 2);
  };
  auto &node = addNode("LeakyRelu", {"x"}, "l");
  for (int i = 0; i < 2; ++i) {
    auto &attribute = *node.add_attribute();
    attribute.set_name("alpha");
    attribute.set_type(::onnx::AttributeProto::FLOAT);
  }
  EXPECT_EQ(errorOf(), "node 'l': attribute 'alpha' is given twice");
  model.mutable_graph()->mutable_input(0)->clear_type();
  EXPECT_EQ(errorOf(), "graph input 'x' has no type");
}

/// A weight that is an output, and one value that is two outputs.
TEST_F(WeightsTest, OutputsThatNeedANode) {
  addInitializer("w", TensorProto::FLOAT, 4).set_raw_data(std::string(16, 'w'));
  addValue(*model.mutable_graph()->add_output(), "w");
  addNode("Identity", {"y"}, "again");
  addValue(*model.mutable_graph()->add_output(), "again");
  import();
  main.walk([](Operation *op) { // what canonicalization would do
    if (op->getName().getStringRef() == "onnx.Identity.v16")
      op->getResult(0).replaceAllUsesWith(op->getOperand(0)), op->erase();
  });
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ImportError error;
  ASSERT_TRUE(succeeded(exportOnnx(*module, {}, os, error))) << error.message;
  ::onnx::ModelProto back;
  ASSERT_TRUE(back.ParseFromString(bytes));
  std::vector<std::string> outputs;
  for (auto &output : back.graph().output())
    outputs.push_back(output.name());
  EXPECT_EQ(outputs, (std::vector<std::string>{"y", "w", "again"}));
  EXPECT_EQ(back.graph().node(back.graph().node_size() - 1).op_type(),
            "Identity");
}
} // namespace
} // namespace gensyn
