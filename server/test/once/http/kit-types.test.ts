import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventsInBothForms } from '../../../generate/events-in-both-forms.ts';
import { openApiInSecondForm } from '../../../src/http/openapi/openapi.ts';
import { propertiesOf } from './kit-types.ts';

const document = openApiInSecondForm({ version: '1.2.3', url: '/' }) as any;

/** The schema of each type of the kit: of what is got alone, and of what stands in a list or in something else. */
const schemas: { readonly [schema: string]: string } = {
  User: 'UserType',
  UserCard: 'UserDetailType',
  ListedUser: 'UserType',
  App: 'AppType',
  AppItem: 'AppType',
  Conversation: 'AppType',
  AppMember: 'MemberDetailType',
  Comment: 'MsgType',
  CommentItem: 'MsgType',
  Message: 'MessageType',
  MessageItem: 'MessageType',
  Post: 'PostType',
  PostItem: 'PostType',
  File: 'FileType',
  FileItem: 'FileType',
  Attachment: 'FileType',
  Embed: 'EmbedType',
  Meeting: 'MeetingType',
  Notification: 'NotificationType',
  Option: 'PollOptionType',
  Reaction: 'ReactableType',
  Agent: 'AgentDetailType',
};

const asEmpty =
  'Absent without a value, as everywhere in the interface; the kit shows what is absent as empty.';
const notSubscribed = 'Only apps, posts and files can be subscribed; the kit asks for it of those alone.';
const byExpand =
  'Declared as in the first form, where it is expanded; only a comment that is gone and keeps its place lacks it.';
const ofProvider =
  'Another kind of agent: where answers come from is an address here, and no element reads what a provider has.';
const ofJitsi = 'Meetings are of Jitsi, which needs no account: there is nothing to authorize.';

const ofOthers = 'Only of a chat, or absent until there is one, as its description says.';

/** Reasons for several properties of several schemas. */
function because(reason: string, names: string, properties: string): { readonly [property: string]: string } {
  const all = names.split(' ').flatMap((schema) => properties.split(' ').map((name) => `${schema}.${name}`));
  return Object.fromEntries(all.map((each) => [each, reason]));
}

/** What a schema has not, or not always, as the kit's type says, and why the kit works without it. */
const exceptions: { readonly [property: string]: string } = {
  ...because(asEmpty, 'Comment CommentItem Message MessageItem Post PostItem', 'html plain text'),
  ...because(notSubscribed, 'Comment CommentItem Message MessageItem', 'is_subscribed'),
  ...because(byExpand, 'CommentItem MessageItem PostItem', 'created_by'),
  ...because(ofProvider, 'Agent', 'functions instructions knowledge mcp_servers model provider web_search'),
  ...because(ofJitsi, 'Meeting', 'auth_url join_url provider_id'),
  ...because(asEmpty, 'App AppItem Conversation', 'archive_url avatar_url description'),
  ...because(ofOthers, 'App AppItem', 'is_pinned is_unread'),
  ...because(ofOthers, 'App AppItem Conversation', 'last_message'),
  ...because(byExpand, 'AppItem', 'members'),
};

function schemaOf(name: string): { properties: any; required: string[] } {
  const { allOf = [], properties = {}, required = [] } = document.components.schemas[name];
  const parts = allOf.map((part: any) =>
    part.$ref === undefined ? part : schemaOf(part.$ref.split('/').at(-1)),
  );
  return {
    properties: Object.assign({}, ...parts.map((part: any) => part.properties), properties),
    required: [...parts.flatMap((part: any) => part.required ?? []), ...required],
  };
}

/** What a property of a schema is. */
function kindsOf(property: any): string[] {
  if (property === undefined) return [];
  const name = property.$ref?.split('/').at(-1);
  if (name === 'Timestamp') return ['string'];
  if (name !== undefined) {
    const target = document.components.schemas[name];
    return 'properties' in target || 'allOf' in target ? shapesOf(schemaOf(name)) : kindsOf(target);
  }
  const { type, anyOf, enum: values, const: value } = property;
  if (anyOf !== undefined) return anyOf.flatMap(kindsOf);
  if (type === 'object') return shapesOf({ properties: property.properties ?? {} });
  const types: string[] = [type ?? typeof (values?.[0] ?? value)].flat();
  return types.map((each) => (each === 'integer' ? 'number' : each));
}

function shapesOf({ properties }: { properties: object }): string[] {
  return 'count' in properties ? ['list', 'object'] : ['object'];
}

/** What differs in a schema from the type of the kit. */
function faultsOf(schema: string, type: string): string[] {
  const { properties, required } = schemaOf(schema);
  return [...propertiesOf(type)].flatMap(([name, { isOptional, kind }]) => {
    const kinds = kindsOf(properties[name]);
    if (kinds.length > 0 && !kinds.includes(kind)) return [`${schema}.${name} is not ${kind}`];
    return isOptional || required.includes(name) ? [] : [`${schema}.${name}`];
  });
}

