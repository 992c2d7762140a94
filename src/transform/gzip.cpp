// gzip: puts the content coding gzip (RFC 1952) on bodies; compress.h says how and on which.
#include "transform/compress.h"

namespace rehead::transform {
namespace {

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return make_compress(http::Coding::gzip, arguments);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead gzip -t headers examples/data/chunked.http",
    "rehead inflate then gzip --level 9 -t headers examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kGzip = compress_row("gzip", "gzip the body", kExamples, make);

}  // namespace rehead::transform
