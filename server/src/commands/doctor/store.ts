import { timestamp } from 'confab-contract/values/time.ts';
import { recount, sumAnew, wrongCounts, wrongSums } from '../../db/counts.ts';
import type { Db } from '../../db/db.ts';
import { fixedCommand } from '../../db/fixed-command.ts';
import { wrongWords } from '../../db/index-of-words.ts';
import type { Inspection } from '../../db/inspection.ts';
import { findLeftovers } from '../../db/leftovers.ts';
import { schemaIndexes } from '../../db/schema-indexes.ts';
import { notifyingActions } from '../../features/notifications/notice.ts';
import { rewriteWords } from '../../features/renewal/rewrite-words.ts';
import { countOf, type Examined, type Finding, foundMax, mendedByFix } from './finding.ts';
import { skewMsMax } from './surroundings.ts';

/** Checks the store: its integrity and durability, its indexes, and whether derived data agrees with its source. */

type Check = (store: Inspection, examined: Examined) => Promise<Finding[]>;

const restore =
  'Stop the server, keep a copy of the files, and restore the newest backup (docs/going-live.md).';

/** How much damage is reported in full. */
const damageMax = 5;

/** The codes of SQLite for a file that is damaged or no database. */
const damageCodes: readonly unknown[] = [11, 26];

/** The finding about an error that shows a damaged database; undefined for any other error. */
export function damageOf(error: unknown): Finding | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return damageCodes.includes(Number(error.errcode) & 0xff) ? damaged(error.message) : undefined;
}

function damaged(how: string): Finding {
  return { check: 'integrity', level: 'error', what: `The database is damaged: ${how}.`, mend: restore };
}

/** Checks that the database is whole; of one that is not, nothing else is asked. PostgreSQL checks its own pages. */
export async function checkWhole(store: Inspection): Promise<Finding[]> {
  if (store.engine !== 'sqlite') return [];
  try {
    const rows = await store.rows(`pragma integrity_check(${damageMax})`);
    const lines = rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok');
    return lines.length === 0 ? [] : [damaged(lines.join('; ').replaceAll('\n', ' '))];
  } catch (error) {
    const finding = damageOf(error);
    if (finding === undefined) throw error;
    return [finding];
  }
}

/** Rows that refer to missing ones. PostgreSQL lets none arise. */
const checkReferences: Check = async (store) => {
  if (store.engine !== 'sqlite') return [];
  const rows = await store.rows(
    `select "table" as name, "parent" as missing, count(*) as n from pragma_foreign_key_check group by 1, 2 order by 1, 2`,
  );
  return rows.map(({ name, missing, n }) => ({
    check: 'references',
    level: 'error',
    what: `${countOf(Number(n), ['row', 'rows'])} of ${name} refer to missing rows of ${missing}.`,
    mend: restore,
  }));
};

/** The settings of PostgreSQL that make a commit survive a power cut. */
const checkDurability: Check = async (store) => {
  if (store.engine !== 'postgres') return [];
  const rows = await store.rows(
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name",
  );
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => String(name)).join(', ');
  return [
    {
      check: 'durability',
      level: 'error',
      what: `A power cut can lose acknowledged writes, because these settings of PostgreSQL are off: ${names}.`,
      mend: `Turn ${names} on in postgresql.conf, and reload it.`,
    },
  ];
};

/** The earliest PostgreSQL that is tested. */
const postgresMin = 15;

const checkVersion: Check = async (store) => {
  if (store.engine !== 'postgres') return [];
  const [row] = await store.rows("select current_setting('server_version_num') as version");
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major >= postgresMin) return [];
  const what = `PostgreSQL is version ${major}, and Confab is tested from ${postgresMin} on.`;
  return [{ check: 'postgres', level: 'warning', what, mend: 'Upgrade PostgreSQL.' }];
};

