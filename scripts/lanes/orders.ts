import type pg from 'pg';

/**
 * Ways to order the log of several writers, in plain SQL on tables of their own, so that each can be tried against a
 * real PostgreSQL (`trial.ts`). A position is one number, or two that are compared one after the other.
 */

export type Position = readonly number[];

/** A row of the log as a reader gets it. */
export type Seen = {
  readonly position: Position;
  readonly app: number;
  readonly number: number;
  readonly mark: string;
};

/** What a transaction appends: one event of each app, the apps in ascending order. */
export type Appended = readonly { readonly app: number; readonly mark: string }[];

/** A way to order the log, which is promised to be right, or a mistake that has to be found. */
export type Order = {
  readonly name: string;
  readonly isMistake?: true;
  /** Whether the apps of one transaction are of one lane. */
  readonly isOfOneLane?: true;
  /** Appends in the transaction that is open; pauses where it hurts. */
  append(client: pg.Client, events: Appended, pause: () => Promise<void>): Promise<void>;
  /** The next rows after a position, in order; pauses where it hurts. */
  read(client: pg.Client, after: Position, pause: () => Promise<void>): Promise<Seen[]>;
  /** What one process does over and over. */
  number?(client: pg.Client): Promise<void>;
};

const laneCount = 4;

export const tables = `
  drop table if exists lanes_log, lanes_heads, lanes_apps;
  drop sequence if exists lanes_positions;
  create sequence lanes_positions;
  create table lanes_log (
    id bigint primary key default nextval('lanes_positions'),
    position bigint,
    xid bigint not null default pg_current_xact_id()::text::bigint,
    app int not null,
    number int not null,
    mark text not null
  );
  create index lanes_pending on lanes_log (id) where position is null;
  create unique index lanes_position on lanes_log (position);
  create index lanes_xid on lanes_log (xid, id);
  create table lanes_heads (lane int primary key, position bigint not null);
  insert into lanes_heads select lane, 0 from generate_series(0, ${laneCount}) as lane;
  create table lanes_apps (id int primary key, number int not null);
  insert into lanes_apps select id, 0 from generate_series(1, 40) as id;
`;

/** The lane of an app; 0 is the head of all. */
function laneOf(app: number): number {
  return (app % laneCount) + 1;
}

/** Whether two apps share a lane. */
export function isSameLane(one: number, other: number): boolean {
  return laneOf(one) === laneOf(other);
}

async function takeHead(client: pg.Client, lane: number): Promise<void> {
  await client.query('select position from lanes_heads where lane = $1 for update', [lane]);
}

/** Changes each app, as a write does, and answers how many events each has with this one. */
async function changeApps(client: pg.Client, events: Appended): Promise<number[]> {
  const numbers: number[] = [];
  for (const { app } of events) {
    const changed = await client.query<{ number: number }>(
      'update lanes_apps set number = number + 1 where id = $1 returning number',
      [app],
    );
    numbers.push(changed.rows[0]?.number ?? 0);
  }
  return numbers;
}

async function insert(client: pg.Client, events: Appended, numbers: readonly number[]): Promise<void> {
  for (const [index, { app, mark }] of events.entries())
    await client.query('insert into lanes_log (app, number, mark) values ($1, $2, $3)', [
      app,
      numbers[index],
      mark,
    ]);
}

type Row = { readonly first: string; readonly second?: string; app: number; number: number; mark: string };

function seenOf(rows: readonly Row[]): Seen[] {
  return rows.map(({ first, second, ...row }) => ({
    ...row,
    position: second === undefined ? [Number(first)] : [Number(first), Number(second)],
  }));
}

const batchMax = 100;

/** Reads by id, up to a position. */
async function readById(client: pg.Client, [after = 0]: Position, upto: number): Promise<Seen[]> {
  const { rows } = await client.query<Row>(
    `select id as first, app, number, mark from lanes_log where id > $1 and id <= $2 order by id limit ${batchMax}`,
    [after, upto],
  );
  return seenOf(rows);
}

const whatever = Number.MAX_SAFE_INTEGER;

const appendInTurn: Order['append'] = async (client, events, pause) => {
  await takeHead(client, 0);
  await insert(client, events, await changeApps(client, events));
  await pause();
};

const appendAtTheEnd: Order['append'] = async (client, events, pause) => {
  const numbers = await changeApps(client, events);
  await pause();
  await takeHead(client, 0);
  await insert(client, events, numbers);
};

const appendFreely: Order['append'] = async (client, events, pause) => {
  const numbers = await changeApps(client, events);
  await insert(client, events, numbers);
  await pause();
};

