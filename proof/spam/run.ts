import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from 'confab-server/src/db/db.ts';
import { issueToken } from 'confab-testing/harness/client.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { insertsInto, wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { type Community, startCommunity } from './community.ts';
import {
  drawCampaign,
  drawHam,
  drawKind,
  drawSpam,
  type HamKind,
  hamShares,
  type SpamKind,
  spamShares,
} from './corpus.ts';

/**
 * A spam run: accounts of people and of senders of spam write to the pages of one server, with the rules of the guide
 * "Keeping a community". Times are those of the clock of the server, which the run moves.
 */

/** What became of a text. */
export const fates = ['taken', 'held', 'refused', 'limited'] as const;
export type Fate = (typeof fates)[number];

type Account = {
  readonly token: string;
  readonly isHonest: boolean;
  readonly age: 'old' | 'new';
  /** The time between two texts, in milliseconds. */
  readonly everyMs: number;
};

/** The fates of the texts of one kind. */
export type Tally = { readonly [F in Fate]: number };

/** What a run has found. */
export type Outcome = {
  readonly ham: { readonly [K in HamKind]: Tally };
  readonly spam: { readonly [K in SpamKind]: Tally };
  /** Of those who write ten texts a minute. */
  readonly busyLimited: number;
  /** The people of whom nothing was held or refused, and how many people there are. */
  readonly undisturbed: number;
  readonly people: number;
  /** What the counts of the rules say, by name. */
  readonly byRule: ReadonlyMap<string, number>;
  /** Texts whose fate the list of the app contradicts. */
  readonly contradictions: readonly string[];
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The rules that the guide proposes, unchanged. */
function guideRules(): object {
  const { codeBelow } = readGuide('keeping-a-community.md');
  const command = codeBelow('### A set to begin with', 'sh');
  return JSON.parse(command.slice(command.indexOf("'{") + 1, command.lastIndexOf("}'") + 1));
}

/** A store that forgets which texts were sent. */
function forgetfulOfTexts(db: Db): Db {
  return wrapStore(db, {
    tx: (tx) => ({
      ...tx,
      insert: async (command, parameters) =>
        insertsInto(command, 'recent_texts') ? 1 : await tx.insert(command, parameters),
    }),
  });
}

/** Sends texts of both kinds, and tallies what became of them. */
export async function runSpam({
  folder,
  seed,
  accounts: accountCount,
  texts,
  isPlanted = false,
}: {
  readonly folder: string;
  readonly seed: number;
  readonly accounts: number;
  readonly texts: number;
  readonly isPlanted?: boolean;
}): Promise<Outcome> {
  const random = seededRandom(seed);
  await using community = await startCommunity(mkdtempSync(join(folder, 'run-')), {
    ...(isPlanted ? { wrapDb: forgetfulOfTexts } : {}),
  });
  await community.must('PUT', '/api/apps/square', { type: 'comments', access: 'write' });
  const accounts = await makeAccounts(community, random, accountCount);
  await community.must('PUT', '/api/moderation/rules', guideRules());
  return await play({ community, random, accounts, textsEach: Math.floor(texts / accountCount) });
}

/** Three quarters are people, of whom a fifth is new; of the senders of spam a fifth has taken over an old account. */
async function makeAccounts(community: Community, random: Random, count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const age of ['old', 'new'] as const) {
    for (let index = 0; index < count; index += 1) {
      const isHonest = index % 4 !== 0;
      const isNew = isHonest ? index % 5 === 1 : index % 20 !== 0;
      if (isNew !== (age === 'new')) continue;
      const uid = `a-${randomBytes(6).toString('hex')}`;
      const token = await issueToken(community, uid, 2_592_000);
      // Every tenth person writes ten texts a minute, the others at most half as many.
      const everyMs = !isHonest ? 2000 : index % 10 === 1 ? minuteMs / 10 : random.integer(12_000, 90_000);
      accounts.push({ token, isHonest, age, everyMs });
    }
    if (age === 'old') community.clock.move(20 * dayMs);
  }
  return accounts;
}

type Sending = { readonly at: number; readonly account: Account };

/** The texts of all accounts in the order of their times. Senders of spam come and go for ten minutes. */
function schedule(accounts: readonly Account[], textsEach: number, random: Random): Sending[] {
  return accounts
    .flatMap((account) => {
      const start = random.integer(0, 10 * minuteMs);
      return Array.from({ length: textsEach }, (_, index) => ({
        at: start + index * account.everyMs,
        account,
      }));
    })
    .sort((one, other) => one.at - other.at);
}

