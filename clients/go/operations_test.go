package confab

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// world is the server at CONFAB_URL with the key CONFAB_KEY, with a user and an app for one test.
type world struct {
	*Client
	user, app string
}

func startWorld(t *testing.T) world {
	t.Helper()
	address := os.Getenv("CONFAB_URL")
	if address == "" {
		t.Skip("CONFAB_URL names no server")
	}
	w := world{New(address, os.Getenv("CONFAB_KEY")), "ada-" + newKey(), "page-" + newKey()}
	_, err := w.CreateUser(ctx, UserCreate{UID: w.user, Name: Ptr("Ada Lovelace")})
	must(t, err)
	w.create(t, w.app, "comments")
	return w
}

func (w world) create(t *testing.T, uid, kind string) {
	t.Helper()
	_, err := w.CreateApp(ctx, AppCreate{UID: uid, Type: kind, Access: Ptr("write")})
	must(t, err)
	t.Cleanup(func() { must(t, w.DeleteApp(ctx, uid)) })
}

// has says whether a list has an item.
func has[T any](t *testing.T, pages *Pages[T], is func(T) bool) bool {
	t.Helper()
	items, err := pages.All()
	must(t, err)
	for _, item := range items {
		if is(item) {
			return true
		}
	}
	return false
}

func TestApps(t *testing.T) {
	w := startWorld(t)
	app, err := w.GetApp(ctx, w.app, nil)
	must(t, err)
	equal(t, app.UID, w.app)
	equal(t, time.Since(app.CreatedAt) < time.Hour, true)
	app, err = w.UpdateApp(ctx, ID(app.ID), AppPatch{Name: Set("Launch"), Tags: Set([]string{"a"})})
	must(t, err)
	equal(t, app.Name, "Launch")
	app, err = w.UpdateApp(ctx, w.app, AppPatch{Name: Clear[string]()})
	must(t, err)
	equal(t, app.Name, "")
	other := "put-" + newKey()
	made, err := w.UpsertApp(ctx, other, AppPut{Type: "comments", Name: Set("Put")}, nil)
	must(t, err)
	again, err := w.UpsertApp(ctx, other, AppPut{Type: "comments"}, &UpsertAppQuery{Page: false})
	must(t, err)
	equal(t, again.ID, made.ID)
	tagged := w.ListApps(ctx, &ListAppsQuery{Tag: "a", Type: []string{"comments"}, Contextual: Only})
	equal(t, has(t, tagged, func(one AppItem) bool { return one.UID == w.app }), true)
	app, err = w.TrashApp(ctx, other)
	must(t, err)
	equal(t, app.IsTrashed, true)
	trashed := w.ListApps(ctx, &ListAppsQuery{Trashed: Only})
	equal(t, has(t, trashed, func(one AppItem) bool { return one.UID == other }), true)
	app, err = w.RestoreApp(ctx, other)
	must(t, err)
	equal(t, app.IsTrashed, false)
	must(t, w.DeleteApp(ctx, other))
	_, err = w.GetApp(ctx, other, nil)
	equal(t, refusal(t, err).Status, 404)
	equal(t, refusal(t, err).Code, "not_found")
}

func TestMembers(t *testing.T) {
	w := startWorld(t)
	must(t, w.AddMember(ctx, w.app, w.user, MemberPut{Access: Set("read")}))
	is := func(uid, access string) func(AppMember) bool {
		return func(one AppMember) bool { return one.UID == uid && one.Access == access }
	}
	equal(t, has(t, w.ListMembers(ctx, w.app, nil), is(w.user, "read")), true)
	other := "grace-" + newKey()
	_, err := w.CreateUser(ctx, UserCreate{UID: other})
	must(t, err)
	must(t, w.AddMembers(ctx, w.app, []MemberInput{{UID: other, Access: Ptr("write")}}))
	equal(t, has(t, w.ListMembers(ctx, w.app, nil), is(other, "write")), true)
	must(t, w.RemoveMember(ctx, w.app, w.user))
	must(t, w.RemoveMembers(ctx, w.app, []string{other}))
	equal(t, has(t, w.ListMembers(ctx, w.app, nil), is(other, "write")), false)
}

func TestSubscriptions(t *testing.T) {
	w := startWorld(t)
	must(t, w.AddMember(ctx, w.app, w.user, MemberPut{Access: Set("write")}))
	token, err := w.IssueToken(ctx, w.user, TokenCreate{ExpiresIn: Ptr[int64](3600)})
	must(t, err)
	user := New(os.Getenv("CONFAB_URL"), token.AccessToken)
	app, err := user.SubscribeApp(ctx, w.app)
	must(t, err)
	equal(t, app.IsSubscribed, true)
	app, err = user.UnsubscribeApp(ctx, w.app)
	must(t, err)
	equal(t, app.IsSubscribed, false)
}

