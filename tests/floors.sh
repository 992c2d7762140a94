#!/bin/sh
# Which folder of src/ may include which: data goes one way, a folder knows what lies below it.
# Also: CLI11 stands in one source, and nothing below main prints or ends the process.
set -eu
cd "$(dirname "$0")/.."

# folder: folders it may include besides its own : libraries it may include
table() {
  cat <<'TABLE'
base::tl
http:base:tl
codec:base http:tl zlib libdeflate brotli zstd
format:base http codec:tl
select:base http codec:tl re2
redact:base http codec:tl re2 nettle
transform:base http codec select redact:tl re2 nettle
report:base http codec select format/sink.h transform/transform.h:tl
pipeline:base http codec format transform report:tl
cli:base http codec format transform report select redact pipeline:tl CLI re2 zlib libdeflate brotli zstd nettle
TABLE
}

passed=0
failed=0
check() { # check NAME OFFENCES: an empty list of offences is a pass
  if [ -z "$2" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s\n%s\n' "$1" "$2"
  fi
}

folders=$(table | cut -d: -f1)
for folder in src/*/; do
  folder=$(basename "$folder")
  check "src/$folder has a row in tests/floors.sh" \
    "$(printf '%s\n' "$folders" | grep -qx "$folder" || echo "  src/$folder")"
done

for folder in $folders; do
  [ -d "src/$folder" ] || continue
  below=$(table | sed -n "s/^$folder:\([^:]*\):.*/\1/p")
  libraries=$(table | sed -n "s/^$folder:[^:]*://p")
  check "src/$folder includes only what lies below it" "$(
    grep -HnE '^ *# *include *"' -r "src/$folder" | while IFS= read -r line; do
      header=$(printf '%s\n' "$line" | sed 's/.*include *"\([^"]*\)".*/\1/')
      for may in "$folder" $below; do
        case $header in "$may" | "$may"/*) continue 2 ;; esac
      done
      printf '  %s\n' "$line"
    done
  )"
  check "src/$folder includes only its own libraries" "$(
    grep -HnE '^ *# *include *<(tl/|z(lib|conf)\.h|libdeflate|brotli/|zstd|re2/|nettle/|CLI/|fmt/|simdjson|catch2/)' \
      -r "src/$folder" | while IFS= read -r line; do
      for may in $libraries; do
        case $line in *"include <$may"/* | *"include <$may".* | *"include <${may}_"*) continue 2 ;; esac
      done
      printf '  %s\n' "$line"
    done
  )"
done

command_lines=$(grep -rlE '^ *# *include *<CLI/' src || true)
check "one source at most includes CLI11" \
  "$(printf '%s\n' "$command_lines" | grep -c . | awk '$1 > 1 { print "  sources: " $1 }')"
check "a step has no header of its own" \
  "$(find src/transform -name '*.h' ! -name transform.h | while IFS= read -r header; do
    [ -e "${header%.h}.cpp" ] && grep -q 'TransformInfo k' "${header%.h}.cpp" && echo "  $header"
  done)"
check "nothing below main prints or ends the process" "$(
  grep -rnE --include='*.cpp' --include='*.h' --exclude-dir=cli \
    'std::(cout|cerr|clog)|\b(printf|fprintf|puts|fputs|perror)\(|\b(exit|_exit|abort|quick_exit)\(' src |
    sed 's/^/  /' || true
)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
