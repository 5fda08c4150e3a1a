/**
 * A small server that implements what the conformance kit asks about, in memory, and makes single mistakes when it is
 * told to. Without a mistake it conforms, so what the kit finds is the mistake.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plant } from './plants.ts';
import { appHandlers } from './wrong-apps.ts';
import { commentHandlers } from './wrong-comments.ts';
import {
  type Call,
  type Caller,
  createState,
  Refusal,
  type Reply,
  type State,
  userOf,
} from './wrong-state.ts';
import { webhookHandlers } from './wrong-webhooks.ts';

type Json = any;

/** The credentials of the server. */
export const wrongKey = 'key-of-the-wrong-server-0';
/** A key that may only read. */
export const weakKey = 'weak-key-of-the-wrong-server-0';

const bodyBytesMax = 1024 * 1024;

/** The routes: method, path and operation. */
const routes = (
  [
    'POST /api/apps createApp',
    'GET /api/apps listApps',
    'GET /api/apps/:app getApp',
    'PATCH /api/apps/:app updateApp',
    'PUT /api/apps/:uid upsertApp',
    'DELETE /api/apps/:app deleteApp',
    'PUT /api/apps/:app/members/:user addMember',
    'POST /api/apps/:app/members addMembers',
    'GET /api/apps/:app/members listMembers',
    'DELETE /api/apps/:app/members/:user removeMember',
    'DELETE /api/apps/:app/members removeMembers',
    'POST /api/apps/:app/subscribe subscribeApp',
    'POST /api/apps/:app/unsubscribe unsubscribeApp',
    'POST /api/apps/:app/trash trashApp',
    'POST /api/apps/:app/restore restoreApp',
    'POST /api/apps/:app/comments createAppComment',
    'GET /api/apps/:app/comments listAppComments',
    'POST /api/apps/:app/posts createPost',
    'POST /api/apps/:app/files createFile',
    'POST /api/blobs createBlob',
    'POST /api/files/:id/comments createFileComment',
    'POST /api/posts/:id/comments createPostComment',
    'GET /api/comments listComments',
    'GET /api/comments/:id getComment',
    'PATCH /api/comments/:id updateComment',
    'POST /api/comments/:id/trash trashComment',
    'POST /api/webhooks registerWebhook',
    'GET /api/webhooks listWebhooks',
    'GET /api/webhooks/:id getWebhook',
    'PATCH /api/webhooks/:id updateWebhook',
    'DELETE /api/webhooks/:id deleteWebhook',
    'GET /api/webhooks/:id/deliveries listDeliveries',
    'POST /api/users/:user/tokens issueToken',
    'DELETE /api/users/:user deleteUser',
  ] as const
).map((line) => {
  const [method = '', path = '', operation = ''] = line.split(' ');
  return { method, operation, pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) };
});

const handlers: Readonly<Record<string, (state: State, call: Call) => Reply | Promise<Reply>>> = {
  ...appHandlers,
  ...commentHandlers,
  ...webhookHandlers,

  deleteApp(state, call) {
    if (state.has('appsCannotBeRemoved')) throw new Refusal(404);
    const at = state.apps.findIndex(({ id }) => String(id) === call.params.app);
    if (at < 0) throw new Refusal(404);
    state.apps.splice(at, 1);
    return { status: 204 };
  },

  issueToken(state, call) {
    if (state.has('noTokensAreMade')) throw new Refusal(404);
    const token = `token-${state.nextId()}`;
    state.tokens.set(token, userOf(state, call.params.user ?? ''));
    return { status: 200, body: { access_token: token, expires_in: 3600 } };
  },

  deleteUser(state, call) {
    const at = state.users.findIndex(({ uid }) => uid === call.params.user);
    if (at < 0) throw new Refusal(404);
    state.users.splice(at, 1);
    return { status: 204 };
  },
};

/** A running server. */
export type WrongServer = { readonly url: string; readonly state: State; close(): Promise<void> };

