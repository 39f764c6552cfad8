// What both sides of the wire have in common.
#ifndef GENSYN_LIB_PROOF_WIRE_GRPC_H
#define GENSYN_LIB_PROOF_WIRE_GRPC_H

#include "gensyn/Proof/Wire/Endpoint.h"
#include "gensyn/Proof/Wire/party.grpc.pb.h"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace gensyn::proof {

/// The version of party.proto.
inline constexpr uint32_t kProtocol = 1;

/// A bit for each form of compression that is accepted: none. Limits are for
/// bytes on the wire, which a small message could become many of.
inline constexpr int kNoCompression = 1 << GRPC_COMPRESS_NONE;

/// How often an idle connection is used, so that no router on the way forgets
/// it while the other side computes.
inline constexpr int kKeepaliveMilliseconds = 60'000;

/// Bytes of a message around an answer.
constexpr uint64_t kMessageHead = 16;
inline int limitOf(uint64_t bytes) {
  return int(std::min<uint64_t>(bytes + kMessageHead, INT_MAX));
}

/// Errors are what the tool prints; gRPC's own messages on stderr are for who
/// asks for them by GRPC_VERBOSITY.
inline void silence() {
  if (!std::getenv("GRPC_VERBOSITY"))
    ::gpr_set_log_function([](gpr_log_func_args *) {});
}

} // namespace gensyn::proof

#endif
