// See Endpoint.h.

#include "gensyn/Proof/Wire/Endpoint.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <charconv>

#include <arpa/inet.h>
#include <sys/stat.h>

namespace gensyn::proof {

/// The most bytes of a PEM file.
static constexpr size_t kMostPem = size_t(1) << 20;

/// The host of "HOST:PORT"; empty if it is none.
static std::string hostOf(const std::string &address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return "";
  uint16_t port = 0;
  const char *end = address.data() + address.size();
  const auto [last, error] =
      std::from_chars(address.data() + colon + 1, end, port);
  if (error != std::errc() || last != end)
    return "";
  const std::string host = address.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') {
    in6_addr bytes;
    const std::string inner = host.substr(1, host.size() - 2);
    return ::inet_pton(AF_INET6, inner.c_str(), &bytes) == 1 ? host : "";
  }
  // A slash or a percent sign would be another form of gRPC's names.
  const bool isName =
      host.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789.-_") == std::string::npos;
  return isName ? host : "";
}

bool isLoopback(const std::string &address) {
  const std::string host = hostOf(address);
  if (host == "localhost")
    return true;
  in_addr four;
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1)
    return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six;
  return host.size() > 2 &&
         ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &six) ==
             1 &&
         IN6_IS_ADDR_LOOPBACK(&six);
}

/// A file that begins a block "-----BEGIN ... `kind`-----".
static std::string readPem(const std::filesystem::path &path,
                           const std::string &kind) {
  std::string text = readText(path, kMostPem);
  if (text.find("-----BEGIN ") == std::string::npos ||
      text.find(kind + "-----") == std::string::npos)
    failBadInput(path.string() + ": has no " + kind + " in PEM form");
  return text;
}

static std::string readKey(const std::filesystem::path &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777U);
    failBadInput(path.string() + ": has mode " + mode +
                 ", so others may use the key; expected 0600");
  }
  std::string text = readPem(path, "PRIVATE KEY");
  // TLS would ask for its passphrase on the terminal.
  if (text.find("ENCRYPTED PRIVATE KEY") != std::string::npos ||
      text.find(",ENCRYPTED") != std::string::npos)
    failBadInput(path.string() + ": the key is encrypted, expected one that "
                                 "is not");
  return text;
}

TlsKeys openEndpoint(const Endpoint &endpoint) {
  if (hostOf(endpoint.address).empty())
    throw Failure(ExitCode::Usage,
                  quote(endpoint.address) + " is not HOST:PORT");
  const int given = !endpoint.certificate.empty() + !endpoint.key.empty() +
                    !endpoint.authority.empty();
  if (given == 0) {
    if (!isLoopback(endpoint.address))
      throw Failure(ExitCode::Usage,
                    endpoint.address +
                        " is not a loopback address, so it needs "
                        "--tls-certificate, --tls-key and --tls-authority");
    return {};
  }
  if (given != 3)
    throw Failure(ExitCode::Usage,
                  "--tls-certificate, --tls-key and --tls-authority are given "
                  "together, found " +
                      std::to_string(given) + " of them");
  return {readPem(endpoint.certificate, "CERTIFICATE"), readKey(endpoint.key),
          readPem(endpoint.authority, "CERTIFICATE")};
}

} // namespace gensyn::proof
