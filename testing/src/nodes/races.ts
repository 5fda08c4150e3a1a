import { type Body, issueToken } from '../harness/client.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { Cluster } from './cluster.ts';
import type { Sender } from './node.ts';

/** The findings of a race. */
export type RaceResult = {
  readonly name: string;
  readonly rounds: number;
  readonly failures: readonly string[];
};

const requestsOfRound = 32;
const people = 8;

type Rows = Cluster['rows'];
type Person = { readonly uid: string; readonly token: string };

/** What every race needs. */
type Setting = {
  readonly pair: readonly [Sender, Sender];
  readonly rows: Rows;
  readonly random: Random;
  readonly persons: readonly Person[];
};

type Statuses = readonly (number | 'unknown')[];

/** Sends the requests of a round at once, alternately to both nodes; returns the statuses. */
async function race(
  { pair }: Setting,
  requestOf: (n: number) => { method: string; path: string; as?: string; body?: unknown },
): Promise<{ statuses: Statuses; bodies: Body[] }> {
  const answers = await Promise.all(
    Array.from({ length: requestsOfRound }, async (_, n) => {
      const { method, path, as, body } = requestOf(n);
      return await (pair[n % 2] ?? pair[0]).send(method, path, body, as);
    }),
  );
  return {
    statuses: answers.map((answer) => answer?.status ?? 'unknown'),
    bodies: answers.map((answer) => answer?.body ?? {}),
  };
}

function countOf(statuses: Statuses, status: number): number {
  return statuses.filter((each) => each === status).length;
}

/** One race: runs a round and returns the violations. */
type Round = (setting: Setting, round: number) => Promise<string | undefined>;

async function comment({ pair: [node] }: Setting, uid: string, fields: object): Promise<Body> {
  await node.must('POST', '/api/apps', { uid, type: 'comments', access: 'write' });
  return await node.must('POST', `/api/apps/${uid}/comments`, { text: 'a text', ...fields });
}

const freeUid: Round = async (setting, round) => {
  const uid = `free-${round}`;
  const { statuses, bodies } = await race(setting, (n) => ({
    method: 'PUT',
    path: `/api/apps/${uid}`,
    body: { type: 'comments', name: `${n}` },
  }));
  const ids = new Set(bodies.map(({ id }) => id));
  if (countOf(statuses, 201) === 1 && countOf(statuses, 200) === 31 && ids.size === 1) return undefined;
  return `${countOf(statuses, 201)} made it, ${ids.size} ids, ${statuses.join(' ')}`;
};

const voting: Round = async (setting, round) => {
  const { random, persons, rows } = setting;
  const { id, options } = await comment(setting, `poll-${round}`, {
    options: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
  });
  const optionIds = (options as { id: number }[]).map((option) => option.id);
  const { statuses } = await race(setting, () => ({
    method: 'POST',
    path: `/api/options/${random.draw(optionIds)}/vote`,
    as: random.draw(persons).token,
  }));
  const [found] = await rows<{ differ: number; votes: number; voters: number; balance: number }>(
    `select (select count(*)::int from options where entry_id = $1 and vote_count <>
        (select count(*) from votes where option_id = options.id)) as differ,
      (select count(*)::int from votes where entry_id = $1) as votes,
      (select count(distinct user_id)::int from votes where entry_id = $1) as voters,
      (select coalesce(sum(case action when 'option_voted' then 1 else -1 end), 0)::int from events
        where action in ('option_voted', 'option_unvoted') and entity_id = any($2)) as balance`,
    [id, optionIds],
  );
  const isRight = found?.differ === 0 && found.votes === found.voters && found.balance === found.votes;
  if (countOf(statuses, 200) === requestsOfRound && isRight) return undefined;
  return `${JSON.stringify(found)}, ${statuses.join(' ')}`;
};

const reacting: Round = async (setting, round) => {
  const { random, persons, rows } = setting;
  const { id } = await comment(setting, `reacted-${round}`, {});
  const { statuses } = await race(setting, () => ({
    method: random.oneIn(3) ? 'DELETE' : 'POST',
    path: `/api/comments/${id}/reactions`,
    as: random.draw(persons).token,
    body: { content: random.draw(['👍', '🎉', '😄']) },
  }));
  const [found] = await rows<{ kept: number; counted: number; people: number; balance: number }>(
    `select reaction_count::int as kept,
      (select count(*)::int from reactions where entry_id = $1) as counted,
      (select count(distinct created_by_id)::int from reactions where entry_id = $1) as people,
      (select coalesce(sum(case action when 'reaction_added' then 1 else -1 end), 0)::int from events
        where action in ('reaction_added', 'reaction_removed')
          and ('{' || payload || '}')::jsonb -> 'entity' ->> 'id' = $1::text) as balance
     from entries where id = $1`,
    [id],
  );
  const isRight = new Set(Object.values(found ?? {})).size === 1;
  const isAnswered = statuses.every((status) => status === 200 || status === 204);
  return isRight && isAnswered ? undefined : `${JSON.stringify(found)}, ${statuses.join(' ')}`;
};

