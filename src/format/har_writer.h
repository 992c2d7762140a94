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

class HarWriter {
 public:
  HarWriter(const http::Policy& policy, ByteSink& output)
      : policy_(&policy), output_(output), content_(policy) {}

  /// Keeps a request on its own (raw HTTP) until its response comes.
  Status keep(const http::Exchange& exchange);
  /// A request waits. write() of a response on its own takes it, finish() writes it unanswered.
  bool waits() const { return !request_.empty(); }
  /// True for an interim response to the request that waits: the final one makes the entry.
  bool passes_over(const http::Message& response) const;
  /// Writes an entry: a response on its own, or an exchange. An Error is of the output, or of a
  /// body that broke off.
  Status write(http::Exchange& exchange);
  Status finish();
  /// What comes next has nothing to do with what came before.
  void forget() { url_.clear(); }

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
  ByteSink& output_;
  HarContent content_;
  std::string out_;
  codec::JsonWriter json_{out_};
  std::string request_;  // the members of one that waits
  std::string url_;      // of the request, or where the answer before sent the client
};

}  // namespace rehead::format
