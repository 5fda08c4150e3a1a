package confab

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	ctx         = context.Background()
	soon        = map[string]string{"Retry-After": "0"}
	dropped     = reply{}
	silent      = reply{status: -1}
	unavailable = reply{503, `{"code":"storage_unavailable"}`, soon}
)

func clientOf(s *script, options ...ClientOption) *Client {
	return New(s.url, "wyu_x", append([]ClientOption{WithAttempts(3)}, options...)...)
}

// refusal finds the problem in an error, as callers do.
func refusal(t *testing.T, err error) *ProblemError {
	t.Helper()
	var problem *ProblemError
	if !errors.As(err, &problem) {
		t.Fatalf("no problem: %v", err)
	}
	return problem
}

func TestRepeatsACreateRequestWithTheSameKey(t *testing.T) {
	s := startScript(t, dropped, unavailable, reply{201, `{"id":7}`, nil})
	comment, err := clientOf(s).CreateAppComment(ctx, "page", CommentCreate{Text: Ptr("x")})
	must(t, err)
	equal(t, comment.ID, 7)
	all := s.all()
	key := all[0].header.Get("Idempotency-Key")
	if !regexp.MustCompile(`^"[0-9a-f]{32}"$`).MatchString(key) {
		t.Fatalf("the key is %s", key)
	}
	for _, one := range all {
		equal(t, one.header.Get("Idempotency-Key"), key)
		equal(t, one.body, `{"text":"x"}`)
	}
}

func TestWaitsAsLongAsTheServerSays(t *testing.T) {
	s := startScript(t, reply{503, `{"code":"too_busy"}`, map[string]string{"Retry-After": "1"}}, reply{200, `{"id":7}`, nil})
	began := time.Now()
	comment, err := clientOf(s).GetComment(ctx, 7, nil)
	must(t, err)
	equal(t, comment.ID, 7)
	equal(t, len(s.all()), 2)
	if waited := time.Since(began); waited < time.Second {
		t.Fatalf("it waited %v", waited)
	}
}

func TestTakesAKeyOfTheCaller(t *testing.T) {
	s := startScript(t, reply{201, `{"id":7}`, nil})
	_, err := clientOf(s).CreateAppComment(ctx, "page", CommentCreate{}, IdempotencyKey("order-7"))
	must(t, err)
	equal(t, s.all()[0].header.Get("Idempotency-Key"), `"order-7"`)
}

func TestDoesNotRepeatWhatMayHaveBeenCarriedOut(t *testing.T) {
	for _, first := range []reply{dropped, unavailable} {
		s := startScript(t, first, reply{200, `{}`, nil})
		if _, err := clientOf(s).IssueToken(ctx, "ada", TokenCreate{}); err == nil {
			t.Fatal("it succeeded")
		}
		equal(t, len(s.all()), 1)
	}
}

func TestRepeatsWhatWasRefusedForItsRate(t *testing.T) {
	s := startScript(t, reply{429, `{"code":"rate_limited"}`, soon}, reply{200, `{"access_token":"y"}`, nil})
	token, err := clientOf(s).IssueToken(ctx, "ada", TokenCreate{})
	must(t, err)
	equal(t, token.AccessToken, "y")
}

func TestWaitsWhileTheFirstRequestWithItsKeyRuns(t *testing.T) {
	s := startScript(t, reply{409, `{"code":"idempotency_key_in_use"}`, nil}, reply{201, `{"id":7}`, nil})
	comment, err := clientOf(s).CreateAppComment(ctx, "page", CommentCreate{})
	must(t, err)
	equal(t, comment.ID, 7)
}

func TestGivesUpAfterItsAttempts(t *testing.T) {
	s := startScript(t, reply{503, ``, nil}, reply{503, `null`, nil}, reply{503, `{"code":"too_busy","detail":"Too busy."}`, soon})
	_, err := clientOf(s).GetComment(ctx, 1, nil)
	problem := refusal(t, err)
	equal(t, problem.Status, 503)
	equal(t, problem.Code, "too_busy")
	equal(t, problem.Message, "Too busy.")
	equal(t, *problem.RetryAfter, 0)
	s = startScript(t, dropped, dropped, dropped, dropped)
	_, err = clientOf(s).GetComment(ctx, 1, nil)
	var lost *ConnectionError
	if !errors.As(err, &lost) {
		t.Fatalf("found %v", err)
	}
}

func TestDoesNotRepeatARefusal(t *testing.T) {
	s := startScript(t, reply{422, `{"code":"validation_failed","errors":[{"pointer":"/text","code":"too_long","message":"m"}]}`, nil})
	_, err := clientOf(s).CreateAppComment(ctx, "page", CommentCreate{})
	problem := refusal(t, err)
	equal(t, problem.Fields[0], FieldError{Pointer: "/text", Code: "too_long", Message: "m"})
	equal(t, len(s.all()), 1)
}

func TestEndsAnAttemptAfterItsTime(t *testing.T) {
	s := startScript(t, silent, silent, silent)
	_, err := clientOf(s).GetComment(ctx, 1, nil, Timeout(30*time.Millisecond))
	var lost *ConnectionError
	if !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("found %v", err)
	}
}

func TestDoesNotTakeAPartForTheWhole(t *testing.T) {
	s := startScript(t, reply{200, `{"id":1}`, map[string]string{"Content-Length": "99"}}, reply{200, `{"id":2}`, nil})
	comment, err := clientOf(s).GetComment(ctx, 1, nil)
	must(t, err)
	equal(t, comment.ID, 2)
}

