import { notFound, type ProblemCode, problems } from 'confab-contract/problem.ts';
import type { Http } from '../server.ts';
import { html, prose } from './html.ts';
import { serveCached } from './once.ts';
import { documentTitle, pageAnswer } from './page.ts';

/** The meaning of each problem for the caller, and its remedy. */
const explanations: { readonly [C in ProblemCode]: { readonly meaning: string; readonly remedy: string } } = {
  malformed_request: {
    meaning: 'The request is incomplete or not valid HTTP; `detail` says where.',
    remedy: 'Look at how the request is put together: its path, its headers, the length of its body.',
  },
  invalid_json: {
    meaning: 'The body is not one JSON text in UTF-8, or it is nested too deeply.',
    remedy: 'Send what a JSON encoder made, without a byte order mark. An empty body is the same as none.',
  },
  wrong_type: {
    meaning: 'A field has the wrong JSON type, for example a number instead of a text.',
    remedy:
      'Look at `errors`: each one names a field by its JSON pointer. Values are never converted: `"5"` is not a number.',
  },
  invalid_query: {
    meaning: 'A query parameter is unknown or not usable, and the request asked for strict handling.',
    remedy:
      'Correct the parameter that `errors` names, or leave out the header `Prefer: handling=strict`; then such values are put right silently.',
  },
  invalid_idempotency_key: {
    meaning:
      'The header `Idempotency-Key` is empty, too long, sent twice or has characters that a key cannot have.',
    remedy:
      'Send 1 to 255 visible ASCII characters, such as a UUID, bare or in double quotes. A key is optional.',
  },
  invalid_entity_tag: {
    meaning: 'The header `If-Match` or `If-None-Match` is neither `*` nor a list of entity tags.',
    remedy: 'Send the `ETag` of an answer as it is, with its double quotes.',
  },
  embed_failed: {
    meaning:
      'The address could not be fetched, or the page declares nothing that could be shown. The response does not give the reason, because it would reveal what is behind an address.',
    remedy: 'Link to the address without a preview, or try again later.',
  },
  unauthorized: {
    meaning: 'The request carries no credential.',
    remedy: 'Send the header `Authorization: Bearer` with an access token or an API key.',
  },
  invalid_credential: {
    meaning: 'The credential is mistyped, expired or revoked, or its user is suspended or in the trash.',
    remedy: 'Get a fresh access token, or check the API key with `confab key list`.',
  },
  user_required: {
    meaning: 'The operation acts on the calling user, and an API key is no user.',
    remedy: 'Call it with the access token of the user it is about.',
  },
  users_only: {
    meaning: 'A visitor has signed in, and visitors may not call this operation.',
    remedy:
      'Call it with an access token of a user of your product or an API key. docs/visitors.md lists what visitors may do.',
  },
  visitor_required: {
    meaning: 'The operation is for visitors who have signed in by Confab itself.',
    remedy: 'Call it with the access token of a visitor. Users of your product are changed by your server.',
  },
  key_required: {
    meaning: 'The operation answers only to an API key.',
    remedy: 'Call it from your server with an API key. Never give a key to a browser.',
  },
  key_only: {
    meaning: 'The credential is valid, but only an API key may do this.',
    remedy: 'Call it from your server with an API key. Never give a key to a browser.',
  },
  scope_missing: {
    meaning:
      'The API key is limited to some scopes, and this operation needs another one, which `detail` names.',
    remedy:
      'Use a key with that scope: `confab key create NAME --scope read --scope apps`. The reference names the scope of each operation.',
  },
  write_forbidden: {
    meaning: 'You may read this app but not create anything in it.',
    remedy: 'Ask a manager of the app for membership with the access `write`.',
  },
  edit_forbidden: {
    meaning:
      'Only its author and API keys can change a text. Its author, a manager of the app or an API key can trash, restore or delete it; an author needs write access to the app.',
    remedy:
      'Ask the author or a manager of the app, or have your server do it with an API key. The user who creates an app manages it; only API keys manage a page.',
  },
  moderated: {
    meaning:
      'You wrote this, and a moderator, a manager or an API key put it in the trash or held it. You can then neither restore nor edit it. Nobody can edit a held item until it is approved.',
    remedy: 'Ask a moderator of the app, or have your server restore or approve it with an API key.',
  },
  moderate_forbidden: {
    meaning: 'Only moderators and managers of the app and API keys decide on what others wrote.',
    remedy: 'Ask a manager of the app for the role `moderator`, or have your server do it with an API key.',
  },
  locked: {
    meaning: 'The app, post or file is locked: it can be read, and only moderators write in it.',
    remedy: 'Ask a moderator of the app to unlock it, or have your server write with an API key.',
  },
  own_content: {
    meaning: 'You wrote this yourself, and users report what others wrote.',
    remedy: 'Edit it, put it in the trash or delete it.',
  },
  suspend_forbidden: {
    meaning:
      'Users are suspended by API keys and by the moderators of their directory, who cannot suspend each other. A moderator or manager of an app alone cannot.',
    remedy:
      'Resolve the report with `trash` or `hold`, and ask a moderator of the directory or have your server suspend the user with an API key.',
  },
  directory_forbidden: {
    meaning:
      'A user can open an app to the users of their own directory only. A user without a directory can open it to everyone only on a server that has no directories.',
    remedy: 'Name your own directory, leave it out, or have your server do it with an API key.',
  },
  origin_refused: {
    meaning:
      'A page of another origin called a path that only programs and pages of known origins may call, such as `/mcp`, or sent the form of a page of this server.',
    remedy:
      'Call it from a program, or add the origin of the page to `CONFAB_CORS_ORIGINS`. Forms of `/pages` are sent from these pages alone.',
  },
  link_expired: {
    meaning: 'The address of a file is signed and its time is over.',
    remedy: 'Get the object again that held the address; it carries a fresh one.',
  },
  manage_forbidden: {
    meaning:
      'Only a manager of the app, or an API key, may change it and its members. The user who creates an app becomes its manager; only API keys manage a page.',
    remedy: 'Have your server do it with an API key, or ask a manager of the app.',
  },
  page_forbidden: {
    meaning:
      'The app does not exist. On this server (`CONFAB_PAGES=keys`), only API keys create pages, the apps without a manager that a web component opens. For a visitor, the app is closed, or the uid is not that of a page that visitors may open.',
    remedy:
      'Have your server create the app with an API key before a user opens it. Let visitors open pages with `CONFAB_PAGES_VISITORS=write`, for the origins in `CONFAB_CORS_ORIGINS`.',
  },
  puzzle_unsolved: {
    meaning:
      'Guests solve a puzzle, which makes many guests dear. None was sent, or it is wrong, expired or used already.',
    remedy: 'Get a puzzle with `POST /api/sign-in/puzzle`, solve it, and send it once within five minutes.',
  },
  address_banned: {
    meaning:
      'A moderator has banned the address from which this visitor comes, until the time in `detail`. Until then visitors can read there, but neither sign in nor change anything. Others can have the same address.',
    remedy:
      'Try again after that time, or ask the operator. Signing out, erasing oneself and refusing mails go on.',
  },
  sign_in_ended: {
    meaning:
      'The secret or code is not known, has expired or was used already. A secret that is used twice ends the session, because somebody may have copied it.',
    remedy: 'Let the visitor sign in again.',
  },
  text_refused: {
    meaning:
      'A rule or the moderation hook of the operator refuses this text. The response does not say which, because that would help spammers.',
    remedy:
      'Change the text, or give the operator the `request_id`: the log of the server has the rule with this id. With an API key, `POST /api/moderation/test` shows which rules match a text.',
  },
  user_suspended: {
    meaning: 'The user is suspended, so no access token is issued to them.',
    remedy: 'Lift the suspension with `PATCH /api/users/{user}` and `is_suspended: false` first.',
  },
  not_found: {
    meaning:
      'There is nothing at this address, or nothing that you may see. The response is the same for hidden and for missing items.',
    remedy:
      'Check the id or uid. What is in the trash is shown with `trashed=true`; what is in an app is there only while the app is not in the trash.',
  },
  method_not_allowed: {
    meaning: 'The address exists but not with this method.',
    remedy: 'The header `Allow` names the methods it has.',
  },
  request_timeout: {
    meaning: 'The request did not arrive in time.',
    remedy: 'Send it again, over a better connection or in smaller parts.',
  },
  name_taken: {
    meaning: 'Something else has this name already.',
    remedy: 'Choose another name, or change what has it.',
  },
  idempotency_key_in_use: {
    meaning: 'The request that came with this `Idempotency-Key` first is still running.',
    remedy: 'Send the same request again after a moment. It then gets the answer of the first one.',
  },
  position_gone: {
    meaning:
      'Events after this position have left the log, because their retention has ended. Continuing from this position would miss them.',
    remedy:
      'Read the lists of the items that you follow again, and continue with the `after` that the response names. To miss nothing, read more often than the operator removes events (`CONFAB_EVENT_DAYS`).',
  },
  precondition_failed: {
    meaning:
      'The item has changed since the version that `If-Match` names, or an item that `If-None-Match` excludes exists already. Nothing was changed.',
    remedy:
      'Read the item again, make the change to its current version, and send it with the `ETag` of that response.',
  },
  body_too_large: {
    meaning: 'The body is larger than the operation takes.',
    remedy: 'Send less: a JSON body has at most 1 MiB. Files are uploaded as blobs, not inside JSON.',
  },
  unsupported_media_type: {
    meaning: 'The body is not of a kind that the operation reads.',
    remedy:
      'Send `Content-Type: application/json` in UTF-8, uncompressed; uploads are `multipart/form-data`.',
  },
  range_not_satisfiable: {
    meaning: 'The range that was asked for lies outside the file.',
    remedy: 'The header `Content-Range` has the length of the file.',
  },
  expectation_failed: {
    meaning: 'The header `Expect` asks for something this server does not do.',
    remedy: 'Leave the header out, or send `100-continue`.',
  },
  validation_failed: {
    meaning:
      'The request could be read, but a value breaks a rule, is missing, or names something that does not exist.',
    remedy:
      'Look at `errors`: it names every field at fault by its JSON pointer and says what the rule is. Of more than 20 it lists the first 20, and `more_errors` says how many more there are.',
  },
  idempotency_key_reused: {
    meaning:
      'This `Idempotency-Key` was already used with another method, path, query or body. Nothing was changed.',
    remedy:
      'Generate a key for each request, and send it again only with retries of that request, byte for byte.',
  },
  storage_quota_reached: {
    meaning:
      'With this file, the user or the app would use more bytes of files than the operator permits; `detail` says which. Nothing was changed.',
    remedy:
      'Delete files that are not needed, or earlier versions of them, or ask the operator for a larger quota.',
  },
  rate_limited: {
    meaning:
      'The caller, or the address of the client, has used up its requests of this kind in this window; `RateLimit-Policy` names the limit. Nothing was done.',
    remedy:
      'Wait as many seconds as `Retry-After` says. Watch `RateLimit` to slow down before that, and ask the operator for a higher limit if your work needs it.',
  },
  too_many_connections: {
    meaning:
      'You have as many live connections and event streams open as one user may have on a server. Without a credential: your address, or all clients without one, watch as many apps as they may.',
    remedy:
      'Close connections that are not used. One connection can listen to many apps. A client that watched an app reads it again after as many seconds as `Retry-After` says.',
  },
  upload_quota_reached: {
    meaning: 'The user has more uploads that nothing uses yet than a user may have.',
    remedy:
      'Use the uploads in a comment, a post or a file, or wait as long as `Retry-After` says: each upload is removed after a day. The operator sets the limit (`CONFAB_UPLOAD_QUOTA_MIB`).',
  },
  address_counted: {
    meaning:
      'Another guest has reacted to this today from the address of the client. On this server guests count once for each address and day. Nothing was done.',
    remedy:
      'Wait as many seconds as `Retry-After` says, which is until the day ends in UTC, or sign in by another way than as a guest.',
  },
  too_many_reports: {
    meaning: 'You have reported 100 items on which no moderator has decided yet.',
    remedy: 'Wait until moderators have decided on some of them.',
  },
  headers_too_large: {
    meaning: 'The request line and headers are longer than 16 KiB together.',
    remedy: 'Send fewer or shorter headers and a shorter query.',
  },
  internal_error: {
    meaning: 'The server met something it was not made for. It is not the fault of the request.',
    remedy: 'Tell the operator the `request_id`: the log of the server has the cause under this number.',
  },
  storage_unavailable: {
    meaning:
      'At the moment, the store accepts no writes, or the storage for files does not respond. It is unknown whether a change was stored.',
    remedy:
      'Wait as long as `Retry-After` says. Send a request with an `Idempotency-Key` again unchanged. Otherwise check whether the change was made, and send it again if not.',
  },
  identity_provider_unavailable: {
    meaning:
      'The access token is a JSON Web Token, and the keys that verify it cannot be read from the identity provider at the moment.',
    remedy:
      'Send the request again after the time that `Retry-After` names. The log of the server says why the keys cannot be read.',
  },
  too_busy: {
    meaning:
      'Too many requests, searches or pictures are waiting. Under too many requests, the server first refuses requests of API keys, then changes by users, and last reads by users.',
    remedy: 'Send the request again after the time that `Retry-After` names.',
  },
  took_too_long: {
    meaning:
      'Reading this list took longer than the limit for one request. A search for a very common word, a tag on many items or a page very far down can take that long.',
    remedy:
      'Ask for less: more or longer words, `count=false`, a filter, a page nearer to the beginning. Otherwise send the request again after the time that `Retry-After` names.',
  },
  shutting_down: {
    meaning: 'The server is being stopped and takes no new requests.',
    remedy: 'Send the request again after the time that `Retry-After` names.',
  },
};

