// Opens the compiler library and carries messages to it and back.

#include "gensyn/Runtime/Compiler.h"

#include "gensyn/Runtime/CompilerApi.h"
#include "gensyn/Runtime/Error.h"

#include <limits>

#include <dlfcn.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

std::shared_ptr<Compiler> Compiler::open(const fs::path &executable) {
  const char *name = "libgensyn-compiler.so";
  fs::path folder = executable.parent_path();
  for (const fs::path &path :
       {folder.parent_path() / "lib" / name, folder / name}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      continue;
    void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char *reason = ::dlerror();
      failUnsupported("the compiler cannot be opened: " +
                      std::string(reason ? reason : path.string()));
    }
    auto call =
        reinterpret_cast<Call>(::dlsym(library, "gensyn_compiler_call"));
    auto free =
        reinterpret_cast<Free>(::dlsym(library, "gensyn_compiler_free"));
    if (!call || !free)
      failUnsupported(path.string() + ": is not a gensyn compiler");
    return std::make_shared<Compiler>(call, free);
  }
  failUnsupported("ONNX models need the compiler, and " + std::string(name) +
                      " is not installed",
                  "it belongs beside gensyn-run or into the lib folder next to "
                  "its folder");
}

template <class Response>
Response Compiler::ask(const char *method,
                       const google::protobuf::MessageLite &request) {
  if (request.ByteSizeLong() > size_t(std::numeric_limits<int>::max()))
    throw Failure(ExitCode::OutOfResources,
                  std::string("a request of 2 GiB to the compiler: ") + method);
  std::string bytes = request.SerializeAsString();
  uint8_t *answer = nullptr;
  size_t size = 0;
  int status = call(method, reinterpret_cast<const uint8_t *>(bytes.data()),
                    bytes.size(), &answer, &size);
  std::unique_ptr<uint8_t, Free> owner(answer, release);
  if (status == 2)
    throw Failure(ExitCode::OutOfResources,
                  std::string(method) == "reference.run"
                      ? "the reference interpreter ran out of memory"
                      : "the compiler ran out of memory",
                  "a smaller batch needs less of it");
  Response response;
  if (status != 0 || size > size_t(std::numeric_limits<int>::max()) ||
      !response.ParseFromArray(answer, static_cast<int>(size)))
    throw Failure(ExitCode::Bug,
                  std::string("the compiler gives no answer to ") + method);
  const plan::Error &error = response.error();
  if (error.exit_code() != 0)
    throw Failure(ExitCode(error.exit_code()), error.message(), error.note());
  return response;
}

std::shared_ptr<const plan::Executable>
Compiler::compile(const plan::CompileRequest &request) {
  auto response = ask<plan::CompileResponse>("compile", request);
  auto executable = std::make_shared<plan::Executable>();
  executable->Swap(response.mutable_executable());
  return executable;
}

std::string Compiler::info(const plan::InfoRequest &request) {
  return ask<plan::InfoResponse>("info", request).json();
}

plan::RunResponse Compiler::runReference(const plan::RunRequest &request) {
  return ask<plan::RunResponse>("reference.run", request);
}

plan::ExportResponse Compiler::exportModel(const plan::ExportRequest &request) {
  return ask<plan::ExportResponse>("export", request);
}

plan::ProbeResponse Compiler::probe(const plan::ProbeRequest &request) {
  return ask<plan::ProbeResponse>("probe", request);
}

} // namespace gensyn::runtime
