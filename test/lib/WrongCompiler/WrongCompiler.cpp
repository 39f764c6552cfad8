// A compiler library with a wrong kernel, for tests of `compare --replay`: the
// real one, but that its programs for the reference interpreter sum in another
// order than the frozen program says. Its digest is still that of the program.

#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>

using Call = int (*)(const char *, const uint8_t *, size_t, uint8_t **,
                     size_t *);
using Free = void (*)(uint8_t *);

/// Fields of a message keep their length.
static constexpr std::string_view right = "order lanes<32>",
                                  wrong = "order lanes<16>";
static_assert(right.size() == wrong.size());

/// A function of the real library, which stays loaded.
static void *findFunction(const char *name) {
  static void *library = ::dlopen(GENSYN_RIGHT_COMPILER, RTLD_NOW | RTLD_LOCAL);
  return library ? ::dlsym(library, name) : nullptr;
}

extern "C" __attribute__((visibility("default"))) int
gensyn_compiler_call(const char *method, const uint8_t *request,
                     size_t requestSize, uint8_t **response,
                     size_t *responseSize) {
  auto *call = reinterpret_cast<Call>(findFunction("gensyn_compiler_call"));
  if (!call)
    return 1;
  const int result = call(method, request, requestSize, response, responseSize);
  if (result != 0 || std::string_view(method) != "compile")
    return result;
  const std::string_view text(reinterpret_cast<const char *>(*response),
                              *responseSize);
  for (size_t at = 0; (at = text.find(right, at)) != text.npos;
       at += wrong.size())
    std::memcpy(*response + at, wrong.data(), wrong.size());
  return result;
}

extern "C" __attribute__((visibility("default"))) void
gensyn_compiler_free(uint8_t *response) {
  if (auto *free = reinterpret_cast<Free>(findFunction("gensyn_compiler_free")))
    free(response);
}
