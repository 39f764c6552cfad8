// Locates the compiler library; encodes requests and decodes responses.

#include "gensyn/Runtime/Compiler/Compiler.h"

#include "ResponseCache.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/export.pb.h"
#include "gensyn/Executable/passes.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Executable/probe.pb.h"
#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Executable/variants.pb.h"
#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include <limits>
#include <mutex>
#include <optional>

namespace gensyn::runtime {

namespace fs = std::filesystem;

namespace {
/// A process that starts with the first call.
class LazyProcess {
public:
  LazyProcess(fs::path library, const CompilerLimits &limits)
      : library(std::move(library)), limits(limits) {}

  CompilerProcess &get() {
    const std::lock_guard lock(mutex);
    if (!process)
      process.emplace(library, limits);
    return *process;
  }

private:
  fs::path library;
  CompilerLimits limits;
  std::mutex mutex;
  std::optional<CompilerProcess> process;
};
} // namespace

Compiler::Compiler(Call call, Free free)
    : transport([=](const std::string &method,
                    const google::protobuf::MessageLite &request) {
        std::string bytes = request.SerializeAsString();
        uint8_t *response = nullptr;
        size_t size = 0;
        int status = call(method.c_str(),
                          reinterpret_cast<const uint8_t *>(bytes.data()),
                          bytes.size(), &response, &size);
        return CompilerAnswer{status,
                              {response, size},
                              std::shared_ptr<const uint8_t>(
                                  response, [free](const uint8_t *bytes) {
                                    free(const_cast<uint8_t *>(bytes));
                                  })};
      }) {}

std::shared_ptr<Compiler> Compiler::open(const fs::path &executable,
                                         CompilerLimits limits) {
  const char *name = "libgensyn-compiler.so";
  fs::path folder = executable.parent_path();
  for (const fs::path &path :
       {folder.parent_path() / "lib" / name, folder / name}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      continue;
    auto process = std::make_shared<LazyProcess>(path, limits);
    return std::shared_ptr<Compiler>(new Compiler(
        [process](const std::string &method,
                  const google::protobuf::MessageLite &request) {
          return process->get().call(method, request);
        },
        path));
  }
  failUnsupported("ONNX models need the compiler, and " + std::string(name) +
                      " is not installed",
                  "it belongs beside gensyn-run or into the lib folder next to "
                  "its folder");
}

void Compiler::setCache(const fs::path &folder) {
  if (!library.empty() && !folder.empty())
    cache = std::make_shared<ResponseCache>(folder, library);
}

std::string Compiler::build() const { return describeFile(library); }

CompilerAnswer Compiler::send(const char *method,
                              const google::protobuf::MessageLite &request,
                              const std::string &subject) {
  if (request.ByteSizeLong() > size_t(std::numeric_limits<int>::max()))
    throw Failure(ExitCode::OutOfResources,
                  std::string("a request of 2 GiB to the compiler: ") + method);
  try {
    return transport(method, request);
  } catch (const CompilerStopped &stopped) {
    throw Failure(stopped.code,
                  subject.empty() ? stopped.reason
                                  : subject + ": " + stopped.reason,
                  stopped.note);
  }
}

CompilerAnswer Compiler::sendCached(
    const char *method, const google::protobuf::MessageLite &request,
    const google::protobuf::MessageLite &identity, const std::string &subject) {
  const std::string key = cache->keyOf(method, identity);
  if (std::optional<std::string> found = cache->load(key)) {
    auto owner = std::make_shared<const std::string>(std::move(*found));
    return {0,
            {reinterpret_cast<const uint8_t *>(owner->data()), owner->size()},
            owner};
  }
  const auto start = std::chrono::system_clock::now();
  CompilerAnswer answer = send(method, request, subject);
  if (answer.status == 0)
    cache->store(key, answer.bytes, start);
  return answer;
}

template <class Response>
Response Compiler::ask(const char *method,
                       const google::protobuf::MessageLite &request,
                       const std::string &subject,
                       const google::protobuf::MessageLite *identity) {
  const CompilerAnswer answer =
      cache && identity ? sendCached(method, request, *identity, subject)
                        : send(method, request, subject);
  if (answer.status == 2)
    throw Failure(ExitCode::OutOfResources,
                  subject.empty()
                      ? "the reference interpreter ran out of memory"
                      : subject + ": the compiler ran out of memory",
                  "a smaller batch needs less of it; --compiler-memory says "
                  "how much there may be");
  Response response;
  if (answer.status != 0 ||
      answer.bytes.size() > size_t(std::numeric_limits<int>::max()) ||
      !response.ParseFromArray(answer.bytes.data(),
                               static_cast<int>(answer.bytes.size())))
    throw Failure(ExitCode::Bug,
                  std::string("the compiler gives no answer to ") + method);
  for (const plan::FileRead &file : response.attached().files_read())
    noteInput(KnownFile{file.device(), file.inode(), file.path()});
  if (warn)
    for (const std::string &line : response.attached().warnings())
      warn(line);
  const plan::Error &error = response.error();
  if (error.exit_code() != 0)
    throw Failure(ExitCode(error.exit_code()), error.message(), error.note());
  return response;
}

plan::CompileResponse
Compiler::askToCompile(const plan::CompileRequest &request) {
  plan::CompileRequest identity = request;
  identity.clear_threads();
  identity.clear_cache_dir();
  identity.mutable_given()->clear_name(); // for messages of errors
  // What a pass was given is written by the compiler, not by its response.
  return ask<plan::CompileResponse>(
      "compile", request, request.model_path(),
      request.crash_reproducer().empty() ? &identity : nullptr);
}

std::shared_ptr<const plan::Executable>
Compiler::compile(const plan::CompileRequest &request) {
  plan::CompileResponse response = askToCompile(request);
  auto executable = std::make_shared<plan::Executable>();
  executable->Swap(response.mutable_executable());
  return executable;
}

plan::CompileResponse
Compiler::compileParts(const plan::CompileRequest &request) {
  return askToCompile(request);
}

std::string Compiler::info(const plan::InfoRequest &request) {
  return ask<plan::InfoResponse>("info", request, request.model_path(),
                                 &request)
      .json();
}

void Compiler::loadReference(const plan::LoadRequest &request) {
  ask<plan::LoadResponse>("reference.load", request, "");
}

plan::RunResponse Compiler::runReference(const plan::RunRequest &request) {
  return ask<plan::RunResponse>("reference.run", request, "");
}

plan::ExportResponse Compiler::exportModel(const plan::ExportRequest &request) {
  plan::ExportRequest whole = request;
  for (KnownFile &input : listInputs()) {
    plan::FileRead &file = *whole.add_files_read();
    file.set_device(input.device);
    file.set_inode(input.inode);
    file.set_path(std::move(input.path));
  }
  return ask<plan::ExportResponse>("export", whole, request.model_path());
}

plan::MapResponse Compiler::mapVariants(const plan::MapRequest &request) {
  return ask<plan::MapResponse>("map", request, request.program().model_path());
}

plan::ProbeResponse Compiler::probe(const plan::ProbeRequest &request) {
  return ask<plan::ProbeResponse>("probe", request,
                                  request.program().model_path());
}

plan::EntriesResponse
Compiler::listEntries(const plan::EntriesRequest &request) {
  return ask<plan::EntriesResponse>("entries", request,
                                    request.program().model_path());
}

plan::EvaluateResponse
Compiler::evaluate(const plan::EvaluateRequest &request) {
  return ask<plan::EvaluateResponse>("evaluate", request, "op");
}

plan::PassesResponse Compiler::runPasses(const plan::PassesRequest &request) {
  return ask<plan::PassesResponse>(
      "passes", request,
      request.model_path().empty() ? request.name() : request.model_path());
}

} // namespace gensyn::runtime
