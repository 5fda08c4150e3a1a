import { inParallel } from '../harness/parallel.ts';
import { type Random, seededRandom } from '../harness/random.ts';

/**
 * A user with content of every kind, in the middle of what others wrote. Every text of the user has a word of its own,
 * which nothing else contains, so what is left of the user can be found in the bytes of a store.
 */

/** What was created, with the fields that are read here. */
export type Made = {
  readonly id: number;
  readonly access_token: string;
  readonly options: readonly { readonly id: number }[];
};

/** Sends requests to a server; all of them throw unless they succeed. */
export type WorldClient = {
  /** Without `as` the request carries the API key. */
  must(method: string, path: string, body?: unknown, as?: string, idempotencyKey?: string): Promise<Made>;
  upload(name: string, text: string, as?: string): Promise<Made>;
};

/** The user with the words that identify them. */
export type World = {
  readonly userId: number;
  /** The words in the names and addresses of the user. */
  readonly names: readonly string[];
  /** The words of the texts of the user, and of the texts of others that go with them. */
  readonly texts: readonly string[];
};

const letters = 'bcdfghjklmnpqrstvwxz';
const wordCharacters = 14;

/** How many characters at the end of a word identify it: an index of words may store a word without its beginning. */
export const tailCharacters = 10;
/** Matches runs of letters in which such an end may be. */
export const wordRuns = new RegExp(`[${letters}]{${tailCharacters},}`, 'g');

type Making = {
  readonly client: WorldClient;
  readonly random: Random;
  readonly word: () => string;
  readonly as: string;
  readonly other: string;
  readonly mention: string;
  readonly apps: { readonly [name: string]: number };
  /** The address of a site that answers every path with a page of that title. */
  readonly site: string;
  /** Items of the other user on which the user acts. */
  readonly theirs: Record<'posts' | 'files', number[]>;
  /** Items of the user. */
  readonly own: Record<'comments' | 'posts' | 'files', number[]>;
};

type Step = (making: Making, number: number) => Promise<unknown>;

const steps: readonly (readonly [weight: number, step: Step])[] = [
  [8, async (m) => m.own.comments.push(await comment(m, `/api/apps/${m.apps.comments}/comments`))],
  [
    4,
    async (m) =>
      m.own.posts.push((await m.client.must('POST', `/api/apps/${m.apps.posts}/posts`, text(m), m.as)).id),
  ],
  [4, (m) => m.client.must('POST', `/api/apps/${m.apps.chat}/messages`, text(m), m.as)],
  [2, (m) => m.client.must('POST', `/api/apps/${m.apps.private}/messages`, text(m), m.as)],
  [3, (m) => comment(m, `/api/posts/${m.random.pick(m.theirs.posts)}/comments`)],
  [1, (m) => comment(m, `/api/files/${m.random.pick(m.theirs.files)}/comments`)],
  [2, addPoll],
  [2, addAttached],
  [3, addReaction],
  [2, addVote],
  [3, addFile],
  [1, addVersion],
  [2, editOwn],
  [1, (m) => m.client.upload(`${m.word()}.txt`, m.word(), m.as)],
  [1, addMeeting],
  [1, addEmbed],
  [3, mentionThem],
  [2, answerThem],
];

function text({ word }: Making): object {
  return { text: `some **${word()}** words`, metadata: { note: word() }, tags: [word()] };
}

async function comment(m: Making, path: string): Promise<number> {
  return (await m.client.must('POST', path, text(m), m.as)).id;
}

/** Comments in the app of comments, as the user unless another is named. */
async function say(m: Making, body: object, as = m.as): Promise<Made> {
  return await m.client.must('POST', `/api/apps/${m.apps.comments}/comments`, body, as);
}

async function addPoll(m: Making): Promise<void> {
  const options = [{ text: m.word() }, { text: m.word() }];
  const made = await say(m, { ...text(m), options });
  await m.client.must('POST', `/api/options/${made.options[0]?.id}/vote`, undefined, m.other);
}

async function addAttached(m: Making): Promise<void> {
  const { id } = await m.client.upload(`${m.word()}.txt`, m.word(), m.as);
  await say(m, { ...text(m), blobs: [id] });
}

async function addReaction(m: Making): Promise<void> {
  const made = await say(m, { text: 'react' }, m.other);
  await m.client.must('POST', `/api/comments/${made.id}/reactions`, { content: '👍' }, m.as);
}

async function addVote(m: Making): Promise<void> {
  const options = [{ text: 'yes' }, { text: 'no' }];
  const made = await say(m, { text: 'vote', options }, m.other);
  await m.client.must('POST', `/api/options/${made.options[0]?.id}/vote`, undefined, m.as);
}

async function addFile(m: Making): Promise<void> {
  const { id } = await m.client.upload(`${m.word()}.txt`, m.word(), m.as);
  const file = await m.client.must(
    'POST',
    `/api/apps/${m.apps.files}/files`,
    { blob_id: id, tags: [m.word()] },
    m.as,
  );
  m.own.files.push(file.id);
}

/** Gives a file of the user a second version, or puts content of the user into a file of the other user. */
async function addVersion(m: Making, number: number): Promise<void> {
  const name = `${m.word()}.txt`;
  const { id } = await m.client.upload(name, m.word(), m.as);
  const theirs = number % 2 === 0 && m.theirs.files.length > 3 ? m.theirs.files.shift() : undefined;
  if (theirs !== undefined) {
    await m.client.must('PATCH', `/api/files/${theirs}`, { blob_id: id, backup: true });
    return;
  }
  await m.client.must('POST', `/api/apps/${m.apps.files}/files`, { blob_id: id }, m.as);
  const next = await m.client.upload(name, m.word(), m.as);
  await m.client.must('POST', `/api/apps/${m.apps.files}/files`, { blob_id: next.id, replace: true }, m.as);
}

