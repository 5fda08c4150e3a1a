import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { actionNames, factsOf } from 'confab-contract/actions.ts';
import {
  changedPayload,
  withBlankEntity,
  withheldSentence,
} from 'confab-server/src/features/redactions/blank.ts';
import type { Kind, Model, Tracked } from 'confab-testing/harness/model.ts';
import type { Ledger } from 'confab-testing/harness/receiver.ts';
import { storeRules } from './store-rules.ts';
import type { World } from './world.ts';

type Row = { readonly kind: Kind; readonly id: number; readonly marker: string; readonly signature: string };

/** The tracked objects in the store. */
export type Found = {
  /** The ids of the existing objects by marker. */
  readonly ids: ReadonlyMap<string, number>;
  /** The events since the last check, in order. */
  readonly events: ReadonlyMap<Tracked, readonly string[]>;
};

// The marker is the first word of the text or name, or the last part of the address.
const rowsSql = `
  select 'app' as kind, id, name as marked, json_array(type, uid, access, name, description, metadata, tags,
    trashed_at, (select json_group_array(json_array(user_id, access)) from members where app_id = apps.id)) as signature
    from apps
  union all
  select kind, id, json_extract(content, '$.text'), json_array(content, option_count, attachment_count, trashed_at,
    app_id, parent_type, parent_id, reaction_count,
    (select json_group_array(json_array(content, created_by_id)) from reactions where entry_id = entries.id),
    (select json_group_array(json_array(text, vote_count)) from options where entry_id = entries.id),
    (select json_group_array(json_array(option_id, user_id)) from votes where entry_id = entries.id)) from entries
  union all
  select 'file', id, name, json_array(blob_id, version, metadata, tags, trashed_at) from files
    where parent_type = 'app'
  union all
  select 'blob', id, name, json_array(key, size) from blobs
  union all
  select 'webhook', id, replace(payload_url, rtrim(payload_url, replace(payload_url, '/', '')), ''),
    json_array(payload_url, is_enabled) from webhooks where deleted_at is null`;

// Events of reactions and votes are about their entry.
const eventsSql = `
  select id, action, app_id, entity_type, entity_id, payload,
      coalesce(json_extract(body, '$.reaction'), json_extract(body, '$.option.text')) as what,
      json_extract(body, '$.entity.type') || ' ' || json_extract(body, '$.entity.id') as within
    from (select *, '{' || payload || '}' as body from events where id > ?) order by id`;

const oldEventsSql = `
  select id, payload, entity_type as type, case entity_type
      when 'file' then entity_id not in (select id from files)
      when 'option' then entity_id not in (select id from options)
      when 'notification' then entity_id not in (
        select id from notifications union all select id from hidden_notifications)
      else entity_type in ('comment', 'post', 'message') and entity_id not in (select id from entries) end as is_gone
    from events where id <= ?`;

const ids: { readonly [table: string]: Kind } = {
  apps: 'app',
  entries: 'comment',
  files: 'file',
  blobs: 'blob',
  webhooks: 'webhook',
};

/** How long the remaining deliveries may take after the last write. */
const drainMsMax = 90_000;

/** Reads the store of one data folder directly, after each restart. */
export class StoreCheck {
  readonly #folder: string;
  readonly #model: Model;
  readonly #world: World;
  #lastEventId = 0;
  readonly #payloads = new Map<number, string>();
  #signatures = new Map<string, string>();

  constructor(folder: string, model: Model, world: World) {
    this.#folder = folder;
    this.#model = model;
    this.#world = world;
  }

  /** Checks every rule that needs no settled model, and returns the tracked objects. */
  look(): Found {
    using database = this.#open();
    for (const { what, rule, sql } of storeRules) {
      const [broken] = database.prepare(sql).all();
      if (broken !== undefined) this.#model.violate(what, `not so: ${rule}: ${JSON.stringify(broken)}`);
    }
    const rows = this.#rows(database);
    this.#checkRows(rows);
    this.#checkWords(database, rows);
    this.#checkDeliveries(database);
    this.#checkIds(database);
    return {
      ids: new Map(rows.map((row) => [row.marker, row.id])),
      events: this.#events(database, rows),
    };
  }

