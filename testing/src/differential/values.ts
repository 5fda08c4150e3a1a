import { type AppType, appTypeNames } from 'confab-contract/apps.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { TSchema } from 'typebox';
import { fieldRows, RawNumber, unknownRows } from '../catalogue/fields.ts';
import { uidRows } from '../catalogue/uids.ts';
import type { Random } from '../harness/random.ts';
import type { Caller } from './callers.ts';
import { absentId, type Known, type Pool } from './pool.ts';
import { deliveryPaths, pagesMax } from './receiver.ts';
import { emoji, type Texts, tags } from './texts.ts';
import { type Text, textOf } from './twins.ts';

type Schema = TSchema & {
  type?: string | readonly string[];
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
};

/** What drawing a body needs. */
export type Purpose = {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly about?: Known | undefined;
};

/** The smallest picture, and bytes that only claim to be one. */
const dataPictures = [
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'data:image/png;base64,AAAA',
  'data:text/plain,x',
];
/** Keys of anchors, so few that threads share them. */
const anchorKeys = ['a', 'b', 'ä', 'B', '😀', 'cell 1'];
const names = [
  'Zoë',
  'zoe',
  'Ángel',
  'angel',
  'Ärzte',
  'O’Neill',
  '山田太郎',
  'Ünal',
  'Bob',
  'bob',
  'ÅSA',
  'Łukasz',
  '😀',
  ' x ',
];
const triggers = [
  'comments',
  'posts',
  'messages',
  'files',
  'reactions',
  'polls',
  'notifications',
  'conversations',
  'apps',
  'members',
  'comment_created',
  'app_updated',
  'nonsense',
];
/** What becomes of reports, one of them unknown. */
const decisions = ['keep', 'keep', 'keep', 'trash', 'trash', 'hold', 'suspend', 'delete'];
/** Numbers that a double keeps, in spellings that JavaScript does not write, and some that it changes. */
const numbers: readonly RawNumber[] = [
  '1e20',
  '1E+2',
  '1.50',
  '-0',
  '9007199254740994',
  '1180591620717411303424',
  '5e-324',
  '9007199254740993',
  '0.12345678901234567890123',
  '1e-400',
].map((text) => new RawNumber(text));

const jsonValues: readonly unknown[] = [
  ...numbers.slice(0, 7),
  1,
  0,
  -1,
  1.5,
  1e21,
  1e-7,
  true,
  false,
  null,
  '',
  'ü',
  '\u2028',
  [],
  {},
  [1, [2, [3]]],
  { a: { b: { c: 'd' } } },
  { '': 1 },
  '9007199254740993',
];

/** Draws bodies from the schemas of the contract, so that every property occurs. */
export class Values {
  readonly #random: Random;
  readonly #pool: Pool;
  readonly #texts: Texts;
  readonly #receiverUrl: string;
  #uids = 0;

  constructor(options: { random: Random; pool: Pool; texts: Texts; receiverUrl: string }) {
    this.#random = options.random;
    this.#pool = options.pool;
    this.#texts = options.texts;
    this.#receiverUrl = options.receiverUrl;
  }

