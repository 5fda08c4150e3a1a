package confab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"sync"
)

// Upload is a file to send. Each attempt reads it from its beginning.
type Upload struct {
	// The name of the file; "file" when empty.
	Name    string
	Content io.ReadSeeker
}

// form is a file as multipart/form-data, which is read as it is sent. Once Close has returned, the
// file is not read any more, so that another attempt can begin.
type form struct {
	contentType string
	length      int64
	mutex       sync.Mutex
	reader      io.Reader
	isClosed    bool
}

func (u *Upload) form() (*form, error) {
	if u.Content == nil {
		return nil, errors.New("confab: the upload has no content")
	}
	size, err := u.Content.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = u.Content.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("confab: the file cannot be read from its beginning: %w", err)
	}
	name := u.Name
	if name == "" {
		name = "file"
	}
	// What stands around the file is what an empty one would have.
	var around bytes.Buffer
	writer := multipart.NewWriter(&around)
	if _, err = writer.CreateFormFile("blob", name); err != nil {
		return nil, fmt.Errorf("confab: %w", err)
	}
	head := around.Len()
	if err = writer.Close(); err != nil {
		return nil, fmt.Errorf("confab: %w", err)
	}
	text := around.Bytes()
	return &form{
		contentType: writer.FormDataContentType(),
		length:      int64(len(text)) + size,
		reader: io.MultiReader(
			bytes.NewReader(text[:head]), io.LimitReader(u.Content, size), bytes.NewReader(text[head:]),
		),
	}, nil
}

func (f *form) Read(into []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.isClosed {
		return 0, errors.New("confab: the request has ended")
	}
	return f.reader.Read(into)
}

func (f *form) Close() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.isClosed = true
	return nil
}
