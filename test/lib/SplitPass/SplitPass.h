// A pass for tests that computes ops in pieces.

#ifndef GENSYN_TEST_LIB_SPLITPASS_SPLITPASS_H
#define GENSYN_TEST_LIB_SPLITPASS_SPLITPASS_H

namespace gensyn::testing {

/// Registers test-split-ops.
void registerSplitPass();

} // namespace gensyn::testing

#endif
