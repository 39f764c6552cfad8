/* Just enough of the safetensors format to read one's own files: tensors by
 * name, without checks of what a stranger might have written. */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct safetensors {
  char *header; /* JSON, ended by a zero */
  char *data;
};

static void fail(const char *what, const char *which) {
  fprintf(stderr, "error: %s: %s\n", which, what);
  exit(1);
}

/* The whole of a file, and a zero behind it. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (!file || fseek(file, 0, SEEK_END) != 0)
    fail("cannot be read", path);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size)
    fail("cannot be read", path);
  fclose(file);
  bytes[*size] = 0;
  return bytes;
}

static struct safetensors open_safetensors(const char *path) {
  struct safetensors result;
  size_t size;
  char *bytes = read_file(path, &size);
  uint64_t length = 0;
  int i;
  for (i = 8; i-- > 0;)
    length = length << 8 | (unsigned char)bytes[i];
  if (size < 8 || length > size - 8)
    fail("is not a safetensors file", path);
  result.header = malloc(length + 1);
  memcpy(result.header, bytes + 8, length);
  result.header[length] = 0;
  result.data = bytes + 8 + length;
  return result;
}

/* The bytes of a tensor, and how many there are; null where it is missing. */
static const char *find_tensor(const struct safetensors *file, const char *name,
                               uint64_t *bytes) {
  char key[512];
  const char *entry, *offsets;
  unsigned long long begin, end;
  snprintf(key, sizeof(key), "\"%s\":", name);
  entry = strstr(file->header, key);
  offsets = entry ? strstr(entry, "\"data_offsets\"") : NULL;
  if (!offsets ||
      sscanf(strchr(offsets, '['), "[%llu,%llu]", &begin, &end) != 2)
    return NULL;
  *bytes = end - begin;
  return file->data + begin;
}

#endif
