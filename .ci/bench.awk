# The first file names figures: package, benchmark, unit, words and bar, with "|"
# between; the second is what go test printed, each line after its package. Figures
# without a name come last, under their own.
function shown(n) { return n >= 100 ? sprintf("%.0f", n) : n >= 10 ? sprintf("%.1f", n) : sprintf("%.2f", n) }
function head(text) { printf "\n%s\n", text }
function line(words, value, bar,    verdict) {
  if (bar != "") verdict = "under " bar (value < bar + 0 ? "" : "   OVER")
  printf "  %-76s %9s   %s\n", words, shown(value), verdict
}
BEGIN { FS = "|" }
FNR == NR {
  if ($0 ~ /^#/ || $0 == "") next
  if (NF == 1) { order[++n] = "# " $0; next }
  key = $1 " " $2 " " $3; order[++n] = key; words[key] = $4; bar[key] = $5
  next
}
$0 ~ /^[^ ]+ Benchmark/ {
  count = split($0, part, /[ \t]+/)
  sub(/^\.\//, "", part[1]); sub(/-[0-9]+$/, "", part[2])
  for (i = 4; i < count; i += 2) {
    key = part[1] " " part[2] " " part[i + 1]
    if (part[i + 1] == "ns/op" && !(key in words)) continue # a round, unless it has a name
    value[key] = part[i]
    if (!(key in words)) rest[++m] = key
  }
}
END {
  for (i = 1; i <= n; i++) {
    if (order[i] ~ /^# /) pending = substr(order[i], 3)
    else if (order[i] in value) {
      if (pending != "") { head(pending); pending = "" }
      line(words[order[i]], value[order[i]], bar[order[i]])
    }
  }
  if (m) head("Everything else, by its own name")
  for (i = 1; i <= m; i++) line(rest[i], value[rest[i]], "")
}