  /**
   * Waits until every delivery is sent, then compares what arrived with the store: each delivery arrived at least once,
   * each time with the same bytes, and none arrived that is not in the store.
   */
  async untilDelivered(ledger: Ledger): Promise<void> {
    using database = this.#open();
    const owed = database.prepare('select count(*) as n from deliveries where due_at is not null');
    const since = performance.now();
    while (owed.get()?.['n'] !== 0 && performance.now() - since < drainMsMax) await pause(50);
    const rows = database.prepare('select id, guid, status from deliveries').all();
    for (const { id, status } of rows)
      if (status !== 'delivered') this.#model.violate('delivery', `delivery ${id} ends as ${status}`);
    for (const fault of ledger.faults(rows.map(({ guid }) => String(guid))))
      this.#model.violate('delivery', fault);
  }

  #open(): DatabaseSync {
    return new DatabaseSync(join(this.#folder, 'data', 'confab.db'), { readOnly: true });
  }

  #rows(database: DatabaseSync): Row[] {
    return database
      .prepare(rowsSql)
      .all()
      .map((row) => ({
        kind: row.kind as Kind,
        id: Number(row.id),
        marker: /^[a-z0-9]+/.exec(String(row.marked))?.[0] ?? String(row.marked),
        signature: String(row.signature),
      }))
      .filter((row) => row.kind !== 'webhook' || !this.#world.webhooks.some(({ id }) => id === row.id));
  }

  /** Every row belongs to an object that may exist; objects without requests are unchanged. */
  #checkRows(rows: readonly Row[]): void {
    const signatures = new Map<string, string>();
    for (const { kind, id, marker, signature } of rows) {
      const object = this.#model.objects.get(marker);
      const isPossible = object?.possible.some((state) => state.facts !== undefined) ?? false;
      if (object === undefined || !isPossible || signatures.has(marker))
        this.#model.violate('phantom', `${kind} ${id} (${marker}) is there and must not be`);
      signatures.set(marker, signature);
      if (kind === 'blob') this.#checkBytes(marker, signature);
      if (object?.isTouched === false && this.#signatures.get(marker) !== signature)
        this.#model.violate(
          'wrong content',
          `${marker} was ${this.#signatures.get(marker)} and is ${signature}`,
        );
    }
    for (const [marker] of this.#signatures)
      if (!signatures.has(marker) && this.#model.objects.get(marker)?.isTouched === false)
        this.#model.violate('lost write', `${marker} was there and is gone`);
    this.#signatures = signatures;
  }

  /** An acknowledged upload has its bytes. */
  #checkBytes(marker: string, signature: string): void {
    if (this.#signatures.has(marker)) return;
    const object = this.#model.objects.get(marker);
    if (object === undefined || object.possible.length > 1) return;
    const [key, size] = JSON.parse(signature) as [string, number];
    const file = join(this.#folder, 'data', 'blobs', key.slice(0, 2), key);
    const text = `${marker} `.repeat(size / (marker.length + 1));
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text)
      this.#model.violate('lost write', `the bytes of upload ${marker} are not there`);
  }

  /** The search index has exactly the markers of the objects. */
  #checkWords(database: DatabaseSync, rows: readonly Row[]): void {
    for (const [index, kinds] of [
      ['entry_search', ['comment', 'post']],
      ['app_search', ['app']],
      ['file_search', ['file']],
    ] as const) {
      const table = `words_of_${index}`;
      database.exec(`create virtual table temp.${table} using fts5vocab(main, ${index}, instance)`);
      const known = new Set(
        database
          .prepare(`select distinct term, doc from temp.${table} where term glob 'm[0-9]*x[0-9]*'`)
          .all()
          .map((row) => `${row.term} ${row.doc}`),
      );
      const followed = rows.filter(
        (row) => (kinds as readonly Kind[]).includes(row.kind) && row.marker.startsWith('m'),
      );
      for (const { marker, id } of followed)
        if (!known.delete(`${marker} ${id}`))
          this.#model.violate('search', `${index} does not find ${marker} as ${id}`);
      for (const rest of known) this.#model.violate('search', `${index} finds ${rest}, which is not there`);
    }
  }

  /** Each event of an enabled webhook's triggers has one delivery, and there are no others. */
  #checkDeliveries(database: DatabaseSync): void {
    for (const { id, triggers, isEnabled } of this.#world.webhooks) {
      const wanted = actionNames.filter((action) => {
        const { group } = factsOf(action);
        return triggers.includes(action) || (group !== undefined && triggers.includes(group));
      });
      const differ = database
        .prepare(
          `with wanted as (select id from events where ? = 1
             and action in (select value from json_each(?))
             and id > (select id from events where action = 'webhook_created' and entity_id = ?)),
           kept as (select event_id from deliveries where webhook_id = ?)
           select count(*) as missing, (select count(*) from (select * from kept except select * from wanted)) as more
             from (select * from wanted except select * from kept)`,
        )
        .get(isEnabled ? 1 : 0, JSON.stringify(wanted), id, id);
      if (differ?.missing !== 0 || differ.more !== 0)
        this.#model.violate(
          'delivery',
          `webhook ${id} lacks ${differ?.missing} deliveries and has ${differ?.more} too many`,
        );
    }
    const fixed = JSON.stringify(this.#world.webhooks.map(({ id }) => id));
    const others = database
      .prepare(
        'select count(*) as n from deliveries where webhook_id not in (select value from json_each(?))',
      )
      .get(fixed)?.n;
    if (others !== 0)
      this.#model.violate('delivery', `${others} deliveries of webhooks that are not enabled`);
  }

