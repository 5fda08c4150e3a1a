import Type, { type TSchema } from 'typebox';
import { boolean, count, described, Id, Metadata, string, Timestamp } from '../fields.ts';
import { MessageItem } from '../messages.ts';
import { User } from '../users.ts';
import { AccessWithAdmin } from './members.ts';

/**
 * The schemas of the second form. It has the properties of the first form, and others beside them or, where the two
 * contradict each other, in their place.
 */

/** The properties that the second form adds to a schema of the first, or puts in their place, by the `$id` of the schema. */
export type FormChanges = { readonly [schema: string]: { readonly [property: string]: TSchema } };

const o = Type.Optional;

/** So many things, with the first of them. */
export function listWithCountOf(item: TSchema, description: string): TSchema {
  return Type.Object(
    {
      count: count('How many there are.'),
      data: Type.Array(item, { description: 'Those that are shown here.' }),
    },
    { description },
  );
}

const userChanges = {
  name: string('The name to show, the same as `display_name`.'),
  is_agent: boolean('Whether the user is a program rather than a person, the same as `is_bot`.'),
  directories: Type.Array(Type.Object({ id: described(Id, 'The id of the directory.') }), {
    description: 'The directory that the user belongs to, or nothing.',
  }),
};

const AppReference = Type.Object(
  { id: described(Id, 'The id of the app.') },
  { $id: 'AppReference', description: 'The app that something is in.' },
);

/** What comments, posts and messages have, given the schemas of what they end with. */
function entryChanges(properties: { readonly [name: string]: TSchema }) {
  const itemOf = (name: string) => (properties[name] as unknown as { readonly items: TSchema }).items;
  return {
    app: described(AppReference, 'The app that it is in.'),
    updated_at: o(described(Timestamp, 'When it was last edited, the same as `modified_at`.')),
    updated_by: o(described(User, 'The user who last edited it, the same as `modified_by`.')),
    attachments: listWithCountOf(itemOf('attachments'), 'Its attachments, in the order of their ids.'),
    options: listWithCountOf(itemOf('options'), 'The options of its poll, in order.'),
    reactions: listWithCountOf(itemOf('reactions'), 'The reactions to it, one of each user who reacted.'),
    is_starred: boolean('Always false: only apps can be starred.'),
  };
}

const commentsOfPost = {
  comments: listWithCountOf(
    Type.Object({}),
    'How many comments on it are not in the trash; none is shown here.',
  ),
};

const fileChanges = {
  rev: Type.Integer({ minimum: 1, description: 'The number of the version, the same as `version`.' }),
  app: described(AppReference, 'The app that the file is in.'),
  updated_at: o(described(Timestamp, 'When it was last changed, the same as `modified_at`.')),
  updated_by: o(described(User, 'The user who last changed it, the same as `modified_by`.')),
  comments: listWithCountOf(
    Type.Object({}),
    'How many comments on it are not in the trash; none is shown here.',
  ),
  is_starred: boolean('Always false: only apps can be starred.'),
};

const appChanges = {
  uid: o(
    Type.String({
      description:
        'The unique name that the host product gave the app. Absent for a conversation without one.',
    }),
  ),
  name: string('The name to show, the same as `display_name`.'),
  rev: Type.Integer({ description: 'A number that grows with each change and each message.' }),
  updated_at: o(described(Timestamp, 'When the app was last changed, the same as `modified_at`.')),
  updated_by: o(described(User, 'The user who last changed the app, the same as `modified_by`.')),
};

const chatChanges = {
  ...appChanges,
  last_message_id: o(described(Id, 'The id of the newest message of a chat. Absent when there is none.')),
  last_message: o(described(MessageItem, 'The newest message of a chat. Absent when there is none.')),
  is_pinned: o(boolean('Whether the caller pinned it. Absent for an app that is no chat.')),
  is_unread: o(
    boolean('Whether the caller has not read its last message. Absent for an app that is no chat.'),
  ),
};

const memberChanges = {
  access: AccessWithAdmin,
  name: string('The name to show, the same as `display_name`.'),
  is_agent: boolean('Whether the user is a program rather than a person, the same as `is_bot`.'),
};

const EmbedImage = Type.Object(
  {
    url: string('The address of the picture.'),
    width: o(Type.Integer({ description: 'Its width in pixels. Absent when it is not known.' })),
    height: o(Type.Integer({ description: 'Its height in pixels. Absent when it is not known.' })),
  },
  { $id: 'EmbedImage', description: 'The picture of an embed.' },
);

const embedChanges = {
  url: o(
    string('The address that the embed leads to, the same as `original_url`. Absent when there is none.'),
  ),
  image: o(described(EmbedImage, 'The picture at `thumbnail_url`. Absent when there is none.')),
  actions: Type.Array(Type.String(), {
    description: 'The names of its buttons, which fire an event in the page of the client.',
  }),
};