func TestComments(t *testing.T) {
	w := startWorld(t)
	comment, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: Ptr("Ready for **review**")}, OnBehalfOf(w.user))
	must(t, err)
	equal(t, comment.CreatedBy.UID, w.user)
	equal(t, comment.HTML, "<p>Ready for <strong>review</strong></p>")
	read, err := w.GetComment(ctx, comment.ID, nil)
	must(t, err)
	equal(t, read.Text, comment.Text)
	changed, err := w.UpdateComment(ctx, comment.ID, EntryPatch{Text: Set("Done"), Metadata: Set(map[string]any{"step": 2})})
	must(t, err)
	equal(t, changed.Text, "Done")
	equal(t, fmt.Sprint(changed.Metadata), "map[step:2]")
	is := func(one CommentItem) bool {
		return one.ID == comment.ID && one.CreatedBy != nil && one.CreatedBy.UID == w.user
	}
	equal(t, has(t, w.ListComments(ctx, &ListQuery{Q: "Done", Expand: []string{"created_by", "parent"}}), is), true)
	equal(t, has(t, w.ListAppComments(ctx, w.app, nil), is), false)
}

func TestCommentsOnPostsAndFiles(t *testing.T) {
	w := startWorld(t)
	posts, files := "posts-"+newKey(), "files-"+newKey()
	w.create(t, posts, "posts")
	w.create(t, files, "files")
	post, err := w.CreatePost(ctx, posts, EntryCreate{Text: Ptr("A post")})
	must(t, err)
	comment, err := w.CreatePostComment(ctx, post.ID, CommentCreate{Text: Ptr("On the post")})
	must(t, err)
	equal(t, comment.Parent, Parent{ID: post.ID, Type: "post"})
	content := bytes.Repeat([]byte("plan\n"), 50_000)
	blob, err := w.CreateBlob(ctx, Upload{Name: "Entwürfe.txt", Content: bytes.NewReader(content)})
	must(t, err)
	equal(t, blob.Name, "Entwürfe.txt")
	file, err := w.CreateFile(ctx, files, FileCreate{BlobID: blob.ID})
	must(t, err)
	equal(t, file.Size, int64(len(content)))
	comment, err = w.CreateFileComment(ctx, file.ID, CommentCreate{Text: Ptr("On the file")})
	must(t, err)
	equal(t, comment.Parent, Parent{ID: file.ID, Type: "file"})
}

func TestListsOfSeveralPages(t *testing.T) {
	w := startWorld(t)
	var sent []string
	for i := 0; i < 7; i++ {
		sent = append(sent, fmt.Sprintf("Text %d", i))
		_, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: &sent[i]})
		must(t, err)
	}
	items, err := w.ListAppComments(ctx, w.app, &ListAppCommentsQuery{Top: 3, OrderBy: "id"}).All()
	must(t, err)
	var texts []string
	for _, one := range items {
		texts = append(texts, one.Text)
	}
	equal(t, strings.Join(texts, ","), strings.Join(sent, ","))
	pages := w.ListAppComments(ctx, w.app, &ListAppCommentsQuery{Top: 3, Q: "text", OrderBy: "id desc"})
	var sizes []int
	for pages.NextPage() {
		sizes = append(sizes, len(pages.Page().Data))
		equal(t, pages.Page().Count != nil, len(sizes) == 1)
	}
	must(t, pages.Err())
	equal(t, fmt.Sprint(sizes), "[3 3 1]")
}

func TestWebhooks(t *testing.T) {
	w := startWorld(t)
	webhook, err := w.RegisterWebhook(ctx, WebhookCreate{
		PayloadURL: "https://example.com/hook", Triggers: []string{"comment_created"}, IsEnabled: Ptr(false),
	})
	must(t, err)
	webhook, err = w.UpdateWebhook(ctx, webhook.ID, WebhookPatch{Triggers: []string{"app_created"}})
	must(t, err)
	equal(t, fmt.Sprint(webhook.Triggers), "[app_created]")
	detail, err := w.GetWebhook(ctx, webhook.ID)
	must(t, err)
	equal(t, detail.PayloadURL, "https://example.com/hook")
	equal(t, has(t, w.ListWebhooks(ctx, nil), func(one Webhook) bool { return one.ID == webhook.ID }), true)
	since := time.Now().Add(-time.Hour)
	failed := w.ListDeliveries(ctx, webhook.ID, &ListDeliveriesQuery{Status: "failed", Since: since})
	equal(t, has(t, failed, func(DeliveryItem) bool { return true }), false)
	must(t, w.DeleteWebhook(ctx, webhook.ID))
	_, err = w.GetWebhook(ctx, webhook.ID)
	equal(t, refusal(t, err).Status, 404)
}

