/**
 * Sentences of the decisions of Confab, which hold where the specification is silent. A check that quotes one of them
 * is marked as a decision, and `--specification-only` leaves it out.
 */
export const decided = {
  firstForm: {
    section: 'A second form of the interface',
    text: 'Without the header, with an older version, or with something that is not a version, everything is as the specification says, byte for byte.',
  },
  secondForm: {
    section: 'A second form of the interface',
    text: 'A version later than 32 gets what 32 gets.',
  },
  secondShapes: {
    section: 'A second form of the interface',
    text: 'the newer names stand beside them (`updated_at` beside `modified_at`, `is_agent` beside `is_bot`, `app` beside `app_id`), and only what contradicts is replaced.',
  },
  bothFields: {
    section: 'A second form of the interface',
    text: 'It has all fields of the first',
  },
  timestamps: {
    section: 'Representation',
    text: 'RFC 3339 UTC with exactly three fractional digits and `Z`: `2026-11-21T07:42:00.000Z`.',
  },
  ids: { section: 'Representation', text: 'positive integers below 2^53, never reused, unique per kind.' },
  absent: {
    section: 'Representation',
    text: 'A property without a value is left out of JSON (never `null`), except where the specification names a value.',
  },
  arrays: {
    section: 'Representation',
    text: 'Arrays and counts of a documented shape are always present (`attachments: []`, `attachment_count: 0`).',
  },
  modified: {
    section: 'Representation',
    text: '`modified_at`, `modified_by_id`, `modified_by` are absent until an edit.',
  },
  flags: {
    section: 'Representation',
    text: '`is_trashed`, `is_starred`, `is_subscribed`, `is_enabled`, `is_bot`, `is_suspended` are always present.',
  },
  appType: {
    section: 'Representation',
    text: 'Output is the name (`comments`); input and filters accept the name in any case',
  },
  unknownType: { section: 'Representation', text: 'An unknown type is 422.' },
  displayName: { section: 'Representation', text: 'For an app: name, else uid.' },
  envelope: {
    section: 'Representation',
    text: '`start` and `end` are 1-based positions of the first and last item; both are 0 on an empty page.',
  },
  permissions: { section: 'Representation', text: 'app manager (creator, API key): all six.' },
  unknownProperties: { section: 'Representation', text: 'Ignored, so that older and newer clients work' },
  metadata: {
    section: 'Representation',
    text: 'values are any JSON, kept as sent; at most 64 KiB serialised, 32 levels deep.',
  },
  exact: { section: 'Representation', text: 'Nothing else adds a field to a specified shape.' },
  webhookFields: {
    section: 'Representation',
    text: 'The specified fields, and documented additions (`ordered`, `breaker`; `created_at`, `attempts`, `next_attempt_at`, `sequence`).',
  },
  tags: {
    section: 'Representation',
    text: 'Strings, trimmed, non-empty, at most 64 characters, at most 100 an item, duplicates folded, order kept.',
  },
  uid: { section: 'Representation', text: '1 to 256 characters;' },
  uidTrashed: { section: 'Representation', text: 'The uid of a trashed app stays taken.' },
  limits: {
    section: 'Representation',
    text: 'name 256, description 4096, text 64 KiB, payload_url 2048, secret 256, poll options 1 to 50 of 512 characters, blobs 100 a comment, members array 1000 items, JSON body 1 MiB.',
  },
  limitStatuses: {
    section: 'Representation',
    text: 'Each is one constant with its unit and is answered 422 with the field, the body limit 413.',
  },
  parameterNames: {
    section: 'Queries',
    text: 'Parameter names and sort-field names match ignoring case and underscores (`orderby`, `createdat`).',
  },
  lenient: {
    section: 'Queries',
    text: '`top` outside 1 to 100 is clamped, a negative `skip` is 0, an unknown `order_by` field or an unreadable value falls back to the default.',
  },
  names: {
    section: 'Queries',
    text: 'Names are ordered by their folded letters (case and accents decide last), identically on both engines: Apple, apricot, banana, Éclair, Zebra.',
  },
  defaultOrder: {
    section: 'Queries',
    text: 'Default order: apps, comments, users and members by id ascending; deliveries by id descending.',
  },
  trashedOne: {
    section: 'Queries',
    text: 'On a single object only `true` shows what is in the trash; `null` is for lists.',
  },
  contextual: {
    section: 'Queries',
    text: '`contextual`: `true` contextual apps only, `false` non-contextual only, absent or `null` both.',
  },
  qWords: {
    section: 'Queries',
    text: '`q` matches every word, as prefixes, case-insensitively and in any script, over the texts a person sees',
  },
  tagExact: { section: 'Queries', text: '`tag` is exact.' },
  countFalse: { section: 'Queries', text: '`count=false` leaves `count` out and saves the counting.' },
  wrongType: {
    section: 'Status codes',
    text: 'unreadable (broken JSON, a body that is not the required kind) or a field of the wrong JSON type.',
  },
  brokenRule: {
    section: 'Status codes',
    text: 'right type, but a value breaks a rule, a required field is missing, or a reference does not resolve.',
  },
  no422: {
    section: 'Status codes',
    text: 'Operations that list no 422 (members, trash, restore, webhook delete) answer 400 instead.',
  },
  pathId: {
    section: 'Status codes',
    text: 'A path id or reference that cannot name anything is 404 on every verb, never 400 or 414.',
  },
  emptyBody: {
    section: 'Status codes',
    text: 'An empty body counts as absent, also with a JSON content type (existing clients send exactly that).',
  },
  method: { section: 'Status codes', text: '405 with `Allow`' },
  invisible: {
    section: 'Status codes',
    text: 'An app the caller cannot see is 404. One that is visible but not permitted is 403.',
  },
  upsertForbidden: {
    section: 'Status codes',
    text: '`PUT /api/apps/{uid}` lists no 404: an existing app the caller may not change is 403.',
  },
  trashedApp: {
    section: 'Status codes',
    text: 'A trashed app is 404 for `GET` without `trashed=true`, for comments in it and for members.',
  },
  idempotent: {
    section: 'Status codes',
    text: 'Trash and restore are idempotent: trashing what is trashed answers 200.',
  },
  uidTaken: { section: 'Status codes', text: '`POST /api/apps` with a uid that is taken is 422.' },
  upsertOnce: {
    section: 'Status codes',
    text: 'Of concurrent `PUT /api/apps/{uid}` exactly one answers 201.',
  },
  upsertKeeps: {
    section: 'Status codes',
    text: 'PUT changes only fields that are present and never resets one that is absent; a different `type` than the stored one is 422; `uid` in the body renames what is there;',
  },
  allFaults: {
    section: 'Status codes',
    text: 'A refusal names every field at fault at once, whichever kind of check found it.',
  },
  wrongApp: {
    section: 'Status codes',
    text: 'Creating an app comment in an app whose type is not comments is 422.',
  },
  references: {
    section: 'Status codes',
    text: "A blob, embed, meeting or attachment id that does not exist, is another user's, or is already used is 422 with the field path.",
  },
  patch: {
    section: 'Status codes',
    text: 'PATCH: absent leaves a field, `null` clears it, an array replaces.',
  },
  webhookPatch: {
    section: 'Status codes',
    text: '`PATCH /api/webhooks/{id}` accepts a body without the two fields listed as required and leaves them as they are; present but invalid is 422.',
  },
  webhookEnabled: {
    section: 'Status codes',
    text: "Register accepts `enabled` (default true), update accepts `is_enabled`; each tolerates the other's name.",
  },
  webhookTriggers: {
    section: 'Status codes',
    text: 'a single action name (`comment_created`) is accepted as a trigger as well. Unknown or empty is 422.',
  },
  subscribeKey: {
    section: 'Status codes',
    text: 'Subscribe and unsubscribe need a user, so an API key is 401 there.',
  },
  webhookToken: {
    section: 'Status codes',
    text: 'Webhook endpoints need an API key: with an access token, reads are 401 and writes 403.',
  },
  problem: {
    section: 'Status codes',
    text: 'Every error body is RFC 9457 `application/problem+json`: `type`, `title`, `status`, `detail`, `instance`, plus `code` (stable, machine-readable), `errors: [{pointer or parameter, code, message}]` where fields are at fault, and `request_id`.',
  },
  manager: { section: 'Who may do what', text: 'becomes a member with write access and the role `manager`' },
  override: {
    section: 'Who may do what',
    text: "the member's own access, which overrides the app's level in both directions",
  },
  ownWords: { section: 'Who may do what', text: 'Words are changed by their author and by API keys alone.' },
  readable: {
    section: 'Who may do what',
    text: '`GET /api/comments` lists only comments in apps the caller can read.',
  },
  upsertSame: {
    section: 'Who may do what',
    text: '`PUT /api/apps/{uid}` by somebody who may see the app and asks for nothing that is different answers 200 with the app and changes nothing.',
  },
  atLeastOnce: {
    section: 'Webhooks',
    text: 'At least once, snapshot bodies, byte-identical on every attempt, signed at each attempt with the secret of that moment.',
  },
  guid: {
    section: 'Webhooks',
    text: '`guid` is stable over retries; `event_id` is shared by all deliveries of one event.',
  },
  oneDelivery: {
    section: 'Webhooks',
    text: 'One delivery row for each (event, webhook); attempts are kept beneath it.',
  },
  lastAttempt: {
    section: 'Webhooks',
    text: "The specified fields show the last attempt: `delivered_at` its time, `duration` its seconds, `status_code` the receiver's code (absent when there was no answer), `status` the outcome.",
  },
  deliveryStatus: {
    section: 'Webhooks',
    text: '`status`: `pending`, `retrying`, `delivered`, `failed`, `canceled`.',
  },
  headers: {
    section: 'Webhooks',
    text: 'Headers: `X-Weavy-Delivery` (guid), `X-Weavy-Trigger` (group), `X-Weavy-Signature` and `X-Hub-Signature-256` (`sha256=` + lower-case hex HMAC-SHA256 of the exact body), and Standard Webhooks `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
  },
  noSecret: { section: 'Webhooks', text: 'No secret: no signature headers.' },
  body: {
    section: 'Webhooks',
    text: 'Body: `{id, action, actor, …entity, guid, timestamp, type}`; the entity in list form under its own name (`comment`, `app`, …) with `parent` added.',
  },
};
