// Declares the messages of lib/Executable/plan.proto, variants.proto,
// passes.proto, export.proto, probe.proto and proof.proto, for headers that
// only pass them on. A source that reads or builds one includes plan.pb.h,
// variants.pb.h, passes.pb.h, export.pb.h, probe.pb.h or proof.pb.h.

#ifndef GENSYN_EXECUTABLE_PLANMESSAGES_H
#define GENSYN_EXECUTABLE_PLANMESSAGES_H

namespace gensyn::plan {

class Code;
class CompileRequest;
class CompileResponse;
class EntriesRequest;
class EntriesResponse;
class EvaluateRequest;
class EvaluateResponse;
class Executable;
class ExportRequest;
class ExportResponse;
class GivenTensors;
class InfoRequest;
class Initial;
class Launch;
class LoadRequest;
class MapRequest;
class MapResponse;
class Package;
class PassesRequest;
class PassesResponse;
class Plan;
class ProbeRequest;
class ProbeResponse;
class RunRequest;
class RunResponse;

} // namespace gensyn::plan

#endif
