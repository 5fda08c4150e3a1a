package confab

import (
	"context"
	"net/url"
	"regexp"
	"strings"
)

// Page is one page of a list.
type Page[T any] struct {
	Data []T `json:"data"`
	// The 1-based position of the first item; 0 on an empty page.
	Start int64 `json:"start"`
	// The 1-based position of the last item; 0 on an empty page.
	End int64 `json:"end"`
	// How many items match, on this page or not; nil where they were not counted.
	Count *int64 `json:"count"`
}

// Pages is a list. Next moves through the items of all pages, NextPage from page to page:
//
//	comments := client.ListAppComments(ctx, "product-42", nil)
//	for comments.Next() {
//		fmt.Println(comments.Item().Text)
//	}
//	if err := comments.Err(); err != nil { … }
//
// A list is for one goroutine.
type Pages[T any] struct {
	ctx     context.Context
	client  *Client
	request request
	options []CallOption
	page    *Page[T]
	index   int
	isLast  bool
	err     error
}

func pagesOf[T any](ctx context.Context, c *Client, request request, options []CallOption) *Pages[T] {
	return &Pages[T]{ctx: ctx, client: c, request: request, options: options}
}

// Next moves to the next item, and requests the next page where it needs one. It is false at the
// end of the list and after an error; after an error, another call requests the same page again.
func (p *Pages[T]) Next() bool {
	p.index++
	for p.page == nil || p.index >= len(p.page.Data) {
		if !p.NextPage() {
			return false
		}
		p.index = 0
	}
	return true
}

// Item is the item that Next moved to.
func (p *Pages[T]) Item() T {
	return p.page.Data[p.index]
}

// NextPage requests the next page. The first alone has a count.
func (p *Pages[T]) NextPage() bool {
	p.err = nil
	if p.isLast {
		return false
	}
	answer, err := p.client.send(p.ctx, p.request, p.options)
	page := &Page[T]{}
	if err == nil {
		err = decode(answer.body, page)
	}
	if err != nil {
		p.err = err
		return false
	}
	p.page = page
	next := nextQuery(answer.header.Get("Link"))
	p.isLast = next == nil
	p.request.query = next
	return true
}

// Page is the page that NextPage moved to; nil before the first.
func (p *Pages[T]) Page() *Page[T] {
	return p.page
}

// Err is why Next or NextPage was false; nil at the end of the list.
func (p *Pages[T]) Err() error {
	return p.err
}

// All reads the items of all pages.
func (p *Pages[T]) All() ([]T, error) {
	var items []T
	for p.Next() {
		items = append(items, p.Item())
	}
	return items, p.err
}

var nextLink = regexp.MustCompile(`<([^>]*)>;\s*rel="?next"?`)

// nextQuery is the query of the next page in a Link header; nil on the last page.
func nextQuery(link string) url.Values {
	found := nextLink.FindStringSubmatch(link)
	if found == nil {
		return nil
	}
	_, text, _ := strings.Cut(found[1], "?")
	query, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	// The first page said it, and to count can take longer than to read a page.
	query.Set("count", "false")
	return query
}
