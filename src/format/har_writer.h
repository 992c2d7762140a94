// An entry made anew, for exchanges that did not come from a HAR: valid HAR 1.2, minified. Bodies
// are written decoded; what is not UTF-8 stands in base64.
#pragma once

#include <string>
#include <string_view>

#include "base/io.h"
#include "codec/json_writer.h"
#include "format/har_content.h"
#include "format/har_mirror.h"
#include "http/exchange.h"
#include "http/policy.h"

namespace rehead::format {

/// Where entries are written, and what is kept from one to the next.
struct HarPlace {
  ByteSink* output;
  std::string request = {};  // the members of one that waits
  std::string url = {};      // of the request, or where the answer before sent the client

  /// A request waits. write() of a response on its own takes it, finish() writes it unanswered.
  bool waits() const { return !request.empty(); }
  /// True for an interim response to the request that waits: the final one makes the entry.
  bool passes_over(const http::Message& response) const;
};

/// Writes into one place, then another.
class HarWriter {
 public:
  explicit HarWriter(const http::Policy& policy) : policy_(&policy), content_(policy) {}

  /// Keeps a request on its own (raw HTTP) until its response comes.
  Status keep(const http::Exchange& exchange, HarPlace& place);
  /// Writes an entry: a response on its own, or an exchange. An Error is of the output, or of a
  /// body that broke off.
  Status write(http::Exchange& exchange, HarPlace& place);
  Status finish(HarPlace& place);

 private:
  Status entry(http::Exchange& exchange);
  Status take_request(http::Message& message, std::string url);
  Status response(http::Message& message);
  Status content(http::Message& message);
  void no_request(std::string_view version);
  void no_response();
  Status shape(http::Message& message, bool complete);
  void head(http::Message& message);
  void fields(std::string_view name, const http::HeaderMap& map, const http::Message& message);
  void pairs(std::string_view name, const std::vector<HarPair>& pairs);
  Status close(const http::Exchange& exchange, const http::Message* message);
  void string(std::string_view name, std::string_view value, const http::Message& message);

  const http::Policy* policy_;
  HarPlace* to_ = nullptr;  // at hand
  HarContent content_;
  std::string out_;
  codec::JsonWriter json_{out_};
};

}  // namespace rehead::format