const checkClocks: Check = async (store, { clock }) => {
  const findings: Finding[] = [];
  const [newest] = await store.rows('select id, created_at from events order by id desc limit 1');
  if (newest !== undefined && Number(newest.created_at) > clock.now() + skewMsMax)
    findings.push({
      check: 'clock',
      level: 'error',
      what: `The clock of this machine was set back: the newest event is of ${timestamp(Number(newest.created_at))}, which is in the future.`,
      mend: 'Set the clock by NTP. Until then, scheduled work is late.',
    });
  if (store.engine !== 'postgres') return findings;
  const [row] = await store.rows('select (extract(epoch from clock_timestamp()) * 1000)::bigint as at');
  const skewMs = Math.abs(Number(row?.at) - clock.now());
  if (skewMs > skewMsMax)
    findings.push({
      check: 'clock-of-database',
      level: 'error',
      what: `The clocks of this machine and of PostgreSQL differ by ${Math.round(skewMs / 1000)} seconds.`,
      mend: 'Synchronise both clocks with NTP.',
    });
  return findings;
};

async function runText(db: Db, text: string): Promise<void> {
  await db.write(async (tx) => await tx.run(fixedCommand(text), {}));
}

const checkIndexes: Check = async (store) => {
  const isSqlite = store.engine === 'sqlite';
  const rows = await store.rows(
    isSqlite
      ? "select name, 1 as is_valid from sqlite_master where type = 'index'"
      : `select c.relname as name, case when i.indisvalid and i.indisready then 1 else 0 end as is_valid
         from pg_index i join pg_class c on c.oid = i.indexrelid
         where c.relnamespace = current_schema()::regnamespace`,
  );
  const valid = new Map(rows.map(({ name, is_valid }) => [String(name), Number(is_valid) === 1]));
  return [...schemaIndexes(store.engine)]
    .filter(([name]) => valid.get(name) !== true)
    .map(([name, text]): Finding => {
      const isThere = valid.has(name);
      return {
        check: 'indexes',
        level: 'error',
        what: `The index ${name} is ${isThere ? 'not valid' : 'missing'}, so lists are slow and unique names are not enforced.`,
        mend: `${mendedByFix} Writers of the table wait meanwhile.`,
        async fix(db) {
          if (isThere) await runText(db, `drop index ${name}`);
          await runText(db, text);
          return `Made the index ${name}.`;
        },
      };
    });
};

const checkCounts: Check = async (store) => {
  const wrong = await wrongCounts(store, foundMax);
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    {
      check: 'counts',
      level: 'error',
      what: `${countOf(wrong.length, ['stored count differs', 'stored counts differ'])} from the rows: ${first.kind} of ${first.parentType} ${first.parentId} says ${first.stored} for ${first.actual}.`,
      mend: mendedByFix,
      async fix(db) {
        for (const one of wrong) await db.write(async (tx) => await recount(tx, one));
        return `Counted ${wrong.length} again.`;
      },
    },
  ];
};

const checkLeftovers: Check = async (store) => {
  const leftovers = await findLeftovers(store, foundMax);
  return leftovers.map(({ table, count, removal }): Finding => {
    const those = countOf(count, ['row', 'rows']);
    const what = `${those} of ${table} refer to something that was deleted.`;
    if (removal === undefined) return { check: 'leftovers', level: 'error', what, mend: restore };
    return {
      check: 'leftovers',
      level: 'error',
      what,
      mend: mendedByFix,
      async fix(db) {
        await db.write(async (tx) => await tx.run(removal, {}));
        return `Removed ${those} of ${table}.`;
      },
    };
  });
};

const checkSums: Check = async (store) => {
  const wrong = await wrongSums(store, foundMax);
  return [...Map.groupBy(wrong, ({ table, column }) => `${table}.${column}`)].map(([name, rows]) => ({
    check: 'sums',
    level: 'error',
    what: `${countOf(rows.length, ['row has', 'rows have'])} a wrong ${name}, such as id ${rows[0]?.id}.`,
    mend: mendedByFix,
    async fix(db) {
      await db.write(async (tx) => await sumAnew(tx, rows));
      return `Summed up ${name} of ${countOf(rows.length, ['row', 'rows'])} again.`;
    },
  }));
};

