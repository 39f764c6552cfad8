// Sums of rows by CUB, as a library that the measurement opens.

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct RowBegin {
  long long columns;
  __host__ __device__ long long operator()(long long row) const {
    return row * columns;
  }
};

// Without scratch memory it only returns the number of bytes that it needs.
// Returns a cudaError_t.
extern "C" int gensyn_bench_cub_sum(const float *from, float *to,
                                    long long rows, long long columns,
                                    void *scratch, size_t *scratchBytes,
                                    cudaStream_t stream) {
  if (rows == 1)
    return cub::DeviceReduce::Sum(scratch, *scratchBytes, from, to, columns,
                                  stream);
  auto begins = thrust::make_transform_iterator(
      thrust::make_counting_iterator(0ll), RowBegin{columns});
  return cub::DeviceSegmentedReduce::Sum(scratch, *scratchBytes, from, to, rows,
                                         begins, begins + 1, stream);
}
