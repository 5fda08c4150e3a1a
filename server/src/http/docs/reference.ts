import { ProblemBody } from 'confab-contract/fields.ts';
import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { resourceOf } from 'confab-contract/representations.ts';
import { exampleOf } from '../openapi/examples.ts';
import {
  callerText,
  commonCodesOf,
  commonStatuses,
  headerStatusesOf,
  idempotencyWords,
  ifMatchWords,
  ifNoneMatchWords,
  listParameters,
  minimalWords,
  ownStatusesOf,
  type Parameter,
  parametersOf,
  problemCodesOf,
  scopeWords,
} from '../openapi/operation-facts.ts';
import { createSchemas, nameOf, resolved, type Schema, type Schemas } from '../openapi/schemas.ts';
import { tagSentences } from '../openapi/tags.ts';
import type { Source } from './markdown.ts';
import { typeText } from './type-text.ts';

type Named = { readonly [name: string]: Schema };

/**
 * The reference as Markdown: what all operations have in common, a page for each group, and the objects. It is made from
 * the same data as the routes and the OpenAPI document. An operation has its id as its anchor, and an object its name.
 */
export function referenceSources(operations: readonly Operation[], url: string): Source[] {
  const schemas = createSchemas();
  // The named schemas are complete only after all operations are rendered.
  for (const operation of operations)
    for (const schema of Object.values(operation.success)) if (schema !== null) schemas.use(schema);
  schemas.use(ProblemBody);
  const groups = tagsOf(operations).map((tag) => ({
    path: referencePath(tag),
    markdown: page(tag, tagSentences[tag] ?? '', [
      ...operations.filter((each) => each.tag === tag).map((each) => article(each, schemas, url)),
    ]),
  }));
  const objects = Object.entries(schemas.named()).map(([name, schema]) => object(name, schema));
  return [
    { path: referencePath('basics'), markdown: page('Basics', basicsSentence, basics(url)) },
    ...groups,
    { path: objectsPath, markdown: page('Objects', objectsSentence, objects) },
  ];
}

const basicsSentence = 'What all operations have in common.';
const objectsSentence = 'What the answers consist of. A property without a value is absent.';

/** The paths of `referenceSources`, in the same order, without rendering them. */
export function referencePaths(operations: readonly Operation[]): string[] {
  return ['basics', ...tagsOf(operations), 'objects'].map(referencePath);
}

/** Where the objects are described. */
export const objectsPath = referencePath('objects');

function tagsOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.map(({ tag }) => tag))];
}

function referencePath(group: string): string {
  return `/docs/reference/${group.toLowerCase()}`;
}

