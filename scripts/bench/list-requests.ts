import { operationList } from '../../src/contract/index.ts';
import { vocabularySize, wordOfRank } from './comment-texts.ts';
import type { LargeWorld } from './large-store.ts';

/** Who calls: an API key, a user who sees everything, or one who sees few apps. */
export type Caller = 'key' | 'reader' | 'guest';

/** A request that is measured. */
export type ListRequest = { readonly name: string; readonly caller: Caller; readonly path: string };

/** A list: the operation that declares its orders, what it is of, and who asks for it. */
type Listed = {
  readonly operation: string;
  readonly of: string;
  readonly path: string;
  readonly callers: readonly Caller[];
  /** Whether the searches are sent: those of texts that are many. */
  readonly isSearched?: true;
};

function listsOf(world: LargeWorld): Listed[] {
  const { big, small, postsApp, filesApp, chat, webhook } = world;
  const ofApp = (operation: string, app: number, of: string, items: string): Listed => ({
    operation,
    of: `${items} of ${of}`,
    path: `/api/apps/${app}/${items}`,
    callers: ['reader'],
  });
  const both = ['key', 'reader'] as const;
  return [
    { ...ofApp('listAppComments', big, 'the big app', 'comments'), isSearched: true },
    { ...ofApp('listAppComments', small, 'a small app', 'comments'), isSearched: true },
    { ...ofApp('listAppComments', postsApp, 'the posts app', 'comments'), isSearched: true },
    {
      operation: 'listComments',
      of: 'comments of all apps',
      path: '/api/comments',
      callers: ['key', 'reader', 'guest'],
      isSearched: true,
    },
    ofApp('listAppPosts', postsApp, 'the posts app', 'posts'),
    { ...ofApp('listAppMessages', chat, 'the chat', 'messages'), isSearched: true },
    { ...ofApp('listAppFiles', filesApp, 'the files app', 'files'), isSearched: true },
    ...['posts', 'messages', 'files', 'users', 'apps'].map(
      (items): Listed => ({
        operation: `list${items[0]?.toUpperCase()}${items.slice(1)}`,
        of: `${items} of all apps`,
        path: `/api/${items}`,
        callers: both,
        isSearched: true,
      }),
    ),
    ofApp('listMembers', big, 'the big app', 'members'),
    {
      operation: 'listConversations',
      of: 'conversations',
      path: '/api/conversations',
      callers: ['reader'],
    },
    {
      operation: 'listNotifications',
      of: 'notifications',
      path: '/api/notifications',
      callers: ['reader'],
      isSearched: true,
    },
    {
      operation: 'listDeliveries',
      of: 'deliveries',
      path: `/api/webhooks/${webhook}/deliveries`,
      callers: ['key'],
      isSearched: true,
    },
  ];
}

/** The questions of a search by name: words by how frequent they are, two of them, a phrase, beginnings, and nothing. */
const prefixed = wordOfRank(700);
const questions = {
  'the most common word': wordOfRank(0),
  'a common word': wordOfRank(30),
  'a rare word': wordOfRank(vocabularySize - 1),
  'two common words': `${wordOfRank(10)} ${wordOfRank(30)}`,
  'a common and a rare word': `${wordOfRank(10)} ${wordOfRank(5000)}`,
  'a phrase': `"${wordOfRank(0)} ${wordOfRank(1)}"`,
  'a prefix of 1': prefixed.slice(0, 1),
  'a prefix of 2': prefixed.slice(0, 2),
  'a prefix of 3': prefixed.slice(0, 3),
  nothing: 'zzzzzz',
};

/** Every list in every order, with searches, a tag, counts and pages far down. */
export function listRequests(world: LargeWorld): ListRequest[] {
  return listsOf(world).flatMap((listed) =>
    listed.callers.flatMap((caller) =>
      queriesOf(listed, world).map(([name, query]) => ({
        name: `${listed.of}${listed.callers.length > 1 ? ` (${caller})` : ''}: ${name}`,
        caller,
        path: `${listed.path}${query === '' ? '' : `?${query}`}`,
      })),
    ),
  );
}

function queriesOf({ operation, isSearched }: Listed, world: LargeWorld): [string, string][] {
  const list = operationList.find(({ id }) => id === operation)?.list;
  const orders = list?.orderBy ?? ['id'];
  const deep = Math.round(world.comments * 0.9);
  const plain: [string, string][] = [
    ['plain', ''],
    ['count alone', 'count_only=true'],
    ['in the trash or not', 'trashed=null'],
    ['the trash', 'trashed=true'],
    ['a tag', 'tag=t'],
    ...orders.flatMap((order): [string, string][] => [
      [`by ${order}`, `order_by=${order}`],
      [`by ${order} desc`, `order_by=${order}+desc`],
    ]),
    ['skip 1,000', 'skip=1000'],
    [`skip ${deep}`, `skip=${deep}`],
  ];
  if (isSearched === undefined) return plain;
  return [
    ...plain,
    ...Object.entries(questions).flatMap(([name, question]): [string, string][] => {
      const q = `q=${encodeURIComponent(question)}`;
      return [
        [name, q],
        [`${name}, uncounted`, `${q}&count=false`],
      ];
    }),
    ...orders.map((order): [string, string] => [
      `a common word by ${order} desc, uncounted`,
      `q=${questions['a common word']}&count=false&order_by=${order}+desc`,
    ]),
    ['a common word with a tag', `q=${questions['a common word']}&tag=t`],
  ];
}
