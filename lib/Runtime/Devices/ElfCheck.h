// Checks a shared object before the dynamic loader opens it.
#ifndef GENSYN_LIB_RUNTIME_ELFCHECK_H
#define GENSYN_LIB_RUNTIME_ELFCHECK_H

#include <string_view>

namespace gensyn::runtime {

/// The dynamic loader does not validate its input. Throws a Failure (bad input)
/// unless the bytes are a shared object for this processor whose segments,
/// symbols and relocations are in bounds, which needs no other library and runs
/// no code when it is loaded. The code of its functions is not checked.
void checkSharedObject(std::string_view bytes);

} // namespace gensyn::runtime

#endif
