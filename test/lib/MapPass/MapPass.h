// A pass that maps kernels at random.

#ifndef GENSYN_TEST_LIB_MAPPASS_MAPPASS_H
#define GENSYN_TEST_LIB_MAPPASS_MAPPASS_H

namespace gensyn::testing {

/// Registers test-map-kernels.
void registerMapPass();

} // namespace gensyn::testing

#endif
