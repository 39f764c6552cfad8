// Which addresses and files of TLS are taken.

#include "gensyn/Proof/Wire/Endpoint.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::proof;

namespace fs = std::filesystem;

namespace {

class EndpointTest : public testing::Test {
protected:
  EndpointTest() {
    fs::create_directories(folder);
    endpoint.address = "127.0.0.1:0";
    endpoint.certificate = put("certificate", "CERTIFICATE");
    endpoint.key = put("key", "EC PRIVATE KEY");
    endpoint.authority = put("authority", "CERTIFICATE");
    fs::permissions(endpoint.key, fs::perms(0600));
  }
  ~EndpointTest() override { fs::remove_all(folder); }

  fs::path put(const std::string &name, const std::string &kind) {
    writeText(folder / name, "-----BEGIN " + kind +
                                 "-----\nTUlJQg==\n-----END " + kind +
                                 "-----\n");
    return folder / name;
  }

  /// The exit code and the error; "" if there is none.
  std::string errorOf() const {
    try {
      openEndpoint(endpoint);
    } catch (const Failure &failure) {
      return std::to_string(int(failure.code)) + " " + failure.what();
    }
    return "";
  }

  const fs::path folder =
      fs::path(testing::TempDir()) / ("endpoint-" + std::to_string(::getpid()));
  Endpoint endpoint;
};

} // namespace

TEST(Endpoint, Loopback) {
  for (const char *address :
       {"localhost:1", "127.0.0.1:0", "127.9.8.7:65535", "[::1]:80"})
    EXPECT_TRUE(isLoopback(address)) << address;
  for (const char *address :
       {"0.0.0.0:1", "128.0.0.1:1", "[::]:1", "[::ffff:127.0.0.1]:1",
        "example.org:1", "localhost.example.org:1", "127.0.0.1.example.org:1",
        "127.0.0.1", "localhost", "::1:80", "[::1]", ""})
    EXPECT_FALSE(isLoopback(address)) << address;
}

TEST_F(EndpointTest, Addresses) {
  for (const char *address :
       {"example.org:4000", "10.0.0.1:1", "[fe80::1]:1", "127.0.0.1:0"}) {
    endpoint.address = address;
    EXPECT_EQ(errorOf(), "") << address;
  }
  for (const char *address :
       {"", ":", ":1", "host", "host:", "host:x", "host:65536", "host:-1",
        "host:1 ", "unix:/tmp/a:1", "a/b:1", "[::1:1", "[fe80::1%eth0]:1",
        "[x]:1", "[]:1"}) {
    endpoint.address = address;
    EXPECT_EQ(errorOf(), "2 '" + std::string(address) + "' is not HOST:PORT");
  }
}

TEST_F(EndpointTest, ReadsKeys) {
  const TlsKeys keys = openEndpoint(endpoint);
  EXPECT_NE(keys.key.find("EC PRIVATE KEY"), std::string::npos);
  EXPECT_NE(keys.certificate.find("CERTIFICATE"), std::string::npos);
  EXPECT_EQ(keys.authority, keys.certificate);
}

TEST_F(EndpointTest, Without) {
  endpoint.certificate = endpoint.key = endpoint.authority = "";
  EXPECT_TRUE(openEndpoint(endpoint).key.empty());
  endpoint.address = "0.0.0.0:0";
  EXPECT_EQ(errorOf(), "2 0.0.0.0:0 is not a loopback address, so it needs "
                       "--tls-certificate, --tls-key and --tls-authority");
}

TEST_F(EndpointTest, Together) {
  endpoint.authority = "";
  EXPECT_EQ(errorOf(), "2 --tls-certificate, --tls-key and --tls-authority are "
                       "given together, found 2 of them");
}

TEST_F(EndpointTest, OpenKey) {
  for (int mode : {0640, 0604, 0622, 0601}) {
    fs::permissions(endpoint.key, fs::perms(mode));
    char text[8];
    std::snprintf(text, sizeof text, "%04o", unsigned(mode));
    EXPECT_EQ(errorOf(), "3 " + endpoint.key.string() + ": has mode " + text +
                             ", so others may use the key; expected 0600");
  }
}

TEST_F(EndpointTest, OtherFiles) {
  endpoint.authority = endpoint.key;
  EXPECT_EQ(errorOf(),
            "3 " + endpoint.key.string() + ": has no CERTIFICATE in PEM form");
  endpoint.authority = folder / "absent";
  EXPECT_EQ(errorOf().substr(0, 2), "5 ");
  endpoint.authority = endpoint.certificate;
  endpoint.key = put("encrypted", "ENCRYPTED PRIVATE KEY");
  fs::permissions(endpoint.key, fs::perms(0600));
  EXPECT_EQ(errorOf(), "3 " + endpoint.key.string() +
                           ": the key is encrypted, expected one that is not");
}
