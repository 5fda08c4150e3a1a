import type { Operation } from 'confab-contract/operation.ts';
import { compressedBytesMin } from 'confab-server/src/http/answers/compression.ts';
import type { TSchema } from 'typebox';
import { excludedBodies, excludedHeaders, excludedProperties, excludedTexts } from './exclusions.ts';
import type { Identities } from './identities.ts';
import type { Answer } from './servers.ts';
import { type Pair, sides, Twin } from './twins.ts';

/** Two corresponding places of two responses that differ. */
export type Finding = { readonly where: string; readonly left: string; readonly right: string };

/** An object with an id that both servers showed. */
export type Shown = { readonly kind: string; readonly id: Twin<number>; readonly fields: Pair<Fields> };
/** An object in a response. */
export type Fields = { readonly [name: string]: unknown };

/** The kind of the objects of a property, where it is always the same. */
const kindUnder: { readonly [property: string]: string } = {
  actor: 'user',
  app: 'app',
  arguments: 'event',
  attachments: 'file',
  author: 'user',
  blob: 'blob',
  comment: 'comment',
  conversation: 'app',
  created_by: 'user',
  delivery: 'delivery',
  directories: 'directory',
  directory: 'directory',
  embed: 'embed',
  file: 'file',
  import: 'import',
  last_message: 'message',
  match: 'match',
  meeting: 'meeting',
  member: 'user',
  members: 'user',
  message: 'message',
  modified_by: 'user',
  notification: 'notification',
  option: 'option',
  options: 'option',
  payload: 'event',
  picture: 'blob',
  post: 'post',
  reaction: 'reaction',
  reactions: 'reaction',
  replies: 'comment',
  report: 'report',
  resolved_by: 'user',
  updated_by: 'user',
  user: 'user',
  voters: 'user',
  votes: 'user',
  webhook: 'webhook',
};

/** The kind whose ids a numeric property contains. */
const kindOfNumber: { readonly [property: string]: string } = {
  actor_id: 'user',
  app_id: 'app',
  author_id: 'user',
  created_by_id: 'user',
  directory_id: 'directory',
  embed_id: 'embed',
  event_id: 'event',
  last_message_id: 'message',
  marked_id: 'message',
  meeting_id: 'meeting',
  modified_by_id: 'user',
  next: 'event',
  // Of an array, the property of each item.
  notification_ids: 'notification',
  // In the metadata of an imported comment alone.
  parent_id: 'comment',
  reply_to_id: 'comment',
  root_id: 'comment',
  picture_id: 'blob',
  position: 'event',
  resolved_by_id: 'user',
  updated_by_id: 'user',
  user_id: 'user',
};

function kindOfNumberIn(owner: Fields, property: string): string | undefined {
  if (property === 'marked_id' && owner['action'] === 'notifications_marked') return 'notification';
  if (property === 'next' && 'redelivered' in owner) return 'delivery';
  return kindOfNumber[property];
}

/** Whether a property of metadata, which is free otherwise, is the id that an import writes there. */
function isOfImport(metadata: Fields, property: string): boolean {
  return property === 'parent_id' && 'source_id' in metadata;
}

/** Random texts that a server generates. */
const drawnTexts: { readonly [property: string]: string } = {
  access_token: 'token',
  connectionId: 'connection',
  connectionToken: 'connection',
  guid: 'uuid',
  key: 'api key',
  provider_id: 'room',
  secret: 'webhook secret',
  uuid: 'uuid',
};

/** Names inside longer texts, by kind. */
const namesInTexts: { readonly [kind: string]: string } = {
  app: '(?<=^a)[0-9]+(?=:[a-z_]+$)',
  user: '(?<=@u|data-user-id="|^erased |filename="user-)[0-9]+',
  room: 'Confab-[0-9a-f]{32}',
  key: '(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])',
  uuid: '(?<![0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}',
};
const excluded = Object.keys(excludedTexts).join('|');
const names = new RegExp(
  Object.values(namesInTexts)
    .map((pattern, index) => `(?<k${index}>${pattern})`)
    .concat(`(?<none>${excluded})`)
    .join('|'),
  'g',
);
const nameKinds = Object.keys(namesInTexts);

/** Comments, posts and messages share one sequence of ids. */
function spaceOf(kind: string): string {
  return ['comment', 'post', 'message'].includes(kind) ? 'entry' : kind;
}

