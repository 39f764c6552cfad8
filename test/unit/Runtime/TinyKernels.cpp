// Kernels as the compiler makes them, by hand: a shared object without
// undefined symbols.

#include <cstdint>

extern "C" {

/// c = a + b, a tile an element.
void tiny_add(uint8_t *const *buffers, uint8_t *, int64_t begin, int64_t end) {
  auto *a = reinterpret_cast<const float *>(buffers[0]);
  auto *b = reinterpret_cast<const float *>(buffers[1]);
  auto *c = reinterpret_cast<float *>(buffers[2]);
  for (int64_t i = begin; i < end; ++i)
    c[i] = a[i] + b[i];
}

/// c = a * b by way of the thread's scratch.
void tiny_mul(uint8_t *const *buffers, uint8_t *scratch, int64_t begin,
              int64_t end) {
  auto *a = reinterpret_cast<const float *>(buffers[0]);
  auto *b = reinterpret_cast<const float *>(buffers[1]);
  auto *c = reinterpret_cast<float *>(buffers[2]);
  auto *product = reinterpret_cast<volatile float *>(scratch);
  for (int64_t i = begin; i < end; ++i) {
    product[0] = a[i] * b[i];
    c[i] = product[0];
  }
}
}
