import { commentTexts, wordOfRank } from './comment-texts.ts';
import type { Load } from './measure.ts';
import { appComments, appCount, headersOf, type SeededConfab, threadCount } from './servers.ts';

/** A row of the table: which process is loaded with what, and which bare row it is held against. */
export type Row = {
  readonly name: string;
  readonly server: 'bare' | 'plain' | 'confab' | 'confab with a webhook';
  readonly base?: string;
  /** Whether the floor (`floor-server.ts`) is measured with the same load. */
  readonly hasFloor?: true;
  /** Whether 0.1.0 refuses the requests, or answers them with something else. */
  readonly isNew?: true;
  readonly load: (confab: SeededConfab) => Load;
};

const echo = 'bare: echo of a comment body';
const serialise = 'bare: the 25 comments, response schema';
const hello = 'bare: hello, response schema';
const plain = 'node:http: hello with the bytes of the page for a visitor';

/** What newer reference clients get (decision 0180), beside the rows of the same names. */
const secondForm: readonly Omit<Row, 'server' | 'isNew'>[] = [
  {
    name: `create a comment, over ${appCount} apps, second form`,
    base: echo,
    load: ({ appIds, token }) => createComments(appIds, token),
  },
  {
    name: 'list 25 comments, each time of another page or app, second form',
    base: serialise,
    load: ({ appIds, token }) => gets(otherPages(appIds), token),
  },
  {
    name: 'list 25 comments of an app, again and again, second form',
    base: serialise,
    load: ({ listedAppId, token }) => gets([commentsOf(listedAppId)], token),
  },
  { name: 'get one comment, second form', base: hello, load: getComments },
];

/** Whether a row measures a program that Confab is held against. */
export function isBase({ server }: Row): boolean {
  return server === 'bare' || server === 'plain';
}

/** Every row in the order in which it is measured and printed. */
export const rows: readonly Row[] = [
  { name: echo, server: 'bare', load: () => posts(['/echo'], 'none') },
  {
    name: "bare: the echo with Confab's headers and log line",
    server: 'bare',
    base: echo,
    load: () => posts(['/echo-logged'], 'none'),
  },
  { name: serialise, server: 'bare', load: () => gets(['/list'], 'none') },
  {
    name: 'bare: the 25 comments, JSON.stringify',
    server: 'bare',
    load: () => gets(['/list-stringify'], 'none'),
  },
  { name: hello, server: 'bare', load: () => gets(['/hello'], 'none') },
  { name: plain, server: 'plain', load: () => visits('/') },
  {
    name: 'create a comment, all in one app',
    server: 'confab',
    base: echo,
    hasFloor: true,
    load: ({ appIds, token }) => createComments(appIds.slice(0, 1), token),
  },
  {
    name: `create a comment, over ${appCount} apps`,
    server: 'confab',
    base: echo,
    hasFloor: true,
    load: ({ appIds, token }) => createComments(appIds, token),
  },
  {
    name: 'list 25 comments, each time of another page or app',
    server: 'confab',
    base: serialise,
    hasFloor: true,
    load: ({ appIds, token }) => gets(otherPages(appIds), token),
  },
  {
    name: 'list 25 comments, each time of another page or app, with all that can be expanded',
    server: 'confab',
    base: serialise,
    load: ({ appIds, token }) =>
      gets(
        otherPages(appIds).map((path) => `${path}&expand=parent,created_by,modified_by,embed,meeting`),
        token,
      ),
  },
  {
    name: 'list 25 comments of an app, again and again',
    server: 'confab',
    base: serialise,
    hasFloor: true,
    load: ({ listedAppId, token }) => gets([commentsOf(listedAppId)], token),
  },
  {
    name: 'the same page for a visitor, again and again',
    server: 'confab',
    base: plain,
    isNew: true,
    load: ({ listedAppId }) => visits(commentsOf(listedAppId)),
  },
  {
    name: 'list 100 comments, each time of another page',
    server: 'confab',
    base: serialise,
    load: ({ threadedAppId, token }) => gets(pagesOf(`${commentsOf(threadedAppId)}?top=100`), token),
  },
  {
    name: 'list 25 threads with 3 answers each, each time of another page',
    server: 'confab',
    base: serialise,
    isNew: true,
    load: ({ threadedAppId, token }) => gets(pagesOf(`${commentsOf(threadedAppId)}?thread=roots`), token),
  },
  {
    // Of one user 16 searches may wait; more are refused.
    name: 'search for a common word in an app, 16 at once',
    server: 'confab',
    base: serialise,
    load: ({ listedAppId, token }) => ({
      ...gets([`${commentsOf(listedAppId)}?q=%22${wordOfRank(0)}%22`], token),
      connectionsMax: 16,
    }),
  },
  {
    name: 'get one comment',
    server: 'confab',
    base: hello,
    hasFloor: true,
    load: getComments,
  },
  {
    name: 'mixed, 4 lists to 1 create',
    server: 'confab',
    base: serialise,
    load: ({ appIds, listedAppId, token }) => {
      const list = gets([commentsOf(listedAppId)], token).requests;
      const creates = createComments(appIds, token).requests;
      return { requests: creates.flatMap((create) => [...list, ...list, ...list, ...list, create]) };
    },
  },
  {
    name: 'create, with one webhook that takes all',
    server: 'confab with a webhook',
    base: echo,
    load: ({ appIds, token }) => createComments(appIds, token),
  },
  ...secondForm.map(({ load, ...row }) => ({
    ...row,
    server: 'confab' as const,
    isNew: true as const,
    load: (confab: SeededConfab) => asNewerClient(load(confab)),
  })),
];

