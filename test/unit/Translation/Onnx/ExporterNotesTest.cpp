// Distinguishes parameters by the metadata of PyTorch's exporter.

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

constexpr const char *kKind = "pkg.torch.export.graph_signature.InputSpec.kind";
constexpr const char *kFolded = "pkg.onnxscript.optimizer.folded_from";

constexpr int64_t kColumns = 300;

class ExporterNotesTest : public testing::Test {
protected:
  ExporterNotesTest() {
    path = std::filesystem::temp_directory_path() /
           ("gensyn-notes-" + std::to_string(::getpid()) + ".onnx");
    model.set_ir_version(10);
    model.add_opset_import()->set_version(18);
    model.mutable_graph()->set_name("g");
    setType(*model.mutable_graph()->add_input(), "x");
    last = "x";
  }
  ~ExporterNotesTest() override { std::filesystem::remove(path); }

  static void setType(::onnx::ValueInfoProto &info, const std::string &name) {
    info.set_name(name);
    auto &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    for (int64_t extent : {int64_t(2), kColumns})
      type.mutable_shape()->add_dim()->set_dim_value(extent);
  }

  /// An initializer that is added to the value so far.
  void add(const std::string &name, std::vector<int64_t> shape,
           const char *key = nullptr, const char *note = nullptr) {
    auto &graph = *model.mutable_graph();
    TensorProto &tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    int64_t count = 1;
    for (int64_t extent : shape) {
      tensor.add_dims(extent);
      count *= extent;
    }
    for (int64_t i = 0; i < count; ++i)
      tensor.add_float_data(float(i));
    if (key) {
      auto &value = *graph.add_value_info();
      value.set_name(name);
      auto &entry = *value.add_metadata_props();
      entry.set_key(key);
      entry.set_value(note);
    }
    auto &node = *graph.add_node();
    node.set_op_type("Add");
    node.add_input(last);
    node.add_input(name);
    last = "after_" + name;
    node.add_output(last);
  }

  /// The roles of arguments by name; "none" for anything that is not an
  /// argument.
  std::map<std::string, std::string> roles() {
    setType(*model.mutable_graph()->add_output(), last);
    {
      std::ofstream file(path, std::ios::binary);
      file << model.SerializeAsString();
    }
    ImportError error;
    module = importOnnxFile(path.string(), ImportOptions(), &context, error);
    EXPECT_TRUE(module) << error.message;
    std::map<std::string, std::string> found;
    for (const auto &tensor : model.graph().initializer())
      found[tensor.name()] = "none";
    auto main = module->lookupSymbol<func::FuncOp>("main");
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      found[main.getArgAttrOfType<StringAttr>(i, onnx::names::name).str()] =
          main.getArgAttrOfType<StringAttr>(i, program::kRoleAttr).str();
    found.erase("x");
    return found;
  }

  MLIRContext context;
  ::onnx::ModelProto model;
  std::filesystem::path path;
  std::string last;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ExporterNotesTest, parametersAreTrained) {
  add("weight", {2, kColumns}, kKind, "PARAMETER");
  add("scale", {}, kKind, "PARAMETER");
  add("mean", {kColumns}, kKind, "BUFFER");
  add("transposed", {2, kColumns}, kFolded, "['layer.weight']");
  add("table", {2, 1}, kFolded, "['arange', 'inv_freq']");
  add("fused", {kColumns});
  add("two", {});
  add("one", {1, 1});
  EXPECT_EQ(roles(),
            (std::map<std::string, std::string>{{"weight", "parameter"},
                                                {"scale", "parameter"},
                                                {"mean", "constant"},
                                                {"transposed", "parameter"},
                                                {"table", "none"},
                                                {"fused", "parameter"},
                                                {"two", "none"},
                                                {"one", "none"}}));
  auto constants = (*module)->getAttrOfType<ArrayAttr>(program::kConstantsAttr);
  ASSERT_TRUE(constants);
  EXPECT_EQ(constants.size(), 3u);
}

// An LSTM's gates are split and joined in another order.
TEST_F(ExporterNotesTest, whatIsComputedOfParametersIsTrained) {
  add("weight", {kColumns}, kKind, "PARAMETER");
  add("gates", {2, 1}, kFolded, "['l.weight_ih_l0', 'val_1', 'zeros']");
  add("joined", {2, 1}, kFolded, "['val_1', 'l.bias_hh_l0', 'l.bias_ih_l0']");
  add("position", {2, 1}, kFolded, "['val_1', 'm.position_embeddings']");
  add("rotary", {2, 1}, kFolded, "['m.rotary_embed.inv_freq', 'arange_2']");
  add("root", {2, 1}, kFolded, "['w', 'permute', 'val_7']");
  add("arange_1", {2, 1}, kFolded, "['val_3', 'val_4']");
  add("minimum", {}, kFolded, "['min_val']");
  add("logit_scale", {}, kFolded, "['m.logit_scale']");
  auto found = roles();
  EXPECT_EQ(found["gates"], "parameter");
  EXPECT_EQ(found["joined"], "parameter");
  EXPECT_EQ(found["position"], "parameter");
  EXPECT_EQ(found["rotary"], "none");
  EXPECT_EQ(found["root"], "parameter");
  EXPECT_EQ(found["arange_1"], "none");
  EXPECT_EQ(found["minimum"], "none");
  EXPECT_EQ(found["logit_scale"], "parameter");
}

TEST_F(ExporterNotesTest, largeConstantsAreArguments) {
  add("weight", {kColumns}, kKind, "PARAMETER");
  add("table", {2, kColumns}, kFolded, "['zeros_like', 'sin']");
  EXPECT_EQ(roles()["table"], "constant");
}

TEST_F(ExporterNotesTest, withoutNotesAllAreTrained) {
  add("weight", {2, kColumns});
  add("two", {});
  add("table", {2, 1}, kFolded, "['arange', 'inv_freq']");
  EXPECT_EQ(roles(),
            (std::map<std::string, std::string>{{"weight", "parameter"},
                                                {"two", "parameter"},
                                                {"table", "parameter"}}));
}
} // namespace
} // namespace gensyn