/** The last position that was drawn from the sequence. */
const drawn = 'case when is_called then last_value else last_value - 1 end';

/** Tells readers that this transaction draws no position up to the present one. It must come before the first is drawn. */
async function announce(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${drawn}) from lanes_positions`);
}

const appendInLane: Order['append'] = async (client, events, pause) => {
  await takeHead(client, laneOf(events[0]?.app ?? 0));
  const numbers = await changeApps(client, events);
  await announce(client);
  await pause();
  await insert(client, events, numbers);
  await pause();
};

async function newest(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string }>(
    `select ${drawn} as position from lanes_positions`,
  );
  return Number(rows[0]?.position);
}

/** The lowest position that a running transaction has announced; infinity where none has. */
async function lowestAnnounced(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string | null }>(
    `select min((classid::bigint << 32) | objid::bigint) as position from pg_locks
     where locktype = 'advisory' and objsubid = 1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return Number(rows[0]?.position ?? Number.POSITIVE_INFINITY);
}

/**
 * Reads up to the horizon. The newest position is read first, the locks second, the rows last: a transaction that drew
 * its position before the first had announced itself before that, so its lock is seen, or it has ended and its rows
 * are.
 */
const readToHorizon: Order['read'] = async (client, after, pause) => {
  const last = await newest(client);
  await pause();
  const upto = Math.min(last, await lowestAnnounced(client));
  await pause();
  return await readById(client, after, upto);
};

/** Reads what was written by transactions that began to write before every one that still runs. */
async function readBelowXmin(client: pg.Client, [xid = 0, id = 0]: Position): Promise<Seen[]> {
  const { rows } = await client.query<Row>(
    `select xid as first, id as second, app, number, mark from lanes_log
     where (xid, id) > ($1, $2) and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     order by xid, id limit ${batchMax}`,
    [xid, id],
  );
  return seenOf(rows);
}

/** The ways that are tried, and mistakes that the check has to find. */
export const orders: readonly Order[] = [
  {
    name: 'no order',
    isMistake: true,
    append: appendFreely,
    read: (client, after) => readById(client, after, whatever),
  },
  {
    name: 'turn',
    append: appendInTurn,
    read: (client, after) => readById(client, after, whatever),
  },
  {
    name: 'turn at the end',
    append: appendAtTheEnd,
    read: (client, after) => readById(client, after, whatever),
  },
  {
    name: 'sequencer',
    append: appendFreely,
    async read(client, [after = 0]) {
      const { rows } = await client.query<Row>(
        `select position as first, app, number, mark from lanes_log where position > $1 order by position limit ${batchMax}`,
        [after],
      );
      return seenOf(rows);
    },
    async number(client) {
      await client.query('begin');
      await takeHead(client, 0);
      await client.query(`
        with numbered as (
          select id, row_number() over (order by id) as place from lanes_log where position is null
        ), moved as (
          update lanes_log set position = head.position + numbered.place
          from numbered, lanes_heads as head where lanes_log.id = numbered.id and head.lane = 0
          returning lanes_log.position
        )
        update lanes_heads set position = (select max(position) from moved)
        where lane = 0 and exists (select from moved)`);
      await client.query('commit');
    },
  },
  {
    name: 'horizon by xmin',
    async append(client, events, pause) {
      // An advisory lock takes no transaction id, so ids are drawn in the order in which an app is had.
      for (const { app } of events) await client.query('select pg_advisory_xact_lock(1, $1)', [app]);
      await appendFreely(client, events, pause);
    },
    read: readBelowXmin,
  },
  {
    name: 'horizon by xmin, id drawn before the app is had',
    isMistake: true,
    append: appendFreely,
    read: readBelowXmin,
  },
  {
    name: 'horizon by announcement',
    async append(client, events, pause) {
      const numbers = await changeApps(client, events);
      await announce(client);
      await pause();
      await insert(client, events, numbers);
      await pause();
    },
    read: readToHorizon,
  },
  { name: 'lanes', isOfOneLane: true, append: appendInLane, read: readToHorizon },
  {
    name: 'lanes, read to the newest',
    isMistake: true,
    isOfOneLane: true,
    append: appendInLane,
    read: (client, after) => readById(client, after, whatever),
  },
  {
    name: 'lanes, announced after the draw',
    isMistake: true,
    isOfOneLane: true,
    async append(client, events, pause) {
      await takeHead(client, laneOf(events[0]?.app ?? 0));
      await insert(client, events, await changeApps(client, events));
      await pause();
      await announce(client);
      await pause();
    },
    read: readToHorizon,
  },
];
