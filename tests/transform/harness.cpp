#include "transform/harness.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "base/ascii.h"

namespace rehead::transform {
namespace {

Arguments arguments_of(const TransformInfo& info, std::string argument, Options options,
                       const http::Policy& policy) {
  Arguments arguments;
  arguments.argument = std::move(argument);
  arguments.options = std::move(options);
  arguments.selection = {.side = info.side, .chosen = false};
  arguments.policy = &policy;
  return arguments;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    out += next == 'n' ? '\n' : next == 'r' ? '\r' : next == '0' ? '\0' : next;
  }
  return out;
}

}  // namespace

std::string Findings::ids() const {
  std::string out;
  for (const Finding& finding : all) {
    if (!out.empty()) out += ' ';
    out += finding.id;
  }
  return out;
}

Drive::Drive(std::string_view text) : text_(text) {
  message.log = &log;
  const std::size_t end = text_.find("\n\n");
  const std::string_view whole = text_;
  std::string_view head = whole.substr(0, end);
  const auto take_line = [&] {
    const std::size_t lf = head.find('\n');
    const std::string_view line = head.substr(0, lf);
    head.remove_prefix(lf == std::string_view::npos ? head.size() : lf + 1);
    return line;
  };
  const std::string_view start = take_line();
  if (start.starts_with("HTTP/")) {
    message.kind = http::Kind::response;
    message.start.set_version(start.substr(0, start.find(' ')));
    message.start.set_status(
        static_cast<unsigned>(*ascii::decimal(start.substr(start.find(' ') + 1, 3))));
    exchange.response = &message;
  } else {
    message.kind = http::Kind::request;
    message.start.set_method(start.substr(0, start.find(' ')));
    message.start.set_version(start.substr(start.rfind(' ') + 1));
    exchange.request = &message;
  }
  while (!head.empty()) {
    const std::string_view line = take_line();
    const std::size_t colon = line.find(':', 1);
    const std::string_view name = message.keep(line.substr(0, colon));
    const std::string_view value = message.keep(unescaped(ascii::trim(line.substr(colon + 1))));
    const bool odd = !http::check_field(name, value);
    message.headers.load({.name_at = name.data(),
                          .value_at = value.data(),
                          .name_size = static_cast<std::uint32_t>(name.size()),
                          .value_size = static_cast<std::uint32_t>(value.size()),
                          .flags = static_cast<std::uint8_t>(odd ? http::Field::odd : 0)});
  }
  if (end == std::string::npos) return;
  const std::string_view content = whole.substr(end + 2);
  source_.start(content);
  body_.start(source_, source_, content.size());
  message.body = &body_;
  message.notes.framing = http::Framing::length;
  message.notes.declared = content.size();
}

Status Drive::run(std::string_view step, std::string argument, Options options) {
  const TransformInfo* info = find(step);
  REQUIRE(info != nullptr);
  auto made = info->make(arguments_of(*info, std::move(argument), std::move(options), policy_));
  if (!made) return fail(std::move(made.error()));
  steps_.push_back(std::move(*made));
  if (auto done = steps_.back()->apply(exchange); !done) return fail(std::move(done.error()));
  return {};
}

void Drive::join(std::size_t index) {
  std::vector<http::Field> fields;
  for (const http::Field& field : message.headers) fields.push_back(field);
  fields.at(index).flags |= http::Field::joined;
  message.headers.clear();
  for (const http::Field& field : fields) message.headers.load(field);
}

std::string Drive::fields() const {
  std::string out;
  for (const http::Field& field : message.headers) {
    out += std::string(field.name()) + ": " + std::string(field.value()) + "\n";
  }
  return out;
}

std::string Drive::content() {
  std::string out;
  while (true) {
    const auto piece = message.body->content().pull();
    REQUIRE(piece);
    if (piece->kind == Piece::Kind::end) return out;
    out += piece->bytes;
  }
}

TemporaryFile::TemporaryFile(std::string_view bytes)
    : path_((std::filesystem::temp_directory_path() / "rehead-test-XXXXXX").string()) {
  const int fd = ::mkstemp(path_.data());
  REQUIRE(fd >= 0);
  REQUIRE(::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(fd);
}

TemporaryFile::~TemporaryFile() { ::unlink(path_.c_str()); }

Error refusal(std::string_view step, std::string argument, Options options) {
  const TransformInfo* info = find(step);
  REQUIRE(info != nullptr);
  const http::Policy policy;
  auto made = info->make(arguments_of(*info, std::move(argument), std::move(options), policy));
  return made ? Error{Errc::io, "", ""} : made.error();
}

bool refuses(std::string_view step, std::string argument, Options options) {
  return refusal(step, std::move(argument), std::move(options)).code == Errc::usage;
}

}  // namespace rehead::transform
