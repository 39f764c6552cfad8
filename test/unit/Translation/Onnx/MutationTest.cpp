// Damaged models: whatever the bytes are, the importer returns a module that
// verifies or a one-line error.

#include "gensyn/Translation/Onnx/Import.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <unistd.h>

using namespace mlir;

namespace gensyn {
namespace {

std::string contentOf(const std::string &path) {
  std::ifstream in(std::string(GENSYN_TEST_DIR) + "/Inputs/" + path,
                   std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class Mutation : public testing::TestWithParam<const char *> {};

TEST_P(Mutation, EndsWithAModuleOrOneLine) {
  std::string original = contentOf(GetParam());
  ASSERT_FALSE(original.empty());
  auto path = std::filesystem::temp_directory_path() /
              ("gensyn-mutation-" + std::to_string(::getpid()) + ".onnx");
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    std::string bytes = original;
    // Most of a model is weights; its structure is at the beginning and in
    // between.
    for (unsigned changes = 1 + random() % 3; changes--;) {
      size_t at = random() %
                  std::min<size_t>(bytes.size(), i % 2 ? bytes.size() : 2048);
      switch (random() % 4) {
      case 0:
        bytes[at] = char(random());
        break;
      case 1:
        bytes[at] ^= char(1 << random() % 8);
        break;
      case 2:
        bytes.erase(at, 1 + random() % 4);
        break;
      default:
        bytes.insert(at, 1, char(random()));
      }
    }
    {
      std::ofstream out(path, std::ios::binary);
      out << bytes;
    }
    ImportError error;
    OwningOpRef<ModuleOp> module =
        importOnnxFile(path.string(), {}, &context, error);
    if (module) {
      EXPECT_TRUE(succeeded(verify(*module)));
      EXPECT_EQ(error.exitCode(), ExitCode::Ok);
    } else {
      EXPECT_GE(error.exitCode(), ExitCode::BadInput) << error.message;
      EXPECT_FALSE(error.message.empty());
      EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    }
  }
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Models, Mutation,
                         testing::Values("bad/ok.onnx",
                                         "training/training-info.onnx",
                                         "bad/subgraph-missing-outer.onnx",
                                         "bad/gather-out-of-range.onnx",
                                         "bad/reshape-mismatch.onnx",
                                         "bad/wrong-attribute-type.onnx",
                                         "cases/lenet-digits/model.onnx",
                                         "cases/opset-mix-18/model.onnx"));
} // namespace
} // namespace gensyn
