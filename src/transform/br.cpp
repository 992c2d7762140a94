// br: puts the content coding br (RFC 7932) on bodies; compress.h says how and on which.
#include "transform/compress.h"

namespace rehead::transform {
namespace {

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return make_compress(http::Coding::br, arguments);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead br -t headers examples/data/chunked.http",
    "rehead inflate then br --level 9 -t headers examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kBr = compress_row("br", "code the body with brotli", kExamples, make);

}  // namespace rehead::transform
