package confab

import "encoding/json"

// Change is what a change does with a field: sets or clears it. A field that is nil stays as it is.
type Change[T any] struct {
	value  T
	clears bool
}

// Set gives a field a value.
func Set[T any](value T) *Change[T] {
	return &Change[T]{value: value}
}

// Clear takes the value of a field away.
func Clear[T any]() *Change[T] {
	return &Change[T]{clears: true}
}

// MarshalJSON writes null for a field that is cleared.
func (c Change[T]) MarshalJSON() ([]byte, error) {
	if c.clears {
		return []byte("null"), nil
	}
	return json.Marshal(c.value)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Change[T]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		c.clears = true
		return nil
	}
	return json.Unmarshal(text, &c.value)
}
