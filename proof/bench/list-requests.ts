import { operationList } from 'confab-contract/index.ts';
import { vocabularySize, wordOfRank } from './comment-texts.ts';
import type { LargeWorld } from './large-store.ts';

/** Who calls: an API key, a user who sees everything, or one who sees few apps. */
export type Caller = 'key' | 'reader' | 'guest';

/** The kinds of requests, which a summary tells apart. */
export const requestKinds = ['page', 'cursor', 'skip', 'filter', 'search', 'counted search'] as const;
type RequestKind = (typeof requestKinds)[number];

/** A request that is measured. */
export type ListRequest = {
  /** The list that it is of. */
  readonly list: string;
  readonly kind: RequestKind;
  readonly name: string;
  readonly caller: Caller;
  readonly path: string;
  /** Whether not this page is measured but the one that its `Link` leads to. */
  readonly isFollowed?: true;
};

/** A list: the operation that declares its orders, what it is of, how many it has, and who asks for it. */
type Listed = {
  readonly operation: string;
  readonly of: string;
  readonly path: string;
  readonly rows: number;
  readonly callers: readonly Caller[];
  /** Whether the searches are sent. */
  readonly isSearched?: true;
  /** Filters of its own. */
  readonly filters?: readonly string[];
};

const both = ['key', 'reader'] as const;
const suspension = ['suspended=true', 'suspended=null'];
/** Of threads by their state and by the key of their place. */
const ofPlaces = ['resolved=false', 'resolved=true', 'anchor=key-7', 'anchor=key-7&resolved=false'].flatMap(
  (filter) => [filter, `${filter}&order_by=id+desc`],
);

function listsOf(world: LargeWorld): Listed[] {
  const { big, small, room, postsApp, filesApp, chat, threads, webhook, directory, sizes } = world;
  const searched = { isSearched: true } as const;
  const ofApp = (operation: string, app: number, of: string, rows: number): Listed => ({
    operation: `listApp${operation}`,
    of: `${operation.toLowerCase()} of ${of}`,
    path: `/api/apps/${app}/${operation.toLowerCase()}`,
    ...{ rows, callers: ['reader'], ...searched },
  });
  const ofAll = (operation: string, rows: number, callers: readonly Caller[] = both): Listed => ({
    operation: `list${operation}`,
    of: `${operation.toLowerCase()} of all apps`,
    path: `/api/${operation.toLowerCase()}`,
    ...{ rows, callers, ...searched },
  });
  return [
    { ...ofApp('Comments', big, 'the big app', sizes.comments), filters: ofPlaces },
    ofApp('Comments', small, 'a small app', sizes.comments / sizes.smallApps),
    ofApp('Comments', postsApp, 'the posts app', sizes.postComments),
    ofApp('Comments', threads.wide, 'an app with one long thread', sizes.wideAnswers),
    ofAll('Comments', 2 * sizes.comments, ['key', 'reader', 'guest']),
    ofApp('Posts', postsApp, 'the posts app', sizes.posts),
    ofAll('Posts', sizes.posts),
    ofApp('Messages', chat, 'the chat', sizes.messages),
    ofAll('Messages', sizes.messages),
    ofApp('Files', filesApp, 'the files app', sizes.files),
    ofAll('Files', sizes.files),
    {
      ...{ operation: 'listApps', of: 'apps', path: '/api/apps', rows: sizes.apps, ...searched },
      ...{ callers: ['key', 'reader', 'guest'], filters: ['type=comments', 'contextual=false'] },
    },
    {
      ...{ operation: 'listUsers', of: 'users', path: '/api/users', rows: sizes.users, ...searched },
      ...{ callers: both, filters: suspension },
    },
    {
      ...{ operation: 'listDirectoryMembers', of: 'users of a directory', rows: sizes.users, ...searched },
      ...{ path: `/api/directories/${directory}/members`, callers: both, filters: suspension },
    },
    {
      ...{ operation: 'listMembers', of: 'members of the big app', rows: sizes.users, ...searched },
      ...{ path: `/api/apps/${big}/members`, callers: ['reader'], filters: suspension },
    },
    {
      ...{ operation: 'listMembers', of: 'members of a room', rows: 20, ...searched },
      ...{ path: `/api/apps/${room}/members`, callers: ['reader'], filters: suspension },
    },
    {
      ...{ operation: 'listConversations', of: 'conversations', rows: sizes.rooms, ...searched },
      ...{ path: '/api/conversations', callers: ['reader'] },
      filters: ['unread=true', 'unread=false', 'member=user-1', 'type=chat_room'],
    },
    {
      ...{ operation: 'listStars', of: 'stars', path: '/api/stars', rows: sizes.apps, ...searched },
      callers: ['reader'],
    },
    {
      ...{ operation: 'listNotifications', of: 'notifications', rows: sizes.events, ...searched },
      ...{ path: '/api/notifications', callers: ['reader'] },
      filters: [
        ...['unread=true', 'unread=false', 'action=comment_created', 'action=no_such'],
        ...['type=mention', 'type=activity&action=comment_created', `app=${room}`],
      ],
    },
    {
      ...{ operation: 'listWebhooks', of: 'webhooks', path: '/api/webhooks', rows: sizes.webhooks },
      ...{ callers: ['key'], ...searched },
    },
    {
      ...{ operation: 'listDeliveries', of: 'deliveries of a webhook', rows: sizes.events, ...searched },
      ...{ path: `/api/webhooks/${webhook}/deliveries`, callers: ['key'] },
      filters: [
        ...['status=failed', 'status=pending', 'status_code=500', 'action=comment_created', 'action=no_such'],
        ...['since=2024-01-01T00:00:00Z', 'until=2024-01-01T00:00:00Z', 'event_id=1', 'expand=payload'],
      ],
    },
    {
      ...{ operation: 'listDirectories', of: 'directories', path: '/api/directories', ...searched },
      ...{ rows: sizes.directories, callers: ['key'] },
    },
  ];
}

