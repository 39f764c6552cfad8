// Declares the messages of lib/Executable/plan.proto, variants.proto,
// passes.proto, export.proto and probe.proto, for headers that only pass them
// on. A source that reads or builds one includes plan.pb.h, variants.pb.h,
// passes.pb.h, export.pb.h or probe.pb.h.

#ifndef GENSYN_EXECUTABLE_PLANMESSAGES_H
#define GENSYN_EXECUTABLE_PLANMESSAGES_H

namespace gensyn::plan {

class Code;
class CompileRequest;
class CompileResponse;
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