func TestEndsWithItsContext(t *testing.T) {
	s := startScript(t, reply{503, `{}`, map[string]string{"Retry-After": "60"}})
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_, err := clientOf(s).GetComment(short, 1, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("found %v", err)
	}
}

func TestSaysWhatAProxyHasWritten(t *testing.T) {
	s := startScript(t, reply{404, "<h1>no", map[string]string{"Content-Type": "text/html"}})
	_, err := clientOf(s).GetComment(ctx, 1, nil)
	equal(t, refusal(t, err).Status, 404)
	equal(t, refusal(t, err).Code, "unknown")
}

func TestGetsAnotherCredentialWhenOneHasExpired(t *testing.T) {
	expired := reply{401, `{"code":"invalid_credential"}`, nil}
	good := reply{200, `{"id":1}`, nil}
	s := startScript(t, expired, good, good, expired, expired)
	var asked []bool
	client := clientOf(s, WithCredential(func(_ context.Context, refresh bool) (string, error) {
		asked = append(asked, refresh)
		return fmt.Sprintf("token-%d", len(asked)), nil
	}))
	for i := 0; i < 2; i++ {
		_, err := client.GetComment(ctx, 1, nil)
		must(t, err)
	}
	equal(t, fmt.Sprint(asked), "[false true]")
	_, err := client.GetComment(ctx, 1, nil)
	equal(t, refusal(t, err).Status, 401)
	equal(t, fmt.Sprint(asked), "[false true true]")
	equal(t, s.all()[2].header.Get("Authorization"), "Bearer token-2")
}

func TestSendsAFileAgainFromItsBeginning(t *testing.T) {
	s := startScript(t, reply{429, `{"code":"rate_limited"}`, soon}, reply{201, `{"id":3}`, nil})
	_, err := clientOf(s).CreateBlob(ctx, Upload{Name: "plan.txt", Content: strings.NewReader("the plan")})
	must(t, err)
	for _, one := range s.all() {
		equal(t, strings.Count(one.body, "the plan"), 1)
		equal(t, strings.Count(one.body, `name="blob"; filename="plan.txt"`), 1)
	}
	equal(t, len(s.all()), 2)
}

func TestWritesParametersAsTheServerReadsThem(t *testing.T) {
	s := startScript(t, reply{200, `{"data":[]}`, nil}, reply{200, `{"counts":[1,2]}`, nil}, reply{200, `{"id":1}`, nil})
	client := clientOf(s)
	_, err := client.ListAppComments(ctx, "a/b", &ListAppCommentsQuery{
		Trashed: Both, Count: Ptr(false), Expand: []string{"parent", "embed"}, Replies: Ptr[int64](0),
	}).All()
	must(t, err)
	counts, err := client.ListCounts(ctx, &ListCountsQuery{UID: []string{"a,b", "c"}})
	must(t, err)
	equal(t, fmt.Sprint(counts.Counts), "[1 2]")
	_, err = client.GetApp(ctx, "ü", nil, OnBehalfOf("zoë"))
	must(t, err)
	all := s.all()
	equal(t, all[0].path, "/api/apps/a%2Fb/comments?count=false&expand=parent%2Cembed&replies=0&trashed=null")
	equal(t, all[1].path, "/api/counts?uid=a%2Cb&uid=c")
	equal(t, all[2].path, "/api/apps/%C3%BC")
	equal(t, all[2].header.Get("X-Confab-User"), "zo%C3%AB")
	if _, err = client.GetApp(ctx, "", nil); err == nil {
		t.Fatal("an empty parameter was sent")
	}
}

func TestGoesOnWithThePageThatFailed(t *testing.T) {
	link := map[string]string{"Link": `</api/apps/x/comments?after=abc&top=1>; rel="next"`}
	s := startScript(t,
		reply{200, `{"data":[{"id":1}],"start":1,"end":1,"count":2}`, link},
		reply{403, `{"code":"forbidden"}`, nil},
		reply{200, `{"data":[{"id":2}],"start":2,"end":2}`, nil},
	)
	pages := clientOf(s).ListAppComments(ctx, "x", &ListAppCommentsQuery{Top: 1})
	equal(t, pages.Next(), true)
	equal(t, pages.Item().ID, 1)
	equal(t, *pages.Page().Count, 2)
	equal(t, pages.Next(), false)
	equal(t, refusal(t, pages.Err()).Code, "forbidden")
	equal(t, pages.Next(), true)
	equal(t, pages.Item().ID, 2)
	equal(t, pages.Next(), false)
	must(t, pages.Err())
	equal(t, s.all()[2].path, "/api/apps/x/comments?after=abc&count=false&top=1")
}

func TestReadsValuesThatItDoesNotKnow(t *testing.T) {
	s := startScript(t, reply{200, `{"id":1,"access":"later","more":{"a":[1]}}`, nil})
	app, err := clientOf(s).GetApp(ctx, "x", nil)
	must(t, err)
	equal(t, app.Access, "later")
}

func TestClearsSetsAndLeavesFields(t *testing.T) {
	s := startScript(t, reply{200, `{"id":1}`, nil})
	_, err := clientOf(s).UpdateApp(ctx, "x", AppPatch{Name: Clear[string](), Tags: Set([]string{}), Metadata: Set(map[string]any{"a": 1})})
	must(t, err)
	equal(t, s.all()[0].body, `{"name":null,"metadata":{"a":1},"tags":[]}`)
}
