// Package jsonscan reads JSON strictly and as a stream: strings longer than a
// limit are lifted out into a sink while their base64 is decoded, so that a body
// with hundreds of megabytes of attachments never lies in memory; what is left
// is a small document, parsed strictly (interface.md, row 12).
package jsonscan
