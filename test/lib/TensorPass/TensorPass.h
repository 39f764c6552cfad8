// A pass for tests that computes a microbatch as ranks do.

#ifndef GENSYN_TEST_LIB_TENSORPASS_TENSORPASS_H
#define GENSYN_TEST_LIB_TENSORPASS_TENSORPASS_H

namespace gensyn::testing {

/// Registers test-join-tensors.
void registerTensorPass();

} // namespace gensyn::testing

#endif
