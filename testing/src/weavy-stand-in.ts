import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for a Weavy server of version 23 or later, made from what its documentation and `@weavy/uikit-web` 32 say of
 * its answers: lists in envelopes and in objects, ids in their objects, types as guids, `updated_at`, `rev`, and
 * conversations without a uid among the apps. It knows neither `top` nor `contextual`, and gives at most three items of a
 * list at once.
 */

/** How a request is answered instead: a status with headers and a body, or a connection that is closed. */
export type Disturbance =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang-up'
  | undefined;

/** A running stand-in. At the end of a scope with `using` it is closed. */
export type WeavyStandIn = Disposable & {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  /** Decides about each request before it is answered. */
  disturb: (path: string, request: IncomingMessage) => Disturbance;
  /** Replaces answers by their path. */
  readonly answers: Map<string, unknown>;
};

/** The key that it accepts. */
export const standInKey = 'wys_stand-in';

const pageItems = 3;
const author = (id: number, name: string) => ({ id, name, avatar_url: `/avatars/${id}`, is_agent: false });
const ada = author(11, 'Ada King');
const bo = author(12, 'Bo');
const helper = { ...author(13, 'Helper'), is_agent: true };
const at = (minute: number) => `2024-05-01T10:${String(minute).padStart(2, '0')}:00.1234567Z`;
const none = { count: 0, data: [] };
const nothingOn = {
  attachments: none,
  options: none,
  reactions: none,
  is_trashed: false,
  metadata: {},
  tags: [],
};

const users = [
  { ...ada, uid: 'ada', email: 'ada@example.com', directories: [{ id: 1, name: 'acme' }] },
  { ...bo, uid: 'bo', directories: [] },
  { ...helper, uid: 'helper', directories: [] },
  { id: 14, uid: 'gone', name: 'Gone', is_trashed: true, directories: [] },
];

const guid = {
  posts: '5ebfa152-de85-48da-82dd-30a1b560c313',
  files: '523edd88-4bbf-4547-b60f-2859a6d2ddc1',
  chat_room: 'edb400ac-839b-45a7-b2a8-6a01820d1c44',
  private_chat: '7e14f418-8f15-46f4-b182-f619b671e470',
  agent_chat: '2352a1c6-abc6-420e-8b85-ca7d5aed8779',
};
const apps = [
  { id: 1, type: guid.posts, uid: 'feed', name: 'News', access: 'write', directory: { id: 1, name: 'acme' } },
  { id: 2, type: guid.files, uid: 'plans', name: 'Plans', access: 'none' },
  { id: 3, type: guid.chat_room, name: 'Harvest', access: 'none' },
  { id: 4, type: guid.private_chat, name: 'Bo', access: 'none' },
  { id: 5, type: guid.agent_chat, uid: 'copilot', name: 'Copilot', access: 'none' },
  { id: 6, type: '00000000-abc6-420e-8b85-ca7d5aed8779', uid: 'other', name: 'Other', access: 'none' },
];
const members = [
  { ...ada, access: 'admin', marked_id: 303, marked_at: at(30) },
  { ...bo, access: 'write' },
];

const message = (id: number, text: string, more: object = {}) => ({
  id,
  app: { id: 3 },
  text,
  ...nothingOn,
  created_at: at(id - 300),
  created_by: bo,
  ...more,
});
const post = {
  id: 101,
  app: { id: 1, uid: 'feed', type: guid.posts },
  text: 'Which bed, [Bo](@u12)?',
  ...nothingOn,
  options: {
    count: 2,
    data: [
      { id: 71, text: 'Peas', has_voted: false, votes: { count: 0, data: [] } },
      { id: 72, text: 'Beans', has_voted: false, votes: { count: 2 } },
    ],
  },
  reactions: {
    count: 3,
    data: [
      { content: '👍', created_by: bo },
      { content: '🎉', created_by: bo },
      { content: '😍', created_by: { id: 99, name: 'Left long ago' } },
    ],
  },
  comments: { count: 1 },
  embed: { id: 5, type: 'link', url: 'https://example.com/' },
  created_at: at(1),
  created_by: ada,
  updated_at: at(2),
  updated_by: ada,
};
const comment = {
  id: 201,
  app: { id: 1 },
  parent: { id: 101, type: 'post' },
  text: 'Beans',
  ...nothingOn,
  created_at: at(3),
  created_by: bo,
};

