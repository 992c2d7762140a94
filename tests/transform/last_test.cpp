#include <catch2/catch.hpp>

#include "corpus.h"
#include "http/kept_exchange.h"
#include "support/run_chain.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kHops =
    "HTTP/1.1 301 Moved\r\nContent-Type: text/html\r\nLocation: /\r\n\r\n"
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nhi\r\n0\r\nT: 1\r\n\r\n";

TEST_CASE("last: the last message as it came, chunk lines and trailers too") {
  const std::string last(kHops.substr(kHops.find("HTTP/1.1 200")));
  CHECK(run_chain("last", kHops).out == last);
  CHECK(run_chain("last\nwhere 'body~hi'\nlast\nwhere 'size=2'", kHops).out == last);
  CHECK(run_chain("last\ndechunk", kHops).out == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  CHECK(run_chain("last\nget :status", kHops).out == "200\n");
}

TEST_CASE("last: keeps what steps before it did") {
  CHECK(run_chain("set 'X: 1'\nremove transfer-encoding\nbody abc\nlast", kHops).out ==
        "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 3\r\n\r\nabc");
  CHECK(run_chain("gzip\nlast\ninflate", kHops, {.to = "body"}).out == "hi");
}

TEST_CASE("last: of no message there is none") {
  CHECK(run_chain("last", "").out.empty());
  CHECK(run_chain("where status=404\nlast\ncount", kHops).out == "0\n");
}

TEST_CASE("last: a cut body stays cut") {
  const std::string cut(kHops.substr(0, kHops.size() - 12));
  const Ran ran = run_chain("last", cut);
  CHECK(ran.status == 3);
  CHECK(ran.out == run_chain("where status=200", cut).out);
}

/// Copies every exchange and has the copy written in its place.
class Copies {
 public:
  void operator()(http::Exchange& exchange) {
    kept_->keep(exchange, 0);
    original_ = exchange;
    exchange = kept_->exchange();
  }

 private:
  std::shared_ptr<http::KeptExchange> kept_ = std::make_shared<http::KeptExchange>();
  http::Exchange original_;
};

TEST_CASE("last: a copy leaves as its original would have, in every format") {
  for (const auto& path : files_under(REHEAD_TEST_DATA "/captures")) {
    if (path.extension() != ".wire" && path.extension() != ".out") continue;
    INFO(path.filename().string());
    const std::string bytes = read_whole(path);
    for (const std::string_view to : {"http", "ndjson", "har"}) {
      const auto plain = format::convert(bytes, {.to = to});
      const auto copied = format::convert(bytes, {.to = to, .each = Copies()});
      CHECK(copied.output == plain.output);
      CHECK(copied.errors == plain.errors);
    }
  }
}

TEST_CASE("last: a copied HAR entry keeps every byte") {
  for (const auto& path : har_files()) {
    INFO(path.filename().string());
    const std::string bytes = read_whole(path);
    const auto plain = format::convert(bytes, {.from = "auto", .to = "har"});
    const auto copied = format::convert(bytes, {.from = "auto", .to = "har", .each = Copies()});
    CHECK(copied.output == plain.output);
  }
}

}  // namespace
}  // namespace rehead::transform
