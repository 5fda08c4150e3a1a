/**
 * The words of the specification that the checks hold a server to, word for word: the rows of its operations, its
 * lists of fields, and sentences. The kit reads methods, paths, statuses and fields out of these texts, so a check and
 * the sentence that it quotes cannot disagree.
 */

/** The row of each operation, with its section. */
export const operationRows = {
  createApp: {
    section: '4.2',
    text: '| Create app | POST /api/apps | body: uid string required; type string required; access string (none, read, write; default none); directory string (id or name of a user directory; used with access); name string; description string; metadata object; tags array of strings | App | 201, 400, 401, 403, 422 |',
  },
  getApp: {
    section: '4.2',
    text: '| Get app | GET /api/apps/{app} | query: trashed boolean (true returns the app even if trashed) | App | 200, 401, 404 |',
  },
  updateApp: {
    section: '4.2',
    text: '| Update app | PATCH /api/apps/{app} | body, all optional: uid, access, directory, name, description, metadata, tags (same types as create) | App | 200, 400, 401, 403, 404, 422 |',
  },
  upsertApp: {
    section: '4.2',
    text: '| Upsert app | PUT /api/apps/{uid} | path uid string required; body: type string required; uid string; access; directory; name; description; metadata; tags | App. Updates the app with that uid, creates it if absent | 200, 201, 400, 401, 403, 422 |',
  },
  listApps: {
    section: '4.2',
    text: '| List apps | GET /api/apps | common listing parameters plus: contextual boolean (true lists contextual apps, false non-contextual; absent lists both; default true); type array of strings (guids of app types; absent returns all types) | envelope of flat App items | 200, 401 |',
  },
  addMember: {
    section: '4.2',
    text: '| Add member | PUT /api/apps/{app}/members/{user} | body: access string optional (none, read, write; default write) | empty body | 204, 400, 401, 403, 404 |',
  },
  addMembers: {
    section: '4.2',
    text: '| Add members | POST /api/apps/{app}/members | body: array of objects, required, each with uid (user id or uid) and optional access; also updates access of existing members | empty body | 204, 400, 401, 403, 404 |',
  },
  listMembers: {
    section: '4.2',
    text: '| List members | GET /api/apps/{app}/members | common listing parameters plus: suspended boolean (true lists suspended members, null lists all) | envelope of App member items | 200, 401, 404 |',
  },
  removeMember: {
    section: '4.2',
    text: '| Remove member | DELETE /api/apps/{app}/members/{user} | none | empty body | 204, 400, 401, 403, 404 |',
  },
  removeMembers: {
    section: '4.2',
    text: '| Remove members | DELETE /api/apps/{app}/members | body: array of strings, required, user ids or uids | empty body | 204, 400, 401, 403, 404 |',
  },
  subscribeApp: {
    section: '4.2',
    text: '| Subscribe to app | POST /api/apps/{app}/subscribe | none; subscribes the authenticated user to notifications for activity in the app | App | 200, 401, 404 |',
  },
  unsubscribeApp: {
    section: '4.2',
    text: '| Unsubscribe from app | POST /api/apps/{app}/unsubscribe | none; reverses the subscription | App | 200, 401, 404 |',
  },
  trashApp: {
    section: '4.2',
    text: '| Trash app | POST /api/apps/{app}/trash | none | App | 200, 400, 401, 403, 404 |',
  },
  restoreApp: {
    section: '4.2',
    text: '| Restore app | POST /api/apps/{app}/restore | none | response body: not shown | 200, 400, 401, 403, 404 |',
  },
  createAppComment: {
    section: '4.3',
    text: '| Create app comment | POST /api/apps/{app}/comments | path app: App ref, required, a Comments app; body as above | Comment | 201, 400, 401, 403, 404, 422 |',
  },
  createFileComment: {
    section: '4.3',
    text: '| Create file comment | POST /api/files/{id}/comments | path id integer required (file id); body as above | Comment | 201, 400, 401, 403, 404, 422 |',
  },
  createPostComment: {
    section: '4.3',
    text: '| Create post comment | POST /api/posts/{id}/comments | path id integer required (post id); body as above | Comment | 201, 400, 401, 403, 404, 422 |',
  },
  getComment: {
    section: '4.3',
    text: '| Get comment | GET /api/comments/{id} | path id integer required; query trashed boolean (true returns it even if trashed) | Comment | 200, 401, 404 |',
  },
  updateComment: {
    section: '4.3',
    text: '| Update comment | PATCH /api/comments/{id} | path id integer required; body, all optional: attachments array of integers (ids of attached files); blobs array of integers (additional blobs); embed_id integer; meeting_id integer; options array of objects; text string; metadata object; tags array of strings | Comment | 200, 400, 401, 403, 404, 422 |',
  },
  listComments: {
    section: '4.3',
    text: '| List comments | GET /api/comments | common listing parameters | envelope of flat Comment items | 200, 401 |',
  },
  listAppComments: {
    section: '4.3',
    text: '| List app comments | GET /api/apps/{app}/comments | path app: App ref required; common listing parameters | envelope of flat Comment items (same item shape as List comments) | 200, 401, 404 |',
  },
  registerWebhook: {
    section: '4.4',
    text: '| Register webhook | POST /api/webhooks | body: payload_url string required; secret string (key for the HMAC hex digest in delivery signature headers); triggers array of strings required (event groups); enabled boolean | Webhook | 201, 400, 401, 403, 422 |',
  },
  getWebhook: {
    section: '4.4',
    text: '| Get webhook | GET /api/webhooks/{id} | path id integer required | Webhook | 200, 401, 404 |',
  },
  updateWebhook: {
    section: '4.4',
    text: '| Update webhook | PATCH /api/webhooks/{id} | path id integer required; body: payload_url string (listed as required); secret string; triggers array of strings (listed as required); is_enabled boolean | Webhook | 200, 400, 401, 403, 404, 422 |',
  },
  listWebhooks: {
    section: '4.4',
    text: '| List webhooks | GET /api/webhooks | common listing parameters | envelope of Webhook items | 200, 401 |',
  },
  listDeliveries: {
    section: '4.4',
    text: '| List deliveries | GET /api/webhooks/{id}/deliveries | path id integer required (webhook id); common listing parameters plus action string | envelope of Delivery items | 200, 401, 404 |',
  },
  deleteWebhook: {
    section: '4.4',
    text: '| Delete webhook | DELETE /api/webhooks/{id} | path id integer required | empty body | 204, 400, 401, 403, 404 |',
  },
};