  /** The counter of ids is beyond every assigned id. */
  #checkIds(database: DatabaseSync): void {
    for (const [table, kind] of Object.entries(ids)) {
      const counter = database.prepare('select seq from sqlite_sequence where name = ?').get(table)?.seq;
      const seen = Math.max(this.#model.idMax(kind), kind === 'comment' ? this.#model.idMax('post') : 0);
      if (Number(counter ?? 0) < seen)
        this.#model.violate('id', `the ids of ${table} go on from ${counter}, and ${seen} was given`);
    }
  }

  /** The events of the checks before are as they were, except that those about a deleted item may have lost its words. */
  #checkOldEvents(database: DatabaseSync): void {
    const missing = new Set(this.#payloads.keys());
    for (const event of database.prepare(oldEventsSql).iterate(this.#lastEventId)) {
      const [id, payload, type] = [Number(event.id), String(event.payload), String(event.type)];
      missing.delete(id);
      const before = this.#payloads.get(id);
      if (payload === before) continue;
      const isRedacted =
        type === 'notification'
          ? payload.includes(withheldSentence)
          : payload === changedPayload(before ?? '', (fields) => withBlankEntity(fields, type));
      if (event.is_gone !== 1 || !isRedacted)
        this.#model.violate('event', `event ${id} was ${before} and is ${payload}`);
      this.#payloads.set(id, payload);
    }
    for (const id of missing) this.#model.violate('event', `event ${id} was there and is gone`);
  }

  /** The events since the last check, by object. Each must belong to an object; older ones are checked for changes. */
  #events(database: DatabaseSync, rows: readonly Row[]): Map<Tracked, string[]> {
    this.#checkOldEvents(database);
    const byId = new Map<string, Tracked>();
    for (const object of this.#model.objects.values())
      if (object.id !== undefined) byId.set(`${object.kind} ${object.id}`, object);
    for (const { kind, id, marker } of rows) {
      const object = this.#model.objects.get(marker);
      if (object !== undefined) byId.set(`${kind} ${id}`, object);
    }
    const found = new Map<Tracked, string[]>();
    for (const event of database.prepare(eventsSql).iterate(this.#lastEventId)) {
      this.#lastEventId = Number(event.id);
      this.#payloads.set(this.#lastEventId, String(event.payload));
      const isMember = event.entity_type === 'member';
      if (['user', 'directory'].includes(String(event.entity_type))) continue;
      if (this.#world.webhooks.some(({ id }) => event.entity_type === 'webhook' && event.entity_id === id))
        continue;
      const object = byId.get(
        isMember
          ? `app ${event.app_id}`
          : (event.within ?? `${event.entity_type} ${event.entity_id}`).toString(),
      );
      if (object === undefined) {
        this.#model.violate('event', `event ${event.id} ${event.action} is about nothing that is there`);
        continue;
      }
      const what = isMember ? event.entity_id : event.what;
      const name = what === null ? String(event.action) : `${event.action} ${what}`;
      const list = found.get(object);
      if (list === undefined) found.set(object, [name]);
      else list.push(name);
    }
    return found;
  }
}