  /** A body that should be accepted, as far as that depends on the body alone. */
  body(schema: TSchema, purpose: Purpose): unknown {
    const random = this.#random;
    const { type, properties, items, required = [] } = schema as Schema;
    if (type === 'array') {
      const length = random.integer(0, 4);
      return Array.from({ length }, () => this.#item(items, purpose));
    }
    const chance = random.integer(1, 5);
    const isClearing = purpose.operation.method === 'PATCH' || purpose.operation.method === 'PUT';
    const body: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties ?? {})) {
      const isRequired = required.includes(name);
      const isWanted = !random.oneIn(6) && this.#isWanted(name, purpose);
      if (!isRequired && !isWanted && !random.oneIn(chance)) continue;
      const isCleared = !isRequired && random.oneIn(isClearing ? 6 : 30);
      const value = isCleared ? null : this.#field(name, property, purpose);
      if (value !== undefined) body[name] = value;
    }
    return body;
  }

  /** Whether to include an optional field: an app that nobody may see should be the exception. */
  #isWanted(name: string, { operation }: Purpose): boolean {
    return name === 'access' || (operation.id === 'updateFile' && ['blob_id', 'backup'].includes(name));
  }

  #item(schema: Schema | undefined, purpose: Purpose): unknown {
    const user = this.#pool.pick('user');
    if (schema?.type === 'object') return this.body(schema, purpose);
    return this.#random.oneIn(2) ? (user?.uid ?? 'nobody') : textOf`${user?.id ?? absentId}`;
  }

  /** A body with a fault, or at least an oddity. */
  spoilt(schema: TSchema, purpose: Purpose): unknown {
    const random = this.#random;
    const body = this.body(schema, purpose);
    const properties = Object.keys((schema as Schema).properties ?? {});
    const name = random.pick(properties);
    if (name === undefined || Array.isArray(body))
      return random.pick([
        null,
        {},
        'x',
        5,
        [5],
        [null],
        [{}],
        [{ uid: 5 }],
        ['nobody'],
        [{ uid: 'nobody' }],
        [{ uid: '' }],
        [{ uid: null }],
        [{ id: random.pick([0, '1', -1, 1.5, new RawNumber('1e21')]) }],
        [{ uid: this.#pool.pick('user')?.id, access: null, colour: 'red' }],
        [{ access: 'all' }, {}, { uid: 'nobody', colour: 1 }],
        Array.from({ length: 1001 }, () => ({})),
      ]);
    const spoilt = body as Record<string, unknown>;
    const required = (schema as Schema).required ?? [];
    const kind = random.integer(1, 12);
    if (kind > 10) return this.#spoiltInside(schema as Schema, spoilt);
    if (kind === 1 && required.length > 0) delete spoilt[random.draw(required)];
    else if (kind <= 2)
      spoilt[name] = random.pick([null, 5, '5', true, [], {}, [[]], '', new RawNumber('1e400'), -1]);
    else if (kind === 3) {
      const row = random.pick(unknownRows);
      if (row !== undefined)
        Object.defineProperty(spoilt, row.field, { value: row.value, enumerable: true, configurable: true });
    } else if (name === 'uid') spoilt[name] = random.pick(uidRows)?.uid;
    else {
      const rows = fieldRows.filter(({ field, name: row }) => field === name && !/15,000|300,000/.test(row));
      spoilt[name] =
        rows.length === 0
          ? random.pick([5, '', 'x'.repeat(5000), { a: 1 }, '\ud800'])
          : random.pick(rows)?.value;
    }
    return spoilt;
  }

  /** A body with faults or oddities in several fields, or inside one of them. */
  #spoiltInside(schema: Schema, body: Record<string, unknown>): unknown {
    const random = this.#random;
    const odd = () =>
      random.pick([
        null,
        5,
        'false',
        '',
        [],
        {},
        [{}],
        [null],
        ['', ''],
        Array.from({ length: 60 }, () => ({})),
        { a: random.pick(numbers) },
      ]);
    for (const [name, { type, properties }] of Object.entries(schema.properties ?? {})) {
      if (!random.oneIn(3)) continue;
      const inner = body[name];
      if (type === 'object' && properties !== undefined && typeof inner === 'object' && inner !== null) {
        const members = inner as Record<string, unknown>;
        members[random.draw([...Object.keys(properties), 'colour', 'is_suspended'])] = odd();
      } else if (name === 'options' && Array.isArray(inner) && inner.length > 0)
        Object.assign(
          inner[0],
          random.pick([{ text: null }, { id: null }, { text: ' a ' }, { text: ' ' }, { colour: 1 }]),
        );
      else body[name] = odd();
    }
    return body;
  }

  /** An unused uid. */
  freshUid(prefix: string): string {
    this.#uids += 1;
    const letter = this.#random.draw(['', 'A', 'z', 'ä', 'é', '日', '😀', '_', '-', '½']);
    return `${letter}${prefix}-${this.#uids}`;
  }

  #field(name: string, schema: Schema, purpose: Purpose): unknown {
    const random = this.#random;
    const { operation } = purpose;
    if (name === 'anchor') return schema.type === 'object' ? this.#anchor() : random.pick(anchorKeys);
    const known = this.#named(name, purpose);
    if (known !== undefined) return known.value;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    if (schema.type === 'boolean') return random.oneIn(2);
    if (schema.type === 'integer')
      return random.integer(Math.max(schema.minimum ?? 0, 1), Math.min(schema.maximum ?? 500, 500));
    if (schema.type === 'object') return this.body(schema, purpose);
    if (schema.type === 'string' || schema.type === undefined) return this.#texts.words(2).slice(0, 30);
    throw new Error(`nothing is known to send as ${name} of ${operation.id}`);
  }

  /** A value for a field with a meaningful name; undefined for any other field. */
  #named(name: string, purpose: Purpose): { value: unknown } | undefined {
    const random = this.#random;
    const { operation, caller, about } = purpose;
    const made: { readonly [field: string]: () => unknown } = {
      action: () => random.pick(operation.id === 'resolveReport' ? decisions : triggers),
      after: () => this.#pool.pick('delivery')?.id,
      event_id: () => this.#pool.pick('event')?.id,
      since: () => this.#pool.pick('event')?.fields['timestamp'],
      status_code: () => random.pick([202, 204, 410]),
      until: () => this.#pool.pick('event')?.fields['timestamp'],
      app: () => this.#pool.pick('app')?.id,
      rules: () => [],
      user: () => this.#someUser(),
      access: () => random.pick(['none', 'read', 'write', 'write', 'write', 'write', 'write']),
      attachments: () => this.#someOf(about?.fields['attachments']),
      backup: () => !random.oneIn(4),
      blob_id: () => this.#own('blob', caller)?.id,
      blobs: () => this.#some(3, () => this.#own('blob', caller)?.id),
      content: () => random.pick(emoji),
      description: () => this.#texts.words(20),
      directory: () => this.#directory(),
      embed_id: () => this.#own('embed', caller)?.id,
      expires_at: () => random.pick(['2099-12-31T23:59:59Z', '2020-01-01T00:00:00Z']),
      scopes: () => [random.pick(['read', 'apps', 'all'])],
      expires_in: () => random.pick([60, 3600, 86_400, 2_592_000]),
      id: () => this.#pool.pick('user')?.id,
      key: () => this.#some(3, () => random.pick(anchorKeys)),
      link: () => `https://files.example.com/${encodeURIComponent(this.#texts.word())}`,
      meeting_id: () => this.#own('meeting', caller)?.id,
      reply_to: () => this.#pool.pick('comment', ({ fields }) => fields['app_id'] === about?.id.left)?.id,
      origins: () =>
        this.#some(2, () => random.pick(['https://a.example', 'http://b.example:8080', 'c.example'])),
      sign_in: () => this.#some(2, () => random.pick(['guest', 'guest', 'email'])),
      members: () => [this.#someUser(), ...this.#some(2, () => this.#someUser())],
      metadata: () => this.#metadata(),
      name: () => this.#name(operation),
      options: () => this.#options(about),
      overlap_seconds: () => random.pick([0, 0, 60, 3600, 86_400]),
      payload_url: () => `${this.#receiverUrl}${random.pick(deliveryPaths)}`,
      picture: () => this.#picture(caller),
      provider: () =>
        operation.id === 'createMeeting' ? random.pick(['jitsi', 'jitsi', 'zoom']) : this.#texts.words(2),
      raw: () => random.pick(jsonValues),
      secret: () => random.pick(['a secret', `whsec_${'A'.repeat(32)}`, 'ключ']),
      tags: () => this.#some(4, () => random.pick(tags)),
      text: () => this.#texts.text(),
      triggers: () => [random.pick(triggers), random.pick(triggers)],
      type: () => this.#type(operation),
      uid: () => this.#uid(operation),
      url: () =>
        `${this.#receiverUrl}/${random.pick(['page', 'page', 'page', 'picture', 'moved', 'nothing'])}/${random.integer(1, pagesMax)}`,
    };
    const make = made[name];
    return make === undefined ? undefined : { value: make() };
  }

  #some<T>(most: number, draw: () => T | undefined): T[] {
    const drawn = Array.from({ length: this.#random.integer(0, most) }, draw);
    return [...new Set(drawn.filter((item) => item !== undefined))];
  }

  #someOf(shown: unknown): unknown[] {
    const ids = Array.isArray(shown) ? shown.map((each: { id: number }) => each.id) : [];
    const files = this.#pool.all('file').filter(({ id }) => ids.includes(id.left));
    return files.filter(() => !this.#random.oneIn(3)).map(({ id }) => id);
  }

  /** An object that the caller created and may use. An upload is used once. */
  #own(kind: string, { uid, isKey }: Caller): Known | undefined {
    if (this.#random.oneIn(20)) return this.#pool.pick(kind);
    const own = this.#pool.pick(kind, ({ by }) => by !== '' && (isKey || by === uid));
    if (own !== undefined && kind === 'blob') this.#pool.forget(own);
    return own;
  }

  #someUser(): Text | number | Known['id'] {
    const user = this.#pool.pick('user');
    if (this.#random.oneIn(20)) return 'nobody';
    return this.#random.oneIn(2) ? (user?.id ?? absentId) : (user?.uid ?? '');
  }

  #directory(): Text {
    const known = this.#pool.pick('directory');
    if (this.#random.oneIn(12)) return this.#random.oneIn(2) ? `${absentId}` : this.freshUid('directory');
    return this.#random.oneIn(2) ? textOf`${known?.id ?? absentId}` : (known?.uid ?? 'none');
  }

  #picture(caller: Caller): unknown {
    const random = this.#random;
    if (random.oneIn(2)) return this.#own('blob', caller)?.id ?? absentId;
    return random.oneIn(2)
      ? random.pick(dataPictures)
      : `https://pictures.example.com/${random.integer(1, 9)}.png`;
  }

  #anchor(): unknown {
    const random = this.#random;
    const exact = this.#texts.words(3);
    return random.pick([
      { key: random.pick(anchorKeys) },
      { key: random.pick(anchorKeys), selector: [{ type: 'TextQuoteSelector', exact, prefix: 'a ' }] },
      { selector: [{ type: 'TextPositionSelector', start: 1, end: random.integer(0, 9) }] },
    ]);
  }

  #metadata(): Record<string, unknown> {
    const entries = this.#some(3, () => this.#texts.word()).map((name) => [
      name,
      this.#random.pick(jsonValues),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  #name({ id }: Operation): unknown {
    const random = this.#random;
    if (/Directory$/.test(id))
      return random.oneIn(5) ? (this.#pool.pick('directory')?.uid ?? 'x') : this.freshUid('directory');
    if (/File$|Blob$/.test(id))
      return `${this.#texts.word()}.${random.pick(['txt', 'pdf', 'png', 'md', 'ts', 'bin'])}`;
    return random.oneIn(2) ? random.pick(names) : this.#texts.words(3);
  }

  #options(about: Known | undefined): unknown[] {
    const random = this.#random;
    const shown = about?.fields['options'];
    const kept = (Array.isArray(shown) ? shown : []).flatMap(({ id }: { id: number }) => {
      const option = this.#pool.all('option').find((known) => known.id.left === id);
      return option === undefined || random.oneIn(4) ? [] : [{ id: option.id, text: this.#texts.words(2) }];
    });
    return [...kept, ...this.#some(3, () => ({ text: this.#texts.words(2) }))];
  }

  #type({ id }: Operation): string {
    const random = this.#random;
    if (id === 'createConversation')
      return random.oneIn(8) ? 'chat' : random.draw(['private_chat', 'chat_room']);
    const type = random.draw([...appTypeNames, 'comments', 'files', 'posts'] as const);
    if (random.oneIn(20))
      return random.draw(['88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd', 'COMMENTS', 'nonsense']);
    return type satisfies AppType;
  }

  #uid({ id }: Operation): unknown {
    const random = this.#random;
    const kind = /User$|Member/.test(id) ? 'user' : 'app';
    const isTaken = /Member/.test(id) ? !random.oneIn(12) : random.oneIn(8);
    // A drawn uid stays reserved for its object.
    const taken = this.#pool.pick(kind, ({ uid }) => typeof uid === 'string')?.uid;
    return isTaken ? taken : this.freshUid(kind);
  }
}
