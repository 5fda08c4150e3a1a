import Type, { type TObject, type TSchema } from 'typebox';
import { AppItem, AppMember } from './apps.ts';
import { Blob } from './blobs.ts';
import { CommentItem } from './comments.ts';
import { DeliveryItem } from './deliveries.ts';
import { Directory } from './directories.ts';
import { Embed } from './embeds.ts';
import { Option, Parent } from './entries.ts';
import { described, Id, Timestamp } from './fields.ts';
import { FileItem } from './files.ts';
import { Meeting } from './meetings.ts';
import { MessageItem } from './messages.ts';
import { NotificationItem } from './notifications.ts';
import { PostItem } from './posts.ts';
import { User } from './users.ts';
import { Webhook } from './webhooks.ts';

const o = Type.Optional;

/** One action of the log as receivers are told of it. */
export type WebhookEvent = {
  /** What webhooks name as trigger; absent for what is in the log alone. */
  readonly group?: string;
  /** One sentence. */
  readonly sentence: string;
  /** The properties of the body that are about this action, rather than in every body. */
  readonly about: { readonly [name: string]: TSchema };
};

type Sentences = { readonly [action: string]: string };

/** The events that are about the same in the same way. */
function events<const S extends Sentences>(
  group: string | undefined,
  about: WebhookEvent['about'],
  sentences: S,
): { readonly [A in keyof S]: WebhookEvent } {
  return Object.fromEntries(
    Object.entries(sentences).map(([action, sentence]) => [
      action,
      { ...(group === undefined ? {} : { group }), sentence, about },
    ]),
  ) as { readonly [A in keyof S]: WebhookEvent };
}

/** The same five things happen to every kind of content. */
function contentEvents<const K extends string>(
  group: string,
  kind: K,
  item: TSchema,
): { readonly [A in `${K}_${'created' | 'updated' | 'trashed' | 'restored' | 'deleted'}`]: WebhookEvent } {
  const one = kind.startsWith('a') ? `An ${kind}` : `A ${kind}`;
  return events(group, { [kind]: described(item, `The ${kind}, with the values it had after the event.`) }, {
    [`${kind}_created`]: `${one} was made.`,
    [`${kind}_updated`]: `${one} was changed.`,
    [`${kind}_trashed`]: `${one} was put in the trash.`,
    [`${kind}_restored`]: `${one} came back from the trash.`,
    [`${kind}_deleted`]: `${one} was deleted permanently.`,
  } as { [A in `${K}_${'created' | 'updated' | 'trashed' | 'restored' | 'deleted'}`]: string });
}

function subscriptionEvents<const K extends string>(
  group: string,
  kind: K,
  item: TSchema,
): { readonly [A in `${K}_${'subscribed' | 'unsubscribed'}`]: WebhookEvent } {
  return events(group, { [kind]: described(item, `The ${kind}.`) }, {
    [`${kind}_subscribed`]: `The actor wants to be told what happens to the ${kind}.`,
    [`${kind}_unsubscribed`]: `The actor does not want to be told any more what happens to the ${kind}.`,
  } as { [A in `${K}_${'subscribed' | 'unsubscribed'}`]: string });
}

const appOfMember = Type.Object(
  {
    id: described(Id, 'The id of the app.'),
    uid: Type.String({ description: 'The uid of the app.', examples: ['product-42'] }),
    type: Type.String({ description: 'The type of the app.', examples: ['comments'] }),
  },
  { description: 'The app of the member.' },
);
const reaction = Type.String({ description: 'The reaction: one emoji.', examples: ['👍'] });
const conversation = described(AppItem, 'The conversation.');
const user = described(User, 'The user.');