const checkWords: Check = async (store) => {
  const wrong = await wrongWords(store, foundMax);
  const groups = Map.groupBy(wrong, ({ index, isMissing }) => `${isMissing ? 'missing' : 'left'} ${index}`);
  return [...groups.values()].map((rows): Finding => {
    const [{ index, id, isMissing } = { index: '', id: 0, isMissing: true }] = rows;
    const those = countOf(rows.length, ['row', 'rows']);
    return {
      check: isMissing ? 'search-missing' : 'search-left',
      level: 'error',
      what: isMissing
        ? `${those} cannot be found by words, because ${index} lacks them, such as id ${id}.`
        : `${index} has words of ${those} that are gone, such as id ${id}.`,
      mend: mendedByFix,
      async fix(db) {
        await db.write(async (tx) => await rewriteWords(tx, rows));
        return `Wrote the words of ${those} of ${index} again.`;
      },
    };
  });
};

/** How far a reader of the log may be behind, in milliseconds; it reads within a second. */
const lagMsMax = 300_000;

const checkReaders: Check = async (store, { clock, config }) => {
  const readers = [
    // Nobody is notified of what an import brought, whose events may be of any time. The notifier does not store that it
    // is past events that notify nobody.
    {
      reader: 'notifier',
      table: `events where is_silent = 0 and action in (${notifyingActions.map((action) => `'${action}'`).join(', ')}) and`,
      what: 'Notifications of {n} events',
    },
    ...(config.smtpUrl === undefined
      ? []
      : [{ reader: 'mailer', table: 'notifications where', what: 'Mail about {n} notifications' }]),
  ];
  const findings: Finding[] = [];
  for (const { reader, table, what } of readers) {
    const [row] = await store.rows(
      `select count(*) as n, min(created_at) as since from ${table} id > (select event_id from event_cursors where reader = '${reader}')`,
    );
    const since = Number(row?.since ?? 0);
    if (Number(row?.n ?? 0) === 0 || since > clock.now() - lagMsMax) continue;
    findings.push({
      check: 'readers',
      level: 'error',
      what: `${what.replace('{n}', String(row?.n))} have waited since ${timestamp(since)}.`,
      mend: 'Start the server if none runs; otherwise its log says why they fail.',
    });
  }
  return findings;
};

/** How far in the future a lease may end, in milliseconds; all are shorter. */
const leaseMsMax = 120_000;

const checkLeases: Check = async (store, { clock }) => {
  const latest = clock.now() + leaseMsMax;
  const rows = await store.rows(
    `select 'leases' as place, name, until from leases where until > ${latest}
     union all select 'webhooks', cast(id as text), leased_until from webhooks where leased_until > ${latest}`,
  );
  return rows.map(({ place, name, until }) => {
    const what = place === 'leases' ? `the ${name}` : `webhook ${name}`;
    return {
      check: 'leases',
      level: 'error',
      what: `The work of ${what} is taken until ${timestamp(Number(until))}, and no node can take it before.`,
      mend: `${mendedByFix} This happens when a clock is set back.`,
      async fix(db) {
        await runText(
          db,
          place === 'leases'
            ? `update leases set holder = null, until = 0 where until > ${latest}`
            : `update webhooks set lease = null, leased_until = null where leased_until > ${latest}`,
        );
        return `Released ${what}.`;
      },
    };
  });
};

const checks: readonly Check[] = [
  checkDurability,
  checkVersion,
  checkReferences,
  checkClocks,
  checkIndexes,
  checkCounts,
  checkLeftovers,
  checkSums,
  checkWords,
  checkReaders,
  checkLeases,
];

/** Checks the content of a store that has the schema of this program. */
export async function checkStore(store: Inspection, examined: Examined): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One after the other: each may read whole tables.
  for (const check of checks) findings.push(...(await check(store, examined)));
  return findings;
}
