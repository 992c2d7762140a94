// Content codings undone, one stage a coding: the outermost reads the body, each other one reads
// the stage before it.
//
//   body --> blocks --> members --> blocks --> members --> content
//            \___ outermost ___/    \_____ next _____/
//
// Limits (spec section 8) hold for what every stage gives, not for the last alone: a body may
// expand in the middle of its chain and come to nothing at its end.
#include <utility>
#include <vector>

#include "codec/blocks.h"
#include "codec/content_coding.h"
#include "codec/members.h"

namespace rehead::codec {
namespace {

constexpr std::size_t kCoded = std::size_t{64} << 10;
constexpr std::size_t kContent = std::size_t{64} << 10;  // near enough to stay in a cache
constexpr std::size_t kWhole = std::size_t{256} << 10;   // where all coded bytes are there at once

/// What all stages of one body share.
struct Account {
  const http::Policy* policy = nullptr;
  Diagnostics* log = nullptr;
  std::uint64_t coded = 0;  // bytes taken from the body
};

class Stage final : public ByteSource {
 public:
  void start(http::Coding coding, ByteSource& upstream, bool outermost, Account& account) {
    if (!content_) content_ = std::make_unique_for_overwrite<char[]>(kWhole);
    blocks_.start(upstream, kCoded, true, kFirst);
    members_.start(coding);
    coding_ = coding;
    account_ = &account;
    outermost_ = outermost;
    given_ = 0;
    in_ = {};
    ended_ = repeat_ = as_it_is_ = false;
    first_ = true;
  }

  bool past_end() const { return !first_ && members_.complete(); }

  Result<Piece> pull() override {
    while (!ended_) {
      if (first_ && !in_.bytes.empty()) {
        first_ = false;
        if (auto done = look(); !done) return fail(std::move(done.error()));
      }
      if (as_it_is_ && !in_.bytes.empty()) {
        if (outermost_) account_->coded += in_.bytes.size();
        return Piece{Piece::Kind::bytes, std::exchange(in_.bytes, {})};
      }
      if (repeat_ || !in_.bytes.empty()) {
        auto content = decode();
        if (!content) return stop(std::move(content.error()));
        if (!content->empty()) return Piece{Piece::Kind::bytes, *content};
        continue;
      }
      if (in_.after == Block::After::idle) {
        in_.after = Block::After::more;
        return Piece{Piece::Kind::idle};
      }
      if (in_.after == Block::After::end) return finish();
      auto block = blocks_.next();
      if (!block) return fail(std::move(block.error()));
      in_ = *block;
    }
    return Piece{};
  }

 private:
  /// Bytes that are plainly not what the coding makes are content already: a label may be false in
  /// the middle of a list, too.
  Status look() {
    as_it_is_ = magic(coding_, in_.bytes, in_.after == Block::After::end) == Magic::refuted;
    if (!as_it_is_) return {};
    std::string what = "the content is not coded as " + std::string(token_of(coding_));
    if (account_->policy->strict()) return fail({Errc::transform, "coding-false", std::move(what)});
    account_->log->report({.level = Level::warning, .id = "coding-false", .what = what + "; kept"});
    return {};
  }

  Result<std::string_view> decode() {
    const Flush flush = in_.after == Block::After::end ? Flush::end : Flush::none;
    const std::size_t room = flush == Flush::end ? kWhole : kContent;
    auto did = members_.run(in_.bytes, {content_.get(), room}, flush);
    if (!did) return fail(std::move(did.error()));
    in_.bytes.remove_prefix(did->taken);
    repeat_ = did->then == Progress::Then::repeat;
    if (outermost_) account_->coded += did->taken;
    given_ += did->given;
    const http::Limits& limits = account_->policy->limits;
    if (given_ > limits.max_body) {
      return fail(
          {Errc::limit, "content-size",
           "the decoded content is larger than " + std::to_string(limits.max_body) + " bytes",
           "--max-body raises the limit"});
    }
    if (given_ > limits.ratio_free && given_ / limits.max_ratio > account_->coded) {
      return fail({Errc::limit, "content-ratio",
                   "the decoded content is more than " + std::to_string(limits.max_ratio) +
                       " times as large as the coded bytes"});
    }
    return std::string_view(content_.get(), did->given);
  }

  Result<Piece> finish() {
    if (!members_.complete()) {
      return stop({Errc::transform, "coding-cut",
                   "the " + std::string(token_of(coding_)) + " data ends early",
                   "--lenient keeps what came"});
    }
    if (members_.junk() != 0) {
      account_->log->report({.level = Level::warning,
                             .id = "coding-junk",
                             .what = std::to_string(members_.junk()) + " bytes behind the " +
                                     std::string(token_of(coding_)) + " data dropped"});
    }
    ended_ = true;
    return Piece{};
  }

  /// The coded data is no good from here on.
  Result<Piece> stop(Error error) {
    if (error.code != Errc::transform || !account_->policy->lenient()) {
      return fail(std::move(error));
    }
    account_->log->report({.level = Level::warning,
                           .id = error.id,
                           .what = std::move(error.what) + "; what came before is kept"});
    ended_ = true;
    return Piece{};
  }

  Blocks blocks_;
  Members members_;
  http::Coding coding_ = http::Coding::other;
  Account* account_ = nullptr;
  bool outermost_ = false;
  std::uint64_t given_ = 0;
  Block in_;               // what is still to be decoded
  bool first_ = true;      // no byte was seen yet
  bool as_it_is_ = false;  // the bytes are not coded
  bool repeat_ = false;    // there may be content without further input
  bool ended_ = false;
  std::unique_ptr<char[]> content_;
};

}  // namespace

struct Decoder::State {
  Account account;
  std::vector<http::Coding> codings;
  std::vector<std::unique_ptr<Stage>> stages;  // outermost coding first; kept over messages
  ByteSource* content = nullptr;
};

Decoder::Decoder(const http::Policy& policy) : state_(std::make_unique<State>()) {
  state_->account.policy = &policy;
}
Decoder::~Decoder() = default;

Result<std::size_t> Decoder::use(std::span<const http::Coding> codings, Diagnostics& log) {
  const std::size_t most = state_->account.policy->limits.max_codings;
  if (codings.size() > most) {
    return fail(
        {Errc::limit, "codings", "more than " + std::to_string(most) + " codings on one body"});
  }
  std::size_t left = codings.size();
  while (left != 0 && codings[left - 1] != http::Coding::other) --left;
  state_->codings.assign(codings.begin() + static_cast<std::ptrdiff_t>(left), codings.end());
  state_->account.log = &log;
  return left;
}

void Decoder::attach(ByteSource& upstream) {
  State& state = *state_;
  Stats* stats = state.account.policy->stats;
  if (stats != nullptr && !state.codings.empty()) ++stats->bodies_decoded;
  state.account.coded = 0;
  state.content = &upstream;
  for (std::size_t i = 0; i < state.codings.size(); ++i) {
    if (i == state.stages.size()) state.stages.push_back(std::make_unique<Stage>());
    Stage& stage = *state.stages[i];
    stage.start(state.codings[state.codings.size() - 1 - i], *state.content, i == 0, state.account);
    state.content = &stage;
  }
}

Result<Piece> Decoder::pull() { return state_->content->pull(); }

bool Decoder::past_end() const {
  return !state_->codings.empty() && state_->stages.front()->past_end();
}

}  // namespace rehead::codec