func TestADeliveryIsVerified(t *testing.T) {
	w := startWorld(t)
	secret := "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	type result struct {
		event *DeliveryPayload
		err   error
	}
	arrived := make(chan result, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			arrived <- result{nil, err}
			return
		}
		event, err := VerifyWebhook(secret, request.Header, body)
		arrived <- result{event, err}
	}))
	t.Cleanup(receiver.Close)
	webhook, err := w.RegisterWebhook(ctx, WebhookCreate{PayloadURL: receiver.URL, Secret: &secret, Triggers: []string{"comment_created"}})
	must(t, err)
	t.Cleanup(func() { must(t, w.DeleteWebhook(ctx, webhook.ID)) })
	comment, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: Ptr("Told")})
	must(t, err)
	select {
	case got := <-arrived:
		must(t, got.err)
		equal(t, got.event.Action, "comment_created")
		equal(t, got.event.Comment.ID, comment.ID)
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was delivered")
	}
}

func TestRefusals(t *testing.T) {
	w := startWorld(t)
	_, err := w.CreateApp(ctx, AppCreate{UID: "12", Type: "comments", Access: Ptr("nobody")})
	problem := refusal(t, err)
	equal(t, problem.Status, 422)
	equal(t, problem.Code, "validation_failed")
	var pointers []string
	for _, field := range problem.Fields {
		pointers = append(pointers, field.Pointer)
		equal(t, field.Message != "", true)
	}
	sort.Strings(pointers)
	equal(t, reflect.DeepEqual(pointers, []string{"/access", "/uid"}), true)
	equal(t, problem.RequestID != "", true)
	_, err = New(os.Getenv("CONFAB_URL"), "wyk_nobody").GetApp(ctx, w.app, nil)
	equal(t, refusal(t, err).Status, 401)
}

func TestChangesOfOthers(t *testing.T) {
	w := startWorld(t)
	comment, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: Ptr("One")})
	must(t, err)
	var read, changed string
	_, err = w.GetComment(ctx, comment.ID, nil, ReadTag(&read))
	must(t, err)
	_, err = w.UpdateComment(ctx, comment.ID, EntryPatch{Text: Set("Two")}, IfMatch(read), ReadTag(&changed))
	must(t, err)
	_, err = w.UpdateComment(ctx, comment.ID, EntryPatch{Text: Set("Three")}, IfMatch(read))
	equal(t, refusal(t, err).Code, "precondition_failed")
	_, err = w.TrashComment(ctx, comment.ID, IfMatch(changed))
	must(t, err)
}

func TestADownload(t *testing.T) {
	w := startWorld(t)
	_, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: Ptr("Kept")}, OnBehalfOf(w.user))
	must(t, err)
	archive, err := w.ExportUser(ctx, w.user)
	must(t, err)
	defer archive.Close()
	whole, err := io.ReadAll(archive)
	must(t, err)
	// A tar archive, whole: its last file is the end of an export.
	equal(t, bytes.Contains(whole, []byte("export.json")), true)
	equal(t, len(whole)%512, 0)
}

func TestKeysThatExpire(t *testing.T) {
	w := startWorld(t)
	until := time.Now().Add(time.Hour)
	key, err := w.CreateKey(ctx, ApiKeyCreate{Name: "for an hour", Scopes: []string{"read"}, ExpiresAt: &until})
	must(t, err)
	equal(t, key.ExpiresAt.Sub(until).Abs() < time.Second, true)
	keys, err := w.ListKeys(ctx)
	must(t, err)
	equal(t, len(keys) > 0, true)
	must(t, w.RevokeKey(ctx, key.ID))
}

func TestManyGoroutines(t *testing.T) {
	w := startWorld(t)
	var group sync.WaitGroup
	errs := make(chan error, 40)
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 10; j++ {
				_, err := w.CreateAppComment(ctx, w.app, CommentCreate{Text: Ptr("x")})
				errs <- err
			}
		}()
	}
	group.Wait()
	close(errs)
	for err := range errs {
		must(t, err)
	}
	items, err := w.ListAppComments(ctx, w.app, &ListAppCommentsQuery{Top: 7}).All()
	must(t, err)
	equal(t, len(items), 40)
}
