// The body of a HAR message: content.text of a response, postData of a request. The text is decoded
// already, whatever the headers say; what is no text stands in base64, on one line
// or wrapped. The object is opened when it is first asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/io.h"
#include "codec/base64.h"
#include "codec/json.h"
#include "http/body.h"
#include "http/policy.h"

namespace rehead::format {

class HarBody final : public ByteSource, public http::Measure {
 public:
  HarBody(const http::Policy& policy, Diagnostics& log) : policy_(&policy), log_(&log) {}

  /// `object`: the content or postData object, null or empty; it outlives the pulls. `place` says
  /// where it stands, for what is reported.
  void start(std::string_view object, const Finding& place);
  /// The same object in another text.
  void restart(std::string_view object) { start(object, Finding(place_)); }
  Result<Piece> pull() override;
  std::optional<std::uint64_t> measure() override;
  std::optional<std::uint64_t> told() override;

  /// True if there is a text (or params that stand for one); else the body only counts as empty.
  bool recorded() { return open() && source_ != nullptr; }
  /// True if the text begins as gzip or zstd bytes do in base64: it is coded in truth.
  bool begins_coded();

 private:
  Status open();
  Status read();
  Status take_text(codec::json::Cursor& cursor, const codec::json::Value& text, bool in_base64);
  Status take_params(codec::json::Cursor& cursor, const codec::json::Value& params);
  void report(Level level, std::string_view id, std::string what) const;

  /// params as application/x-www-form-urlencoded, or a number.
  class Form final : public ByteSource {
   public:
    Result<Piece> pull() override;
    void start(std::string_view made) {
      text = made;
      given = false;
    }
    void add(std::string_view part);
    std::string text;
    bool given = false;
  };

  const http::Policy* policy_;
  Diagnostics* log_;
  Finding place_;
  std::string_view object_;
  Arena arena_;
  std::optional<Status> opened_;
  std::uint64_t size_ = 0;
  std::optional<std::uint64_t> told_;  // content.size
  ByteSource* source_ = nullptr;       // one of these
  codec::json::StringSource string_;
  codec::Base64Source base64_;
  Form form_;
};

}  // namespace rehead::format
