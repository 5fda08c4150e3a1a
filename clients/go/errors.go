package confab

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// FieldError is a field at fault: in the body by its JSON pointer, or in the query by its name.
type FieldError struct {
	Pointer   string `json:"pointer"`
	Parameter string `json:"parameter"`
	Code      string `json:"code"`
	Message   string `json:"message"`
}

// ProblemError means that the server refused a request, or failed at it. Find it with errors.As.
type ProblemError struct {
	Status int
	// Why, as one word; unknown where something between client and server wrote the response.
	Code    string
	Message string
	Fields  []FieldError
	// The id of the request in the log of the server.
	RequestID string
	// How long to wait before another attempt; nil where the server does not say.
	RetryAfter *time.Duration
	// The whole body (RFC 9457); empty where it is none.
	Problem json.RawMessage
}

func (e *ProblemError) Error() string {
	return fmt.Sprintf("confab: %s (%d %s)", e.Message, e.Status, e.Code)
}

// ConnectionError means that there was no complete response: the connection failed or took too
// long. Whether the server acted is unknown.
type ConnectionError struct {
	Method, Path string
	Cause        error
}

func (e *ConnectionError) Error() string {
	return fmt.Sprintf("confab: %s %s got no complete response: %v", e.Method, e.Path, e.Cause)
}

// Unwrap returns what failed.
func (e *ConnectionError) Unwrap() error {
	return e.Cause
}

// problemOf reads a refusal. A body that is no problem leaves its code unknown.
func problemOf(response *http.Response, body []byte) *ProblemError {
	problem := struct {
		Code, Title, Detail string
		Errors              []FieldError
		RequestID           string `json:"request_id"`
	}{Code: "unknown", RequestID: response.Header.Get("X-Request-Id")}
	result := &ProblemError{Status: response.StatusCode, RetryAfter: retryAfterOf(response.Header)}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json") {
		if json.Unmarshal(body, &problem) == nil {
			result.Problem = body
		}
	}
	result.Code, result.Fields, result.RequestID = problem.Code, problem.Errors, problem.RequestID
	switch {
	case problem.Detail != "":
		result.Message = problem.Detail
	case problem.Title != "":
		result.Message = problem.Title
	default:
		result.Message = fmt.Sprintf("the server returned %d", response.StatusCode)
	}
	return result
}

func retryAfterOf(header http.Header) *time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return nil
	}
	wait := time.Duration(seconds) * time.Second
	return &wait
}
