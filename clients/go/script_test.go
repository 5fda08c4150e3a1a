package confab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// received is a request as it arrived.
type received struct {
	method, path string
	header       http.Header
	body         string
}

// reply is a response. A status of 0 drops the connection, one of -1 says nothing until the client
// leaves.
type reply struct {
	status int
	body   string
	header map[string]string
}

// script is a server that answers each request with the next of its replies, and keeps what came.
type script struct {
	url      string
	mutex    sync.Mutex
	replies  []reply
	received []received
}

func startScript(t *testing.T, replies ...reply) *script {
	t.Helper()
	s := &script{replies: replies}
	server := httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *script) answer(writer http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	s.mutex.Lock()
	s.received = append(s.received, received{request.Method, request.URL.RequestURI(), request.Header, string(body)})
	next := reply{}
	if len(s.replies) > 0 {
		next, s.replies = s.replies[0], s.replies[1:]
	}
	s.mutex.Unlock()
	switch next.status {
	case 0:
		panic(http.ErrAbortHandler)
	case -1:
		<-request.Context().Done()
		return
	}
	contentType := "application/json"
	if next.status >= 400 {
		contentType = "application/problem+json"
	}
	writer.Header().Set("Content-Type", contentType)
	for name, value := range next.header {
		writer.Header().Set(name, value)
	}
	writer.WriteHeader(next.status)
	_, _ = io.WriteString(writer, next.body)
}

// all is what came so far.
func (s *script) all() []received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]received(nil), s.received...)
}

func equal[T comparable](t *testing.T, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Fatalf("found %v, wanted %v", found, wanted)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
