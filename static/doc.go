// Package static holds the browser's files: our style sheets and scripts, the
// npm manifest of the third-party ones, and the embedded result of the build.
//
// The build (`npm ci && npm run build` in this folder) writes into dist, which
// is not committed: file names that carry a hash of their content, .br and .gz
// beside them, and manifest.json from logical to built name. Without a build the
// package compiles, Path answers addresses without a hash, and Handler says in
// plain text what to run.
package static