const prefixed = wordOfRank(700);
/** The questions of a search by name: words by how frequent they are, two of them, a phrase, beginnings, and nothing. */
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

/** Every list in every order, with searches, filters, counts and pages far down, and what is read beside lists. */
export function listRequests(world: LargeWorld): ListRequest[] {
  const lists = listsOf(world).flatMap((listed) =>
    listed.callers.flatMap((caller) =>
      queriesOf(listed).map(({ query, ...rest }): ListRequest => {
        const list = `${listed.of}${listed.callers.length > 1 ? ` (${caller})` : ''}`;
        return { ...rest, list, caller, path: `${listed.path}${query === '' ? '' : `?${query}`}` };
      }),
    ),
  );
  return [...lists, ...otherRequests(world)];
}

type Query = Pick<ListRequest, 'kind' | 'name' | 'isFollowed'> & { readonly query: string };

/** What is read of many and is not a list of the contract. */
function otherRequests({ sizes, threads, big }: LargeWorld): ListRequest[] {
  const of = (list: string, path: string, callers: readonly Caller[], queries: readonly Query[]) =>
    callers.flatMap((caller) =>
      queries.map(
        ({ query, ...rest }): ListRequest => ({
          ...{ ...rest, list: `${list} (${caller})`, caller },
          path: `${path}${query === '' ? '' : `?${query}`}`,
        }),
      ),
    );
  return [
    ...of(
      'events',
      '/api/events',
      ['key', 'reader', 'guest'],
      [
        { kind: 'page', name: 'first', query: '' },
        { kind: 'page', name: 'a hundred', query: 'top=100' },
        { kind: 'cursor', name: 'far down', query: `after=${Math.round(sizes.events * 0.9)}` },
      ],
    ),
    ...Object.entries({ wide: threads.wide, deep: threads.deep, many: threads.many }).flatMap(([name, app]) =>
      of(`threads of the ${name} app`, `/api/apps/${app}/comments`, both, threadQueries('thread=roots&')),
    ),
    ...threads.roots.flatMap((root, index) =>
      of(
        index === 0 ? 'a thread of many answers' : 'a thread of one long chain',
        `/api/comments/${root}/replies`,
        both,
        threadQueries(''),
      ),
    ),
    ...of(
      'keys of places',
      `/api/apps/${big}/anchors`,
      ['reader'],
      [
        { kind: 'page', name: 'first', query: '' },
        { kind: 'page', name: 'a hundred', query: 'top=100' },
        {
          ...{ kind: 'page', name: 'a hundred that are named' },
          query: Array.from({ length: 100 }, (_, n) => `key=key-${n * 7}`).join('&'),
        },
      ],
    ),
    ...of('autocompletion', '/api/users/autocomplete', both, [
      { kind: 'page', name: 'plain', query: '' },
      { kind: 'page', name: 'counted', query: 'count=true' },
      { kind: 'skip', name: 'far down', query: `skip=${Math.round(sizes.users * 0.9)}` },
      ...searches('&count=true', ''),
    ]),
    ...of(
      'badge of conversations',
      '/api/conversations/badge',
      ['reader'],
      [{ kind: 'page', name: 'plain', query: '' }],
    ),
  ];
}

