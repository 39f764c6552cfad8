// Checks a shared object before the dynamic loader sees it.
#ifndef GENSYN_LIB_RUNTIME_ELFCHECK_H
#define GENSYN_LIB_RUNTIME_ELFCHECK_H

#include <string_view>

namespace gensyn::runtime {

/// The dynamic loader believes what it reads. Throws a Failure (bad input)
/// unless the bytes are a shared object for this processor whose segments,
/// symbols and relocations lie where they say, which needs no other library and
/// which runs nothing when it is loaded. It says nothing of what the functions
/// in it do.
void checkSharedObject(std::string_view bytes);

} // namespace gensyn::runtime

#endif