/** The fields of each object: the rows of a table, or one line. */
export const fieldTexts = {
  App: {
    section: '2.1',
    lines: [
      '| id | integer | |',
      '| type | string | For instance chat, comments, files, posts. Other type values: not shown. |',
      '| uid | string | Unique; no whitespace; at least one non-digit character. |',
      '| access | string | Access for non-members: none, read, write. Default none. |',
      '| directory_id | integer | Id of the user directory. |',
      '| display_name | string | |',
      '| name | string | |',
      '| description | string | |',
      '| archive_url | string | |',
      '| avatar_url | string | |',
      '| metadata | object | Free-form properties. |',
      '| tags | array of strings | |',
      '| created_at | string | Timestamp. |',
      '| created_by_id | integer | |',
      '| created_by | User | |',
      '| modified_at | string | Timestamp. |',
      '| modified_by_id | integer | |',
      '| modified_by | User | |',
      '| members | object | Fields: data (array of objects), start (integer), end (integer), count (integer). |',
      '| permissions | array of strings | |',
      '| is_starred | boolean | |',
      '| is_subscribed | boolean | Whether the authenticated user is subscribed to notifications of the app. |',
      '| is_trashed | boolean | |',
    ],
  },
  User: {
    section: '2.2',
    lines: [
      'id integer; uid string; display_name string; email string; given_name string; middle_name string; name string; family_name string; nickname string; phone_number string; comment string; directory_id integer; picture_id integer; avatar_url string; metadata object; tags array of strings; presence string; created_at string; modified_at string; is_bot boolean; is_suspended boolean; is_trashed boolean.',
    ],
  },
  Member: {
    section: '2.3',
    lines: [
      'id integer; uid string; access string (none, read, write); display_name string; avatar_url string; delivered_at string; marked_at string; marked_id integer; presence string; is_bot boolean.',
    ],
  },
  Comment: {
    section: '2.4',
    lines: [
      '| id | integer |',
      '| app_id | integer |',
      '| parent | object: id integer, type string |',
      '| text | string |',
      '| html | string |',
      '| plain | string |',
      '| attachment_count | integer |',
      '| attachments | array of Attachment |',
      '| embed_id | integer |',
      '| embed | Embed |',
      '| meeting_id | integer |',
      '| meeting | Meeting |',
      '| option_count | integer |',
      '| options | array of Option |',
      '| reactions | array of Reaction |',
      '| metadata | object |',
      '| tags | array of strings |',
      '| created_at | string |',
      '| created_by_id | integer |',
      '| created_by | User |',
      '| modified_at | string |',
      '| modified_by_id | integer |',
      '| modified_by | User |',
      '| is_trashed | boolean |',
    ],
  },
  Attachment: {
    section: '2.5',
    lines: [
      'id integer; app_id integer; version integer; name string; kind string; media_type string; width integer; height integer; size integer; metadata object; tags array of strings; provider string; raw string; download_url string; application_url string; embed_url string; external_url string; preview_format string; preview_url string; thumbnail_url string; created_at string; created_by_id integer; modified_at string; modified_by_id integer; comment_count integer; comments array of objects; is_subscribed boolean; is_trashed boolean.',
    ],
  },
  Embed: {
    section: '2.6',
    lines: [
      'id integer; description string; created_at string; created_by_id integer; host string; original_url string; is_link boolean; type string; version string; title string; author_name string; author_url string; provider_name string; provider_url string; cache_age integer; thumbnail_url string; thumbnail_width integer; thumbnail_height integer; url string; width integer; height integer; html string.',
    ],
  },
  Meeting: {
    section: '2.7',
    lines: [
      'id integer; provider string; provider_id string; uuid string; join_url string; ended_at string; recording_url string.',
    ],
  },
  Option: {
    section: '2.8',
    lines: ['id integer; text string; vote_count integer; has_voted boolean; voters array of objects.'],
  },
  Reaction: {
    section: '2.9',
    lines: ['id integer; content string; created_at string; created_by_id integer; count integer.'],
  },
  Webhook: {
    section: '2.10',
    lines: [
      '| id | integer | |',
      '| payload_url | string | URL that receives deliveries. |',
      '| triggers | array of strings | Event groups that trigger the webhook. |',
      '| is_enabled | boolean | Whether notifications are sent when triggered. |',
    ],
  },
  Delivery: {
    section: '2.11',
    lines: [
      'id integer; guid string; event_id integer; action string; delivered_at string; duration number; status_code integer; status string.',
    ],
  },
};

