import type { TSchema } from 'typebox';
import { ProblemBody } from '../contract/fields.ts';
import { type Operation, takesIdempotencyKey } from '../contract/operation.ts';
import { tagSentences } from './openapi.ts';
import { exampleOf } from './openapi-examples.ts';
import { createSchemas, nameOf, resolved, type Schema, type Schemas } from './openapi-schemas.ts';
import {
  callerText,
  commonCodesOf,
  commonStatuses,
  idempotencyWords,
  listParameters,
  ownStatusesOf,
  type Parameter,
  parametersOf,
  problemCodesOf,
  scopeWords,
} from './operation-facts.ts';
import { html, type Markup, prose } from './pages/html.ts';
import { typeText } from './pages/type-text.ts';

/** The reference of all operations as one page, from the same data as the routes and the OpenAPI document. */
export function referencePage(operations: readonly Operation[], url: string): Markup {
  const schemas = createSchemas();
  // The named schemas are complete only after all operations are rendered.
  for (const operation of operations)
    for (const schema of Object.values(operation.success)) if (schema !== null) schemas.use(schema);
  schemas.use(ProblemBody);
  const objects = schemas.named();
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return html`<div class="reference">
${contents(operations, tags, Object.keys(objects))}
<main>
<h1>Reference</h1>
${opening(url)}
${tags.map(
  (tag) => html`<section><h2 id="${tag}">${tag}</h2><p class="lead">${tagSentences[tag]}</p>
${operations.filter((each) => each.tag === tag).map((each) => article(each, schemas, url))}</section>`,
)}
${common()}
<section><h2 id="objects">Objects</h2><p class="lead">What the answers consist of. A property without a value is absent.</p>
${Object.entries(objects).map(([name, schema]) => object(name, schema))}</section>
</main>
</div>`;
}

function contents(
  operations: readonly Operation[],
  tags: readonly string[],
  objects: readonly string[],
): Markup {
  const groups = tags.map((tag) => {
    const items = operations
      .filter((each) => each.tag === tag)
      .map((each) => html`<li><a href="#${each.id}">${method(each)}${words(each.id)}</a></li>`);
    return html`<h2><a href="#${tag}">${tag}</a></h2><ul>${items}</ul>`;
  });
  return html`<nav class="contents" aria-label="Contents">
<h2>Basics</h2><ul><li><a href="#calling">Calling</a></li><li><a href="#lists">Lists</a></li><li><a href="#errors">Errors</a></li><li><a href="#server">The server itself</a></li></ul>
${groups}
<h2><a href="#objects">Objects</a></h2><ul>${objects.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>
</nav>`;
}

