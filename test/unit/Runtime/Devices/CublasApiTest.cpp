// Compares benchmarks/CublasApi.h with the toolkit's header of cuBLAS.

#include "CublasApi.h"
#include "../SameSignature.h"

#include <cublas_api.h>
#include <gtest/gtest.h>

namespace gensyn::cublas {
#define CHECK_CUBLAS(name, parameters)                                         \
  static_assert(test::Matches<Status parameters, decltype(::name)>::value,     \
                #name);
GENSYN_CUBLAS_FUNCTIONS(CHECK_CUBLAS)
} // namespace gensyn::cublas

TEST(CublasApi, numbersAreThoseOfTheToolkit) {
  EXPECT_EQ(gensyn::cublas::Success, int(CUBLAS_STATUS_SUCCESS));
  EXPECT_EQ(gensyn::cublas::ErrorInvalidValue,
            int(CUBLAS_STATUS_INVALID_VALUE));
  EXPECT_EQ(gensyn::cublas::ErrorExecutionFailed,
            int(CUBLAS_STATUS_EXECUTION_FAILED));
  EXPECT_EQ(gensyn::cublas::AsItIs, int(CUBLAS_OP_N));
}