function page(title: string, sentence: string, parts: readonly string[]): string {
  return `${[`# ${title}`, sentence, ...parts].join('\n\n')}\n`;
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A table; `|` in a cell is escaped, also inside code (GFM). */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** `createAppComment` as "Create app comment". */
function words(id: string): string {
  const text = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function basics(url: string): string[] {
  const parameters = Object.entries(listParameters).map(([name, rest]) =>
    parameterRow({ name, in: 'query', required: false, ...rest }),
  );
  return [
    '## Calling',
    'Send `Authorization: Bearer` with every request, followed by an API key `wys_…` or an access token `wyu_…`. A key belongs to a server and manages everything, or what its scopes permit; a token acts as one user and is issued with a key, or signed by the identity provider of the host.',
    'Content made with a key belongs to the built-in user `system`, or to the user whose id or uid the header `X-Confab-User` names. Bodies are JSON in UTF-8. Where a path or a body takes an *id or uid*, digits alone are an id.',
    'On create, null is the same as absent. On PATCH and PUT an absent field keeps its value, null clears it, and an array replaces the one that was there. In objects and items inside a body null is always the same as absent. Properties that an operation does not know are ignored; with `Prefer: handling=strict` they are refused, at any depth.',
    code('sh', `curl ${url}/api/apps -H "Authorization: Bearer $KEY"`),
    '## Retries',
    idempotencyWords,
    code(
      'sh',
      `curl ${url}/api/apps/product-42/comments -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -H 'Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"' -d '{"text": "Once"}'`,
    ),
    '## Versions',
    'The answer with one thing has an `ETag`, and so has the answer to a change that shows it, except to PUT. It is the tag of what the caller sees, who may see more or less than others.',
    `\`If-None-Match\`: ${ifNoneMatchWords}`,
    `\`If-Match\`: ${ifMatchWords}`,
    code(
      'sh',
      `curl -i ${url}/api/comments/17 -H "Authorization: Bearer $TOKEN"
curl -X PATCH ${url}/api/comments/17 -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -H "If-Match: $ETAG" -d '{"text": "Only if nobody else has edited it"}'`,
    ),
    `\`Prefer\`: ${minimalWords} \`Preference-Applied\` then says so.`,
    '## Lists',
    'Every list takes these parameters in addition to its own. Names and sort fields match in any case and without underscores. A value out of range is clamped, and an invalid value counts as absent; with `Prefer: handling=strict` both are a 400, as is any parameter that is unknown, with every operation. Every order ends with `id`, so pages do not overlap.',
    table(parameterHead, parameters),
    '## Errors',
    'Every error is a [Problem](objects.md#Problem) of the type `application/problem+json`. It names every field at fault at once; of more than 20 it lists the first 20 in `errors` and says in `more_errors` how many more there are. Beside the statuses of each operation, any request can meet one of these:',
    table(
      ['Status', 'Problem'],
      commonStatuses.map((status) => [`${status}`, commonCodesOf(status).map(problemLink).join(' ')]),
    ),
    '## The server itself {#server}',
    table(
      ['Request', 'Answer'],
      [
        ['`GET /healthz`', '200 while the process runs.'],
        [
          '`GET /readyz`',
          '200, or 503 while the store, the disk or the schema keeps it from serving. With an API key it names each check.',
        ],
        ['`GET /version`', 'The version of the interface for existing clients, as plain text.'],
        ['`GET /openapi.json`', 'This reference as OpenAPI 3.1.'],
        [
          '`GET /openapi-second-form.json`',
          'The second form as OpenAPI 3.1: what is answered to version 23 and later of the reference client.',
        ],
      ],
    ),
  ];
}

function article(operation: Operation, schemas: Schemas, url: string): string {
  const { id, path, summary, description, caller, list, body, upload } = operation;
  const parameters = parametersOf(operation, schemas).filter(
    ({ name, description: about }) => listParameters[name]?.description !== about,
  );
  const bodyWords =
    body !== undefined
      ? fieldTable(schemas.useBody({ ...operation, body }), schemas.named())
      : upload !== undefined
        ? `A form (\`multipart/form-data\`) with the file in its part \`${upload.part}\`.`
        : operation.takesText === true
          ? 'Text (`text/plain`).'
          : undefined;
  const retries = takesIdempotencyKey(operation) ? ' Takes an [Idempotency-Key](basics.md#retries).' : '';
  const visitors =
    operation.visitors !== undefined
      ? ' Without a credential it answers for apps that are [open to visitors](../visitors.md).'
      : operation.signedIn !== undefined
        ? ' [Visitors](../visitors.md) who have signed in may call it.'
        : '';
  const versions = resourceOf(operation) === undefined ? '' : ' Takes [If-Match](basics.md#versions).';
  return [
    `## ${words(id)} {#${id}}`,
    code('http', `${operation.method} ${path}`),
    description === undefined ? summary : `${summary} ${description}`,
    `Called with ${callerText[caller]}${scopeWords(operation)}.${visitors}${retries}${versions}`,
    ...(parameters.length === 0
      ? []
      : ['**Parameters**', table(parameterHead, parameters.map(parameterRow))]),
    ...(list === undefined
      ? []
      : [
          `${parameters.length > 0 ? 'Besides these, the' : 'The'} parameters of all [lists](basics.md#lists).`,
        ]),
    ...(bodyWords === undefined ? [] : ['**Body**', bodyWords]),
    '**Answers**',
    answers(operation, schemas),
    ...examples(operation, schemas, url),
  ].join('\n\n');
}

const parameterHead = ['Parameter', 'Type', 'Meaning'];

function parameterRow(parameter: Parameter): string[] {
  const { name, in: place, description } = parameter;
  const kind = typeText(name === 'order_by' ? ascending(parameter.schema) : parameter.schema);
  return [`\`${name}\``, place === 'path' ? `${kind}, in the path` : kind, description];
}

/** The fields a list can be sorted by, without each one's descending spelling. */
function ascending(schema: Schema): Schema {
  return { ...schema, enum: (schema.enum as readonly string[]).filter((value) => !value.endsWith(' desc')) };
}

function fieldTable(schema: Schema, named: Named): string {
  const target = resolved(schema, named);
  if (target.type === 'array') {
    const items = (target.items ?? {}) as Schema;
    const inner = resolved(items, named);
    const limit = target.maxItems === undefined ? '' : ` of at most ${target.maxItems} items`;
    return inner.properties === undefined
      ? `An array${limit}, each ${typeText(items)}.`
      : `An array${limit}, each an object:\n\n${fieldTable(inner, named)}`;
  }
  const required = (target.required ?? []) as readonly string[];
  const rows = Object.entries((target.properties ?? {}) as Named).map(([name, property]) => [
    required.includes(name) ? `\`${name}\` required` : `\`${name}\``,
    typeText(property),
    String(property.description ?? ''),
  ]);
  return table(['Field', 'Type', 'Meaning'], rows);
}

function problemLink(name: string): string {
  return `[\`${name}\`](/problems/${name})`;
}

function answers(operation: Operation, schemas: Schemas): string {
  const good = Object.entries(operation.success).map(([status, schema]) => [
    status,
    schema === null ? 'no body' : typeText(schemas.use(schema)),
  ]);
  const byHeader = Object.entries(headerStatusesOf(operation)).map(([status, meaning]) => [status, meaning]);
  const bad = ownStatusesOf(operation).map((status) => [
    `${status}`,
    problemCodesOf(operation, status).map(problemLink).join(' '),
  ]);
  return table(['Status', 'Body or problem'], [...good, ...byHeader, ...bad]);
}

/** The request as a command to paste, and its response. */
function examples(operation: Operation, schemas: Schemas, url: string): string[] {
  const [schema] = Object.values(operation.success);
  const request = ['**Request**', code('sh', curl(operation, url))];
  if (schema === null || schema === undefined || operation.media !== undefined) return request;
  const answer = exampleOf(schemas.use(schema), schemas.named());
  return [...request, '**Answer**', code('json', JSON.stringify(answer, null, 2))];
}

const pathExamples: { readonly [name: string]: string } = {
  app: 'product-42',
  user: 'ada',
  directory: 'acme',
};

function curl(operation: Operation, url: string): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathExamples[name] ?? '17');
  const secret = operation.caller === 'user' ? '$TOKEN' : '$KEY';
  const { method: verb, caller, upload, example } = operation;
  return [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}${url}${path}`,
    ...(caller === 'anyone' ? [] : [`-H "Authorization: Bearer ${secret}"`]),
    ...(upload === undefined ? [] : [`-F ${upload.part}=@picture.png`]),
    ...(example === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

function object(name: string, schema: Schema): string {
  const isList =
    nameOf(((schema.properties as Named | undefined)?.data?.items ?? {}) as Schema) !== undefined;
  const fields = schema.type === 'array' ? `${typeText(schema)}.` : fieldTable(schema, {});
  const about = String(schema.description ?? (isList ? 'One page of a list.' : ''));
  return [`## ${name} {#${name}}`, ...(about === '' ? [] : [about]), fields].join('\n\n');
}
