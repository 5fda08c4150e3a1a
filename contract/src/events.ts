import Type from 'typebox';
import { boolean, count, described, Id, limits, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';
import { Actor } from './users.ts';

const o = Type.Optional;

const Event = Type.Object(
  {
    position: Type.Integer({
      minimum: 1,
      description: 'The position of the event in the log, which grows with each event.',
    }),
    id: described(Id, 'The id of the event.'),
    action: Type.String({
      description: 'The action, such as `comment_created`.',
      examples: ['comment_created'],
    }),
    actor: described(Actor, 'The user who made the change, as they were at that time.'),
    timestamp: described(Timestamp, 'When the change was made.'),
    type: string('The action with a dot, as webhooks have it.'),
  },
  {
    $id: 'Event',
    additionalProperties: true,
    description:
      'One change, with its subject under its own name: `comment`, `app`, `member` and so on. If the reader could not read the same content at the address of the subject now, it is blank: it has no words.',
  },
);

const EventPage = Type.Object(
  {
    data: Type.Array(Event, {
      description: 'The events in the order of the log, or the newest first when reading backwards.',
    }),
    next: count(
      'The position to send as `after` for the next page, or as `before` when reading backwards. It can be beyond the position of the last event on the page.',
    ),
    has_more: boolean('Whether there was more to read at this moment.'),
  },
  { $id: 'EventPage', description: 'Some events of the log.' },
);

const after = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The position of the last event that is known.',
});

/** What says the same to everyone. */
const Messages = Type.String();

export const eventOperations = operationsOf('Events', {
  listEvents: {
    method: 'GET',
    path: '/api/events',
    summary: 'Reads the log of changes in its order, from a position on, or backwards.',
    description:
      'An API key reads everything but the words of what was deleted. An access token reads what its user may see at the time of the call: events of apps that the user can read, and events addressed only to the user. The subject of an event has only the content that the user could read now. Keep `next` and send it as `after`: no event is left out and none comes twice. If the operator removes old events, a position after which some are gone is 410; without `after`, or with 0, the log begins with the oldest event that is kept. With `before`, or with `entity_type` and `entity_id`, the log is read backwards, for display. Then `after` is ignored, and for one item a page without events is the last.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    query: Type.Object({
      after: o(after),
      before: o(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'Reads backwards from this position, which is not included. The largest integer of JSON, 9007199254740991, begins with the newest event.',
        }),
      ),
      entity_type: o(
        Type.String({
          description:
            'With `entity_id`, only the events about one item, the newest first: the events that have it under the name of this type.',
          examples: ['comment'],
        }),
      ),
      entity_id: o(described(Id, 'The id of that thing.')),
      top: o(
        Type.Integer({
          minimum: 1,
          maximum: limits.topMax,
          default: limits.topDefault,
          description:
            'The most events of the page. A page ends before its events exceed 4 MiB, so it can have fewer: go on with `after` at `next`.',
        }),
      ),
    }),
    success: { 200: EventPage },
    errors: [401, 410],
    problems: ['position_gone'],
  },
  streamEvents: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Sends the log of changes as it grows, as server-sent events.',
    description:
      'The data of each message is an event as in the list, and its `id` is the position. A client that reconnects with `Last-Event-ID` (or `after`) first gets the events that it missed. Without either, the stream begins with the next change. Rights are checked when each event is sent. The access token may be in the query parameter `access_token`. A client that reads too slowly is disconnected, and can reconnect with `Last-Event-ID`. A position after which events were removed is 410.',
    caller: 'any',
    on: 'visible',
    effect: 'wait',
    query: Type.Object({ after: o(after) }),
    media: 'text/event-stream',
    takesTokenInQuery: true,
    success: { 200: Type.String() },
    errors: [401, 410],
    problems: ['position_gone'],
  },
  watchApp: {
    method: 'GET',
    path: '/api/apps/{app}/changes',
    summary: 'Says that something in an app has changed, as server-sent events.',
    description:
      'A message is `event: changed` with `data: {}`: something in the app may have changed, perhaps something that the caller does not see; it does not say what or by whom. Several changes may have one, and there is at most one a second. Where more than 200 watch it, the data is `{"within_ms":5000}`: read once at a random time within that. Read the app when the stream opens and after each message: so no change is missed. A comment line comes every 15 seconds. The stream ends when the caller may no longer read the app; the next request then says why. Where `CONFAB_COMMENTS_TYPING` is set, there are also messages `event: typing`, whose data has `users` with the `id` and `display_name` of each other user who is writing a comment, at most ten, once a second for the app at most; the one with which the stream opens names nobody. Show each six seconds. Where `CONFAB_COMMENTS_PRESENCE` is set, streams with `present=true` also have messages `event: presence`, whose data has `count`, how many people have such a stream of the app on all nodes, with the caller: one with which the stream opens, and another when the number has changed, at most every five seconds. A user with several streams counts once, a reader without a credential with each, and an API key not at all. The access token may be in the query parameter `access_token`. Beyond the limits of live connections it is 429 `too_many_connections`: read the app again after the time in `Retry-After`.',
    caller: 'any',
    on: { app: 'read', absent: 'asked' },
    effect: 'wait',
    query: Type.Object({
      page: o(
        boolean(
          '`true` watches a page that perhaps nobody has opened yet: where the caller sees no such app, the answer is 204, in place of 401 or 404. The default is false.',
        ),
      ),
      present: o(
        boolean(
          '`true` counts the caller as a person who has the app on the screen, where the operator wants such a number. The default is false.',
        ),
      ),
    }),
    media: 'text/event-stream',
    takesTokenInQuery: true,
    success: { 200: Messages, 204: null },
    visitors: Messages,
    errors: [401, 404],
  },
});
