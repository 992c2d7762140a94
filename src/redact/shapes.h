// Secrets that show by their shape: tokens behind a scheme, keys with a well-known prefix, private
// keys, and with --pii e-mail and IP addresses. Texts may be plain, percent-encoded or spelt as in
// JSON. One pass over the bytes looks for the three bytes by which a shape is known; only where
// they stand is the shape tested.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "redact/rules.h"

namespace rehead::redact {

class ByteFilter;
class OwnShape;

/// For `redact --list-rules`: what a shape is called, what it looks like, who publishes it.
struct ShapeRow {
  std::string_view name;
  std::string_view looks;
  std::string_view source;
  Kind kind = Kind::key;
  bool personal = false;  // with --pii only
};
std::span<const ShapeRow> shape_rows();

class Shapes {
 public:
  /// `own`: RE2 expressions (--match), run over the whole of every text; group 1 is the secret if
  /// there is a group, else the whole match. `personal`: --pii. Errors: what RE2 does not
  /// understand.
  static Result<Shapes> make(std::span<const std::string> own, bool personal);
  Shapes();
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;
  ~Shapes();

  /// Appends the secrets of `text` to `found`: in order, none overlapping. What `redact` wrote
  /// instead of a secret is none.
  void find(std::string_view text, std::vector<Found>& found) const;

 private:
  std::unique_ptr<const ByteFilter> filter_;
  std::vector<OwnShape> own_;
};

}  // namespace rehead::redact