/** Every full page of every app once, no two of an app near each other. */
function otherPages(appIds: readonly number[]): readonly string[] {
  return Array.from({ length: appComments - pageLength + 1 }, (_, skip) =>
    appIds.map((id) => `${commentsOf(id)}?skip=${skip}`),
  ).flat();
}

/** Full pages of a list of threads, or of as many comments. */
function pagesOf(path: string): readonly string[] {
  return Array.from({ length: threadCount - pageLength + 1 }, (_, skip) => `${path}&skip=${skip}`);
}

/** How many comments a page has. */
const pageLength = 25;

/** The address of the comments of an app. */
export function commentsOf(appId: number): string {
  return `/api/apps/${appId}/comments`;
}

function getComments({ commentIds, token }: SeededConfab): Load {
  const paths = commentIds.slice(0, 100).map((id) => `/api/comments/${id}`);
  return gets(paths, token);
}

/** The same requests as a newer reference client sends them. */
function asNewerClient(load: Load): Load {
  const source = { 'x-weavy-source': '@weavy/uikit-web@32.2.0' };
  const requests = load.requests.map(({ headers, ...request }) => ({
    ...request,
    headers: { ...headers, ...source },
  }));
  return { ...load, requests };
}

/** How many different comments a load sends before it repeats them. */
const texts = commentTexts(2000);

/** Different bodies to each path in turn. */
function posts(paths: readonly string[], credential: string): Load {
  const headers = headersOf(credential, true);
  const requests = texts.map((text, index) => {
    const path = paths[index % paths.length] ?? '';
    return { method: 'POST', path, headers, body: JSON.stringify({ text }) };
  });
  return { requests };
}

/** The load that creates comments in some apps in turn. */
export function createComments(appIds: readonly number[], token: string): Load {
  return posts(appIds.map(commentsOf), token);
}

/** The load that reads a path without a credential. */
function visits(path: string): Load {
  return { requests: [{ method: 'GET', path, headers: {} }] };
}

/** The load that reads some paths in turn. */
export function gets(paths: readonly string[], credential: string): Load {
  return { requests: paths.map((path) => ({ method: 'GET', path, headers: headersOf(credential, false) })) };
}
