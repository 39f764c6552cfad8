// The importer as a function: options, errors, older operator sets.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Translation/Onnx/Diagnostics.h"
#include "gensyn/Translation/Onnx/Export.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace mlir;

namespace gensyn {
namespace {

std::string input(const std::string &path) {
  return std::string(GENSYN_TEST_DIR) + "/Inputs/" + path;
}

int64_t opsetOf(ModuleOp module) {
  auto opsets = module->getAttrOfType<DictionaryAttr>(onnx::names::opsets);
  return opsets.getAs<IntegerAttr>("ai.onnx").getInt();
}

TEST(Import, WeightsAreArguments) {
  MLIRContext context;
  ImportError error;
  auto module = importOnnxFile(input("bad/ok.onnx"), {}, &context, error);
  ASSERT_TRUE(module) << error.message;
  EXPECT_EQ(error.exitCode(), ExitCode::Ok);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  ASSERT_EQ(main.getNumArguments(), 4u);
  auto role = [&](unsigned i) {
    return main.getArgAttrOfType<StringAttr>(i, program::kRoleAttr).str();
  };
  EXPECT_EQ(role(0), "input");
  EXPECT_EQ(role(1), "parameter");
  auto data = main.getArgAttrOfType<onnx::ExternalAttr>(1, onnx::names::data);
  ASSERT_TRUE(data);
  EXPECT_EQ(data.getFile(), "ok.onnx");
  EXPECT_EQ(data.getLength(), 128u);
}

/// Names become parts of messages and of other files, which must be UTF-8.
TEST(Import, NamesAreText) {
  std::ifstream in(input("bad/ok.onnx"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  bytes.replace(bytes.find("gemm"), 1, "\xff");
  auto path = std::filesystem::temp_directory_path() /
              ("gensyn-names-" + std::to_string(::getpid()) + ".onnx");
  std::ofstream(path, std::ios::binary) << bytes;
  MLIRContext context;
  ImportError error;
  EXPECT_FALSE(importOnnxFile(path.string(), {}, &context, error));
  EXPECT_EQ(error.kind, ImportError::Kind::BadModel);
  EXPECT_EQ(error.message,
            path.string() + ": the name of a NodeProto is not UTF-8 text");
  std::filesystem::remove(path);
}

TEST(Import, MessagesAreOneLineOfText) {
  EXPECT_EQ(oneLine("a\nb\x01"
                    "c\x7f"),
            "a\\nb\\x01c\\x7f");
  EXPECT_EQ(oneLine("\xc3\xa9 \xff\xc3"), "\xc3\xa9 \\xff\\xc3");
  // Cut within a character.
  EXPECT_EQ(oneLine(std::string(4095, 'a') + "\xc3\xa9"),
            std::string(4095, 'a') + "\\xc3...");
}

TEST(Import, Dimensions) {
  MLIRContext context;
  ImportError error;
  std::string path = input("cases/lenet-digits/model.onnx");
  auto module = importOnnxFile(path, {.dims = {{"batch", 3}}}, &context, error);
  ASSERT_TRUE(module) << error.message;
  auto type = cast<RankedTensorType>(
      module->lookupSymbol<func::FuncOp>("main").getArgumentTypes()[0]);
  EXPECT_EQ(type.getDimSize(0), 3);
  EXPECT_FALSE(importOnnxFile(path, {.dims = {{"bitch", 3}}}, &context, error));
  EXPECT_EQ(error.kind, ImportError::Kind::Usage);
  EXPECT_EQ(error.message,
            path + ": no dimension is named 'bitch'; there are 'batch'");
}

/// Only a model with an unsupported version is raised, to the first sufficient
/// opset.
TEST(Import, UpgradesOnlyWhenNeeded) {
  MLIRContext context;
  ImportError error;
  std::string path = input("cases/opset-mix-09/model.onnx");
  auto all = [](StringRef, StringRef, int) { return true; };
  auto module = importOnnxFile(path, {.isKnown = all}, &context, error);
  ASSERT_TRUE(module) << error.message;
  EXPECT_EQ(opsetOf(*module), 9);
  auto attributes = [](ModuleOp m) {
    std::vector<std::pair<std::string, std::string>> found;
    auto main = m.lookupSymbol<func::FuncOp>("main");
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (auto data =
              main.getArgAttrOfType<onnx::ExternalAttr>(i, onnx::names::data))
        found.emplace_back(
            main.getArgAttrOfType<StringAttr>(i, onnx::names::name).str(),
            data.getHash().str());
    return found;
  };
  auto before = attributes(*module);

  auto newSoftmax = [](StringRef, StringRef op, int since) {
    return op != "LogSoftmax" || since >= 13;
  };
  module = importOnnxFile(path, {.isKnown = newSoftmax}, &context, error);
  ASSERT_TRUE(module) << error.message;
  EXPECT_EQ(opsetOf(*module), 13);
  for (auto &[name, hash] : before) // weights stay where they are in the file
    EXPECT_TRUE(llvm::is_contained(attributes(*module), std::pair(name, hash)))
        << name;

  // If no opset is sufficient, the model is unchanged, and the conversion
  // reports the missing operator.
  auto none = [](StringRef, StringRef op, int) { return op != "LogSoftmax"; };
  module = importOnnxFile(path, {.isKnown = none}, &context, error);
  ASSERT_TRUE(module) << error.message;
  EXPECT_EQ(opsetOf(*module), 9);
}

TEST(Import, UnknownOperatorsAreKeptOnRequest) {
  MLIRContext context;
  ImportError error;
  auto module = importOnnxFile(input("bad/unknown-op.onnx"),
                               {.keepUnknownOperators = true}, &context, error);
  ASSERT_TRUE(module) << error.message;
  bool found = false;
  module->walk(
      [&](onnx::CustomOp op) { found |= op.getOpType() == "Frobnicate"; });
  EXPECT_TRUE(found);
}

/// A model in a folder of its own, with its weights at `location`.
class ExternalData : public testing::Test {
protected:
  ExternalData() {
    folder = std::filesystem::temp_directory_path() /
             ("gensyn-import-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "inner");
    std::ofstream(folder / "inner" / "w.data", std::ios::binary)
        << std::string(128, 'w');
  }
  ~ExternalData() override { std::filesystem::remove_all(folder); }

  /// Imports ok.onnx with w1 at `location`.
  ImportError import(const std::string &location) {
    std::ifstream in(input("bad/ok.onnx"), std::ios::binary);
    ::onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromIstream(&in));
    auto &tensor = *model.mutable_graph()->mutable_initializer(0);
    tensor.clear_raw_data();
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    auto *entry = tensor.add_external_data();
    entry->set_key("location");
    entry->set_value(location);
    {
      std::ofstream out(folder / "model.onnx", std::ios::binary);
      model.SerializeToOstream(&out);
    }
    MLIRContext context;
    ImportError error;
    module = {};
    (void)importOnnxFile((folder / "model.onnx").string(), {}, &context, error);
    return error;
  }

  std::filesystem::path folder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ExternalData, BeneathTheFolderOnly) {
  EXPECT_EQ(import("inner/w.data").kind, ImportError::Kind::None);
  EXPECT_EQ(import("./inner//w.data").kind, ImportError::Kind::None);
  EXPECT_EQ(import((folder / "inner/w.data").string()).kind,
            ImportError::Kind::BadModel);
  EXPECT_EQ(import("inner/../inner/w.data").kind, ImportError::Kind::BadModel);
  EXPECT_EQ(import("").kind, ImportError::Kind::BadModel);
  EXPECT_EQ(import("inner").kind, ImportError::Kind::BadModel);
  EXPECT_EQ(import(std::string("inner/w.data\0x", 14)).kind,
            ImportError::Kind::BadModel);
}

TEST_F(ExternalData, NoSymbolicLinks) {
  std::filesystem::create_symlink("inner", folder / "link");
  std::filesystem::create_symlink("w.data", folder / "inner" / "link.data");
  EXPECT_EQ(import("inner/link.data").message,
            (folder / "model.onnx").string() +
                ": initializer 'w1': external data 'inner/link.data' cannot be "
                "opened: it is a "
                "symbolic link");
  EXPECT_NE(import("link/w.data").kind, ImportError::Kind::None);
}

/// Weights that changed after the import are not written into a model.
TEST(Export, ChangedBytesAreRefused) {
  auto folder = std::filesystem::temp_directory_path() /
                ("gensyn-export-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(input("bad/ok.onnx"), folder / "ok.onnx");
  MLIRContext context;
  ImportError error;
  auto module =
      importOnnxFile((folder / "ok.onnx").string(), {}, &context, error);
  ASSERT_TRUE(module) << error.message;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(succeeded(exportOnnx(*module, {}, os, error))) << error.message;
  {
    std::fstream file(folder / "ok.onnx",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(120);
    file.put('x');
  }
  EXPECT_TRUE(failed(exportOnnx(*module, {}, os, error)));
  EXPECT_EQ(error.message, "'w1': its bytes in 'ok.onnx' have changed");
  std::filesystem::remove_all(folder);
}
} // namespace
} // namespace gensyn