/** Pages of threads in every order, with as much as can be asked for. */
function threadQueries(threads: string): Query[] {
  const orders = ['id', 'id+desc', 'reaction_count', 'reaction_count+desc'];
  return [
    { kind: 'page', name: 'everything', query: `${threads}top=25&expand=created_by,parent,embed` },
    ...(threads === ''
      ? []
      : [{ kind: 'page', name: 'all answers', query: `${threads}top=25&replies=25` } as const]),
    ...orders.flatMap((order): Query[] => [
      { kind: 'page', name: `by ${order}`, query: `${threads}order_by=${order}` },
      {
        ...{ kind: 'cursor', name: `by ${order}, after a cursor`, isFollowed: true },
        query: `${threads}order_by=${order}&skip=900`,
      },
    ]),
    { kind: 'skip', name: 'skip 1,000', query: `${threads}skip=1000` },
    { kind: 'skip', name: 'far down', query: `${threads}skip=9000` },
  ];
}

/** Every question, counted and not. */
function searches(counted: string, uncounted: string): Query[] {
  return Object.entries(questions).flatMap(([name, question]): Query[] => {
    const query = `q=${encodeURIComponent(question)}`;
    return [
      { kind: 'counted search', name, query: query + counted },
      { kind: 'search', name: `${name}, uncounted`, query: query + uncounted },
    ];
  });
}

function queriesOf({ operation, isSearched, rows, filters = [] }: Listed): Query[] {
  const list = operationList.find(({ id }) => id === operation)?.list;
  const orders = list?.orderBy ?? ['id'];
  const far = Math.round(rows * 0.9);
  const plain: Query[] = [
    { kind: 'page', name: 'plain', query: '' },
    { kind: 'page', name: 'everything', query: `top=100&expand=${list?.expand.join(',')}` },
    { kind: 'page', name: 'count alone', query: 'count_only=true' },
    { kind: 'filter', name: 'in the trash or not', query: 'trashed=null' },
    { kind: 'filter', name: 'the trash', query: 'trashed=true' },
    { kind: 'filter', name: 'a tag', query: 'tag=t' },
    ...orders.flatMap((order): Query[] => [
      { kind: 'page', name: `by ${order}`, query: `order_by=${order}` },
      { kind: 'page', name: `by ${order} desc`, query: `order_by=${order}+desc` },
      {
        ...{ kind: 'cursor', name: `by ${order}, after a far cursor`, isFollowed: true },
        query: `order_by=${order}&skip=${far}`,
      },
    ]),
    { kind: 'skip', name: 'skip 1,000', query: 'skip=1000' },
    { kind: 'skip', name: `skip ${far}`, query: `skip=${far}` },
    ...filters.flatMap((filter): Query[] => [
      { kind: 'filter', name: filter, query: filter },
      { kind: 'filter', name: `${filter}, uncounted`, query: `${filter}&count=false` },
    ]),
  ];
  if (isSearched === undefined) return plain;
  const common = `q=${questions['a common word']}`;
  return [
    ...plain,
    ...searches('', '&count=false'),
    ...orders.map(
      (order): Query => ({
        ...{ kind: 'search', name: `a common word by ${order} desc, uncounted` },
        query: `${common}&count=false&order_by=${order}+desc`,
      }),
    ),
    {
      ...{ kind: 'search', name: 'a common word after a far cursor', isFollowed: true },
      query: `${common}&count=false&skip=${Math.round(far / 4)}`,
    },
    { kind: 'counted search', name: 'a common word with a tag', query: `${common}&tag=t` },
  ];
}
