// A file of several HAR documents, one behind the other, that is rewritten: each stays a document
// of its own, and what no step changed stays byte for byte.
#include "format/har.h"
#include "format/har_entry.h"

namespace rehead::format {
namespace {

class HarApart final : public Sink {
 public:
  explicit HarApart(const SinkSetup& setup)
      : setup_(setup), document_(make_har_document_sink(setup)) {}

  Status write(http::Exchange& exchange) override {
    if (auto done = make_way(exchange); !done) return done;
    return document_->write(exchange);
  }
  Status pass(const http::Exchange& passage) override {
    if (auto done = make_way(passage); !done) return done;
    return document_->pass(passage);
  }
  bool wants_rest() const override { return document_->wants_rest(); }
  Status end_input(std::string_view name) override { return document_->end_input(name); }
  void input_broke_off() override { document_->input_broke_off(); }
  Status finish() override { return document_->finish(); }

 private:
  enum class Holds : std::uint8_t { nothing, document, entries };

  /// Closes what is written if the next is another document, or an entry behind one.
  Status make_way(const http::Exchange& next) {
    const auto* read = dynamic_cast<const HarEntry*>(next.as_read);
    const bool begins = begins_document(next);
    const bool bare = read != nullptr && read->piece.kind == HarPiece::Kind::entry &&
                      read->piece.level == HarPiece::Level::outside;
    if (!begins && !bare) return {};
    const bool another = begins ? holds_ != Holds::nothing : holds_ == Holds::document;
    holds_ = begins ? Holds::document : Holds::entries;
    if (!another) return {};
    if (auto done = document_->finish(); !done) return done;
    document_ = make_har_document_sink(setup_);
    return {};
  }

  SinkSetup setup_;
  std::unique_ptr<Sink> document_;
  Holds holds_ = Holds::nothing;
};

}  // namespace

std::unique_ptr<Sink> make_har_sink(const SinkSetup& setup) {
  if (setup.policy->in_place) return std::make_unique<HarApart>(setup);
  return make_har_document_sink(setup);
}

}  // namespace rehead::format
