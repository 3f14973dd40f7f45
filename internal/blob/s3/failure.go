package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/minio/minio-go/v7"
)

// trouble is why the store does not do what it was asked to: for a person, and for the log.
type trouble struct{ sentence, log string }

// The troubles. In each of them nothing is lost, and the same may be tried again.
var (
	refused = trouble{"O depósito dos arquivos não responde.", "the store cannot be reached"}
	slow    = trouble{"O depósito dos arquivos demora demais a responder.", "the store does not answer in time"}
	failing = trouble{"O depósito dos arquivos não está conseguindo trabalhar.", "the store answers that it cannot work now"}
	cut     = trouble{"A conexão com o depósito dos arquivos caiu no meio.", "the connection to the store was cut"}
	altered = trouble{"O arquivo não chegou inteiro ao depósito.", "the store got other bytes than were sent"}
	denied  = trouble{"O depósito dos arquivos não aceita o acesso do Guichê.",
		"the store refuses the keys: look at GUICHE_BLOBS_KEY, GUICHE_BLOBS_SECRET and what they may do"}
	nowhere = trouble{"O lugar dos arquivos não existe no depósito.", "there is no such bucket: look at GUICHE_BLOBS"}
	skewed  = trouble{"O relógio do servidor não confere com o do depósito dos arquivos.",
		"the clock of this machine differs from the store's"}
	taken = trouble{"O lugar dos arquivos passou a ser de outra instalação.", "another installation has claimed this place"}
)

// advice ends what a person is told.
const advice = " Isto não foi feito, e nada se perdeu. Tente de novo em instantes; se continuar, avise a administração."

// err is the error of a trouble.
func (t trouble) err(doing string, cause error) error {
	return problem.Wrap(problem.Busy, t.sentence+advice, fmt.Errorf("s3: %s: %s: %w: %w", doing, t.log, blob.ErrUnreachable, cause))
}

// codes are the words of the protocol that say what is wrong.
var codes = map[string]trouble{
	minio.InvalidAccessKeyID: denied, minio.SignatureDoesNotMatch: denied, minio.AccessDenied: denied, "ExpiredToken": denied,
	"InvalidToken": denied, "AccountProblem": denied, "AllAccessDisabled": denied, "AuthorizationHeaderMalformed": denied,
	minio.NoSuchBucket: nowhere, "NoSuchUpload": failing, "InvalidBucketName": nowhere, "PermanentRedirect": nowhere,
	"RequestTimeTooSkewed": skewed, "RequestTimeout": slow,
	"BadDigest": altered, "XAmzContentSHA256Mismatch": altered, "XAmzContentChecksumMismatch": altered, "IncompleteBody": cut,
}

// noSpace are words of stores that are full.
var noSpace = map[string]bool{"XMinioStorageFull": true, "QuotaExceeded": true, "XMinioAdminBucketQuotaExceeded": true,
	"InsufficientStorage": true}

// missing says that there is no such blob.
var missing = problem.New(problem.NotFound, "O arquivo não está guardado.")

// failure turns an error of the library into what the person is shown, with what the log needs.
func failure(doing string, err error) error {
	if err == nil || problem.Is(err, problem.Busy) {
		return err
	}
	if isMissing(err) {
		return problem.Wrap(missing.Code, missing.Message, err)
	}
	if answer := new(minio.ErrorResponse); errors.As(err, answer) {
		return answered(doing, *answer, err)
	}
	var wire net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("s3: %s: %w", doing, err)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &wire) && wire.Timeout():
		return slow.err(doing, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return cut.err(doing, err)
	}
	return refused.err(doing, err)
}

// answered is the error of an answer.
func answered(doing string, answer minio.ErrorResponse, err error) error {
	if t, known := codes[answer.Code]; known {
		return t.err(doing, err)
	}
	if noSpace[answer.Code] || answer.StatusCode == http.StatusInsufficientStorage {
		return problem.Wrap(problem.NoSpace, "O depósito dos arquivos está cheio."+advice, fmt.Errorf("s3: %s: %w", doing, err))
	}
	switch answer.StatusCode {
	case http.StatusForbidden, http.StatusUnauthorized:
		return denied.err(doing, err)
	case http.StatusNotFound:
		return nowhere.err(doing, err)
	}
	return failing.err(doing, err)
}

// isMissing reports whether the store says, in its own form, that there is no such object. A bucket that is not there is
// another matter, and so is a 404 of whatever else answers in the store's place.
func isMissing(err error) bool {
	answer := new(minio.ErrorResponse)
	if !errors.As(err, answer) || answer.StatusCode != http.StatusNotFound {
		return false
	}
	_, other := codes[answer.Code]
	return isOwn(*answer) && !other
}

// isOwn reports whether an error came in the form of the protocol: the library puts words of its own in the place of
// anything else.
func isOwn(answer minio.ErrorResponse) bool { return answer.XMLName.Local == "Error" }

// IsMisconfigured reports whether an error is one of keys or bucket, which does not pass by itself.
func IsMisconfigured(err error) bool {
	answer := new(minio.ErrorResponse)
	if !errors.As(err, answer) {
		return false
	}
	t, known := codes[answer.Code]
	return known && (t == denied || t == nowhere) || answer.StatusCode == http.StatusForbidden
}