async function editOwn(m: Making, number: number): Promise<void> {
  const id = m.random.pick(m.own.comments);
  if (id === undefined) return;
  // The second by an API key, whose event has the user's text and another actor.
  await m.client.must(
    'PATCH',
    `/api/comments/${id}`,
    { text: m.word() },
    number % 2 === 0 ? m.as : undefined,
  );
}

async function addMeeting(m: Making): Promise<void> {
  const { id } = await m.client.must('POST', '/api/meetings', { provider: 'jitsi' }, m.as);
  if (m.random.oneIn(2)) await say(m, { meeting_id: id });
}

async function addEmbed(m: Making): Promise<void> {
  const { id } = await m.client.must('POST', '/api/embeds', { url: `${m.site}${m.word()}` }, m.as);
  if (m.random.oneIn(2)) await say(m, { ...text(m), embed_id: id });
}

async function mentionThem(m: Making): Promise<void> {
  await say(m, { text: `hello ${m.mention}, are you there?` }, m.other);
}

/** The other user comments on something of the user; the comment goes with it. */
async function answerThem(m: Making): Promise<void> {
  const post = m.random.pick(m.own.posts);
  const file = m.random.pick(m.own.files);
  const parent = m.random.oneIn(2) && file !== undefined ? `files/${file}` : post && `posts/${post}`;
  if (parent)
    await m.client.must('POST', `/api/${parent}/comments`, { text: `an answer ${m.word()}` }, m.other);
}

/** Creates the user and `items` items, as the seed draws them, `writers` at a time. */
export async function makeWorld(
  client: WorldClient,
  {
    seed,
    items,
    site,
    writers = 1,
  }: { readonly seed: number; readonly items: number; readonly site: string; readonly writers?: number },
): Promise<World> {
  const random = seededRandom(seed);
  const words: string[] = [];
  const word = () => {
    const made = Array.from({ length: wordCharacters }, () => random.pick([...letters])).join('');
    words.push(made);
    return made;
  };
  const person = await makePerson(client, word);
  const names = words.splice(0);
  const others = await makeOthers(client, person, 5 + Math.ceil(items / 60));
  const making: Making = {
    client,
    random,
    word,
    site,
    ...person,
    ...others,
    own: { comments: [], posts: [], files: [] },
  };
  const drawn = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
  // Each step comes twice before any is drawn, so that a small world has content of every kind as well.
  const draw = async (number: number) =>
    await (steps[Math.floor(number / 2)]?.[1] ?? random.pick(drawn) ?? mentionThem)(making, number);
  await inParallel({ count: items, atOnce: writers }, draw);
  for (const app of Object.values(others.apps))
    await client.must('POST', `/api/apps/${app}/stars`, undefined, person.as);
  await client.must('POST', '/api/users/bob/follow', undefined, person.as);
  await client.must('POST', `/api/users/${person.userId}/follow`, undefined, others.other);
  await client.must('POST', `/api/apps/${others.apps.posts}/subscribe`, undefined, person.as);
  await client.must(
    'POST',
    `/api/apps/${others.apps.comments}/comments`,
    text(making),
    person.as,
    'comment-key',
  );
  return { userId: person.userId, names, texts: words };
}

async function makePerson(client: WorldClient, word: () => string) {
  const uid = `ada-${word()}`;
  const name = `Ada-Lou ${word()}`;
  const profile = {
    uid,
    name,
    email: `${word()}@example.com`,
    given_name: word(),
    family_name: word(),
    nickname: word(),
    phone_number: word(),
    comment: word(),
    metadata: { note: word() },
    tags: [word()],
  };
  const { id } = await client.must('POST', '/api/users', profile, undefined, 'profile-key');
  const { access_token: as } = await client.must('POST', `/api/users/${uid}/tokens`);
  return { userId: id, uid, as, mention: `[${name}](@u${id})` };
}

async function makeOthers(
  client: WorldClient,
  person: { readonly uid: string; readonly userId: number },
  files: number,
) {
  const { id: otherId } = await client.must('POST', '/api/users', { uid: 'bob', name: 'Bob' });
  const { access_token: other } = await client.must('POST', '/api/users/bob/tokens');
  const apps: { [name: string]: number } = {};
  for (const type of ['comments', 'posts', 'files', 'chat'])
    apps[type] = (await client.must('POST', '/api/apps', { uid: `the-${type}`, type, access: 'write' })).id;
  for (const app of Object.values(apps)) {
    await client.must('PUT', `/api/apps/${app}/members/${person.uid}`, {}).catch(() => undefined);
    await client.must('POST', `/api/apps/${app}/subscribe`, undefined, other);
  }
  apps.private = (await client.must('POST', '/api/conversations', { members: [person.userId] }, other)).id;
  const theirs: Making['theirs'] = { posts: [], files: [] };
  for (let number = 0; number < 5; number += 1)
    theirs.posts.push(
      (await client.must('POST', `/api/apps/${apps.posts}/posts`, { text: 'a post' }, other)).id,
    );
  for (let number = 0; number < files; number += 1) {
    const { id } = await client.upload(`theirs ${number}.txt`, `theirs ${number}`, other);
    theirs.files.push(
      (await client.must('POST', `/api/apps/${apps.files}/files`, { blob_id: id }, other)).id,
    );
  }
  return { apps, other, theirs, otherId };
}
