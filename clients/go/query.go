package confab

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Filter chooses the items that have a property, those that do not have it, or both. The server
// decides where it is empty.
type Filter string

// The values of a [Filter].
const (
	Only    Filter = "true"
	Without Filter = "false"
	Both    Filter = "null"
)

// queryOf writes the fields of a query that are not zero, by the names in their tags; those with
// "joined" have their values in one parameter, with commas.
func queryOf(query any) url.Values {
	values := url.Values{}
	pointer := reflect.ValueOf(query)
	if pointer.IsNil() {
		return values
	}
	fields := pointer.Elem()
	for i := 0; i < fields.NumField(); i++ {
		field := fields.Field(i)
		if field.IsZero() {
			continue
		}
		name, how, _ := strings.Cut(fields.Type().Field(i).Tag.Get("query"), ",")
		switch value := reflect.Indirect(field).Interface().(type) {
		case []string:
			if how == "joined" {
				values.Set(name, strings.Join(value, ","))
			} else {
				values[name] = value
			}
		case time.Time:
			values.Set(name, value.Format(time.RFC3339Nano))
		default:
			values.Set(name, fmt.Sprint(value))
		}
	}
	return values
}

// at joins the parts of a path: texts of the contract, and between them parameters, which are
// escaped. It is empty where a parameter is empty.
func at(parts ...any) string {
	path := ""
	for i, part := range parts {
		text := fmt.Sprint(part)
		if i%2 == 1 {
			if text == "" {
				return ""
			}
			text = url.PathEscape(text)
		}
		path += text
	}
	return path
}
