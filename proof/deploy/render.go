// Renders the templates of a chart as Helm does, for `npx node proof/deploy.ts`: the same engine (text/template), the same
// functions (sprig), and of Helm's own functions those that charts use. It does not read the schema of the values.
//
//	render CHART VALUES
//
// VALUES is a JSON file with a list of values that are laid over those of the chart. The output is a JSON list with, for
// each of them, the text of each file by its name, or the error.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

type rendered struct {
	Files map[string]string `json:"files"`
	Error string            `json:"error"`
}

func main() {
	chart, over := os.Args[1], []object{}
	must(json.Unmarshal(read(os.Args[2]), &over))
	var results []rendered
	for _, values := range over {
		files, err := render(chart, values)
		if err != nil {
			results = append(results, rendered{Error: err.Error()})
		} else {
			results = append(results, rendered{Files: files})
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func render(chart string, over object) (map[string]string, error) {
	values, described := object{}, object{}
	readYaml(filepath.Join(chart, "values.yaml"), &values)
	readYaml(filepath.Join(chart, "Chart.yaml"), &described)
	// Templates see the names of Chart.yaml with a capital letter.
	capital := object{}
	for name, value := range described {
		capital[strings.ToUpper(name[:1])+name[1:]] = value
	}
	top := object{
		"Values":  laidOver(values, over),
		"Chart":   capital,
		"Release": object{"Name": "confab", "Namespace": "default", "Service": "Helm", "IsInstall": true, "Revision": 1},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	for _, path := range paths {
		if _, err := all.New(filepath.Base(path)).Parse(string(read(path))); err != nil {
			return nil, err
		}
	}
	files := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		if err := all.ExecuteTemplate(&out, name, top); err != nil {
			return nil, err
		}
		// As Helm does with what missingkey=zero leaves.
		files[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	return files, nil
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	known["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	known["toYaml"] = func(value interface{}) string {
		// By way of JSON, so that a whole number is written as one.
		asJson, err := json.Marshal(value)
		must(err)
		var plain interface{}
		must(yaml.Unmarshal(asJson, &plain))
		text, err := yaml.Marshal(plain)
		must(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	known["fail"] = func(why string) (string, error) { return "", fmt.Errorf("%s", why) }
	return known
}

// Maps are merged, and everything else is replaced.
func laidOver(under, over object) object {
	for name, value := range over {
		below, isBelow := under[name].(object)
		above, isAbove := value.(object)
		if isBelow && isAbove {
			under[name] = laidOver(below, above)
		} else {
			under[name] = value
		}
	}
	return under
}

// Templates of Helm see all numbers as JSON has them.
func readYaml(path string, into *object) {
	var plain object
	must(yaml.Unmarshal(read(path), &plain))
	asJson, err := json.Marshal(plain)
	must(err)
	must(json.Unmarshal(asJson, into))
}

func read(path string) []byte {
	bytes, err := os.ReadFile(path)
	must(err)
	return bytes
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
