package confab

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name    string
	IsValid bool `json:"is_valid"`
	Secret  string
	Body    string
	Headers map[string]string
}

func readVectors(t *testing.T) (int64, []vector) {
	t.Helper()
	text, err := os.ReadFile("../../docs/webhook-vectors.json")
	must(t, err)
	var all struct {
		Now     int64
		Vectors []vector
	}
	must(t, json.Unmarshal(text, &all))
	if len(all.Vectors) < 6 {
		t.Fatalf("there are %d vectors", len(all.Vectors))
	}
	return all.Now, all.Vectors
}

func (v vector) header() http.Header {
	header := http.Header{}
	for name, value := range v.Headers {
		header.Set(name, value)
	}
	return header
}

func codeOf(err error) string {
	var refused *WebhookError
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Code
}

func clockAt(seconds int64) func() time.Time {
	return func() time.Time { return time.Unix(seconds, 0) }
}

func TestTheVectorsOfTheServer(t *testing.T) {
	now, vectors := readVectors(t)
	for _, one := range vectors {
		t.Run(one.Name, func(t *testing.T) {
			event, err := Verifier{Secrets: []string{one.Secret}, Now: clockAt(now)}.Verify(one.header(), []byte(one.Body))
			if !one.IsValid {
				equal(t, codeOf(err), "signature_mismatch")
				return
			}
			must(t, err)
			var sent struct{ Action string }
			must(t, json.Unmarshal([]byte(one.Body), &sent))
			equal(t, event.Action, sent.Action)
		})
	}
}

func TestAcceptsEitherSecretDuringARotation(t *testing.T) {
	now, vectors := readVectors(t)
	first := vectors[0]
	for _, secrets := range [][]string{{"another", first.Secret}, {first.Secret, "another"}} {
		_, err := Verifier{Secrets: secrets, Now: clockAt(now)}.Verify(first.header(), []byte(first.Body))
		must(t, err)
	}
	_, err := Verifier{Secrets: []string{"another", "a third"}, Now: clockAt(now)}.Verify(first.header(), []byte(first.Body))
	equal(t, codeOf(err), "signature_mismatch")
}

func TestAllowsFiveMinutesOrTheGivenTolerance(t *testing.T) {
	now, vectors := readVectors(t)
	first := vectors[0]
	for _, one := range []struct {
		late      int64
		tolerance time.Duration
		code      string
	}{
		{-300, 0, ""}, {0, 0, ""}, {300, 0, ""},
		{301, 0, "timestamp_too_old"}, {-301, 0, "timestamp_too_new"},
		{11, 10 * time.Second, "timestamp_too_old"}, {86_400, -1, ""},
	} {
		verifier := Verifier{Secrets: []string{first.Secret}, Now: clockAt(now + one.late), Tolerance: one.tolerance}
		_, err := verifier.Verify(first.header(), []byte(first.Body))
		equal(t, codeOf(err), one.code)
	}
	// A time from which the clock is further than a time.Duration can say.
	far := first.header()
	far.Set("webhook-timestamp", "999999999999")
	code := hmac.New(sha256.New, []byte("plain"))
	code.Write([]byte(far.Get("webhook-id") + ".999999999999." + first.Body))
	far.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(code.Sum(nil)))
	_, err := Verifier{Secrets: []string{"plain"}, Now: clockAt(now)}.Verify(far, []byte(first.Body))
	equal(t, codeOf(err), "timestamp_too_new")
	// Without a clock it compares with that of this machine.
	_, err = Verifier{Secrets: []string{first.Secret}, Tolerance: time.Nanosecond}.Verify(first.header(), []byte(first.Body))
	equal(t, strings.HasPrefix(codeOf(err), "timestamp_too_"), true)
}

func TestNamesWhatIsWrong(t *testing.T) {
	now, vectors := readVectors(t)
	first := vectors[0]
	signature := first.Headers["webhook-signature"]
	refusalOf := func(secret, body string, change func(http.Header)) string {
		header := first.header()
		change(header)
		_, err := Verifier{Secrets: []string{secret}, Now: clockAt(now)}.Verify(header, []byte(body))
		return codeOf(err)
	}
	nothing := func(http.Header) {}
	equal(t, refusalOf(first.Secret, first.Body+" ", nothing), "signature_mismatch")
	equal(t, refusalOf("", first.Body, nothing), "secret_missing")
	equal(t, refusalOf("whsec_no base64!", first.Body, nothing), "secret_invalid")
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		equal(t, refusalOf(first.Secret, first.Body, func(h http.Header) { h.Del(name) }), "header_missing")
		equal(t, refusalOf(first.Secret, first.Body, func(h http.Header) { h.Add(name, "x") }), "header_repeated")
	}
	equal(t, refusalOf(first.Secret, first.Body, func(h http.Header) { h.Set("webhook-timestamp", "1e9") }), "timestamp_invalid")
	unknown := strings.ReplaceAll(signature, "v1,", "v2,")
	equal(t, refusalOf(first.Secret, first.Body, func(h http.Header) { h.Set("webhook-signature", unknown) }), "signature_unknown")
	others := "v1a,abc v2,def v1,short " + signature
	equal(t, refusalOf(first.Secret, first.Body, func(h http.Header) { h.Set("webhook-signature", others) }), "")
	_, err := VerifyWebhook(first.Secret, http.Header{}, []byte(first.Body))
	equal(t, codeOf(err), "header_missing")
}
