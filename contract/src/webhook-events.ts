import Type, { type TObject, type TSchema } from 'typebox';
import { type Action, actionNames, actions, factsOf } from './actions.ts';
import { AppItem, AppMember } from './apps.ts';
import { BanMark } from './bans.ts';
import { Blob } from './blobs.ts';
import { CommentItem } from './comments.ts';
import { DeliveryItem } from './deliveries.ts';
import { Directory } from './directories.ts';
import { Embed } from './embeds.ts';
import { Option, Parent } from './entries.ts';
import { boolean, described, Id, string, Timestamp } from './fields.ts';
import { FileItem } from './files.ts';
import { Import } from './imports.ts';
import { MailChoice } from './mail.ts';
import { Meeting } from './meetings.ts';
import { MessageItem } from './messages.ts';
import { RuleMatch, RuleSet } from './moderation.ts';
import { NotificationItem } from './notifications.ts';
import { PostItem } from './posts.ts';
import { ReportItem } from './reports.ts';
import { StoredSite } from './site.ts';
import { Actor, User } from './users.ts';
import { Webhook } from './webhooks.ts';

const o = Type.Optional;

type EntityName = (typeof actions)[Action]['entity'];

const appOfMember = Type.Object(
  {
    id: described(Id, 'The id of the app.'),
    uid: Type.String({ description: 'The uid of the app.', examples: ['product-42'] }),
    type: Type.String({ description: 'The type of the app.', examples: ['comments'] }),
  },
  { description: 'The app of the member.' },
);
const reaction = Type.String({ description: 'The reaction: one emoji.', examples: ['👍'] });
/** The schema of each entity as a property of the payload. */
const entities: { readonly [E in EntityName]: TSchema } = {
  app: described(AppItem, 'The app, with the values it had after the event.'),
  member: described(AppMember, 'The member, with the values they had after the event.'),
  comment: described(CommentItem, 'The comment, with the values it had after the event.'),
  post: described(PostItem, 'The post, with the values it had after the event.'),
  file: described(FileItem, 'The file, with the values it had after the event.'),
  message: described(MessageItem, 'The message, with the values it had after the event.'),
  reaction,
  report: described(ReportItem, 'The report, with the values it had after the event.'),
  option: described(Option, 'The option, with its votes after the event.'),
  conversation: described(AppItem, 'The conversation, with the values it had after the event.'),
  notification: described(NotificationItem, 'The notification, with the values it had after the event.'),
  user: described(User, 'The user.'),
  directory: described(Directory, 'The directory.'),
  blob: described(Blob, 'The blob.'),
  embed: described(Embed, 'The embed.'),
  meeting: described(Meeting, 'The meeting.'),
  match: described(RuleMatch, 'What the rules matched.'),
  ban: described(BanMark, 'The ban that the event is about.'),
  rules: described(RuleSet, 'The rules that texts are screened with, after the event.'),
  site: described(StoredSite, 'What is set for the site, after the event.'),
  import: described(Import, 'The import, with the values it had after the event.'),
  webhook: described(Webhook, 'The webhook, with the values it had after the event.'),
  delivery: described(DeliveryItem, 'The delivery.'),
};

/** The schemas of the other properties, by the entity that they accompany. */
const extras: { readonly [E in EntityName]?: { readonly [name: string]: TSchema } } = {
  member: { app: appOfMember },
  reaction: { entity: described(Parent, 'What the reaction is to.') },
  report: { reason: string('Why the actor reported it, such as `spam`.') },
  option: { entity: described(Parent, 'The comment, post or message that contains the poll.') },
  conversation: {
    marked_at: described(
      Timestamp,
      'When the actor marked the conversation as read. Absent when it was marked as unread.',
    ),
    marked_id: described(
      Id,
      'The id of the last message that the actor has read. Absent when it was marked as unread.',
    ),
    delivered_at: described(Timestamp, 'When the messages arrived.'),
  },
  notification: {
    marked_id: described(Id, 'The id of the newest notification that was marked.'),
    user: described(User, 'The user whose notifications they are.'),
    notification_ids: Type.Array(Id, { description: 'The ids of the notifications, at most 400.' }),
  },
  user: {
    expires_in: Type.Integer({ minimum: 1, description: 'How long the token is valid, in seconds.' }),
    mail: described(MailChoice, 'What the user chose.'),
    new_comments: boolean('Whether the user wants each new comment in the apps that they moderate.'),
  },
  webhook: {
    redelivered: Type.Integer({ minimum: 1, description: 'How many deliveries are to be sent again.' }),
  },
  delivery: {
    webhook: Type.Object(
      { id: described(Id, 'The id of the webhook.') },
      { description: 'The webhook of the delivery.' },
    ),
  },
};

/** The properties of a payload that depend on its action. */
export function aboutOf(action: Action): { readonly [name: string]: TSchema } {
  const { isAboutMany, extra = [], optional = [] } = factsOf(action);
  const entity: EntityName = actions[action].entity;
  const schemaOf = (name: string): TSchema => {
    const schema = extras[entity]?.[name];
    if (schema === undefined) throw new Error(`the property ${name} of ${action} has no schema`);
    return schema;
  };
  return {
    ...(isAboutMany === true ? {} : { [entity]: entities[entity] }),
    ...Object.fromEntries(extra.map((name) => [name, schemaOf(name)])),
    ...Object.fromEntries(optional.map((name) => [name, o(schemaOf(name))])),
  };
}

/** The actions that webhooks can receive: those with a group, and pings. */
export const deliveredActions: readonly Action[] = actionNames.filter(
  (action) => factsOf(action).group !== undefined || action === 'webhook_pinged',
);

/** What every delivery has, whatever its action. */
const always = {
  id: Type.Integer({
    minimum: 1,
    description: 'The id of the event, the same for every webhook that receives it.',
  }),
  actor: described(Actor, 'The user who caused the event, as they were at that time.'),
  timestamp: described(Timestamp, 'When the event happened.'),
  guid: string('The guid of the delivery, the same on every attempt.'),
};

function namesOf(action: Action) {
  const fixed = (value: string, description: string) =>
    Type.Unsafe<string>({ type: 'string', const: value, description });
  return {
    action: fixed(action, 'The action of the event.'),
    type: fixed(action.replace('_', '.'), 'The action with a dot.'),
  };
}

/** The body of a delivery of an action. */
export function deliverySchema(action: Action): TObject {
  const { id, actor, timestamp, guid } = always;
  const { action: name, type } = namesOf(action);
  const about = aboutOf(action);
  return Type.Object(
    { id, action: name, actor, ...about, timestamp, type, guid },
    { description: factsOf(action).sentence },
  );
}

/** What all deliveries have. */
export const AnyDelivery = Type.Object(always, {
  $id: 'AnyDelivery',
  description: 'What every delivery has, whatever its action.',
});

/** What a delivery of an action has besides. */
export function ownDeliverySchema(action: Action): TObject {
  return Type.Object({ ...namesOf(action), ...aboutOf(action) });
}