/** Every event by its action. */
export const webhookEvents = {
  ...contentEvents('apps', 'app', AppItem),
  ...subscriptionEvents('apps', 'app', AppItem),
  ...events(
    undefined,
    { app: described(AppItem, 'The app.') },
    {
      app_starred: 'The actor starred an app; nobody else is told.',
      app_unstarred: 'The actor took the star of an app away; nobody else is told.',
    },
  ),
  ...events(
    'members',
    { member: described(AppMember, 'The member.'), app: appOfMember },
    {
      member_added: 'A user became a member of an app.',
      member_updated: 'The access of a member of an app was changed.',
      member_removed: 'A user is no member of an app any more.',
    },
  ),
  ...contentEvents('comments', 'comment', CommentItem),
  ...contentEvents('posts', 'post', PostItem),
  ...subscriptionEvents('posts', 'post', PostItem),
  ...contentEvents('files', 'file', FileItem),
  ...subscriptionEvents('files', 'file', FileItem),
  ...contentEvents('messages', 'message', MessageItem),
  ...events(
    'reactions',
    { reaction, entity: described(Parent, 'What the reaction is to.') },
    {
      reaction_added: 'The actor reacted to a comment, a post or a message, which `entity` names.',
      reaction_removed: 'A reaction to a comment, a post or a message was taken away.',
    },
  ),
  ...events(
    'polls',
    {
      option: described(Option, 'The option, with its votes after the event.'),
      entity: described(Parent, 'What the poll stands in.'),
    },
    {
      option_voted: 'The actor voted for an option of a comment, a post or a message, which `entity` names.',
      option_unvoted: 'The actor took a vote back.',
    },
  ),
  ...events(
    'conversations',
    {
      conversation,
      marked_at: o(
        described(
          Timestamp,
          'When the actor marked the conversation as read. Absent when it was marked as unread.',
        ),
      ),
      marked_id: o(
        described(
          Id,
          'The id of the last message that the actor has read. Absent when it was marked as unread.',
        ),
      ),
    },
    {
      conversation_marked:
        'The actor has read a conversation up to the message `marked_id`, or marked it as unread.',
    },
  ),
  ...events(
    'conversations',
    { conversation, delivered_at: described(Timestamp, 'When the messages arrived.') },
    { conversation_delivered: 'The messages of a conversation have reached a device of the actor.' },
  ),
  ...events(
    'conversations',
    { conversation },
    {
      conversation_pinned: 'The actor pinned a conversation; of people, nobody else is told.',
      conversation_unpinned: 'The actor does not keep a conversation pinned any more.',
    },
  ),
  ...events(
    'notifications',
    { notification: described(NotificationItem, 'The notification.') },
    {
      notification_created: 'A person is told of something that concerns them.',
      notification_updated: 'A notification was marked as read or unread.',
      notification_deleted: 'A notification was deleted.',
    },
  ),
  ...events(
    'notifications',
    { marked_id: described(Id, 'The id of the newest notification that was marked.') },
    { notifications_marked: 'The actor has read all notifications up to `marked_id`.' },
  ),
  ...events(
    undefined,
    { user },
    {
      user_created: 'A user was made.',
      user_updated: 'A user was changed.',
      user_trashed: 'A user was put in the trash.',
      user_restored: 'A user came back from the trash.',
      tokens_revoked: 'All access tokens of a user were revoked.',
    },
  ),
  ...events(
    undefined,
    {
      user,
      expires_in: Type.Integer({ minimum: 1, description: 'How long the token is valid, in seconds.' }),
    },
    { token_issued: 'An access token of a user was issued.' },
  ),
  ...events(
    undefined,
    { directory: described(Directory, 'The directory.') },
    {
      directory_created: 'A directory of users was made.',
      directory_updated: 'A directory of users was renamed.',
      directory_deleted: 'A directory of users was deleted.',
    },
  ),
  ...events(
    undefined,
    { blob: described(Blob, 'The blob.') },
    { blob_linked: 'The actor brought a file that is kept elsewhere.' },
  ),
  ...events(
    undefined,
    { embed: described(Embed, 'The embed.') },
    { embed_created: 'The actor made an embed of an address.' },
  ),
  ...events(
    undefined,
    { meeting: described(Meeting, 'The meeting.') },
    { meeting_created: 'The actor made a video meeting.' },
  ),
  ...events(
    undefined,
    { webhook: described(Webhook, 'The webhook.') },
    {
      webhook_created: 'A webhook was registered.',
      webhook_updated: 'A webhook was changed.',
      webhook_deleted: 'A webhook was deleted, with its deliveries.',
      webhook_paused: 'The receiver of a webhook keeps failing: its breaker is open.',
      webhook_resumed: 'The receiver of a webhook answers again: its breaker is closed.',
      webhook_pinged: 'Somebody wants to know whether this webhook works. Only that webhook is told.',
    },
  ),
  ...events(
    undefined,
    {
      delivery: described(DeliveryItem, 'The delivery.'),
      webhook: Type.Object(
        { id: described(Id, 'The id of the webhook.') },
        { description: 'The webhook of the delivery.' },
      ),
    },
    { delivery_redelivered: 'A delivery is to be sent again.' },
  ),
  ...events(
    undefined,
    {
      webhook: described(Webhook, 'The webhook.'),
      redelivered: Type.Integer({ minimum: 1, description: 'How many deliveries are to be sent again.' }),
    },
    { deliveries_redelivered: 'Some deliveries of a webhook are to be sent again.' },
  ),
} as const satisfies { readonly [action: string]: WebhookEvent };

/** The action of an event. */
export type WebhookAction = keyof typeof webhookEvents;

/** The events that some webhook can be sent: what has a group, and pings. */
export const deliveredActions: readonly WebhookAction[] = (
  Object.keys(webhookEvents) as WebhookAction[]
).filter((action) => webhookEvents[action].group !== undefined || action === 'webhook_pinged');

/** The body of a delivery of an action. */
export function deliverySchema(action: WebhookAction): TObject {
  const { about, sentence } = webhookEvents[action];
  return Type.Object(
    {
      id: Type.Integer({
        minimum: 1,
        description: 'The id of the event, the same for every webhook that is told.',
      }),
      action: Type.Unsafe<string>({ type: 'string', const: action, description: 'What happened.' }),
      actor: described(User, 'The user who caused the event, as they were at that time.'),
      ...about,
      timestamp: described(Timestamp, 'When the event happened.'),
      type: Type.Unsafe<string>({
        type: 'string',
        const: action.replace('_', '.'),
        description: 'The action with a dot.',
      }),
      guid: Type.String({ description: 'The guid of the delivery, the same on every attempt.' }),
    },
    { description: sentence },
  );
}
