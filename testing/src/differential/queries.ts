import type { Operation } from 'confab-contract/operation.ts';
import { fold } from 'confab-server/src/kernel/fold.ts';
import type { TSchema } from 'typebox';
import { ownQueries, queryRows } from '../catalogue/queries.ts';
import type { Random } from '../harness/random.ts';
import { excludedOrders, excludedQuestions } from './exclusions.ts';
import { absentId, type Pool } from './pool.ts';
import { type Texts, tags } from './texts.ts';
import { type Text, textOf } from './twins.ts';

type Schema = TSchema & { type?: string; enum?: readonly string[]; maximum?: number };

const actions = ['comment_created', 'post_created', 'reaction_added', 'message_created', 'app_updated', 'x'];
const notificationTypes = ['activity', 'mention', 'reaction', 'x'];
const appTypes = [
  'chat',
  'comments',
  'Files',
  'posts',
  'chat_room',
  'private_chat',
  '523edd88-4bbf-4547-b60f-2859a6d2ddc1',
  'x',
];

/** The kinds whose parameters have their names. */
const namedKinds: ReadonlySet<string> = new Set(['app', 'user', 'comment', 'post', 'message', 'file']);

/** What events are asked for by. */
const entryKinds = ['comment', 'post', 'message'] as const;

/** Draws query strings, with the question mark, for one operation after the other. */
export class Queries {
  readonly #random: Random;
  readonly #texts: Texts;
  readonly #pool: Pool;

  constructor(random: Random, texts: Texts, pool: Pool) {
    this.#random = random;
    this.#texts = texts;
    this.#pool = pool;
  }

  /** A query for an operation; the empty text where it takes none. */
  of(operation: Operation): Text {
    const random = this.#random;
    const { list, query } = operation;
    if (list === undefined && query === undefined) return '';
    if (list !== undefined && random.oneIn(12)) {
      const { query: row } = random.draw(random.oneIn(8) ? ownQueries : queryRows);
      const isAsking = /(?:^|&)q=/.test(row) && operation.id in excludedQuestions;
      if (!isAsking && /^[\x21-\x7e]*$/.test(row) && row.length < 12_000) return `?${row}`;
    }
    const parts: Text[] = [];
    if (list !== undefined) this.#listParts(operation.id, list, parts);
    for (const [name, schema] of Object.entries(query?.properties ?? {}))
      if (random.oneIn(2)) parts.push(textOf`${name}=${this.#valueOf(name, schema as Schema, operation)}`);
    return parts.reduce<Text>((all, part, index) => textOf`${all}${index === 0 ? '?' : '&'}${part}`, '');
  }

  #listParts(id: string, list: NonNullable<Operation['list']>, parts: Text[]): void {
    const random = this.#random;
    const field =
      random.pick(
        list.orderBy.filter((name) => !(name in excludedOrders) && !(`${id} ${name}` in excludedOrders)),
      ) ?? 'id';
    const spelled = random.oneIn(6) ? field.replaceAll('_', '').toUpperCase() : field;
    if (!random.oneIn(3)) parts.push(`order_by=${spelled}${random.pick(['', '+desc', '%20asc', '+DESC'])}`);
    if (random.oneIn(2)) parts.push(`top=${random.pick([1, 2, 3, 5, 10, 100, 0, -1, 1000])}`);
    if (random.oneIn(3)) parts.push(`skip=${random.pick([0, 1, 2, 5, 20, 1000])}`);
    if (random.oneIn(3)) parts.push(`q=${encodeURIComponent(this.#question(id))}`);
    if (random.oneIn(8)) parts.push(`tag=${encodeURIComponent(random.draw(tags))}`);
    if (random.oneIn(4)) parts.push(`trashed=${random.pick(['true', 'false', 'null', 'x'])}`);
    if (random.oneIn(10)) parts.push('count_only=true');
    if (random.oneIn(8)) parts.push('count=false');
    if (list.expand.length > 0 && random.oneIn(3))
      parts.push(`expand=${list.expand.filter(() => random.oneIn(2)).join(',')}`);
  }

  #question(id: string): string {
    const question = this.#texts.question();
    // Folded as the search folds it; a word of digits and letters from a to f could be the prefix of such a text.
    const words = fold(question).match(/[\p{L}\p{N}]+/gu) ?? [];
    const couldBeDrawn = words.some((word) => /^[0-9a-f]+$/.test(word));
    return id in excludedQuestions && couldBeDrawn ? 'review' : question;
  }

  #valueOf(name: string, schema: Schema, { path }: Operation): Text {
    const random = this.#random;
    if (random.oneIn(15)) return random.draw(['', 'x', '-1', '0', '1.5', '99999999999999999999', '%00']);
    const id = (kind: string): Text => textOf`${this.#pool.pick(kind)?.id ?? absentId}`;
    // No connection has this token.
    if (path.startsWith('/hubs/')) return 'unknown';
    if (name === 'message_id') return id('message');
    if (name === 'thread') return 'roots';
    const ofLog = path.includes('deliveries') ? 'delivery' : 'event';
    if (name === 'after') return random.oneIn(3) ? '0' : id(ofLog);
    if (name === 'before') return random.oneIn(3) ? `${Number.MAX_SAFE_INTEGER}` : id(ofLog);
    if (name === 'entity_type') return random.draw(entryKinds);
    if (name === 'entity_id') return id(random.draw(entryKinds));
    if (name === 'event_id') return id('event');
    if (name === 'since' || name === 'until')
      return encodeURIComponent(String(this.#pool.pick('comment')?.fields['created_at']));
    if (name === 'directory_id') return id('directory');
    if (name === 'id') return id(path.includes('notifications') ? 'notification' : 'app');
    // A word can be a number, which is the id of another thing on each side.
    if (namedKinds.has(name)) return id(name);
    if (name === 'state' || name === 'reason') return random.pick(schema.enum ?? []) ?? '';
    if (name === 'member' || name === 'author_id') return id('user');
    if (name === 'action') return random.draw(actions);
    if (name === 'type') return random.draw(path.includes('notifications') ? notificationTypes : appTypes);
    if (name === 'q') return encodeURIComponent(this.#texts.question());
    if (name === 'content') return encodeURIComponent(random.pick(['👍', '❤️', '❤', 'x']) ?? '');
    if (schema.enum !== undefined || schema.type === 'boolean') return random.draw(['true', 'false', 'null']);
    if (schema.type === 'integer') return String(random.draw([0, 1, 2, 5, 50, 1000]));
    return encodeURIComponent(this.#texts.word());
  }
}
