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

extern "C" {
/// The accesses of tiny_line: a magic number, tiles, scratch and eight buffers,
/// which a caller that knows the number of samples sets (KernelAccess.h).
extern const volatile uint64_t tiny_line_access[11] asm("tiny_line.access");
const volatile uint64_t tiny_line_access[11] = {0x3173736563636167};
}

extern "C" {

/// One step of a line through the origin: loss = mean (w x - t)^2, gradient
/// its derivative, updated = w - gradient / 10. Buffers: w, x, t, the number of
/// samples, then loss, gradient, updated, w x.
void tiny_line(uint8_t *const *buffers, uint8_t *, int64_t begin, int64_t end) {
  auto *w = reinterpret_cast<const float *>(buffers[0]);
  auto *x = reinterpret_cast<const float *>(buffers[1]);
  auto *t = reinterpret_cast<const float *>(buffers[2]);
  int64_t n = *reinterpret_cast<const int64_t *>(buffers[3]);
  float loss = 0, gradient = 0;
  for (int64_t i = 0; i < n; ++i) {
    float y = *w * x[i];
    float error = y - t[i];
    loss += error * error;
    gradient += 2 * error * x[i];
    reinterpret_cast<float *>(buffers[7])[i] = y;
  }
  *reinterpret_cast<float *>(buffers[4]) = loss / float(n);
  *reinterpret_cast<float *>(buffers[5]) = gradient / float(n);
  *reinterpret_cast<float *>(buffers[6]) = *w - gradient / float(n) / 10;
}
}
