import type { Method, Model, Parameter } from './methods.ts';
import type { Declared, Field, Shape, Shapes } from './shapes.ts';
import { indented, lowerFirst, wrapped } from './words.ts';

/** The generated files of the Go library: `types.go` and `operations.go`. */

const columns = 100;

/** Words that Go spells in capitals. */
const initials = new Set(['id', 'ids', 'url', 'uid', 'uids', 'html', 'api', 'mcp']);

function exported(name: string): string {
  return name
    .split(/_|(?=[A-Z])/)
    .map((word) => {
      const small = word.toLowerCase();
      if (initials.has(small))
        return small.endsWith('s') ? `${small.slice(0, -1).toUpperCase()}s` : small.toUpperCase();
      return word.slice(0, 1).toUpperCase() + word.slice(1);
    })
    .join('');
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
    case 'choice':
      return 'string';
    case 'time':
      return 'time.Time';
    case 'integer':
      return 'int64';
    case 'number':
      return 'float64';
    case 'flag':
      return 'bool';
    case 'any':
    case 'either':
      return 'any';
    case 'map':
      return 'map[string]any';
    case 'named':
      return shape.name;
    case 'list':
      return `[]${typeOf(shape.of)}`;
  }
}

/** The values of a text, as a sentence. */
function valuesOf(shape: Shape): string {
  if (shape.kind === 'list') return valuesOf(shape.of);
  if (shape.kind !== 'choice') return '';
  return ` One of ${shape.values.map((value) => `"${value}"`).join(', ')}.`;
}

function comment(text: string): string {
  return wrapped(text.trim(), columns - 8)
    .map((line) => `// ${line}\n`)
    .join('');
}

/** The lines of a struct, in the columns of gofmt: a comment begins a new group of lines. */
function struct(fields: readonly { readonly cells: readonly string[]; readonly said: string }[]): string {
  const groups: { said: string; rows: (readonly string[])[] }[] = [];
  for (const { cells, said } of fields) {
    const last = groups.at(-1);
    if (said === '' && last !== undefined) last.rows.push(cells);
    else groups.push({ said, rows: [cells] });
  }
  return groups
    .map(({ said, rows }) => {
      const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
      const lines = rows.map((row) =>
        row
          .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
          .join(' '),
      );
      return `${said}${lines.join('\n')}\n`;
    })
    .join('');
}

/** The type of a field that can be absent. */
function optional(shape: Shape, isSent: boolean): string {
  const type = typeOf(shape);
  const isNil = type.startsWith('[]') || type.startsWith('map') || type === 'any';
  // Of what is received, a text or flag that is absent is empty or false.
  const isPlain = !isSent && (type === 'string' || type === 'bool');
  return isNil || isPlain ? type : `*${type}`;
}

function fieldOf({ name, shape, isRequired, isClearable, description = '' }: Field, isSent: boolean) {
  const present = isRequired ? typeOf(shape) : optional(shape, isSent);
  const type = isClearable ? `*Change[${typeOf(shape)}]` : present;
  const tag = `\`json:"${name}${isRequired ? '' : ',omitempty'}"\``;
  return { cells: [exported(name), type, tag], said: comment(`${description}${valuesOf(shape)}`) };
}

function declaration(declared: Declared): string {
  const { name, description, isSent } = declared;
  const said = comment(`${name} is ${lowerFirst(description ?? 'part of another object.')}`);
  if ('shape' in declared) return `${said}type ${name} ${typeOf(declared.shape)}\n`;
  const fields = declared.fields.map((field) => fieldOf(field, isSent));
  return `${said}type ${name} struct {\n${indented(struct(fields), '\t')}}\n`;
}

function parameterType({ name, shape, minimum = 0 }: Parameter): string {
  if (shape.kind === 'choice' && shape.values.includes('null')) return 'Filter';
  const type = typeOf(shape);
  if (name === 'count') return '*bool';
  // Where zero is a value of its own, nil is the absence of one.
  return type === 'int64' && minimum < 1 && name !== 'skip' ? '*int64' : type;
}

function queryName({ id, hasListQueryOnly }: Method): string {
  return hasListQueryOnly ? 'ListQuery' : `${exported(id)}Query`;
}

function queryStruct(name: string, said: string, query: readonly Parameter[]): string {
  const fields = query.map((parameter) => {
    const { shape, isJoined, description = '' } = parameter;
    const values = parameterType(parameter) === 'Filter' ? '' : valuesOf(shape);
    const tag = `\`query:"${parameter.name}${isJoined ? ',joined' : ''}"\``;
    return {
      cells: [exported(parameter.name), parameterType(parameter), tag],
      said: comment(`${description}${values}`),
    };
  });
  return `${comment(said)}type ${name} struct {\n${indented(struct(fields), '\t')}}\n`;
}

