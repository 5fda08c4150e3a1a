import { Client, issueToken } from 'confab-testing/harness/client.ts';
import type { ConfabProcess } from 'confab-testing/harness/confab-process.ts';
import type { Load } from './measure.ts';
import { createComments } from './rows.ts';
import { headersOf } from './servers.ts';

/** What clients of the nodes do: `comments` create, the others change something each time, `mixed` has one change in ten. */
export const loadNames = [
  'comments',
  'mixed',
  'edits',
  'reactions',
  'trashings',
  'votes',
  'marks',
  'stars',
  'members',
  'moderation',
] as const;
export type LoadName = (typeof loadNames)[number];

/** The loads of one node, which change other items than those of the others. */
export type NodeLoads = Readonly<Record<LoadName, Load>>;

/** How many comments, polls, conversations and users each node changes, and how many texts an edit takes turns with. */
const [itemCount, textCount] = [128, 8];

type Request = Load['requests'][number];
type Item = {
  readonly uid: string;
  readonly token: string;
  readonly commentId: number;
  /** Comments that are in the trash, or held, when a load ends in the middle. */
  readonly trashedId: number;
  readonly heldId: number;
  readonly optionId: number;
  readonly chatId: number;
};

/** Makes some apps, users and items through the first of some nodes, and what each node does with its part of them. */
export async function prepareLoads(
  server: ConfabProcess,
  { nodeCount, appCount }: { readonly nodeCount: number; readonly appCount: number },
): Promise<readonly NodeLoads[]> {
  await using client = new Client(server, { connections: 1 });
  await client.must('PUT', '/api/users/writer', { name: 'Writer' });
  const writer = await issueToken(client, 'writer');
  const appIds: number[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const body = { uid: `bench-${index}`, type: 'comments', access: 'write' };
    appIds.push(await client.create('/api/apps', body, writer));
  }
  const feedId = await client.create(
    '/api/apps',
    { uid: 'bench-feed', type: 'posts', access: 'write' },
    writer,
  );
  const loads: NodeLoads[] = [];
  for (let node = 0; node < nodeCount; node += 1) {
    const items: Item[] = [];
    for (let index = 0; index < itemCount; index += 1)
      items.push(
        await makeItem(client, {
          uid: `reader-${node}-${index}`,
          writer,
          feedId,
          appId: appIds[index % appCount] ?? 0,
        }),
      );
    loads.push(loadsOf(items, { appIds, writer, key: server.key }));
  }
  return loads;
}

async function makeItem(
  client: Client,
  of: { readonly uid: string; readonly writer: string; readonly feedId: number; readonly appId: number },
): Promise<Item> {
  const { uid, writer, feedId, appId } = of;
  await client.must('PUT', `/api/users/${uid}`, { name: uid });
  const token = await issueToken(client, uid);
  await client.must('PUT', `/api/apps/${appId}/members/${uid}`, { access: 'write' });
  await client.must('PUT', `/api/apps/${feedId}/members/${uid}`, { access: 'write' });
  const comment = () => client.create(`/api/apps/${appId}/comments`, { text: 'A comment.' }, writer);
  const [commentId, trashedId, heldId] = [await comment(), await comment(), await comment()];
  const poll = { text: 'A poll.', options: [{ text: 'yes' }, { text: 'no' }] };
  const post = await client.must('POST', `/api/apps/${feedId}/posts`, poll, writer);
  const [option] = (post['options'] as { id: number }[] | undefined) ?? [];
  const chatId = await client.create('/api/conversations', { members: [uid] }, writer);
  await client.create(`/api/apps/${chatId}/messages`, { text: 'A message.' }, writer);
  return { uid, token, commentId, trashedId, heldId, optionId: option?.id ?? 0, chatId };
}

function loadsOf(
  items: readonly Item[],
  {
    appIds,
    writer,
    key,
  }: { readonly appIds: readonly number[]; readonly writer: string; readonly key: string },
): NodeLoads {
  const request = (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    as: string,
    body?: object,
  ): Request => ({
    method,
    path,
    headers: headersOf(as, body !== undefined),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  /** Each item is changed and changed back by one client, so that every request changes something. */
  const each = (of: (item: Item, index: number) => readonly Request[]): Load => ({
    requests: items.flatMap(of),
  });
  const comments = createComments(appIds, writer);
  const edits = each(({ commentId }) =>
    Array.from({ length: textCount }, (_, text) =>
      request('PATCH', `/api/comments/${commentId}`, writer, {
        text: `A comment with the words of its edit ${text}.`,
      }),
    ),
  );
  const reactions = each(({ commentId, token }) => {
    const path = `/api/comments/${commentId}/reactions`;
    return [request('POST', path, token, { content: '👍' }), request('DELETE', path, token)];
  });
  const trashings = each(({ trashedId }) => [
    request('POST', `/api/comments/${trashedId}/trash`, writer),
    request('POST', `/api/comments/${trashedId}/restore`, writer),
  ]);
  const changes = items.map((_, index) => [edits, reactions][index % 2]?.requests[index] as Request);
  const creates = Array.from(
    { length: 9 },
    (_, index) => comments.requests[index % comments.requests.length] as Request,
  );
  return {
    comments,
    mixed: { requests: changes.flatMap((change) => [...creates, change]) },
    edits,
    reactions,
    trashings,
    votes: each(({ optionId, token }) => [request('POST', `/api/options/${optionId}/vote`, token)]),
    marks: each(({ chatId, token }) => {
      const path = `/api/conversations/${chatId}/mark`;
      return [request('PUT', path, token), request('DELETE', path, token)];
    }),
    stars: each(({ token }, index) => {
      const path = `/api/apps/${appIds[index % appIds.length]}/stars`;
      return [request('POST', path, token), request('DELETE', path, token)];
    }),
    members: each(({ uid }, index) => {
      const path = `/api/apps/${appIds[index % appIds.length]}/members/${uid}`;
      return [request('PUT', path, key, { access: 'read' }), request('PUT', path, key, { access: 'write' })];
    }),
    moderation: each(({ heldId }) => [
      request('POST', `/api/comments/${heldId}/hold`, key),
      request('POST', `/api/comments/${heldId}/approve`, key),
    ]),
  };
}
