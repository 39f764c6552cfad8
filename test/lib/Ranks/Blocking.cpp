// A plug-in that never connects, as when another rank does not start.

#include "gensyn/Communication/Transport.h"

#include <unistd.h>

extern "C" uint32_t gensynTransportVersion(void) {
  return GENSYN_TRANSPORT_VERSION;
}

extern "C" int32_t gensynTransportOpen(GensynTransport *, char *, size_t) {
  for (;;)
    pause();
}