const joining: Round = async (setting, round) => {
  const { random, persons, rows, pair } = setting;
  const app = await pair[1].must('POST', '/api/apps', { uid: `joined-${round}`, type: 'comments' });
  const { statuses } = await race(setting, () => {
    const path = `/api/apps/${app.id}/members/${random.draw(persons).uid}`;
    const isPut = !random.oneIn(3);
    return { method: isPut ? 'PUT' : 'DELETE', path, ...(isPut ? { body: { access: 'write' } } : {}) };
  });
  const [found] = await rows<{ counted: number; kept: number; balance: number }>(
    `select (select count(*)::int from members where app_id = $1) as counted,
      (select coalesce(sum(live), 0)::int from tallies where parent_type = 'app' and parent_id = $1
        and kind = 'member') as kept,
      (select coalesce(sum(case action when 'member_added' then 1 else -1 end), 0)::int from events
        where action in ('member_added', 'member_removed') and app_id = $1) as balance`,
    [app.id],
  );
  const isRight = new Set(Object.values(found ?? {})).size === 1;
  const isAnswered = statuses.every((status) => status === 204 || status === 404 || status === 200);
  return isRight && isAnswered ? undefined : `${JSON.stringify(found)}, ${statuses.join(' ')}`;
};

const trashing: Round = async (setting, round) => {
  const { random, rows } = setting;
  const { id, app_id: appId } = await comment(setting, `trashed-${round}`, {});
  const { statuses } = await race(setting, () => ({
    method: 'POST',
    path: `/api/comments/${id}/${random.draw(['trash', 'restore'])}`,
  }));
  const [found] = await rows<{ live: number; kept: number; balance: number; repeats: number }>(
    `select (select count(*)::int from entries where id = $1 and trashed_at is null) as live,
      (select live::int from tallies where parent_type = 'app' and parent_id = $2 and kind = 'comment') as kept,
      (select 1 + coalesce(sum(case action when 'comment_restored' then 1 else -1 end), 0)::int from events
        where action in ('comment_trashed', 'comment_restored') and entity_id = $1) as balance,
      (select count(*)::int from (select action, lag(action) over (order by id) as last from events
        where action in ('comment_trashed', 'comment_restored') and entity_id = $1) as each
        where action = last) as repeats`,
    [id, appId],
  );
  const isRight = found?.live === found?.kept && found?.live === found?.balance && found?.repeats === 0;
  const isAnswered = countOf(statuses, 200) === requestsOfRound;
  return isRight && isAnswered ? undefined : `${JSON.stringify(found)}, ${statuses.join(' ')}`;
};

const leaving: Round = async (setting, round) => {
  const { random, persons, rows, pair } = setting;
  const app = await pair[0].must('POST', '/api/apps', { uid: `left-${round}`, type: 'comments' });
  const place = `/api/apps/${app.id}`;
  const leavers = persons.slice(0, 4);
  for (const { uid } of leavers) await pair[0].must('PUT', `${place}/members/${uid}`, { access: 'write' });
  const { statuses } = await race(setting, (n) => {
    const { uid, token } = random.draw(leavers);
    // All through one node, so that groups of the other only add.
    return n % 8 === 0
      ? { method: 'DELETE', path: `${place}/members/${uid}` }
      : { method: 'POST', path: `${place}/comments`, as: token, body: { text: 'a text' } };
  });
  const [found] = await rows<{ late: number }>(
    `select count(*)::int as late from events as left_at
      join events as later on later.app_id = left_at.app_id and later.id > left_at.id
        and later.action = 'comment_created' and later.actor_id = left_at.entity_id
      where left_at.action = 'member_removed' and left_at.app_id = $1`,
    [app.id],
  );
  const isAnswered = statuses.every((status) => status === 201 || status === 204 || status === 404);
  return found?.late === 0 && isAnswered ? undefined : `${found?.late} late, ${statuses.join(' ')}`;
};

const races: { readonly [name: string]: Round } = {
  'PUT of one free uid': freeUid,
  'votes in one poll': voting,
  'reactions to one comment': reacting,
  'memberships of one app': joining,
  'trash and restore of one comment': trashing,
  'comments of members who leave': leaving,
};

/** Races 32 requests over both nodes, `rounds` times for each race. */
export async function runRaces(
  pair: readonly [Sender, Sender],
  { seed, rounds, rows }: { seed: number; rounds: number; rows: Rows },
): Promise<RaceResult[]> {
  const random = seededRandom(seed);
  const persons: Person[] = [];
  for (let n = 0; n < people; n += 1) {
    const uid = `racer-${n}`;
    await pair[0].must('PUT', `/api/users/${uid}`, { name: uid });
    persons.push({ uid, token: await issueToken(pair[1], uid) });
  }
  const results: RaceResult[] = [];
  for (const [name, round] of Object.entries(races)) {
    const failures: string[] = [];
    for (let n = 0; n < rounds; n += 1) {
      // A request that prepares the race can fail as well, where a mistake is planted.
      const failure = await round({ pair, rows, random, persons }, n).catch(String);
      if (failure !== undefined) failures.push(`round ${n}: ${failure}`);
    }
    results.push({ name, rounds, failures });
  }
  return results;
}