/** Starts a server on a free port that makes these mistakes. */
export async function startWrongServer(...plants: readonly Plant[]): Promise<WrongServer> {
  const state = createState(new Set(plants));
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    async close() {
      state.stopping.abort();
      await Promise.all(state.sending);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  try {
    const bytes = await readBody(request);
    const reply = await answer(state, request, { pathname, searchParams, bytes });
    write(state, response, reply);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    writeError(state, response, error, pathname);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type Arrived = { readonly pathname: string; readonly searchParams: URLSearchParams; readonly bytes: Buffer };

async function answer(
  state: State,
  request: IncomingMessage,
  { pathname, searchParams, bytes }: Arrived,
): Promise<Reply> {
  const matching = routes.filter(({ pattern }) => pattern.test(pathname));
  const route = matching.find(({ method }) => method === request.method);
  if (route === undefined)
    throw new Refusal(matching.length === 0 || state.has('wrongMethodIs404') ? 404 : 405);
  const caller = callerOf(state, {
    header: request.headers.authorization ?? '',
    searchParams,
    operation: route.operation,
  });
  const isTold = caller.kind === 'user' && state.has('tokensRefused') && route.operation.endsWith('Comment');
  if (isTold) throw new Refusal(401);
  const groups = route.pattern.exec(pathname)?.groups ?? {};
  const params = Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
  const query = new Map([...searchParams].map(([name, value]) => [spelled(state, name), value]));
  const body = route.operation === 'createBlob' ? undefined : parse(state, bytes);
  const isSecondForm = hasSecondForm(state, String(request.headers['x-weavy-source'] ?? ''));
  const reply = await handlers[route.operation]?.(state, { params, query, body, caller, isSecondForm });
  if (reply === undefined) throw new Error(`no handler for ${route.operation}`);
  return reply;
}

function hasSecondForm(state: State, source: string): boolean {
  const [, major = '0'] = /@(\d+)\./.exec(source) ?? [];
  return Number(major) >= 23 && !(state.has('laterVersionsUnknown') && Number(major) > 32);
}

function spelled(state: State, name: string): string {
  return state.has('orderNamesExact') && name === 'order_by' ? name : name.toLowerCase().replaceAll('_', '');
}

function callerOf(
  state: State,
  { header, searchParams, operation }: { header: string; searchParams: URLSearchParams; operation: string },
): Caller {
  const [, scheme = '', given = ''] = /^(\w+) (.+)$/.exec(header) ?? [];
  const isScheme = scheme === 'Bearer' || state.has('anySchemeTaken');
  const credential = isScheme ? given : '';
  const user = state.tokens.get(credential);
  if (user !== undefined) return { kind: 'user', user };
  if (credential === wrongKey) return { kind: 'key' };
  if (credential === weakKey) return { kind: 'weakKey' };
  const isKey =
    (state.has('alteredKeyTaken') && credential.slice(0, -1) === wrongKey.slice(0, -1)) ||
    (state.has('keyInQueryTaken') && searchParams.get('access_token') === wrongKey) ||
    (state.has('noCredentialNeeded') && operation === 'listApps') ||
    (state.has('anyCredentialTaken') && operation === 'getApp' && credential !== '') ||
    (state.has('anybodyDeletesWebhooks') && operation === 'deleteWebhook');
  if (isKey) return { kind: 'key' };
  throw new Refusal(401);
}

function parse(state: State, bytes: Buffer): Json {
  if (bytes.length === 0) return undefined;
  if (bytes.length > bodyBytesMax && !state.has('bodyUnbounded')) throw new Refusal(413);
  const body = parsed(bytes.toString('utf8'));
  if (body !== undefined) return body.value;
  if (state.has('brokenJsonIsEmpty')) return undefined;
  throw new Refusal(state.has('brokenJsonIs500') ? 500 : 400);
}

/** The value of a text, with null as if it were absent; undefined if it is no JSON. */
function parsed(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) ?? undefined };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function write(state: State, response: ServerResponse, { status, body }: Reply): void {
  response.statusCode = status;
  if (body !== undefined && !state.has('contentTypeMissing'))
    response.setHeader('content-type', 'application/json');
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function writeError(
  state: State,
  response: ServerResponse,
  { status, pointers }: Refusal,
  instance: string,
): void {
  response.statusCode = status;
  if (status === 405) response.setHeader('allow', 'GET, POST');
  if (state.has('errorsAsText')) {
    response.setHeader('content-type', 'text/plain').end('This does not work.');
    return;
  }
  response.setHeader('content-type', 'application/problem+json').end(
    JSON.stringify({
      ...{
        type: '/problems/refused',
        title: 'Refused',
        status,
        detail: 'This does not work.',
        instance,
        code: 'refused',
      },
      errors: pointers.map((pointer) => ({ pointer, code: 'invalid', message: 'This is not valid.' })),
      request_id: 'r',
    }),
  );
}
