// Parameters that PyTorch's exporter merged, restored from its metadata.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Translation/Onnx/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

using namespace mlir;

namespace gensyn {
namespace {
using ::onnx::TensorProto;

class RestoreParametersTest : public testing::Test {
protected:
  RestoreParametersTest() {
    path = std::filesystem::temp_directory_path() /
           ("gensyn-restore-" + std::to_string(::getpid()) + ".onnx");
    model.set_ir_version(10);
    model.set_producer_name("pytorch");
    model.add_opset_import()->set_version(20);
    model.mutable_graph()->set_name("g");
    setType(*model.mutable_graph()->add_input(), "x");
  }
  ~RestoreParametersTest() override { std::filesystem::remove(path); }

  static void setType(::onnx::ValueInfoProto &info, const std::string &name) {
    info.set_name(name);
    auto &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    for (int64_t extent : {2, 4})
      type.mutable_shape()->add_dim()->set_dim_value(extent);
  }

  template <class Proto>
  static void note(Proto &proto, const std::string &key,
                   const std::string &value) {
    auto &entry = *proto.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }

  /// The module's parameters; a placeholder is named after its target, with "_"
  /// for ".".
  void sign(const std::vector<std::string> &targets) {
    std::string text = "\n# inputs\n";
    for (const std::string &target : targets)
      text += placeholder(target) + ": PARAMETER target='" + target + "'\n";
    note(*model.mutable_graph(),
         "pkg.torch.export.ExportedProgram.graph_signature",
         text + "x: USER_INPUT\n\n# outputs\ny: USER_OUTPUT\n");
  }
  static std::string placeholder(std::string target) {
    std::replace(target.begin(), target.end(), '.', '_');
    return "p_" + target;
  }

  void store(const std::string &name, float value,
             const std::string &kind = "PARAMETER") {
    TensorProto &tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_dims(4);
    for (int i = 0; i < 4; ++i)
      tensor.add_float_data(value);
    if (!kind.empty())
      note(tensor, "pkg.torch.export.graph_signature.InputSpec.kind", kind);
  }

  /// A node whose call is `op` with arguments in PyTorch's syntax.
  ::onnx::NodeProto &add(const std::string &type,
                         const std::vector<std::string> &inputs,
                         const std::string &output, const std::string &call,
                         const std::string &scope = "m") {
    ::onnx::NodeProto &node = *model.mutable_graph()->add_node();
    node.set_name("node_" + output);
    node.set_op_type(type);
    for (const std::string &input : inputs)
      node.add_input(input);
    node.add_output(output);
    if (!call.empty()) {
      auto [op, arguments] = std::pair(call.substr(0, call.find('(')),
                                       call.substr(call.find('(')));
      note(node, "pkg.torch.onnx.fx_node",
           "%" + output + " : [num_users=1] = call_function[target=torch.ops." +
               "aten." + op + ".default](args = " + arguments +
               ", kwargs = {})");
      note(node, "pkg.torch.onnx.name_scopes",
           "['', '" + scope + "', '" + output + "']");
    }
    return node;
  }

  bool load() {
    setType(*model.mutable_graph()->add_output(), "y");
    {
      std::ofstream file(path, std::ios::binary);
      file << model.SerializeAsString();
    }
    ImportError error;
    module = importOnnxFile(path.string(), ImportOptions(), &context, error);
    EXPECT_TRUE(module) << error.message;
    return bool(module);
  }

  /// The roles of arguments that are not inputs, by name.
  std::map<std::string, std::string> roles() {
    std::map<std::string, std::string> found;
    auto main = module->lookupSymbol<func::FuncOp>("main");
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      found[main.getArgAttrOfType<StringAttr>(i, onnx::names::name).str()] =
          main.getArgAttrOfType<StringAttr>(i, program::kRoleAttr).str();
    found.erase("x");
    return found;
  }

  /// The table's rows as text: "lost : a", "exact o.weight: o.weight=e.weight".
  std::vector<std::string> rows() {
    std::vector<std::string> found;
    auto table =
        (*module)->getAttrOfType<ArrayAttr>(program::kModuleParametersAttr);
    for (Attribute row : table ? table.getValue() : ArrayRef<Attribute>()) {
      auto entry = cast<DictionaryAttr>(row);
      std::string text = entry.getAs<StringAttr>("form").str() + " " +
                         entry.getAs<StringAttr>("initializer").str() + ":";
      for (Attribute names : entry.getAs<ArrayAttr>("names")) {
        std::string one;
        for (Attribute name : cast<ArrayAttr>(names))
          one += (one.empty() ? " " : "=") + cast<StringAttr>(name).str();
        text += one;
      }
      found.push_back(text);
    }
    return found;
  }

  using Roles = std::map<std::string, std::string>;
  using Rows = std::vector<std::string>;