/** Sentences of the specification. */
export const specified = {
  accessNone: { section: '2.1', text: '| none | Cannot access the app. |' },
  accessRead: { section: '2.1', text: '| read | Can see the app and its content, cannot contribute. |' },
  accessWrite: { section: '2.1', text: '| write | Has access to the app and may create content. |' },
  appType: {
    section: '2.1',
    text: '| type | string | For instance chat, comments, files, posts. Other type values: not shown. |',
  },
  appUid: {
    section: '2.1',
    text: '| uid | string | Unique; no whitespace; at least one non-digit character. |',
  },
  appAccess: {
    section: '2.1',
    text: '| access | string | Access for non-members: none, read, write. Default none. |',
  },
  appMembers: {
    section: '2.1',
    text: '| members | object | Fields: data (array of objects), start (integer), end (integer), count (integer). |',
  },
  appSubscribed: {
    section: '2.1',
    text: '| is_subscribed | boolean | Whether the authenticated user is subscribed to notifications of the app. |',
  },
  appRef: {
    section: '2',
    text: 'Where a table says `App ref` the value may be the integer `id` or the string `uid`.',
  },
  appList: {
    section: '2.1',
    text: 'In a list of apps each item carries only the flat fields: id, type, uid, access, directory_id, display_name, name, description, archive_url, avatar_url, metadata, tags, created_at, created_by_id, modified_at, modified_by_id, permissions, is_starred, is_subscribed, is_trashed.',
  },
  commentList: {
    section: '2.4',
    text: 'In a list of comments each item carries only: id, app_id, text, html, plain, attachment_count, attachments (array of objects), embed_id, meeting_id, option_count, options (array of objects), reactions (array of objects), metadata, tags, created_at, created_by_id, modified_at, modified_by_id, is_trashed.',
  },
  appListAbsent: {
    section: '2.1',
    text: 'The objects created_by, modified_by and members are absent from list items.',
  },
  commentListAbsent: {
    section: '2.4',
    text: 'The fields parent, embed, meeting, created_by and modified_by are absent from list items.',
  },
  attachable: {
    section: '1',
    text: 'Comments may carry attachments, an embed, a meeting, poll options, reactions, metadata and tags.',
  },
  places: { section: '1', text: 'Comments can be created in a Comments app, on a file, or on a post.' },
  webhookSecret: {
    section: '2.10',
    text: 'The secret supplied on registration or update is accepted as input and does not appear in the webhook representation.',
  },
  webhookEnabled: {
    section: '2.10',
    text: '| is_enabled | boolean | Whether notifications are sent when triggered. |',
  },
  webhookState: {
    section: '3',
    text: '| enabled or disabled | register with enabled, or PATCH with is_enabled | value given in the request |',
  },
  webhookNames: {
    section: '4.4',
    text: 'Note: registration names the enabled flag `enabled`, while update and the representation name it `is_enabled`.',
  },
  envelope: {
    section: '2.12',
    text: 'Every list response is an object with data (array of items), start (integer), end (integer), count (integer).',
  },
  countOnly: { section: '2.12', text: 'With count_only=true the response contains only count.' },
  timestamps: { section: '2', text: 'Timestamps are strings.' },
  ids: { section: '2', text: 'Identifiers named `id` are integers.' },
  trash: {
    section: '3',
    text: '| not trashed (is_trashed false) | POST /api/apps/{app}/trash | caller authorised | trashed (is_trashed true) | returns the app |',
  },
  restore: {
    section: '3',
    text: '| trashed (is_trashed true) | POST /api/apps/{app}/restore | caller authorised | not trashed | |',
  },
  trashedHidden: {
    section: '3',
    text: 'While an app is trashed, GET /api/apps/{app} returns it only with trashed=true; lists return trashed apps only with trashed=true or trashed=null.',
  },
  q: { section: '4.1', text: '| q | string | Query that finds matching items. |' },
  tag: { section: '4.1', text: '| tag | string | Only items with this tag. |' },
  trashed: {
    section: '4.1',
    text: '| trashed | boolean | Default false; null returns trashed and non-trashed items. |',
  },
  orderBy: {
    section: '4.1',
    text: '| order_by | string | Sort field and direction, form `name` or `name+desc`. |',
  },
  top: { section: '4.1', text: '| top | integer | Maximum items returned; 1 to 100; default 25. |' },
  skip: {
    section: '4.1',
    text: '| skip | integer | Number of items skipped; pagination together with top. |',
  },
  commentsBody: {
    section: '4.3',
    text: 'The three create operations take the same body; all fields are optional: blobs array of integers (ids of blobs to attach); embed_id integer; meeting_id integer; options array of objects (poll options); text string; metadata object; tags array of strings.',
  },
  authHeader: {
    section: '5',
    text: 'Every request carries the header `Authorization: Bearer <token>`, where the token is either an access token (<ACCESS_TOKEN>) or an API key (<API_KEY>).',
  },
  authEither: {
    section: '5',
    text: 'Apps and comments endpoints accept either an access token or an API key.',
  },
  authSubscribe: {
    section: '5',
    text: 'Subscribe to app and Unsubscribe from app act on the authenticated user and are used with an access token.',
  },
  authWebhooks: { section: '5', text: 'Webhook endpoints are used with an API key.' },
  authStatuses: {
    section: '5',
    text: 'A missing or invalid credential yields 401 Unauthorized; an authenticated caller without the right to perform the operation yields 403 Forbidden where that code is listed for the operation.',
  },
  triggers: {
    section: '6',
    text: 'A webhook names the event groups that trigger it in `triggers`. Group names used in requests are `notifications` and `comments`.',
  },
  notifies: {
    section: '6',
    text: 'When a webhook is enabled and an event of one of its groups occurs, the service delivers a notification to payload_url.',
  },
  recorded: {
    section: '6',
    text: 'Each delivery is recorded with id, guid, event_id, action, delivered_at, duration (number), status_code (HTTP status of the receiving end, integer) and status.',
  },
  byAction: {
    section: '6',
    text: 'Deliveries of a webhook are listed with GET /api/webhooks/{id}/deliveries, filterable by action.',
  },
  hmac: {
    section: '6',
    text: 'When a secret is set on the webhook, it is the key of an HMAC whose hex digest is placed in signature headers of each delivery.',
  },
  status400: { section: '7', text: '| 400 | Bad Request | all writes; malformed request |' },
  status404: {
    section: '7',
    text: '| 404 | Not Found | operations with a path identifier; unknown or inaccessible resource |',
  },
  status422: {
    section: '7',
    text: '| 422 | Validation Failed | create and update of apps, comments and webhooks; invalid field values, for instance a uid that contains whitespace or has only digits |',
  },
  limitTop: { section: '8', text: '| top | 1 to 100 | all list endpoints |' },
  limitTopDefault: { section: '8', text: '| top default | 25 | all list endpoints |' },
  limitUid: {
    section: '8',
    text: '| app uid | no whitespace; at least one non-digit character | create, update, upsert of apps |',
  },
  json: { section: '0', text: 'Request and response bodies are JSON.' },
};
