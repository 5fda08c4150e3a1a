import type { Method, Model, Parameter } from './methods.ts';
import type { Declared, Field, Shape } from './shapes.ts';
import { indented, snake, wrapped } from './words.ts';

/** The generated modules of the Python library: `confab.types` and `confab.operations`. */

const columns = 100;

function literal(values: readonly string[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}

/** A shape as an annotation; `of` is what stands before the name of a type. */
function annotation(shape: Shape, of: string): string {
  switch (shape.kind) {
    case 'text':
    case 'time':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'flag':
      return 'bool';
    case 'any':
      return 'Any';
    case 'map':
      return 'dict[str, Any]';
    case 'choice':
      return literal(shape.values);
    case 'named':
      return `${of}${shape.name}`;
    case 'list':
      return `list[${annotation(shape.of, of)}]`;
    case 'either':
      return shape.of.map((one) => annotation(one, of)).join(' | ');
  }
}

function comment(text: string | undefined): string {
  if (text === undefined) return '';
  return wrapped(text, columns - 6)
    .map((line) => `# ${line}\n`)
    .join('');
}

/** An assignment or annotation in one line or, where it is too long, with a line for each value in its brackets. */
function fitted(line: string, indent: number): string {
  if (line.length + indent <= columns) return line;
  const open = line.indexOf('Literal[');
  if (open === -1) throw new Error(`this line is too long: ${line}`);
  const start = open + 'Literal['.length;
  const end = line.indexOf(']', start);
  const values = line.slice(start, end).split(', ');
  return `${line.slice(0, start)}\n${values.map((value) => `    ${value},\n`).join('')}${line.slice(end)}`;
}

/** Words of Python that are fields of the wire, which a class cannot declare. */
const keywords = new Set(['class', 'from', 'import', 'in', 'is', 'not', 'pass']);

function fieldType({ shape, isRequired, isClearable }: Field): string {
  const type = `${annotation(shape, '')}${isClearable ? ' | None' : ''}`;
  return isRequired ? type : `NotRequired[${type}]`;
}

function fieldOf(field: Field): string {
  return `${comment(field.description)}${fitted(`${field.name}: ${fieldType(field)}`, 4)}\n`;
}

function declaration(declared: Declared): string {
  const { name, description } = declared;
  if ('shape' in declared) {
    return `${comment(description)}${fitted(`${name} = ${annotation(declared.shape, '')}`, 0)}\n`;
  }
  const said = description === undefined ? '' : `${docstring([description])}\n\n`;
  const fields = declared.fields.filter((field) => !keywords.has(field.name));
  const body = indented(said + fields.map(fieldOf).join(''), '    ');
  if (fields.length === declared.fields.length) return `class ${name}(TypedDict):\n${body}`;
  const others = declared.fields
    .filter((field) => keywords.has(field.name))
    .map((field) => `"${field.name}": "${fieldType(field)}"`);
  const base = `_${name}Keywords`;
  return `${base} = TypedDict("${base}", {${others.join(', ')}})\n\n\nclass ${name}(${base}):\n${body}`;
}

function docstring(paragraphs: readonly string[], indent = 4): string {
  const [first = '', ...rest] = paragraphs;
  const lines = wrapped(first, columns - indent - 6);
  if (lines.length === 1 && rest.length === 0) return `"""${lines[0]}"""`;
  return `"""${[lines.join('\n'), ...rest].join('\n\n')}\n"""`;
}

/** `confab/types.py`. */
export function pythonTypes({ shapes }: Model): string {
  // What other types are made of comes after them: an alias is evaluated where it stands.
  const all = shapes.declared();
  const classes = all.filter((one) => 'fields' in one).map(declaration);
  const aliases = all.filter((one) => 'shape' in one).map(declaration);
  return `# Made by \`npm run generate\` from the contract of the server.
"""What the server takes and returns, as dictionaries.

A later version of the server may return more fields and other values of a \`Literal\`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # Type checkers bring it. Python 3.10 has none, and does not evaluate the annotations.
    from typing_extensions import NotRequired


${[...classes, ...aliases].join('\n\n')}`;
}

function isTriState(shape: Shape): boolean {
  return shape.kind === 'choice' && shape.values.includes('null');
}

function parameterType({ shape }: Parameter): string {
  if (isTriState(shape)) return 'Filter';
  if (shape.kind === 'list') return `Sequence[${annotation(shape.of, 'types.')}]`;
  return annotation(shape, 'types.');
}

function answerType({ answer }: Method): string {
  switch (answer.kind) {
    case 'page':
      return `Pages[${annotation(answer.shape, 'types.')}]`;
    case 'value':
      return annotation(answer.shape, 'types.');
    case 'bytes':
      return 'Download';
    case 'nothing':
      return 'None';
  }
}

const paramTypes = { id: 'int', ref: 'Ref', text: 'str' } as const;

function signature(method: Method): string {
  const { id, params, body, query, takesFile } = method;
  const type = body === undefined ? '' : annotation(body.shape, 'types.');
  const given = [
    'self',
    ...Object.entries(params).map(([name, kind]) => `${name}: ${paramTypes[kind]}`),
    ...(body === undefined ? [] : [body.isRequired ? `body: ${type}` : `body: ${type} | None = None`]),
    ...(takesFile ? ['file: bytes | BinaryIO'] : []),
    '*',
    ...(takesFile ? ['name: str = "file"'] : []),
    ...query.map((one) => `${one.name}: ${parameterType(one)} | None = None`),
    'options: CallOptions | None = None',
  ];
  const head = `def ${snake(id)}(`;
  const returned = `) -> ${answerType(method)}:`;
  const line = `${head}${given.join(', ')}${returned}`;
  if (line.length + 4 <= columns) return line;
  return `${head}\n${given.map((one) => `${indented(fitted(`${one},`, 8), '    ')}\n`).join('')}${returned}`;
}

function pathText({ path, params }: Method): string {
  if (Object.keys(params).length === 0) return `"${path}"`;
  return `f"${path.replaceAll(/\{(\w+)\}/g, (_, name) => `{segment(${name})}`)}"`;
}

function queryText(query: readonly Parameter[]): string {
  const lines = query.map(({ name, isJoined }) => `    "${name}": ${isJoined ? `joined(${name})` : name},\n`);
  const line = `query = {${query.map(({ name, isJoined }) => `"${name}": ${isJoined ? `joined(${name})` : name}`).join(', ')}}`;
  return line.length + 8 <= columns ? line : `query = {\n${lines.join('')}}`;
}

function call(name: string, given: readonly string[]): string {
  const line = `${name}(${given.join(', ')})`;
  if (line.length + 8 <= columns) return line;
  const inner = given.join(', ');
  return `${name}(\n${inner.length + 12 <= columns ? `    ${inner}\n` : given.map((one) => `    ${one},\n`).join('')})`;
}

function sending(method: Method): string {
  const { verb, body, query, takesKey, takesFile, answer } = method;
  const given = [
    ...(answer.kind === 'page' || answer.kind === 'bytes' || takesFile ? [] : [`"${verb}"`]),
    pathText(method),
    ...(query.length === 0 ? [] : ['query=query']),
    ...(takesFile ? ['file', 'name'] : []),
    ...(body === undefined ? [] : ['body=body']),
    ...(takesKey ? ['takes_key=True'] : []),
    'options=options',
  ];
  if (answer.kind === 'page') return call('return self._pages', given);
  if (answer.kind === 'bytes') return call('return self._download', given);
  if (answer.kind === 'nothing') return call('self._send', given);
  const sender = takesFile ? 'self._upload' : 'self._send';
  return `${call(`answer: ${answerType(method)} = ${sender}`, given)}\nreturn answer`;
}

/** The lines about the query parameters that not every list has. */
function notes({ query, orders }: Method): readonly string[] {
  const own = orders.length === 0 ? query : query.filter(({ name }) => !commonNames.has(name));
  const lines = own
    .filter(({ description }) => description !== undefined)
    .map(({ name, description }) =>
      wrapped(`${name}: ${description}`, columns - 12)
        .map((line, index) => (index === 0 ? line : `    ${line}`))
        .join('\n'),
    );
  return lines.length === 0 ? [] : [lines.join('\n')];
}

const commonNames = new Set(['q', 'tag', 'trashed', 'top', 'skip', 'after', 'count', 'order_by', 'expand']);

function methodText(method: Method): string {
  const parts = [
    docstring([method.summary, ...notes(method)], 8),
    ...(method.query.length === 0 ? [] : [queryText(method.query)]),
    sending(method),
  ];
  return `${signature(method)}\n${indented(parts.join('\n'), '    ')}\n`;
}

/** `confab/operations.py`. */
export function pythonOperations({ methods }: Model): string {
  return `# Made by \`npm run generate\` from the contract of the server.
"""A method for each operation."""

from __future__ import annotations

from typing import Any, BinaryIO, Literal, Sequence

from . import types
from ._options import CallOptions, Filter, Ref, joined, segment
from ._pages import Pages
from ._sender import Download, Sender


class Operations(Sender):
    """The operations of a server.

    A method takes the parameters of the path, then the body, then by name the query and the
    options. A list takes words to find (\`q\`), a \`tag\`, \`trashed\`, the size of a page (\`top\`), how
    many items to \`skip\`, the cursor of a page (\`after\`), whether to \`count\`, an order (\`order_by\`)
    and what items carry besides their flat fields (\`expand\`).
    """

${indented(methods.map(methodText).join('\n'), '    ')}`;
}
