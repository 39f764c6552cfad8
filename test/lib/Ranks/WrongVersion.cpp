// A plug-in of a later version of the interface.

#include "gensyn/Communication/Transport.h"

extern "C" uint32_t gensynTransportVersion(void) {
  return GENSYN_TRANSPORT_VERSION + 41;
}

extern "C" int32_t gensynTransportOpen(GensynTransport *, char *, size_t) {
  return 1;
}
