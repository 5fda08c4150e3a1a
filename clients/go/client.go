// Package confab is a client of a Confab server. It uses the standard library alone.
//
// A client has a method for each operation. A method takes a context, the parameters of the path,
// then the body or the query, then options:
//
//	client := confab.New("https://comments.example.com", os.Getenv("CONFAB_KEY"))
//	comment, err := client.CreateAppComment(ctx, "product-42", confab.CommentCreate{
//		Text: confab.Ptr("Ready for **review**"),
//	})
//
// Parameters that are texts and name an app, a user or a directory take its uid, or its id as a
// text (see [ID]). Of what the server returns, an optional text or flag that is absent is empty or
// false, and an optional number, time or object that is absent is nil. A later version of the
// server may return more fields and other values of a text.
package confab

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Client calls one server with one credential. Any number of goroutines can use it.
type Client struct {
	url        string
	http       *http.Client
	onBehalfOf string
	attempts   int
	timeout    time.Duration
	credential credential
}

// ClientOption is an option of a client.
type ClientOption func(*Client)

// New makes a client of the server at an address such as https://comments.example.com. The key is
// an API key or an access token; without one the client is a visitor.
func New(url, key string, options ...ClientOption) *Client {
	client := &Client{
		url:      strings.TrimRight(url, "/"),
		http:     &http.Client{Transport: http.DefaultTransport},
		attempts: 5,
		timeout:  30 * time.Second,
	}
	client.credential.current = key
	for _, option := range options {
		option(client)
	}
	return client
}

// WithCredential takes the credential from a function, which is called again, with refresh true,
// when the server refuses what it returned.
func WithCredential(get func(ctx context.Context, refresh bool) (string, error)) ClientOption {
	return func(client *Client) { client.credential.get = get }
}

// WithUser acts on behalf of a user, by id or uid, which an API key can do.
func WithUser(user string) ClientOption {
	return func(client *Client) { client.onBehalfOf = user }
}

// WithHTTPClient sends with another client than one with the default transport.
func WithHTTPClient(sender *http.Client) ClientOption {
	return func(client *Client) { client.http = sender }
}

// WithAttempts sets the attempts of a request that fails in passing, the first one included; 5 by
// default.
func WithAttempts(attempts int) ClientOption {
	return func(client *Client) { client.attempts = attempts }
}

// WithTimeout sets how long an attempt may take until its response is complete; 30 seconds by
// default. An upload takes as long as its file needs, and a download as long as its reader.
func WithTimeout(timeout time.Duration) ClientOption {
	return func(client *Client) { client.timeout = timeout }
}

// CallOption is an option of one call.
type CallOption func(*call)

// OnBehalfOf acts on behalf of a user, by id or uid, in this call.
func OnBehalfOf(user string) CallOption {
	return func(call *call) { call.onBehalfOf = user }
}

// Timeout sets how long each attempt of this call may take.
func Timeout(timeout time.Duration) CallOption {
	return func(call *call) { call.timeout = timeout }
}

// IdempotencyKey names the request, so that the server carries it out once: 1 to 255 visible ASCII
// characters. One is made for each call without it; a key that you store survives your process.
func IdempotencyKey(key string) CallOption {
	return func(call *call) { call.key = key }
}

// IfMatch makes a change only if what is there still has this entity tag (see [ReadTag]).
// Otherwise it is refused with precondition_failed.
func IfMatch(tag string) CallOption {
	return Header("If-Match", tag)
}

// IfNoneMatch makes a PUT create and never change, with the tag *.
func IfNoneMatch(tag string) CallOption {
	return Header("If-None-Match", tag)
}

// ReadTag puts the entity tag of the answer into tag, for [IfMatch].
func ReadTag(tag *string) CallOption {
	return func(call *call) { call.tag = tag }
}

// Header sets a header of this call.
func Header(name, value string) CallOption {
	return func(call *call) { call.header.Set(name, value) }
}

// ID is an id where an id or a uid is taken.
func ID(id int64) string {
	return strconv.FormatInt(id, 10)
}

// Ptr points to a value, for optional fields of a body.
func Ptr[T any](value T) *T {
	return &value
}

// credential is a text, or what a function returned. All goroutines share one result, until a
// request with it is refused.
type credential struct {
	mutex   sync.Mutex
	current string
	get     func(ctx context.Context, refresh bool) (string, error)
	isRead  bool
}

// read returns the credential. After a refusal it returns another one than was refused.
func (c *credential) read(ctx context.Context, refused *string) (string, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.get == nil || (c.isRead && (refused == nil || *refused != c.current)) {
		return c.current, nil
	}
	// A failure is not kept: the next request asks again.
	text, err := c.get(ctx, refused != nil)
	if err == nil {
		c.current, c.isRead = text, true
	}
	return text, err
}
