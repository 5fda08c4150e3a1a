import { featureNames } from 'confab-contract/features.ts';
import { operationList, operations } from 'confab-contract/index.ts';
import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { textOf as jsonOf } from '../catalogue/fields.ts';
import { unreadableTexts } from '../catalogue/json-texts.ts';
import { refRows } from '../catalogue/refs.ts';
import type { Random } from '../harness/random.ts';
import type { Caller, Callers } from './callers.ts';
import { absentId, type Known, type Pool } from './pool.ts';
import { Queries } from './queries.ts';
import type { Request } from './servers.ts';
import { Texts } from './texts.ts';
import { escaped, type Text, textOf, valueFor } from './twins.ts';
import { drawUpload } from './uploads.ts';
import { Values } from './values.ts';
import { isDrawn, needed, weighted } from './weights.ts';

/** A request with its description. */
export type Planned = {
  /** The id of the operation, or a description of another request. */
  readonly name: string;
  readonly operation: Operation | undefined;
  readonly caller: Caller;
  readonly request: Request;
  /** The objects in its path. */
  readonly about: Known | undefined;
};

/** With fewer users who can act, some get tokens first. */
const peopleMin = 6;

const typesFor: { readonly [noun: string]: readonly string[] } = {
  comments: ['comments'],
  files: ['files'],
  posts: ['posts'],
  messages: ['chat', 'chat_room', 'private_chat'],
};
const kindOfCollection: { readonly [collection: string]: string } = {
  apps: 'app',
  blobs: 'blob',
  comments: 'comment',
  conversations: 'app',
  embeds: 'embed',
  erasures: 'erasure',
  files: 'file',
  imports: 'import',
  keys: 'apikey',
  meetings: 'meeting',
  messages: 'message',
  notifications: 'notification',
  options: 'option',
  posts: 'post',
  reactions: 'reaction',
  reports: 'report',
  webhooks: 'webhook',
};

/** The state of an import that an operation moves on. */
const movableStates: { readonly [operation: string]: string } = {
  runImport: 'ready',
  undoImport: 'finished',
};

/** Operations whose bodies hardly ever come out right when they are drawn. */
const intricate = new Set(['initApp', 'replaceModerationRules']);

/** Draws requests of every operation, about existing and missing objects, valid and invalid in many ways. */
export class Requests {
  readonly values: Values;
  readonly #texts: Texts;
  readonly #queries: Queries;
  readonly #random: Random;
  readonly #pool: Pool;
  readonly #callers: Callers;
  readonly #secondOneIn: number;
  /** How often each operation has succeeded. */
  readonly #successes = new Map<string, number>();
  /** The last request with an `Idempotency-Key`. */
  #keyed: Planned | undefined;
  #keys = 0;