/** All answers by path; lists are cut into pages. */
function answersOf(url: string): Map<string, unknown> {
  const file = {
    id: 401,
    rev: 3,
    app: { id: 2 },
    name: 'plan.txt',
    media_type: 'text/plain',
    size: 9,
    download_url: `${url}/files/401`,
    comments: { count: 0 },
    is_trashed: false,
    created_at: at(5),
    created_by: bo,
  };
  const attachment = { ...file, id: 402, name: 'bed.txt', download_url: '/files/402' };
  const cloud = {
    ...file,
    id: 403,
    name: 'cloud.doc',
    provider: 'Google Drive',
    external_url: 'https://x.example/',
  };
  return new Map<string, unknown>([
    ['/api/users', users],
    ['/api/users/99', { id: 99, name: 'Left long ago' }],
    ['/api/apps', apps],
    ...[1, 2, 3, 4].map((id) => [`/api/apps/${id}/members`, members] as const),
    ['/api/apps/1/posts', [post, { ...post, id: 102, text: 'trash', is_trashed: true }]],
    ['/api/posts/101/comments', [comment]],
    ['/api/options/72', { id: 72, text: 'Beans', votes: { count: 2, data: [ada, bo] } }],
    ['/api/apps/2/files', [file, cloud]],
    [
      '/api/apps/3/messages',
      [
        message(301, 'one'),
        message(302, 'two', { meeting: { id: 9, provider: 'zoom' } }),
        message(303, '', { attachments: { count: 2, data: [attachment, cloud] } }),
        message(304, 'four'),
        message(305, ''),
        message(306, 7 as unknown as string),
      ],
    ],
    [
      '/api/apps/5/members',
      [
        { ...ada, access: 'write' },
        { ...helper, access: 'write' },
      ],
    ],
    ['/api/apps/5/messages', [{ ...message(320, 'I am here to help'), app: { id: 5 }, created_by: helper }]],
    ['/api/apps/4/messages', [{ ...message(310, 'Just us'), app: { id: 4 } }]],
    ['/files/401', 'the plan.'],
    ['/files/402', 'the bed..'],
  ]);
}

/** Starts a stand-in on a free port of this machine. */
export async function startWeavyStandIn(): Promise<WeavyStandIn> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', standIn.url);
    asked.push(pathname);
    const disturbed = standIn.disturb(pathname, request);
    if (disturbed === 'hang-up') request.socket.destroy();
    else if (disturbed !== undefined)
      response.writeHead(disturbed.status, disturbed.headers).end(disturbed.body);
    else answer(response, standIn.answers.get(pathname), searchParams, request.headers.authorization);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: WeavyStandIn = {
    url,
    asked,
    disturb: () => undefined,
    answers: answersOf(url),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return standIn;
}

function answer(
  response: ServerResponse,
  value: unknown,
  query: URLSearchParams,
  authorization: string | undefined,
): void {
  if (authorization !== `Bearer ${standInKey}`) return void response.writeHead(401).end();
  if (value === undefined) return void response.writeHead(404).end('{"status":404}');
  if (typeof value === 'string') return void response.writeHead(200).end(value);
  const skip = Number(query.get('skip') ?? 0);
  const page = (list: readonly unknown[]) => {
    const data = list.slice(skip, skip + Math.min(pageItems, Number(query.get('take') ?? pageItems)));
    return { data, start: skip, end: skip + data.length, count: list.length };
  };
  const body = JSON.stringify(Array.isArray(value) ? page(value) : value);
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}
