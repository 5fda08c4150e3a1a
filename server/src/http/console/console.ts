import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Problem } from 'confab-contract/problem.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Answer } from '../answers/answer.ts';
import { checkCaller } from '../caller-checks.ts';
import { authorizationOf } from '../connection.ts';
import { html } from '../pages/html.ts';
import { serveCached, type WholeAnswer } from '../pages/once.ts';
import { isFromOwnPage } from '../pages/own-page.ts';
import type { Authenticate, HttpRequest } from '../request.ts';
import type { Http } from '../server.ts';
import { sessionCookie, sessionOf } from '../session-cookie.ts';

/**
 * The console: one page whose script shows all views, made with the client of the interface alone, and the session with
 * which it calls. The script and the style sheet are built from the package of the console.
 */

/** A session that has just begun. Its secret leaves in the cookie alone. */
type ConsoleSession = { readonly secret: string; readonly expiresAt: number };

/** The options for serving the console. */
export type ConsoleOptions = {
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  readonly now: () => number;
  readonly authenticate: Authenticate;
  readonly sessions: {
    /** Begins a session by a link that was not used. */
    beginByLink(link: string): Promise<ConsoleSession>;
    beginAs(caller: Principal): Promise<ConsoleSession>;
    end(secret: string): Promise<void>;
  };
};

const sessionPath = '/console/session';
/** How long browsers keep a file whose address has its hash, in seconds. */
const keptSeconds = 31_536_000;

/** Serves the console; nothing where a checkout is without its package. */
export function bindConsole(http: Http, options: ConsoleOptions): void {
  if (!existsSync(new URL('./built/', import.meta.url))) return;
  const script = fileOf('built/console.js', 'text/javascript; charset=utf-8');
  const style = fileOf('built/console.css', 'text/css; charset=utf-8');
  const icon = fileOf('icon.svg', 'image/svg+xml');
  for (const { path, answer } of [script, style, icon]) {
    const cached = serveCached(() => answer);
    http.page(path, async (_params, raw) => cached(raw));
  }
  const page = serveCached(() =>
    pageOf(options.publicUrl(), { script: script.path, style: style.path, icon: icon.path }),
  );
  for (const path of ['/console', '/console/*']) http.page(path, async (_params, raw) => page(raw));
  http.page(sessionPath, async (_params, raw) => await show(options, raw));
  http.page(sessionPath, async (_params, raw) => await begin(options, raw), 'POST');
  http.page(sessionPath, async (_params, raw) => await end(options, raw), 'DELETE');
}

/** The owner of a browser's session; 204 without a session. */
async function show(options: ConsoleOptions, raw: HttpRequest): Promise<Answer> {
  const session = sessionOf(raw, options.publicUrl());
  if (session === undefined) return { status: 204 };
  return callerAnswer(200, await callerOf(options, raw, { session, authorization: undefined }));
}

/**
 * Begins a session with the credential of the Authorization header: a link, an API key or an access token. The session
 * that the browser had ends, and its id is never used again.
 */
async function begin(options: ConsoleOptions, raw: HttpRequest): Promise<Answer> {
  const { sessions, publicUrl, now } = options;
  const before = sessionOf(raw, publicUrl());
  assertOwnPage(raw, publicUrl());
  const authorization = authorizationOf(raw.raw, { takesTokenInQuery: false });
  const link = /^Bearer (wyl_\w+)$/i.exec(authorization ?? '')?.[1];
  const begun =
    link === undefined ? await beginAs(options, raw, authorization) : await sessions.beginByLink(link);
  if (before !== undefined) await sessions.end(before);
  const caller = await callerOf(options, raw, { session: begun.secret, authorization: undefined });
  const seconds = Math.floor((begun.expiresAt - now()) / 1000);
  return callerAnswer(201, caller, sessionCookie(begun.secret, seconds, publicUrl()));
}

async function beginAs(
  options: ConsoleOptions,
  raw: HttpRequest,
  authorization: string | undefined,
): Promise<ConsoleSession> {
  const { sessions } = options;
  const caller = await callerOf(options, raw, { authorization });
  checkCaller({ caller: 'any', errors: [401] }, caller);
  const begun = await sessions.beginAs(caller);
  try {
    // It may have been revoked while the session began, which would then outlive it.
    await callerOf(options, raw, { authorization });
  } catch (error) {
    await sessions.end(begun.secret);
    throw error;
  }
  return begun;
}

/** Ends the session of the browser on the server, so that a copy of the cookie is worth nothing. */
async function end({ sessions, publicUrl }: ConsoleOptions, raw: HttpRequest): Promise<Answer> {
  assertOwnPage(raw, publicUrl());
  const session = sessionOf(raw, publicUrl());
  if (session !== undefined) await sessions.end(session);
  return { status: 204, headers: { 'set-cookie': sessionCookie('', 0, publicUrl()) } };
}

function callerOf(
  { authenticate }: ConsoleOptions,
  raw: HttpRequest,
  credential: { readonly authorization: string | undefined; readonly session?: string },
): Promise<Principal> {
  return authenticate({ ...credential, onBehalfOf: undefined, address: raw.clientAddress });
}

function assertOwnPage(raw: HttpRequest, publicUrl: string): void {
  if (!isFromOwnPage(raw, publicUrl))
    throw new Problem('not_found', 'Sessions are for the console of this server alone.');
}

function callerAnswer(status: number, { kind, user, scopes, expiresAt }: Principal, cookie?: string): Answer {
  const session = {
    kind,
    user: { id: user.id, uid: user.uid, display_name: user.displayName },
    ...(scopes === undefined ? {} : { scopes }),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
  };
  const body: Json = json(JSON.stringify(session));
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
    body,
  };
}

/** A built file at an address with its hash, so that browsers keep it until there is another. */
function fileOf(name: string, type: string): { readonly path: string; readonly answer: WholeAnswer } {
  const body = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const headers = {
    'content-type': type,
    'cache-control': `public, max-age=${keptSeconds}, immutable`,
    'cross-origin-resource-policy': 'same-origin',
  };
  return { path: `/console/${hash}-${basename(name)}`, answer: { status: 200, headers, body } };
}

/**
 * The page runs the script of this server, which may call this server and show its content. Texts of users become HTML
 * in one place of the script (`require-trusted-types-for`).
 */
function policyOf(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(publicUrl).origin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types confab',
  ].join('; ');
}

function pageOf(
  publicUrl: string,
  { script, style, icon }: { readonly script: string; readonly style: string; readonly icon: string },
): WholeAnswer {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Confab</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${script}" type="module"></script>
</head>
<body>
<div id="console"><noscript>The console needs JavaScript.</noscript></div>
</body>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(publicUrl),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    },
    body: page.text,
  };
}