function queries(methods: readonly Method[]): readonly string[] {
  const anyList = methods.find(({ hasListQueryOnly, expands }) => hasListQueryOnly && expands.length > 0);
  if (anyList === undefined) throw new Error('no list has the query of any list');
  const common = anyList.query.map((parameter) =>
    parameter.name === 'order_by' || parameter.name === 'expand'
      ? { ...parameter, shape: parameter.name === 'expand' ? texts : text }
      : parameter,
  );
  return [
    queryStruct(
      'ListQuery',
      'ListQuery is what every list takes; the method says which orders and objects.',
      common,
    ),
    ...methods
      .filter(({ query, hasListQueryOnly }) => query.length > 0 && !hasListQueryOnly)
      .map((method) =>
        queryStruct(
          queryName(method),
          `${queryName(method)} is the query of ${exported(method.id)}.`,
          method.query,
        ),
      ),
  ];
}

const text: Shape = { kind: 'text' };
const texts: Shape = { kind: 'list', of: text };

/** `clients/go/types.go`. */
export function goTypes({ methods, shapes }: Model): string {
  const all = [...shapes.declared().map(declaration), ...queries(methods)];
  return `// Code generated by npm run generate from the contract of the server. DO NOT EDIT.

package confab

import "time"

${all.join('\n')}`;
}

const paramTypes = { id: 'int64', ref: 'string', text: 'string' } as const;

/** Names that Go takes for itself. */
function argument(name: string): string {
  return name === 'type' ? 'kind' : name;
}

/** Whether a shape is a slice, which needs no pointer. */
function isSlice(shape: Shape, shapes: Shapes): boolean {
  if (shape.kind !== 'named') return shape.kind === 'list';
  return shapes.declared().some((one) => one.name === shape.name && 'shape' in one);
}

function returned({ answer }: Method, shapes: Shapes): string {
  switch (answer.kind) {
    case 'page':
      return `*Pages[${typeOf(answer.shape)}]`;
    case 'value':
      return `(${isSlice(answer.shape, shapes) ? '' : '*'}${typeOf(answer.shape)}, error)`;
    case 'bytes':
      return '(io.ReadCloser, error)';
    case 'nothing':
      return 'error';
  }
}

function pathText({ path }: Method): string {
  const parts = path
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? part.slice(1, -1) : `"${part}"`));
  const [only, ...others] = parts;
  return others.length === 0 ? `at(${only})` : `at(${parts.join(', ')})`;
}

function requestText(method: Method): string {
  const { verb, body, query, takesKey, takesFile } = method;
  const parts = [
    `method: "${verb}"`,
    `path: ${pathText(method)}`,
    ...(query.length === 0 ? [] : ['query: queryOf(query)']),
    ...(body === undefined ? [] : ['body: body']),
    ...(takesFile ? ['file: &file'] : []),
    ...(takesKey ? ['takesKey: true'] : []),
  ];
  return `request{${parts.join(', ')}}`;
}

function sending(method: Method, shapes: Shapes): string {
  const request = requestText(method);
  const { answer } = method;
  switch (answer.kind) {
    case 'page':
      return `return pagesOf[${typeOf(answer.shape)}](ctx, c, ${request}, options)`;
    case 'value':
      return `return ${isSlice(answer.shape, shapes) ? 'itemsOf' : 'valueOf'}[${typeOf(answer.shape)}](ctx, c, ${request}, options)`;
    case 'bytes':
      return `return c.download(ctx, ${request}, options)`;
    case 'nothing':
      return `return c.run(ctx, ${request}, options)`;
  }
}

function methodText(method: Method, shapes: Shapes): string {
  const { id, params, body, query, summary, orders, expands, hasListQueryOnly, takesFile } = method;
  const given = [
    'ctx context.Context',
    ...Object.entries(params).map(([name, kind]) => `${argument(name)} ${paramTypes[kind]}`),
    ...(body === undefined ? [] : [`body ${typeOf(body.shape)}`]),
    ...(takesFile ? ['file Upload'] : []),
    ...(query.length === 0 ? [] : [`query *${queryName(method)}`]),
    'options ...CallOption',
  ];
  const ordered = hasListQueryOnly
    ? ` It can be ordered by ${orders.join(', ')}${expands.length === 0 ? '' : `, and carry ${expands.join(', ')}`}.`
    : '';
  const said = comment(`${exported(id)} ${lowerFirst(summary)}${ordered}`);
  return `${said}func (c *Client) ${exported(id)}(${given.join(', ')}) ${returned(method, shapes)} {\n\t${sending(method, shapes)}\n}\n`;
}

/** `clients/go/operations.go`. */
export function goOperations({ methods, shapes }: Model): string {
  return `// Code generated by npm run generate from the contract of the server. DO NOT EDIT.

package confab

import (
	"context"
	"io"
)

${methods.map((method) => methodText(method, shapes)).join('\n')}`;
}
