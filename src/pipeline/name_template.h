// The name of an output file with places in it: `api/{host}.har`, `b/{entry}{ext}`. What a place
// stands for comes from the input, so it is made harmless: every byte outside A-Z a-z 0-9 . _ -
// becomes _, so does a leading dot, 100 bytes are kept. No path leaves the folder as it was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/exchange.h"

namespace rehead {

class NameTemplate {
 public:
  static bool has_places(std::string_view typed);
  /// Refuses (Errc::usage) a place that is not known and a brace without its other half.
  static Result<NameTemplate> parse(std::string_view typed);

  /// The name for an exchange, of which that half is written. A response on its own has no host:
  /// `host` is that of the request before it.
  std::string name_for(const http::Exchange& exchange, http::Side side,
                       std::string_view host) const;
  const std::string& typed() const { return typed_; }

 private:
  enum class Place : unsigned char { none, host, number, file, status, type, ext };
  struct Part {
    std::string text;  // stands before the place
    Place place = Place::none;
  };
  static Place place_of(std::string_view name);

  std::string typed_;
  std::vector<Part> parts_;
};

}  // namespace rehead