const codes = Object.keys(problems) as ProblemCode[];

/** Serves the list of problems and a page for each, which the `type` of an error links to. */
export function bindProblemPages(http: Http): void {
  const list = serveCached(() => pageAnswer(documentTitle('Problems'), index()));
  http.page('/problems', async (_params, raw) => list(raw));
  const pages = new Map<string, ReturnType<typeof serveCached>>(
    codes.map((code) => [
      code,
      serveCached(() => pageAnswer(documentTitle(problems[code].title), page(code))),
    ]),
  );
  http.page('/problems/:code', async ({ code = '' }, raw) => {
    const answer = pages.get(code);
    if (answer === undefined) throw notFound('problem');
    return answer(raw);
  });
}

function index() {
  const rows = codes.map(
    (code) =>
      html`<tr><th><a href="/problems/${code}"><code>${code}</code></a></th><td>${problems[code].status}</td><td>${prose(explanations[code].meaning)}</td></tr>`,
  );
  return html`<main>
<h1>Problems</h1>
<p class="lead">Every error is a JSON object of the type <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is one of these and never changes its meaning.</p>
<div class="table" tabindex="0" role="region" aria-label="Problems"><table class="codes">${rows}</table></div>
</main>`;
}

function page(code: ProblemCode) {
  const { status, title } = problems[code];
  const { meaning, remedy } = explanations[code];
  return html`<main>
<p class="soft"><a href="/problems">Problems</a></p>
<h1>${title}</h1>
<p><code>${code}</code> with the status ${status}</p>
<dl class="problem"><dt>What it means</dt><dd>${prose(meaning)}</dd><dt>What to do</dt><dd>${prose(remedy)}</dd></dl>
</main>`;
}
