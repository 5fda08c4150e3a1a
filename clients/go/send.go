package confab

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"net/url"
	"time"
)

// The first wait before another attempt, which doubles each time, and the longest.
const (
	waitFirst = 200 * time.Millisecond
	waitMax   = 10 * time.Second
)

// request is one request, as all its attempts send it.
type request struct {
	method, path string
	query        url.Values
	body         any
	file         *Upload
	takesKey     bool
	isDownload   bool
}

// call is a request with the options of its call.
type call struct {
	request
	header     http.Header
	content    []byte
	onBehalfOf string
	timeout    time.Duration
	key        string
	tag        *string
}

// answer is a success. Of a download, the reader has the body.
type answer struct {
	header http.Header
	body   []byte
	reader io.ReadCloser
}

// Request sends a request that has no method here. The body, unless it is nil, is sent as JSON;
// the answer is decoded into result, unless that is nil.
func (c *Client) Request(
	ctx context.Context, method, path string, query url.Values, body, result any, options ...CallOption,
) error {
	answer, err := c.send(ctx, request{method: method, path: path, query: query, body: body}, options)
	if err != nil || result == nil || len(answer.body) == 0 {
		return err
	}
	return decode(answer.body, result)
}

func valueOf[T any](ctx context.Context, c *Client, request request, options []CallOption) (*T, error) {
	value, err := itemsOf[T](ctx, c, request, options)
	if err != nil {
		return nil, err
	}
	return &value, nil
}

func itemsOf[T any](ctx context.Context, c *Client, request request, options []CallOption) (T, error) {
	var value T
	answer, err := c.send(ctx, request, options)
	if err == nil {
		err = decode(answer.body, &value)
	}
	return value, err
}

func (c *Client) run(ctx context.Context, request request, options []CallOption) error {
	_, err := c.send(ctx, request, options)
	return err
}

func (c *Client) download(ctx context.Context, request request, options []CallOption) (io.ReadCloser, error) {
	request.isDownload = true
	answer, err := c.send(ctx, request, options)
	if err != nil {
		return nil, err
	}
	return answer.reader, nil
}

func decode(body []byte, value any) error {
	if err := json.Unmarshal(body, value); err != nil {
		return fmt.Errorf("confab: the answer cannot be read: %w", err)
	}
	return nil
}

// send attempts a request until it succeeds, or another attempt is of no use.
func (c *Client) send(ctx context.Context, request request, options []CallOption) (*answer, error) {
	call, err := c.prepare(request, options)
	if err != nil {
		return nil, err
	}
	// PUT and DELETE can be repeated as they are (RFC 9110), POST and PATCH with a key.
	isRepeatable := (call.method != http.MethodPost && call.method != http.MethodPatch) || call.key != ""
	credential, err := c.credential.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	isRenewed := false
	for attempt := 1; ; attempt++ {
		answer, err := c.attempt(ctx, call, credential)
		if err == nil {
			return answer, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("confab: %s %s: %w", call.method, call.path, ctx.Err())
		}
		var problem *ProblemError
		if errors.As(err, &problem) && problem.Status == http.StatusUnauthorized && c.credential.get != nil && !isRenewed {
			isRenewed = true
			attempt--
			if credential, err = c.credential.read(ctx, &credential); err != nil {
				return nil, err
			}
			continue
		}
		if attempt >= c.attempts || !canPass(err, isRepeatable) {
			return nil, err
		}
		wait := backOff(attempt)
		if problem != nil && problem.RetryAfter != nil {
			wait = *problem.RetryAfter
		}
		if err := pause(ctx, wait); err != nil {
			return nil, fmt.Errorf("confab: %s %s: %w", call.method, call.path, err)
		}
	}
}

// prepare makes what all attempts have in common.
func (c *Client) prepare(request request, options []CallOption) (*call, error) {
	if request.path == "" {
		return nil, errors.New("confab: a parameter of the path is empty")
	}
	call := &call{request: request, header: http.Header{}, onBehalfOf: c.onBehalfOf, timeout: c.timeout}
	for _, option := range options {
		option(call)
	}
	if call.key == "" && request.takesKey {
		call.key = newKey()
	}
	if request.body != nil {
		content, err := json.Marshal(request.body)
		if err != nil {
			return nil, fmt.Errorf("confab: the body cannot be written: %w", err)
		}
		call.content = content
	}
	return call, nil
}

// canPass says whether another attempt can succeed and does not repeat a change.
func canPass(err error, isRepeatable bool) bool {
	var problem *ProblemError
	if !errors.As(err, &problem) {
		var connection *ConnectionError
		return errors.As(err, &connection) && isRepeatable
	}
	switch problem.Status {
	case http.StatusTooManyRequests:
		// A request that was refused for its rate was not carried out.
		return problem.RetryAfter != nil
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return isRepeatable
	}
	return isRepeatable && problem.Code == "idempotency_key_in_use"
}

func (c *Client) attempt(ctx context.Context, call *call, credential string) (*answer, error) {
	// An upload takes as long as its file needs, and a download as long as its reader; the server
	// bounds both.
	cancel := context.CancelFunc(func() {})
	if call.file == nil && !call.isDownload {
		ctx, cancel = context.WithTimeout(ctx, call.timeout)
	}
	defer cancel()
	sent, err := c.requestOf(ctx, call, credential)
	if err != nil {
		return nil, err
	}
	defer sent.Body.Close()
	response, err := c.http.Do(sent)
	if err != nil {
		return nil, &ConnectionError{Method: call.method, Path: call.path, Cause: err}
	}
	if call.isDownload && response.StatusCode < 300 {
		return &answer{header: response.Header, reader: response.Body}, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &ConnectionError{Method: call.method, Path: call.path, Cause: err}
	}
	if response.StatusCode >= 300 {
		return nil, problemOf(response, body)
	}
	if call.tag != nil {
		*call.tag = response.Header.Get("Etag")
	}
	return &answer{header: response.Header, body: body}, nil
}

// requestOf makes the request of one attempt.
func (c *Client) requestOf(ctx context.Context, call *call, credential string) (*http.Request, error) {
	address := c.url + call.path
	if len(call.query) > 0 {
		address += "?" + call.query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, call.method, address, bytes.NewReader(call.content))
	if err != nil {
		return nil, fmt.Errorf("confab: %w", err)
	}
	sent.Header = call.header.Clone()
	if call.content != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if call.file != nil {
		form, err := call.file.form()
		if err != nil {
			return nil, err
		}
		sent.Body, sent.ContentLength = form, form.length
		sent.GetBody = nil
		sent.Header.Set("Content-Type", form.contentType)
	}
	if credential != "" {
		sent.Header.Set("Authorization", "Bearer "+credential)
	}
	if call.onBehalfOf != "" {
		sent.Header.Set("X-Confab-User", url.PathEscape(call.onBehalfOf))
	}
	if call.key != "" {
		sent.Header.Set("Idempotency-Key", `"`+call.key+`"`)
	}
	return sent, nil
}

// newKey makes an idempotency key: 128 random bits.
func newKey() string {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		panic(fmt.Sprintf("confab: this system has no random numbers: %v", err))
	}
	return fmt.Sprintf("%x", random)
}

// backOff is a random time of at most the back-off, so that clients that failed together do not
// return together.
func backOff(attempt int) time.Duration {
	most := math.Min(float64(waitFirst)*math.Pow(2, float64(attempt-1)), float64(waitMax))
	wait, err := rand.Int(rand.Reader, big.NewInt(int64(most)))
	if err != nil {
		return time.Duration(most)
	}
	return time.Duration(wait.Int64())
}

// pause waits, or returns the error of the context when that ends before.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
