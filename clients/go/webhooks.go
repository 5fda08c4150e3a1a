package confab

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	secretPrefix = "whsec_"
	version      = "v1,"
)

var secondsText = regexp.MustCompile(`^[0-9]{1,12}$`)

// WebhookError says why a request is refused: Code is for programs, Message for people.
type WebhookError struct {
	Code, Message string
}

func (e *WebhookError) Error() string {
	return "confab: " + e.Message
}

// Verifier verifies the requests that the server sends to webhooks.
type Verifier struct {
	// The secrets that are accepted: one, or two while one replaces the other.
	Secrets []string
	// How far the time of a request may be from that of this machine; five minutes when zero. A
	// negative one looks at no time.
	Tolerance time.Duration
	// The clock; that of this machine when nil.
	Now func() time.Time
}

// VerifyWebhook verifies a request with one secret and returns its event. The body is the bytes as
// they arrived. The error is a *[WebhookError] when the request is not to be trusted.
func VerifyWebhook(secret string, header http.Header, body []byte) (*DeliveryPayload, error) {
	return Verifier{Secrets: []string{secret}}.Verify(header, body)
}

// Verify does what [VerifyWebhook] does, with the secrets, the tolerance and the clock of v.
func (v Verifier) Verify(header http.Header, body []byte) (*DeliveryPayload, error) {
	keys, err := v.keys()
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if values[name], err = headerOf(header, name); err != nil {
			return nil, err
		}
	}
	timestamp := values["webhook-timestamp"]
	if !secondsText.MatchString(timestamp) {
		return nil, &WebhookError{"timestamp_invalid", "the header webhook-timestamp is no number of seconds"}
	}
	signatures := signaturesOf(values["webhook-signature"])
	if len(signatures) == 0 {
		return nil, &WebhookError{"signature_unknown", "the header webhook-signature holds no signature of version v1"}
	}
	signed := append([]byte(values["webhook-id"]+"."+timestamp+"."), body...)
	if !isSigned(signed, keys, signatures) {
		return nil, &WebhookError{
			"signature_mismatch",
			"the signature does not fit: the secret is another one, or the body is not byte for byte what was sent",
		}
	}
	if err := v.assertRecent(timestamp); err != nil {
		return nil, err
	}
	payload := &DeliveryPayload{}
	if !utf8.Valid(body) || json.Unmarshal(body, payload) != nil {
		return nil, &WebhookError{"body_not_json", "the body is signed and no JSON of an event"}
	}
	return payload, nil
}

func isSigned(signed []byte, keys, signatures [][]byte) bool {
	for _, key := range keys {
		code := hmac.New(sha256.New, key)
		code.Write(signed)
		expected := code.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(signature, expected) {
				return true
			}
		}
	}
	return false
}

// keys are those of the secrets: what follows whsec_ is base64, any other secret is its own UTF-8.
func (v Verifier) keys() ([][]byte, error) {
	var keys [][]byte
	for _, secret := range v.Secrets {
		text := strings.TrimPrefix(secret, secretPrefix)
		if secret == "" {
			return nil, &WebhookError{"secret_missing", "there is no secret to verify with"}
		}
		if text == secret {
			keys = append(keys, []byte(secret))
			continue
		}
		key, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || len(key) == 0 {
			return nil, &WebhookError{"secret_invalid", "what follows whsec_ in the secret is no base64"}
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, &WebhookError{"secret_missing", "there is no secret to verify with"}
	}
	return keys, nil
}

// headerOf is the one value of a header.
func headerOf(header http.Header, name string) (string, error) {
	values := header.Values(name)
	if len(values) > 1 {
		return "", &WebhookError{"header_repeated", fmt.Sprintf("the header %s is there more than once", name)}
	}
	if len(values) == 0 || values[0] == "" {
		return "", &WebhookError{"header_missing", fmt.Sprintf(
			"the header %s is missing: this is no request of Confab, the webhook has no secret, or something on the way took the header away",
			name,
		)}
	}
	return values[0], nil
}

func signaturesOf(text string) [][]byte {
	var signatures [][]byte
	for _, part := range strings.Split(text, " ") {
		if !strings.HasPrefix(part, version) {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(part[len(version):])
		if err != nil {
			// It fits no key.
			signature = nil
		}
		signatures = append(signatures, signature)
	}
	return signatures
}

func (v Verifier) assertRecent(timestamp string) error {
	tolerance, now := v.Tolerance, time.Now
	if tolerance == 0 {
		tolerance = 5 * time.Minute
	}
	if v.Now != nil {
		now = v.Now
	}
	if tolerance < 0 {
		return nil
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return &WebhookError{"timestamp_invalid", "the header webhook-timestamp is no number of seconds"}
	}
	// Seconds, because the distance to a far time is no time.Duration.
	late := now().Round(time.Second).Unix() - seconds
	if float64(late) > tolerance.Seconds() {
		return &WebhookError{"timestamp_too_old", fmt.Sprintf(
			"the request was signed %v seconds ago, and %v are allowed: it was held up or sent again by somebody, or this clock is fast",
			late, tolerance,
		)}
	}
	if float64(-late) > tolerance.Seconds() {
		return &WebhookError{"timestamp_too_new", fmt.Sprintf(
			"the request was signed %v seconds ahead of this clock, and %v are allowed: one of the clocks is wrong", -late, tolerance,
		)}
	}
	return nil
}
