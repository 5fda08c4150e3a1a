import assert from 'node:assert/strict';
import { operationList, operations } from 'confab-contract/index.ts';
import { takesIdempotencyKey } from 'confab-contract/operation.ts';
import { type Caller, freshUid } from './server.ts';

/**
 * Sends operations with a word of its own in each text field that the contract gives their bodies. The fields come from
 * the schemas, so a field that is added to the contract has a word as well.
 */

/** A part of a schema, as far as it is read here. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
};

/** Fields whose text is chosen from what the server knows, with what they are. */
const chosen: { readonly [field: string]: string } = {
  '/type': 'a type of app or of conversation',
  '/directory': 'the name of a group of users',
  '/members/-': 'users',
  '/content': 'an emoji of a list',
  '/origin': 'a listed origin',
  '/return_to': 'an address of a listed origin',
  '/challenge': 'a hash that a page made',
  '/ticket': 'made by the server',
  '/code': 'made by the server',
  '/secret': 'made by the server',
  '/verifier': 'random',
  '/renewal_secret': 'made by the server',
  'updateVisitor /picture': 'an image, which is drawn anew',
};

const isChosen = (operation: string, at: string) =>
  at in chosen || `${operation} ${at}` in chosen || at.startsWith('/puzzle');

/** What a field gets whose words have a form. */
const forms: { readonly [field: string]: (word: string, site: string) => unknown } = {
  '/email': (word) => `${word}@example.com`,
  '/picture': (word, site) => `${site}${word}.png`,
  '/url': (word, site) => `${site}${word}`,
  '/link': (word, site) => `${site}${word}`,
  '/download': (word, site) => `${site}${word}`,
  '/embed': (word, site) => `${site}${word}`,
  '/media_type': (word) => `text/${word}`,
};

function isText({ type, enum: values, const: only, pattern, format }: Schema): boolean {
  const isString = type === 'string' || (Array.isArray(type) && type.includes('string'));
  return (
    isString && values === undefined && only === undefined && pattern === undefined && format !== 'date-time'
  );
}

/** Metadata, and the data of a provider: any JSON. */
function isFree({ type, format, description, properties, items, anyOf }: Schema): boolean {
  if (format === 'metadata') return true;
  const isShaped =
    type !== undefined || properties !== undefined || items !== undefined || anyOf !== undefined;
  return !isShaped && description !== undefined;
}

/** A word for the field at a pointer, and the site of addresses; undefined for a field whose text is chosen. */
type WordAt = (pointer: string) => readonly [word: string, site: string] | undefined;

/** An anchor's texts stand in selectors that go together, which a schema read field by field does not tell. */
function filledAnchor(at: string, word: WordAt): object | undefined {
  const key = word(`${at}/key`)?.[0];
  if (key === undefined) return undefined;
  const [exact, prefix, suffix] = ['exact', 'prefix', 'suffix'].map((name) => word(`${at}/${name}`)?.[0]);
  return { key, selector: [{ type: 'TextQuoteSelector', exact, prefix, suffix }] };
}

/** The words of a body: `word` is called once for each, with the pointer of its field. */
function filled(schema: Schema, at: string, word: WordAt): unknown {
  if (at === '/anchor') return filledAnchor(at, word);
  if (isFree(schema)) return { [word(at)?.[0] ?? '']: [word(at)?.[0]] };
  if (schema.properties !== undefined) {
    const inside = Object.entries(schema.properties).map(([name, each]) => [
      name,
      filled(each, `${at}/${name}`, word),
    ]);
    const known = inside.filter(([, value]) => value !== undefined);
    return known.length === 0 ? undefined : Object.fromEntries(known);
  }
  if (schema.items !== undefined) {
    const items = [1, 2].map(() => filled(schema.items as Schema, `${at}/-`, word));
    return items[0] === undefined ? undefined : items;
  }
  const text = [schema, ...(schema.anyOf ?? [])].find(isText);
  if (text === undefined) return undefined;
  const [made, site] = word(at) ?? [];
  if (made === undefined || site === undefined) return undefined;
  return forms[at]?.(made, site) ?? (text.format?.endsWith('-uid') ? `x-${made}` : made);
}

/** The operations whose bodies have a text field. */
export const textOperations: readonly string[] = operationList
  .filter(({ id, body, upload }) => {
    const found = filled((body ?? {}) as Schema, '', (at) => (isChosen(id, at) ? undefined : ['x', '']));
    return upload !== undefined || found !== undefined;
  })
  .map(({ id }) => id);

const letters = 'bcdfghjklmnpqrstvwxz';

/** Sends operations with words. */
export type TextSender = {
  /** What each word was sent as: the operation with the pointer of the field. */
  readonly words: ReadonlyMap<string, string>;
  /** The operations that were sent. */
  readonly sent: ReadonlySet<string>;
  /** A word that nothing else has; `origin` says what it is. */
  word(origin: string): string;
  /** Sends an operation with a word in each text field, `given` for the rest; returns the body of the answer. */
  send(by: Caller, id: string, params?: readonly (string | number)[], given?: object): Promise<any>;
  /** Uploads a file whose name and content are words. */
  upload(by: Caller): Promise<number>;
};

/** A sender whose addresses are of `site`, which ends with a slash. `name` keeps its words apart from those of others. */
export function textSender(name: string, site: () => string): TextSender {
  const words = new Map<string, string>();
  const sent = new Set<string>();
  function word(origin: string): string {
    let rest = words.size + 1;
    let made = '';
    // Numbers in letters, spread so that no word is a part of another: an index keeps the ends of words.
    for (let at = 0; at < 14; at += 1) {
      made += letters[(rest * 7 + at * 3 + name.charCodeAt(at % name.length)) % letters.length];
      rest = (rest * 48_271 + name.length) % 2_147_483_647;
    }
    assert.ok(!words.has(made), `a word came twice: ${made}`);
    words.set(made, origin);
    return made;
  }
  return {
    words,
    sent,
    word,
    async send(by, id, params = [], given = {}) {
      const operation = operations[id as keyof typeof operations];
      const rest = [...params];
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
      const schema = ('body' in operation ? operation.body : {}) as Schema;
      const texts = filled(schema, '', (at) =>
        isChosen(id, at) ? undefined : [word(`${id} ${at}`), site()],
      ) as object | undefined;
      const body = { ...texts, ...given };
      const headers: Record<string, string> = takesIdempotencyKey(operation)
        ? { 'idempotency-key': freshUid('key') }
        : {};
      const answer = await by.call(operation.method, path, body, { headers });
      assert.ok(answer.status < 300, `${id}: ${JSON.stringify(body)} ${answer.text}`);
      sent.add(id);
      return answer.body;
    },
    async upload(by) {
      const form = new FormData();
      const content = word('createBlob the content');
      form.set('blob', new Blob([content], { type: 'text/plain' }), `${word('createBlob the name')}.txt`);
      sent.add('createBlob');
      return (await by.create('/api/blobs', form)).id;
    },
  };
}
