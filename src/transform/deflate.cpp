// deflate: puts the content coding deflate (RFC 1950) on bodies; compress.h says how and on which.
#include "transform/compress.h"

namespace rehead::transform {
namespace {

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return make_compress(http::Coding::deflate, arguments);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead deflate -t headers examples/data/chunked.http",
    "rehead inflate then deflate --level 9 -t headers examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kDeflate = compress_row("deflate", "deflate the body", kExamples, make);

}  // namespace rehead::transform