/** The kind of an operation's response, by the name of its schema: `CommentList` contains comments. */
function kindOfAnswer(operation: Operation | undefined, status: number): string | undefined {
  const schema = operation?.success[status] as (TSchema & { $id?: string; items?: { $id?: string } }) | null;
  const name = schema?.$id ?? schema?.items?.$id;
  const noun = name?.replace(/(?:List|Item|Detail|Page|Versions)+$/, '').toLowerCase();
  if (noun === 'appmember' || noun === 'autocomplete' || noun === 'member') return 'user';
  if (noun === 'conversation') return 'app';
  if (noun === 'apikeys' || noun === 'newapikey') return 'apikey';
  return noun;
}

/** The separator of records in the hub protocol. */
const recordEnd = '\u001e';

function recordsOf({ bytes }: Answer): unknown[] {
  return bytes.toString().split(recordEnd).slice(0, -1).map(parse);
}

/** Parses JSON; a number in another spelling than JavaScript's is kept distinct. */
function parse(text: string): unknown {
  return JSON.parse(text, ((_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== String(value) ? `the number ${source}` : value) as never);
}

/** Whether a response of so many bytes, or of so many characters, is compressed for those who take it. */
const isLong = ({ bytes }: Answer): string =>
  [bytes.length, bytes.toString().length].map((length) => length >= compressedBytesMin).join();

/** Compares two responses. */
export class Comparison {
  readonly findings: Finding[] = [];
  readonly shown: Shown[] = [];
  readonly #identities: Identities;

  constructor(identities: Identities) {
    this.#identities = identities;
  }

  /** Compares two whole responses; `paths` are the paths of the requests. */
  answers(operation: Operation | undefined, { left, right }: Pair<Answer>, paths: Pair<string>): void {
    // No request should end this way, even on both servers.
    const isFailure = Math.max(left.status, right.status) >= 500;
    if (left.status !== right.status || isFailure) this.#find('status', left.status, right.status);
    const headers = Object.keys({ ...left.headers, ...right.headers });
    for (const name of headers) {
      // Ids of other lengths can make one long and the other not.
      if (name in excludedHeaders || (name === 'vary' && isLong(left) !== isLong(right))) continue;
      this.#values(left.headers[name], right.headers[name], { where: `header ${name}` });
    }
    const type = String(left.headers['content-type']);
    const isRecords = operation?.media === 'text/plain' && left.bytes.includes(recordEnd);
    if (isRecords) this.#values(recordsOf(left), recordsOf(right), { where: 'records' });
    const isJson = [left, right].every(
      ({ headers, bytes }) => /json/.test(String(headers['content-type'])) && bytes.length > 0,
    );
    if (String(operation?.id) in excludedBodies && left.status < 400) return;
    if (!isRecords && !isJson && !left.bytes.equals(right.bytes)) this.#find('body', left.bytes, right.bytes);
    if (!isJson) return;
    const bodies = { left: parse(left.bytes.toString()), right: parse(right.bytes.toString()) };
    if (/problem/.test(type)) this.#instances(bodies, paths);
    this.#values(bodies.left, bodies.right, {
      where: '',
      kind: kindOfAnswer(operation, left.status),
    });
  }

  /** A problem repeats the path of the request, which is not compared again. */
  #instances(bodies: Pair<unknown>, paths: Pair<string>): void {
    for (const side of sides) {
      const body = bodies[side] as Record<string, unknown>;
      const path = paths[side].split('?')[0];
      if (body['instance'] !== path) this.#find(`instance of ${side}`, body['instance'], path);
      body['instance'] = '';
    }
  }

  /** Compares two values at the same place. */
  values(left: unknown, right: unknown, where: string, kind?: string): void {
    this.#values(left, right, { where, kind });
  }

  #values(a: unknown, b: unknown, place: Place): void {
    if (Array.isArray(a) && Array.isArray(b)) this.#arrays(a, b, place);
    else if (isObject(a) && isObject(b)) this.#objects(a, b, place);
    else if (typeof a === 'number' && typeof b === 'number') this.#numbers(a, b, place);
    else if (typeof a === 'string' && typeof b === 'string') this.#texts(a, b, place);
    else if (a !== b) this.#find(place.where, a, b);
  }

  #arrays(a: readonly unknown[], b: readonly unknown[], place: Place): void {
    if (a.length !== b.length) this.#find(`${place.where}.length`, a, b);
    const length = Math.min(a.length, b.length);
    const property = place.property === 'notification_ids' ? place.property : undefined;
    for (let i = 0; i < length; i += 1)
      this.#values(a[i], b[i], { ...place, where: `${place.where}/${i}`, property });
  }

  #objects(a: Fields, b: Fields, { where, kind, isFree = false }: Place): void {
    const [here, there] = [Object.keys(a), Object.keys(b)];
    if (here.join('\n') !== there.join('\n')) this.#find(`properties of ${where}`, here, there);
    const type = typeof a['type'] === 'string' ? a['type'] : '';
    const own = kind === 'typed' || (kind === 'star' && type !== '') ? kindOfType(type) : kind;
    if (!isFree && typeof a['id'] === 'number' && typeof b['id'] === 'number')
      this.#meetObject(own, { a, b, where });
    for (const property of here) {
      if (!(property in b) || property in excludedProperties) continue;
      const inner = isFree
        ? undefined
        : property === 'data'
          ? own
          : ['entity', 'link', 'parent'].includes(property)
            ? 'typed'
            : kindUnder[property];
      this.#values(a[property], b[property], {
        where: `${where}/${property}`,
        property: isFree && !isOfImport(a, property) ? undefined : property,
        kind: inner,
        isFree: isFree || property === 'metadata',
        owner: a,
      });
    }
  }

  #meetObject(kind: string | undefined, { a, b, where }: { a: Fields; b: Fields; where: string }): void {
    if (kind === undefined || kind === '') {
      this.#find(`${where}/id is of no known kind`, a['id'], b['id']);
      return;
    }
    const id = new Twin(Number(a['id']), Number(b['id']));
    this.#meet(spaceOf(kind), id, `${where}/id`);
    this.shown.push({ kind, id, fields: { left: a, right: b } });
  }

  #numbers(a: number, b: number, { where, property, owner = {} }: Place): void {
    // The id of an object has been compared before its other fields.
    if (property === 'id') return;
    const kind = property === undefined ? undefined : kindOfNumberIn(owner, property);
    if (kind !== undefined) this.#meet(spaceOf(kind), new Twin(a, b), where);
    else if (!Object.is(a, b)) this.#find(where, a, b);
  }

  #texts(a: string, b: string, { where, property, owner = {}, isFree = false }: Place): void {
    const drawn = property === undefined ? undefined : drawnTexts[property];
    // The body of a delivery.
    if (property === 'body' && 'headers' in owner && a.startsWith('{') && b.startsWith('{'))
      this.#values(parse(a), parse(b), { where, kind: 'event' });
    else if (isFree) {
      if (a !== b) this.#find(where, a, b);
    } else if (drawn !== undefined) this.#meet(drawn, new Twin(a, b), where);
    else if (a.replaceAll(names, '…') !== b.replaceAll(names, '…')) this.#find(where, a, b);
    else this.#namesWithin(a, b, where);
  }

  /** Compares two texts that differ only in names, which must stand for the same objects. */
  #namesWithin(a: string, b: string, where: string): void {
    const others = [...b.matchAll(names)];
    for (const [index, match] of [...a.matchAll(names)].entries()) {
      const kind = nameKinds.find((_, at) => match.groups?.[`k${at}`] !== undefined);
      const [name = '', other = ''] = [match[0], others[index]?.[0]];
      // Excluded ones have no kind.
      if (kind === undefined) continue;
      const isNumber = /^[0-9]+$/.test(name);
      this.#meet(kind, isNumber ? new Twin(Number(name), Number(other)) : new Twin(name, other), where);
    }
  }

  #meet(kind: string, { left, right }: Twin, where: string): void {
    const wrong = this.#identities.meet(kind, left, right);
    if (wrong !== undefined) this.#find(`${where}: ${wrong}`, left, right);
  }

  #find(where: string, left: unknown, right: unknown): void {
    this.findings.push({ where, left: shownOf(left), right: shownOf(right) });
  }
}

type Place = {
  readonly where: string;
  readonly property?: string | undefined;
  readonly kind?: string | undefined;
  /** Whether it is inside free-form data. */
  readonly isFree?: boolean;
  /** The object that has the property. */
  readonly owner?: Fields;
};

function kindOfType(type: string): string {
  return type === 'conversation' ? 'app' : type;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shownOf(value: unknown): string {
  const text = Buffer.isBuffer(value) ? value.toString() : (JSON.stringify(value) ?? 'nothing');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