type Play = {
  readonly community: Community;
  readonly random: Random;
  readonly accounts: readonly Account[];
  readonly textsEach: number;
};

const none: Tally = { taken: 0, held: 0, refused: 0, limited: 0 };

async function play({ community, random, accounts, textsEach }: Play): Promise<Outcome> {
  const tallies = new Map<string, { -readonly [F in Fate]: number }>();
  const disturbed = new Set<Account>();
  const shown = new Map<number, Fate>();
  let busyLimited = 0;
  let now = 0;
  const campaign = drawCampaign(random);
  for (const { at, account } of schedule(accounts, textsEach, random)) {
    community.clock.move(at - now);
    now = at;
    const { isHonest, everyMs } = account;
    const kind = isHonest ? drawKind(random, hamShares) : drawKind(random, spamShares);
    const text = isHonest ? drawHam(random, kind as HamKind) : drawSpam(random, kind as SpamKind, campaign);
    const { fate, id } = await submit(community, account, { text, isEdit: kind === 'edited', random });
    if (id !== undefined) shown.set(id, fate);
    if (isHonest && fate !== 'taken') disturbed.add(account);
    if (isHonest && everyMs === minuteMs / 10 && fate === 'limited') busyLimited += 1;
    const name = `${isHonest} ${kind}`;
    const tally = tallies.get(name) ?? { ...none };
    tally[fate] += 1;
    tallies.set(name, tally);
  }
  const of = <K extends string>(isHonest: boolean, shares: { readonly [k in K]: number }) =>
    Object.fromEntries(
      Object.keys(shares).map((kind) => [kind, tallies.get(`${isHonest} ${kind}`) ?? none]),
    ) as { [k in K]: Tally };
  const people = accounts.filter(({ isHonest }) => isHonest).length;
  return {
    ham: of(true, hamShares),
    spam: of(false, spamShares),
    busyLimited,
    undisturbed: people - disturbed.size,
    people,
    byRule: await countsOf(community),
    contradictions: await compareWithList(community, shown),
  };
}

/** Sends a text, as an edit of a harmless one where `isEdit`. */
async function submit(
  { call }: Community,
  { token }: Account,
  { text, isEdit, random }: { readonly text: string; readonly isEdit: boolean; readonly random: Random },
): Promise<{ fate: Fate; id?: number }> {
  const first = isEdit ? drawHam(random, 'plain') : text;
  let { status, body } = await call('POST', '/api/apps/square/comments', { text: first }, token);
  if (isEdit && status === 201 && body['is_held'] !== true) {
    const { id } = body;
    ({ status, body } = await call('PATCH', `/api/comments/${id}`, { text }, token));
    // A refused edit leaves the harmless text, which is shown.
    if (status === 403) return { fate: 'refused' };
  }
  if (status === 429) return { fate: 'limited' };
  if (status === 403) return { fate: 'refused' };
  if (status !== 201 && status !== 200) throw new Error(`a text is ${status}: ${JSON.stringify(body)}`);
  return { fate: body['is_held'] === true ? 'held' : 'taken', id: Number(body['id']) };
}

async function countsOf(community: Community): Promise<Map<string, number>> {
  const { counts } = await community.must('GET', '/api/moderation/rules');
  const rows = counts as { name: string; reported: number; held: number; refused: number }[];
  return new Map(rows.map(({ name, reported, held, refused }) => [name, reported + held + refused]));
}

/** Reads the app as a visitor does: what was taken is there, and what was held is not. */
async function compareWithList(community: Community, fateOf: ReadonlyMap<number, Fate>): Promise<string[]> {
  const visitor = await issueToken(community, 'visitor');
  const listed = new Set<number>();
  for (let skip = 0; ; skip += 100) {
    const path = `/api/apps/square/comments?top=100&skip=${skip}&count=false`;
    const { data } = await community.must('GET', path, undefined, visitor);
    for (const { id } of data as { id: number }[]) listed.add(id);
    if ((data as unknown[]).length < 100) break;
  }
  return [...fateOf]
    .filter(([id, fate]) => listed.has(id) !== (fate === 'taken'))
    .map(([id, fate]) => `comment ${id} was ${fate} and is ${listed.has(id) ? '' : 'not '}in the list`);
}