  /** One of `secondOneIn` requests asks for the second form; none if that is 0. */
  constructor(options: {
    random: Random;
    pool: Pool;
    callers: Callers;
    receiverUrl: string;
    secondOneIn: number;
  }) {
    const { random, pool, callers } = options;
    this.#secondOneIn = options.secondOneIn;
    this.#random = random;
    this.#pool = pool;
    this.#callers = callers;
    this.#texts = new Texts(random, pool);
    this.values = new Values({ ...options, texts: this.#texts });
    this.#queries = new Queries(random, this.#texts, pool);
  }

  /** Records that a planned request succeeded. */
  succeeded(name: string): void {
    this.#successes.set(name, (this.#successes.get(name) ?? 0) + 1);
  }

  next(): Planned {
    const random = this.#random;
    if (random.oneIn(40)) {
      const link = this.#link();
      if (link !== undefined) return link;
    }
    if (random.oneIn(20) && this.#keyed !== undefined) return this.#keyed;
    return this.#of(this.#draw());
  }

  /** Of several drawn operations, occasionally the one that has succeeded least. */
  #draw(): Operation {
    const random = this.#random;
    if (this.#callers.people < peopleMin && random.oneIn(2)) return operations.issueToken;
    const drawn = () => random.draw(weighted);
    if (!random.oneIn(8)) return drawn();
    const some = Array.from({ length: 12 }, () => random.draw(needed));
    const successes = ({ id }: Operation) => this.#successes.get(id) ?? 0;
    return some.reduce((least, each) => (successes(each) < successes(least) ? each : least));
  }

  /** A request of an operation. */
  #of(operation: Operation): Planned {
    const random = this.#random;
    const about = this.#about(operation);
    const caller = this.#caller(operation, about);
    const headers: Record<string, Text> = { ...caller.headers };
    if (random.oneIn(12)) headers['prefer'] = 'handling=strict';
    // Its response may wait for another request.
    if (random.oneIn(25) && operation.id !== 'getCaller') headers['x-weavy-source'] = '@weavy/uikit-web';
    if (this.#secondOneIn > 0 && random.oneIn(this.#secondOneIn) && operation.id !== 'getCaller')
      headers['x-weavy-source'] = '@weavy/uikit-web@32.2.0';
    const path = textOf`${this.#path(operation, about)}${this.#queries.of(operation)}`;
    const isKeyed = takesIdempotencyKey(operation) && random.oneIn(6);
    // Now and then the key of another request.
    if (isKeyed && !random.oneIn(20)) this.#keys += 1;
    if (isKeyed) headers['idempotency-key'] = random.oneIn(60) ? 'no key' : `key-${this.#keys}`;
    let { method } = operation as { method: string };
    const at = (other: string) =>
      operationList.find((each) => each.path === operation.path && each.method === other);
    if (random.oneIn(150)) method = random.draw(['HEAD', 'PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS']);
    // One that takes time by itself, such as an examination, may end differently on a busy machine.
    if (!isDrawn(at(method) ?? operation)) ({ method } = operation);
    const body =
      method === 'GET' || method === 'HEAD' ? undefined : this.#body(operation, { caller, about }, headers);
    const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
    // Another method of the same path may be another operation.
    const sent = at(method);
    const planned = { name: sent?.id ?? 'other method', operation: sent, caller, request, about };
    if (isKeyed) this.#keyed = planned;
    return planned;
  }

  /** The target of an operation: an app of the right type, an entry of the right kind. */
  #about({ path, id }: Operation): Known | undefined {
    const [, , collection = '', parameter, noun = ''] = path.split('/');
    if (parameter === undefined || !parameter.startsWith('{')) return undefined;
    const kind =
      parameter === '{user}'
        ? 'user'
        : parameter === '{directory}'
          ? 'directory'
          : kindOfCollection[collection];
    if (kind === undefined) return undefined;
    if (path.includes('{delivery}')) return this.#webhookOfDelivery();
    // Never the key of the run.
    if (kind === 'apikey') return this.#pool.pick(kind, ({ by }) => by !== '');
    const state = movableStates[id];
    const isMovable = ({ fields }: Known) => fields['state'] === state;
    if (state !== undefined && !this.#random.oneIn(6))
      return this.#pool.pick(kind, isMovable) ?? this.#pool.pick(kind);
    const types =
      collection === 'conversations'
        ? typesFor['messages']
        : collection === 'apps'
          ? typesFor[noun]
          : undefined;
    if (this.#random.oneIn(15)) return this.#pool.pick(kind);
    // Operations that restore use trashed objects, others only seldom.
    const isTrashed = id.startsWith('restore') && !id.endsWith('Version');
    // An attachment is changed through its entry.
    const isFile = /^(?:update|trash|restore|delete)File|^(?:create|type)FileComment/.test(id);
    // Apps in which users may write; only members see a conversation as one.
    const isWriting = /^(?:create|type|add)/.test(id) && !this.#random.oneIn(6);
    const isTalk = collection === 'conversations';
    const versionMin = /^(?:delete|restore)FileVersion$/.test(id) ? 2 : 0;
    const fits = ({ fields }: Known) =>
      (!isWriting || fields['access'] === undefined || fields['access'] === 'write' || isTalk) &&
      (!isTalk || fields['is_unread'] !== undefined) &&
      Number(fields['version'] ?? 0) >= versionMin &&
      (types === undefined || types.includes(String(fields['type']))) &&
      (!isFile || (fields['parent'] as { type?: string } | undefined)?.type === 'app') &&
      (fields['is_trashed'] === true || fields['is_suspended'] === true) === isTrashed;
    const isOfType = ({ fields }: Known) => types?.includes(String(fields['type'])) === true;
    return this.#pool.pick(kind, fits) ?? this.#pool.pick(kind, isOfType) ?? this.#pool.pick(kind);
  }

  /** An existing webhook with known deliveries. */
  #webhookOfDelivery(): Known | undefined {
    const ids = new Set(this.#pool.all('delivery').map(({ within }) => within?.id.left));
    return this.#pool.pick('webhook', ({ id }) => ids.has(id.left));
  }

  /** The caller: occasionally a permitted one, where few are. */
  #caller(operation: Operation, about: Known | undefined): Caller {
    const isPersonal = /otification\b|Embed|Meeting|Blob/.test(operation.id);
    const isOwn = ['PATCH', 'DELETE'].includes(operation.method) || /^(?:trash|restore)/.test(operation.id);
    const random = this.#random;
    if (about === undefined || operation.caller === 'key' || random.oneIn(4))
      return this.#callers.of(operation);
    if (operation.caller === 'any' && random.oneIn(3)) return this.#callers.of(operation);
    const { user_id: person, created_by_id: author } = about.fields;
    const owner = this.#uidOf(person) ?? (about.by || this.#uidOf(author));
    const uploader = /^(?:create|update)File$/.test(operation.id) ? this.#pool.pick('blob')?.by : undefined;
    const readers = [...about.seenBy].filter((uid) => operation.caller !== 'user' || uid !== 'system');
    const uid = isPersonal || (isOwn && random.oneIn(2)) ? owner : (uploader ?? random.pick(readers));
    if (uid === 'system') return this.#callers.key;
    return this.#callers.user(uid) ?? this.#callers.of(operation);
  }

  #uidOf(id: unknown): string | undefined {
    const user = this.#pool.all('user').find((known) => known.id.left === id);
    return user === undefined ? undefined : String(user.fields['uid']);
  }

  #path({ path, params = {}, id }: Operation, about: Known | undefined): Text {
    let isFirst = true;
    return path.split(/(\{[a-z]+\})/).reduce<Text>((all, part) => {
      if (!part.startsWith('{')) return textOf`${all}${part}`;
      const name = part.slice(1, -1);
      const value = this.#parameter(name, {
        kind: params[name],
        about: isFirst || name !== 'user' ? about : undefined,
        id,
      });
      isFirst = false;
      return textOf`${all}${value}`;
    }, '');
  }

  #parameter(
    name: string,
    { kind, about, id }: { kind: string | undefined; about: Known | undefined; id: string },
  ): Text {
    const random = this.#random;
    const latest = Number(about?.fields['version'] ?? 1);
    if (random.oneIn(30)) return random.pick(refRows)?.text ?? '';
    if (name === 'delivery') {
      const delivery = this.#pool.pick('delivery', ({ within }) => within?.id.left === about?.id.left);
      return textOf`${delivery?.id ?? 1}`;
    }
    if (name === 'version')
      return String(random.oneIn(4) ? latest : random.integer(1, Math.max(latest - 1, 1)));
    if (name === 'set')
      return random.draw(['chat', 'comments', 'feeds', 'files', 'messenger', featureNames[0]]);
    if (about !== undefined && random.oneIn(25)) {
      const gone = this.#pool.pickGone(about.kind);
      if (gone !== undefined) return textOf`${gone}`;
    }
    if (/^upsert/.test(id) && random.oneIn(3)) return encodeURIComponent(this.values.freshUid(name));
    const known = about ?? (name === 'user' ? this.#pool.pick('user') : undefined);
    if (known === undefined) return `${absentId}`;
    if (kind === 'id' || (random.oneIn(2) && !/^upsert/.test(id))) return textOf`${known.id}`;
    return escaped(known.uid ?? known.id);
  }

  #body(
    operation: Operation,
    made: { caller: Caller; about: Known | undefined },
    headers: Record<string, Text>,
  ): Request['body'] {
    const random = this.#random;
    const { body: schema, upload, takesText } = operation;
    if (upload !== undefined) {
      const { type, bytes } = drawUpload(random, this.#texts);
      headers['content-type'] = type;
      return () => bytes;
    }
    if (takesText === true) {
      headers['content-type'] = 'text/plain';
      return () => '{"protocol":"json","version":1}\u001e';
    }
    const isNone = schema === undefined ? !random.oneIn(40) : random.oneIn(60);
    if (isNone) return undefined;
    headers['content-type'] = random.oneIn(80) ? 'text/plain' : 'application/json';
    if (random.oneIn(30)) {
      const text = random.draw(unreadableTexts);
      return () => text;
    }
    const purpose = { operation, ...made };
    const value =
      schema === undefined
        ? random.pick([{}, [], null, 5, { a: 1 }])
        : random.oneIn(6)
          ? this.values.spoilt(schema, purpose)
          : intricate.has(operation.id) && random.oneIn(2)
            ? operation.example
            : this.values.body(schema, purpose);
    return (side) => jsonOf(valueFor(value, side));
  }

  /** Loads an address from a response, as a browser does. */
  #link(): Planned | undefined {
    const random = this.#random;
    const { about, address } = this.#address() ?? {};
    if (about === undefined || address === undefined) return undefined;
    const headers: Record<string, Text> = {};
    if (random.oneIn(5))
      headers['range'] = random.pick(['bytes=0-3', 'bytes=2-', 'bytes=-4', 'bytes=9999-', 'bytes=x']) ?? '';
    const path = random.oneIn(8) ? textOf`${address}x` : random.oneIn(8) ? textOf`${address}&d=1` : address;
    return {
      name: 'signed address',
      operation: undefined,
      caller: this.#callers.key,
      request: { method: 'GET', path, headers },
      about,
    };
  }

  #address(): { about: Known; address: Text } | undefined {
    const kind = this.#random.draw(['file', 'file', 'blob', 'user']);
    const about = this.#pool.pick(kind, ({ addresses }) => addresses.length > 0);
    const address = this.#random.pick(about?.addresses ?? []);
    return about === undefined || address === undefined ? undefined : { about, address };
  }
}