/** `createAppComment` as "Create app comment". */
function words(id: string): string {
  const text = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function method(operation: Operation): Markup {
  const short = operation.method === 'DELETE' ? 'DEL' : operation.method;
  return html`<span class="method ${operation.method.toLowerCase()}">${short}</span>`;
}

function opening(url: string): Markup {
  return html`<h2 id="calling">Calling</h2>
<p>${prose('Send `Authorization: Bearer` with every request, followed by an API key `wys_…` or an access token `wyu_…`. A key belongs to a server and manages everything, or what its scopes permit; a token acts as one user and is issued with a key, or signed by the identity provider of the host.')}</p>
<p>${prose('Content made with a key belongs to the built-in user `system`, or to the user whose id or uid the header `X-Confab-User` names. Bodies are JSON in UTF-8. Where a path or a body takes an *id or uid*, digits alone are an id.')}</p>
<p>${prose('On create, null is the same as absent. On PATCH and PUT an absent field keeps its value, null clears it, and an array replaces the one that was there. In objects and items inside a body null is always the same as absent. Properties that an operation does not know are ignored; with `Prefer: handling=strict` they are refused, at any depth.')}</p>
<pre><code>curl ${url}/api/apps -H "Authorization: Bearer $KEY"</code></pre>
<h2 id="retries">Retries</h2>
<p>${prose(idempotencyWords)}</p>
<pre><code>curl ${url}/api/apps/product-42/comments -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -H 'Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"' -d '{"text": "Once"}'</code></pre>`;
}

function common(): Markup {
  const rows = Object.entries(listParameters).map(([name, rest]) =>
    parameterRow({ name, in: 'query', required: false, ...rest }),
  );
  const shared = commonStatuses.map(
    (status) => html`<tr><th>${status}</th><td>${commonCodesOf(status).map(problemLink)}</td></tr>`,
  );
  return html`<section><h2 id="lists">Lists</h2>
<p>${prose('Every list takes these parameters beside its own. Names and sort fields match in any case and without underscores. A value out of range is clamped and one that cannot be read counts as absent; with `Prefer: handling=strict` both are a 400, as is any parameter that is unknown, with every operation. Every order ends with `id`, so pages do not overlap.')}</p>
<div class="table"><table class="fields">${rows}</table></div></section>
<section><h2 id="errors">Errors</h2>
<p>Every error is a <a href="#Problem">Problem</a> of the type <code>application/problem+json</code>. It names every field at fault at once; of more than 20 it lists the first 20 in <code>errors</code> and says in <code>more_errors</code> how many more there are. Beside the statuses of each operation, any request can meet one of these:</p>
<div class="table"><table class="codes statuses">${shared}</table></div></section>
<section><h2 id="server">The server itself</h2>
<div class="table"><table class="fields">
<tr><th><code>GET /healthz</code></th><td>200 while the process runs.</td></tr>
<tr><th><code>GET /readyz</code></th><td>200, or 503 while the store, the disk or the schema keeps it from serving. With an API key it names each check.</td></tr>
<tr><th><code>GET /version</code></th><td>The version of the interface for existing clients, as plain text.</td></tr>
<tr><th><code>GET /openapi.json</code></th><td>This reference as OpenAPI 3.1.</td></tr>
</table></div></section>`;
}

function article(operation: Operation, schemas: Schemas, url: string): Markup {
  const { id, path, summary, description, caller, list, body, upload } = operation;
  const parameters = parametersOf(operation, schemas).filter(
    ({ name, description: words }) => listParameters[name]?.description !== words,
  );
  const fields = body === undefined ? undefined : schemas.useBody({ ...operation, body });
  const _more = list === undefined ? '' : html` and the parameters of all <a href="#lists">lists</a>`;
  return html`<article id="${id}">
<h3 class="call">${method(operation)}<span>${path}<a class="anchor" href="#${id}" aria-label="Link to this operation">#</a></span></h3>
<p>${prose(summary)}${description === undefined ? undefined : html` ${prose(description)}`}</p>
<p class="soft">Called with ${callerText[caller]}${prose(scopeWords(operation))}.${takesIdempotencyKey(operation) ? html` Takes an <a href="#retries">Idempotency-Key</a>.` : undefined}</p>
${parameters.length + (list === undefined ? 0 : 1) === 0 ? undefined : html`<h4>Parameters</h4><div class="table"><table class="fields">${parameters.map(parameterRow)}</table></div>`}
${list === undefined ? undefined : html`<p class="soft">${parameters.length > 0 ? 'Besides these, the' : 'The'} parameters of all <a href="#lists">lists</a>.</p>`}
${fields === undefined ? undefined : html`<h4>Body</h4>${fieldTable(fields, schemas.named())}`}
${upload === undefined ? undefined : html`<h4>Body</h4><p>A form (<code>multipart/form-data</code>) with the file in its part <code>${upload.part}</code>.</p>`}
${operation.takesText === true ? html`<h4>Body</h4><p>Text (<code>text/plain</code>).</p>` : undefined}
<h4>Answers</h4>${answers(operation, schemas)}
${examples(operation, schemas, url)}
</article>`;
}

function parameterRow(parameter: Parameter): Markup {
  const { name, in: place, description } = parameter;
  const kind = html`${typeText(name === 'order_by' ? ascending(parameter.schema) : parameter.schema)}${place === 'path' ? html`, in the path` : undefined}`;
  return html`<tr><th><code>${name}</code></th><td>${kind}</td><td>${prose(description)}</td></tr>`;
}

/** The fields a list can be sorted by, without each one's descending spelling. */
function ascending(schema: Schema): Schema {
  return { ...schema, enum: (schema.enum as readonly string[]).filter((value) => !value.endsWith(' desc')) };
}

type Named = { readonly [name: string]: Schema };

function fieldTable(schema: Schema, named: Named): Markup {
  const target = resolved(schema, named);
  if (target.type === 'array') {
    const items = (target.items ?? {}) as Schema;
    const inner = resolved(items, named);
    const limit = target.maxItems === undefined ? '' : ` of at most ${target.maxItems} items`;
    return inner.properties === undefined
      ? html`<p>An array${limit}, each ${typeText(items)}.</p>`
      : html`<p>An array${limit}, each an object:</p>${fieldTable(inner, named)}`;
  }
  const required = (target.required ?? []) as readonly string[];
  const rows = Object.entries((target.properties ?? {}) as Named).map(
    ([name, property]) =>
      html`<tr><th><code>${name}</code>${required.includes(name) ? html` <span class="soft">required</span>` : undefined}</th><td>${typeText(property)}</td><td>${prose(String(property.description ?? ''))}</td></tr>`,
  );
  return html`<div class="table"><table class="fields">${rows}</table></div>`;
}

function problemLink(code: string): Markup {
  return html`<a href="/problems/${code}"><code>${code}</code></a> `;
}

function answers(operation: Operation, schemas: Schemas): Markup {
  const good = Object.entries(operation.success).map(
    ([status, schema]) =>
      html`<tr><th>${status}</th><td>${schema === null ? 'no body' : answerWords(schema, schemas)}</td></tr>`,
  );
  const bad = ownStatusesOf(operation).map(
    (status) =>
      html`<tr><th>${status}</th><td>${problemCodesOf(operation, status).map(problemLink)}</td></tr>`,
  );
  return html`<div class="table"><table class="codes statuses">${good}${bad}</table></div>`;
}

function answerWords(schema: TSchema, schemas: Schemas): Markup {
  return html`${typeText(schemas.use(schema))}`;
}

/** The request as a command to paste, and its response. */
function examples(operation: Operation, schemas: Schemas, url: string): Markup {
  const [schema] = Object.values(operation.success);
  const named = schemas.named();
  const answer =
    schema === null || schema === undefined || operation.media !== undefined
      ? undefined
      : JSON.stringify(exampleOf(schemas.use(schema), named), null, 2);
  return html`<div class="examples"><div><h4>Request</h4><pre><code>${curl(operation, url)}</code></pre></div>
${answer === undefined ? undefined : html`<div><h4>Answer</h4><pre><code>${answer}</code></pre></div>`}</div>`;
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

function object(name: string, schema: Schema): Markup {
  const isList = nameOf(((schema.properties as Named | undefined)?.data?.items ?? {}) as Schema);
  const fields = schema.type === 'array' ? html`<p>${typeText(schema)}.</p>` : fieldTable(schema, {});
  return html`<article id="${name}"><h3>${name}<a class="anchor" href="#${name}" aria-label="Link to this object">#</a></h3>
<p>${prose(String(schema.description ?? (isList === undefined ? '' : 'One page of a list.')))}</p>
${fields}</article>`;
}