  MLIRContext context;
  ::onnx::ModelProto model;
  std::filesystem::path path;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RestoreParametersTest, mergedParametersAreApart) {
  sign({"a.weight", "a.bias", "b.weight", "b.bias"});
  store("a.weight", 1);
  store("a.bias", 0);
  add("LayerNormalization", {"x", "a.weight", "a.bias"}, "h",
      "layer_norm(%x, [4], %p_a_weight, %p_a_bias, 1e-05, False)");
  add("LayerNormalization", {"h", "a.weight", "a.bias"}, "y",
      "layer_norm(%h, [4], %p_b_weight, %p_b_bias, 1e-05, False)");
  ASSERT_TRUE(load());
  EXPECT_EQ(roles(), (Roles{{"a.weight", "parameter"},
                            {"a.bias", "parameter"},
                            {"b.weight", "parameter"},
                            {"b.bias", "parameter"}}));
  EXPECT_EQ(rows(), Rows());
}

// The scopes alone would give two tensors for the tied one.
TEST_F(RestoreParametersTest, tiedParametersStayTied) {
  sign({"a.weight", "b.weight", "c.weight"});
  store("b.weight", 1);
  add("Mul", {"x", "b.weight"}, "h", "mul(%x, %p_b_weight)", "a");
  add("Mul", {"h", "b.weight"}, "y", "mul(%h, %p_b_weight)", "b");
  ASSERT_TRUE(load());
  EXPECT_EQ(roles(), (Roles{{"b.weight", "parameter"}}));
  EXPECT_EQ(rows(),
            (Rows{"unused : c.weight", "exact b.weight: b.weight=a.weight"}));
}

TEST_F(RestoreParametersTest, constantsThatWereMergedAreNotTrained) {
  sign({"a.weight"});
  store("a.weight", 1);
  add("Mul", {"x", "a.weight"}, "h", "mul(%x, %p_a_weight)");
  add("Add", {"h", "a.weight"}, "y", "add(%h, 1.0)");
  ASSERT_TRUE(load());
  EXPECT_EQ(roles(), (Roles{{"a.weight", "parameter"},
                            {"a.weight/constant", "constant"}}));
}

// Two nodes compute the call, and each may hold the parameter.
TEST_F(RestoreParametersTest, whatIsNotProvedIsLost) {
  sign({"a", "b"});
  store("a", 1);
  add("Mul", {"x", "a"}, "h", "mul(%x, %p_a)");
  add("Mul", {"h", "a"}, "y_mul", "unknown(%h, %p_b)");
  auto &node = add("Add", {"y_mul", "a"}, "y", "unknown(%h, %p_b)");
  node.mutable_metadata_props(0)->set_value(
      "%y_mul : [num_users=1] = call_function[target=torch.ops.aten.unknown."
      "default](args = (%h, %p_b), kwargs = {})");
  ASSERT_TRUE(load());
  EXPECT_EQ(roles(), (Roles{{"a", "parameter"}}));
  EXPECT_EQ(rows(), (Rows{"computed a: a b"}));
}

// A call whose result no node has may have had parameters.
TEST_F(RestoreParametersTest, whatAMissingCallHadIsLost) {
  sign({"a", "b"});
  store("a", 1);
  add("Mul", {"x", "a"}, "y", "mul(%add_3, %p_a)");
  ASSERT_TRUE(load());
  EXPECT_EQ(rows(), (Rows{"lost : b"}));
}

TEST_F(RestoreParametersTest, tensorsWithoutTheirNoteAreComputed) {
  sign({"a", "b"});
  store("a", 1);
  store("b", 2, "");
  add("Mul", {"x", "a"}, "h", "mul(%x, %p_a)");
  add("Mul", {"h", "b"}, "y", "mul(%h, %p_b)");
  ASSERT_TRUE(load());
  EXPECT_EQ(rows(), (Rows{"computed b: b"}));
}

TEST_F(RestoreParametersTest, notesThatAreNoneAreLeftOut) {
  note(*model.mutable_graph(),
       "pkg.torch.export.ExportedProgram.graph_signature",
       "p_a: PARAMETER target='a'\np_b: PARAMETER target=\n: \n target='");
  store("a", 1);
  for (const char *text :
       {"", "%", "%v", "%v : x](args = (", "%v : [target=](args = (%, %p_a",
        "%v : [target=torch.ops.](args = ((((%p_a, kwargs = {"}) {
    auto &node =
        add("Mul", {"x", "a"},
            "v" + std::to_string(text[0] + model.graph().node_size()), "");
    note(node, "pkg.torch.onnx.fx_node", text);
    note(node, "pkg.torch.onnx.name_scopes", text);
  }
  add("Mul", {"x", "a"}, "y", "mul(%x, %p_a)");
  ASSERT_TRUE(load());
  EXPECT_EQ(roles()["a"], "parameter");
}
} // namespace
} // namespace gensyn
