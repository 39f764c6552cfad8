// See Endpoint.h.

#include "gensyn/Proof/Wire/Endpoint.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Sign/PemFile.h"

#include <charconv>

#include <arpa/inet.h>

namespace gensyn::proof {

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
  return {readPem(endpoint.certificate, "CERTIFICATE"),
          readPrivatePem(endpoint.key),
          readPem(endpoint.authority, "CERTIFICATE")};
}

} // namespace gensyn::proof