const meetingChanges = {
  provider: string('The provider as which clients show it: `zoom`, `google` or `microsoft`.'),
  code: string('Where the meeting takes place: `join_url` without the protocol.'),
  created_at: described(Timestamp, 'When the meeting was made.'),
};

const notificationChanges = {
  type: Type.Unsafe<'activity' | 'mention' | 'reaction'>({
    type: 'string',
    enum: ['activity', 'mention', 'reaction'],
    description: 'Whether it is a mention, a reaction or anything else.',
  }),
  actor: described(
    User,
    'The user who caused it; the system where the caller may no longer see what it is about.',
  ),
  user: described(User, 'The user who is notified.'),
  link: o(
    Type.Object(
      {
        id: described(Id, 'The id of the item.'),
        type: string('The kind of the item, such as `comment`.'),
        app: Type.Object(
          {
            id: described(Id, 'The id of the app.'),
            uid: o(string('The uid of the app. Absent for conversations.')),
            type: o(string('The guid of the type of the app.')),
          },
          { description: 'The app that the item is in.' },
        ),
        parent: o(
          Type.Object(
            { id: described(Id, 'The id of the parent.'), type: string('The kind of the parent.') },
            { description: 'The post or file that a comment is on.' },
          ),
        ),
      },
      { description: 'What the notification is about. Absent when the caller may no longer see it.' },
    ),
  ),
  metadata: Metadata,
  tags: Type.Array(Type.String(), { description: 'The tags that the host product gave it.' }),
};

/** The properties of the second form by the `$id` of the schema; entries have `entryChanges` as well. */
const changes: FormChanges = {
  User: userChanges,
  UserDetail: userChanges,
  UserCard: userChanges,
  ListedUser: userChanges,
  Agent: userChanges,
  App: chatChanges,
  AppItem: chatChanges,
  Conversation: appChanges,
  ConversationItem: appChanges,
  AppMember: memberChanges,
  Option: {
    votes: listWithCountOf(User, 'How many users chose it, and where they are shown the first of them.'),
  },
  Reaction: {
    created_by: o(
      Type.Object({ id: described(Id, 'The id of the user.') }, { description: 'The user who reacted.' }),
    ),
  },
  Embed: embedChanges,
  Meeting: meetingChanges,
  Attachment: fileChanges,
  File: fileChanges,
  FileItem: fileChanges,
  Notification: notificationChanges,
  NotificationItem: notificationChanges,
  Post: commentsOfPost,
  PostItem: commentsOfPost,
};

const entrySchemas = new Set(
  ['Comment', 'Post', 'Message'].flatMap((kind) => [kind, `${kind}Item`]).concat('AnswerItem'),
);

/** What the log and webhooks have is in the first form for everybody. */
const unchanged: ReadonlySet<string> = new Set(['Event', 'WebhookEvent', 'DeliveryPayload', 'AnyDelivery']);

const known = new WeakMap<object, object>();
const madeHere = new WeakSet<object>();

/** A schema of the first form in the second, with all schemas within it. */
export function inSecondForm<T extends TSchema>(schema: T): TSchema {
  const existing = known.get(schema);
  if (existing !== undefined) return existing as TSchema;
  if (unchanged.has((schema as ObjectSchema).$id ?? '')) return schema;
  const made = {} as Record<PropertyKey, unknown>;
  known.set(schema, made);
  madeHere.add(made);
  const changed = withChanges(schema as unknown as ObjectSchema);
  // What TypeBox notes on a schema is not enumerable and stays so, because it is not part of it.
  for (const key of Reflect.ownKeys(changed))
    Object.defineProperty(made, key, {
      ...Object.getOwnPropertyDescriptor(changed, key),
      value: mapped((changed as never)[key]),
    });
  return made as unknown as TSchema;
}

/**
 * The name of a schema in the document of the second form. What the log has stays in the first, so a schema that differs
 * there has a name of its own.
 */
export function idInSecondForm(schema: TSchema, id: string): string {
  const isSame = madeHere.has(schema) || JSON.stringify(inSecondForm(schema)) === JSON.stringify(schema);
  return isSame ? id : `${id}InFirstForm`;
}

type ObjectSchema = TSchema & {
  readonly $id?: string;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly required?: readonly string[];
};

function withChanges(schema: ObjectSchema): ObjectSchema {
  const { $id, properties } = schema;
  if ($id === undefined || properties === undefined) return schema;
  const more: FormChanges[string] = {
    ...(entrySchemas.has($id) && entryChanges(properties)),
    ...changes[$id],
  };
  const names = Object.keys(more);
  if (names.length === 0) return schema;
  const required = (schema.required ?? []).filter((name) => !names.includes(name));
  return {
    ...schema,
    properties: { ...properties, ...more },
    required: [...required, ...names.filter((name) => !Type.IsOptional(more[name]))],
  };
}

function mapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapped);
  return typeof value === 'object' && value !== null ? inSecondForm(value as TSchema) : value;
}
