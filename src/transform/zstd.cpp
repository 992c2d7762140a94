// zstd: puts the content coding zstd (RFC 8878) on bodies; compress.h says how and on which.
#include "transform/compress.h"

namespace rehead::transform {
namespace {

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return make_compress(http::Coding::zstd, arguments);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead zstd -t headers examples/data/chunked.http",
    "rehead inflate then zstd --level 9 -t headers examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kZstd = compress_row("zstd", "code the body with zstd", kExamples, make);

}  // namespace rehead::transform
