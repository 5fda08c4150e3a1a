import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { operationsInSecondForm, secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { inSecondForm } from 'confab-contract/second-form/schemas.ts';
import { ownStatusesOf } from '../src/http/openapi/operation-facts.ts';
import { createSchemas, nameOf, type Schema } from '../src/http/openapi/schemas.ts';
import { eventsInBothForms } from './events-in-both-forms.ts';

type Named = { readonly [name: string]: Schema };
type Properties = { readonly [property: string]: Schema };

/** The named schemas of the answers of some operations. */
function schemasOf(operations: readonly Operation[], isSecond: boolean): Named {
  const schemas = createSchemas();
  // The log has the first form for everybody.
  for (const { success } of operations.filter(({ tag }) => tag !== 'Events' && tag !== 'Webhooks'))
    for (const schema of Object.values(success))
      if (schema !== null) schemas.use(isSecond ? inSecondForm(schema) : schema);
  return schemas.named();
}

/** What a property is, in a few words. */
function wordsOf(property: Schema | undefined): string {
  if (property === undefined) return '–';
  const name = nameOf(property);
  if (name !== undefined) return name;
  const { type, items, properties } = property as Schema & { items?: Schema; properties?: Properties };
  if (type === 'array') return `array of ${wordsOf(items)}`;
  if (type !== 'object') return String(type ?? 'text');
  const names = Object.keys(properties ?? {});
  return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`;
}

/** The table of fields that are not the same in both forms. */
function fieldRows(): string[] {
  const first = schemasOf(operationList, false);
  const second = schemasOf(operationsInSecondForm(), true);
  const owners = new Map<string, string[]>();
  for (const [name, { properties = {} }] of Object.entries(second)) {
    if (first[name] === undefined || name.endsWith('List')) continue;
    const before = (first[name].properties ?? {}) as Properties;
    for (const [field, property] of Object.entries(properties as Properties)) {
      if (JSON.stringify(before[field]) === JSON.stringify(property)) continue;
      const { description = '' } = property as { description?: string };
      const row = `| \`${field}\` | ${wordsOf(before[field])} | ${wordsOf(property)} | ${description} |`;
      owners.set(row, [...(owners.get(row) ?? []), name]);
    }
  }
  return [...owners].map(([row, names]) => `| ${names.join(', ')} ${row}`);
}

function statusesOf(operation: Operation): string {
  return [...Object.keys(operation.success).map(Number), ...ownStatusesOf(operation)].join(', ');
}

/** The table of requests that are not the same in both forms. */
function requestRows(): string[] {
  return secondFormOperationList.map((operation) => {
    const { method, path, summary, replaces } = operation;
    const first = operationList.find((each) => each.method === method && each.path === path);
    const before = replaces === true && first !== undefined ? statusesOf(first) : 'as in the second';
    return `| \`${method} ${path}\` | ${before} | ${statusesOf(operation)} | ${summary} |`;
  });
}

/** The table of events that are not the same in both forms; those with the same difference share a row. */
function eventRows(): string[] {
  const actions = new Map<string, string[]>();
  for (const { action, second, inFirst, inSecond } of eventsInBothForms('whole')) {
    const name = second === action ? `\`${action}\`` : `\`${action}\`, which is \`${second}\``;
    const beside = differences(inFirst, inSecond, (before) => before === undefined);
    const otherwise = differences(inFirst, inSecond, (before) => before !== undefined);
    const row = `${beside} | ${otherwise}`;
    actions.set(row, [...(actions.get(row) ?? []), name]);
  }
  return [...actions].map(([row, names]) => `| ${names.join(', ')} | ${row} |`);
}

type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an event, and of what it is about, that are other in the second form and were in the first as `fits` says. */
function differences(first: Fields, second: Fields, fits: (before: unknown) => boolean): string {
  const names = Object.entries(second).flatMap(([name, value]) => {
    const before = first[name];
    if (isFields(before) && isFields(value))
      return changed(before, value)
        .filter((field) => fits(before[field]))
        .map((field) => `${name}.${field}`);
    return JSON.stringify(before) !== JSON.stringify(value) && fits(before) ? [name] : [];
  });
  return names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
}

/** The fields of one object that another has not, or has otherwise. */
function changed(before: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** The guide of the second form, with tables from the contract. */
export function secondFormPage(): string {
  return `${[
    '<!-- Made by `npm run generate` from contract/src/ and server/generate/second-form-page.ts. -->',
    '',
    '# Newer reference clients',
    '',
    'Confab answers in two forms. The first is that of the specification: that is what your own requests get. The second is',
    'what the web components `@weavy/uikit-web` and `@weavy/uikit-react` expect from version 23 on; `npm install` gives you',
    'version 32. You need to do nothing for it: the components ask for it themselves.',
    '',
    '## How to ask for it',
    '',
    'Send the header `X-Weavy-Source` with the name and the version of the client:',
    '',
    '```sh',
    'curl https://comments.example.com/api/user -H "Authorization: Bearer $TOKEN" \\',
    "  -H 'X-Weavy-Source: @weavy/uikit-web@32.2.0'",
    '```',
    '',
    'A major version of 23 or more gets the second form, and a later one than 32 what 32 gets. Without the header, with an',
    'older version, or with something that is not a version, everything is in the first form, byte for byte. The same holds',
    'for requests without a credential. Both clients can work in one app at the same time; each gets its own form.',
    '',
    'The second form is described for programs in [openapi-second-form.json](/openapi-second-form.json), and the first in',
    '[openapi.json](/openapi.json).',
    '',
    '## What is the same',
    '',
    '- Rights, errors, limits, `Idempotency-Key` and strict mode. A key that was used in one form is refused in the other,',
    '  because the answer would not be the same.',
    '- The log and webhooks, which always have the first form.',
    '- Entity tags work in both forms; a form has its own, and `Vary` names the header.',
    '',
    '## Fields',
    '',
    'The second form has all fields of the first. These stand beside them, or in the place of one with the same name:',
    '',
    '| Object | Field | First form | Second form | Meaning |',
    '|---|---|---|---|---|',
    ...fieldRows(),
    '',
    '## Requests',
    '',
    'These requests are answered otherwise in the second form, or exist for it. One that does not replace another can be sent',
    'by everybody, and its answer has the form of the request.',
    '',
    '| Request | Statuses in the first form | In the second | What it does |',
    '|---|---|---|---|',
    ...requestRows(),
    '',
    '## Live events',
    '',
    'A live connection gets the form of its client, so two people in one app can each have another one. An event has what the',
    'first form has, and:',
    '',
    '| Event | Fields beside those of the first form | Fields that are otherwise |',
    '|---|---|---|',
    ...eventRows(),
    '',
    'The notice `typing` has the names of its actor beside the others, and `online` is the same in both. Of people other than',
    'the actor an event has only the ids; a client that shows their names asks for the item.',
  ].join('\n')}\n`;
}
