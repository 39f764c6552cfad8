// Where a party of a dispute is reached, and by which keys.
#ifndef GENSYN_PROOF_WIRE_ENDPOINT_H
#define GENSYN_PROOF_WIRE_ENDPOINT_H

#include <cstdint>
#include <filesystem>
#include <string>

namespace gensyn::proof {

/// The same for the side that listens and for the one that connects.
struct Endpoint {
  /// "HOST:PORT": a name, an IPv4 address, or an IPv6 address in brackets.
  std::string address;
  /// PEM files: the certificate of this side, its key, and the authority that
  /// signed the certificate of the other side. All of them, or none.
  std::filesystem::path certificate, key, authority;
  /// The most bytes of an answer.
  uint64_t mostBytes = uint64_t(256) << 20;
};

/// The contents of an endpoint's PEM files; all empty without TLS.
struct TlsKeys {
  std::string certificate, key, authority;
};

/// True for "localhost", 127.0.0.0/8 and [::1], with any port.
bool isLoopback(const std::string &address);

/// Checks an endpoint, and reads its files. Throws a Failure: usage for an
/// address that is malformed, for some of the files without the others, and
/// for an address that is not loopback without them; bad input for a file that
/// is not what it should be, and for a key that others may read.
TlsKeys openEndpoint(const Endpoint &endpoint);

} // namespace gensyn::proof

#endif