// Whoever reads an answer by the types of the kit finds what these promise.
describe('the second form has what the types of the kit say', () => {
  for (const [schema, type] of Object.entries(schemas))
    test(`of ${schema}`, () => {
      assert.ok(propertiesOf(type).size > 1);
      const reasons = Object.keys(exceptions).filter((each) => each.startsWith(`${schema}.`));
      const faults = faultsOf(schema, type);
      assert.deepEqual(faults.sort(), reasons.sort());
    });

  test('of which a property of another kind, or one that can be absent, is no match', () => {
    assert.deepEqual(faultsOf('Option', 'ReactableType'), ['Option.content']);
    assert.ok(faultsOf('Webhook', 'FileType').includes('Webhook.name'));
  });
});

/** The type that the kit reads each event by, for all events that its components listen to. */
const kitEvents: { readonly [action: string]: string } = {
  app_created: 'RealtimeAppEventType',
  app_updated: 'RealtimeAppEventType',
  app_marked: 'RealtimeAppMarkedEventType',
  member_added: 'RealtimeMemberEventType',
  message_created: 'RealtimeMessageEventType',
  post_created: 'RealtimePostEventType',
  comment_created: 'RealtimeCommentEventType',
  reaction_added: 'RealtimeReactionEventType',
  reaction_removed: 'RealtimeReactionEventType',
  file_created: 'RealtimeFileEventType',
  file_updated: 'RealtimeFileEventType',
  file_trashed: 'RealtimeFileEventType',
  file_restored: 'RealtimeFileEventType',
  file_deleted: 'RealtimeFileEventType',
  notification_created: 'RealtimeNotificationEventType',
  notification_updated: 'RealtimeNotificationEventType',
  notifications_marked: 'RealtimeNotificationsEventType',
};

/** The type of what an event is about, by the property that has it. */
const kitItems: { readonly [property: string]: string } = {
  app: 'AppType',
  member: 'MemberType',
  message: 'MessageType',
  post: 'PostType',
  comment: 'CommentType',
  file: 'FileType',
  notification: 'NotificationType',
};

const appEvents = 'app_created.app app_updated.app app_marked.app';

/** What a value is, by the words of the kit's types. */
function kindsOfValue(value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return ['array'];
  if (typeof value !== 'object' || value === null) return [typeof value];
  return 'count' in value && 'data' in value ? ['list', 'object'] : ['object'];
}

/** What an object has not, or otherwise, as the kit's type says. */
function lackedBy(value: object, type: string, place: string): string[] {
  const fields: { readonly [name: string]: unknown } = { ...value };
  return [...propertiesOf(type)].flatMap(([name, { isOptional, kind }]) => {
    const kinds = kindsOfValue(fields[name]);
    if (kinds.length === 0) return isOptional ? [] : [`${place}${name}`];
    return kinds.includes(kind) ? [] : [`${place}${name} is not ${kind}`];
  });
}

const isFetched = 'The components fetch the app, or the list, when they hear of it.';
const isReference = 'A reference: the components read nothing of it and fetch the list.';
const ofUnread = 'Absent where the chat was marked as unread, which the kit shows as read by nobody.';

/** What events lack at the least, and why the components work without it. */
const lackedInEvents: { readonly [property: string]: string } = {
  ...because(asEmpty, 'message_created.message post_created.post comment_created.comment', 'html plain text'),
  ...because(notSubscribed, 'message_created.message comment_created.comment', 'is_subscribed'),
  ...because(byExpand, 'comment_created.comment', 'created_by'),
  ...because(asEmpty, appEvents, 'archive_url avatar_url description'),
  ...because(isFetched, appEvents, 'is_pinned is_unread last_message members'),
  ...because(
    isReference,
    'member_added.app',
    'access archive_url avatar_url created_at description is_pinned is_starred is_subscribed is_trashed is_unread last_message members name permissions rev',
  ),
  ...because(ofUnread, 'app_marked', 'marked_at marked_id'),
};

// What components do at an event depends on these fields; they fetch what an event lacks.
describe('an event of the second form has what the types of the kit say', () => {
  const events = new Map(eventsInBothForms('least').map(({ second, inSecond }) => [second, inSecond]));

  for (const [action, type] of Object.entries(kitEvents))
    test(action, () => {
      const event = events.get(action) ?? assert.fail(`there is no ${action}`);
      const lacked = lackedBy(event, type, '');
      const about = Object.entries(kitItems).flatMap(([name, itemType]) => {
        const item = event[name];
        const isItem = typeof item === 'object' && item !== null;
        const read = action === 'notifications_marked' ? 'AppRef' : itemType;
        return isItem ? lackedBy(item, read, `${name}.`) : [];
      });
      const reasons = Object.keys(lackedInEvents).filter((each) => each.startsWith(`${action}.`));
      assert.deepEqual([...lacked, ...about].map((each) => `${action}.${each}`).sort(), reasons.sort());
    });
});
