// Memory accesses outside of the common case: several regions, generic
// addresses, and faults.

#ifndef GENSYN_PTX_ACCESS_H
#define GENSYN_PTX_ACCESS_H

#include "Machine.h"

namespace gensyn::ptx {

enum class AccessKind : uint8_t {
  Read,
  Write,
  Atomic,
  Begin, ///< of a write that may happen from now on
  End    ///< of one that has happened now
};

/// Reports a located access to the race detector, which must exist. Returns
/// false after it has recorded a fault.
bool recordAccess(Warp &warp, const Code &code, uint32_t mask,
                  const uint64_t *addresses, unsigned bytes, AccessKind kind);

/// The kind of an access to memory.
struct Access {
  unsigned operand = 0; ///< the source that holds the address
  bool isWide = true;   ///< which then has 64 bits
  int64_t offset = 0;   ///< added to it
  uint8_t space = 0;    ///< a `Space`
  unsigned bytes = 0;   ///< per lane
  unsigned alignment = 0;
  bool isWrite = false;
  bool isAtomic = false; ///< reads what it writes
};

/// Turns the operand into host addresses for all 32 lanes, where lanes outside
/// `mask` repeat another lane's. The access has to be aligned and to lie in
/// memory that the kernel may access; otherwise the fault is recorded and the
/// result is false. Every access comes through here except for common loads and
/// stores, which have a fast path with the same checks.
bool locate(Warp &warp, const Code &code, const Access &access, uint32_t mask,
            uint64_t *addresses);

/// The access of a load or a store of `bytes`.
bool locateSlowly(Warp &warp, const Code &code, uint32_t mask, unsigned bytes,
                  bool isWrite, uint64_t *addresses);

/// Records a fault without address and returns `Status::Fault`.
Status raise(Warp &warp, const Code &code, FaultKind kind, uint32_t lane,
             const char *text);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_ACCESS_H
