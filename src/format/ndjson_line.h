// A line of NDJSON as it was read, for the sink of the same format: one that no step changed leaves
// byte for byte, unknown members and all.
#pragma once

#include <string_view>

#include "http/exchange.h"

namespace rehead::format {

class NdjsonLine final : public http::AsRead {
 public:
  /// `text` and what `exchange` views live as long as the exchange.
  void start(std::string_view text, const http::Exchange& exchange);
  /// The object, without its line end.
  std::string_view text() const { return text_; }
  /// True if it still says what `exchange` is.
  bool fits(const http::Exchange& exchange) const;
  std::unique_ptr<http::AsRead> keep() const override;

 private:
  std::string_view text_, url_;
  /// What a step would change of a message, as it was read.
  struct Half {
    explicit Half(const http::Message* message = nullptr);
    bool operator==(const Half&) const = default;
    http::StartLine start;
    bool touched = false;  // also by the source, which undoes transfer codings
  };
  Half request_, response_;
  Arena arena_;  // of a copy
};

}  // namespace rehead::format
