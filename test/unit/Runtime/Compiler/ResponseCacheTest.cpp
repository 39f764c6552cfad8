// Responses on disk: used while the files that they are about are the same.

#include "Compiler/ResponseCache.h"

#include "gensyn/Executable/Support/FileSet.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include <sys/stat.h>

using namespace gensyn;
using namespace gensyn::runtime;
namespace fs = std::filesystem;

namespace {

class ResponseCacheTest : public testing::Test {
protected:
  ResponseCacheTest() {
    std::string name =
        (fs::temp_directory_path() / "gensyn-test.XXXXXX").string();
    folder = ::mkdtemp(name.data());
    write("library", "code");
    write("model", "weights");
  }
  ~ResponseCacheTest() override { fs::remove_all(folder); }

  void write(const char *name, const char *bytes) const {
    std::ofstream(folder / name) << bytes;
  }
  ResponseCache open() const {
    return ResponseCache(folder / "cache", folder / "library");
  }
  /// A response about the file `model`.
  plan::InfoResponse respond(const char *text) const {
    plan::InfoResponse response;
    response.set_json(text);
    const KnownFile known = *identifyFile(folder / "model");
    plan::FileRead &file = *response.mutable_attached()->add_files_read();
    file.set_device(known.device);
    file.set_inode(known.inode);
    file.set_path(known.path);
    return response;
  }
  /// Stores the response to a request that is sent `later` from now.
  void store(const plan::InfoResponse &response,
             std::chrono::seconds later = std::chrono::seconds(10)) const {
    const std::string bytes = response.SerializeAsString();
    open().store(
        "k", {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()},
        std::chrono::system_clock::now() + later);
  }
  std::string load() const {
    plan::InfoResponse response;
    const auto bytes = open().load("k");
    return bytes && response.ParseFromString(*bytes) ? response.json() : "";
  }

  fs::path folder;
};

} // namespace

TEST_F(ResponseCacheTest, keepsResponses) {
  EXPECT_EQ(load(), "");
  store(respond("text"));
  EXPECT_EQ(load(), "text");
  struct stat status;
  ASSERT_EQ(::stat((folder / "cache" / "programs").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(ResponseCacheTest, noticesOtherFiles) {
  store(respond("text"));
  write("model", "others!"); // as many bytes
  EXPECT_EQ(load(), "");
  store(respond("new"));
  EXPECT_EQ(load(), "new");
  // Another file of the same bytes and times is another file.
  fs::copy_file(folder / "model", folder / "copy");
  fs::rename(folder / "copy", folder / "model");
  EXPECT_EQ(load(), "");
  store(respond("new"));
  fs::remove(folder / "model");
  EXPECT_EQ(load(), "");
}

TEST_F(ResponseCacheTest, doesNotKeepWhatMayChange) {
  // The file may change once more within the resolution of its times.
  store(respond("text"), std::chrono::seconds(0));
  EXPECT_EQ(load(), "");
  plan::InfoResponse error = respond("text"), warning = respond("text"), none;
  error.mutable_error()->set_exit_code(3);
  warning.mutable_attached()->add_warnings("no cache");
  none.set_json("text");
  for (const plan::InfoResponse &response : {error, warning, none}) {
    store(response);
    EXPECT_EQ(load(), "");
  }
}

TEST_F(ResponseCacheTest, keysTellRequestsApart) {
  plan::InfoRequest request, other;
  (*request.mutable_dims())["n"] = 1;
  (*other.mutable_dims())["n"] = 2;
  const std::string key = open().keyOf("info", request);
  EXPECT_EQ(key, open().keyOf("info", request));
  EXPECT_NE(key, open().keyOf("info", other));
  EXPECT_NE(key, open().keyOf("compile", request));
  // Another build of the compiler.
  write("library", "other code");
  EXPECT_NE(key, open().keyOf("info", request));
}
