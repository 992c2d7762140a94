// What gzip, deflate, br and zstd share: one step, four codings. Each has its row in its own file.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "transform/transform.h"

namespace rehead::transform {

inline constexpr std::array<Option, 6> kCompressOptions = {{
    {"level", "N", "how hard to try; higher is smaller and slower"},
    {"min", "SIZE", "leave content below this size alone (k, M, G; default 0)"},
    {"types", "LIST", "media types to code, * for any run of characters; all for every type"},
    {"negotiate", "", "only where the request's Accept-Encoding takes the coding"},
    {"force", "", "also 206, no-transform, and on top of another coding"},
    {"etag", "RULE", "a strong ETag: weaken (default), keep or drop", '\0', "weaken,keep,drop"},
}};

/// The step that puts `coding` on bodies.
Result<std::unique_ptr<Transform>> make_compress(http::Coding coding, const Arguments& arguments);

/// A row of one of them.
constexpr TransformInfo compress_row(std::string_view name, std::string_view summary,
                                     std::span<const std::string_view> examples,
                                     Result<std::unique_ptr<Transform>> (*make)(const Arguments&)) {
  return {
      .name = name,
      .argument = "",
      .options = kCompressOptions,
      .side = http::Side::response,
      .streaming = Streaming::stream,
      .group = "framing and body",
      .summary = summary,
      .help =
          "Content-Encoding, Vary and the length follow; a strong ETag is weakened; Accept-Ranges "
          "and digests go. Equal content gives equal bytes.\n\n"
          "Not touched: messages without a body or with an empty one; a 206, Cache-Control: "
          "no-transform and what is coded already, unless --force is given; types that are not "
          "text-like, unless --types names them.\n\n"
          "Levels: gzip and deflate 1 to 9, usually 6; br 0 to 11, usually 5; zstd 1 to 19, "
          "usually 3. deflate is written in the zlib form. Content of up to 1 MiB is coded as a "
          "whole, longer content as it flows; event streams are flushed at every event.",
      .examples = examples,
      .make = make,
  };
}

}  // namespace rehead::transform
