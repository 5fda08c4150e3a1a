import { timestamp } from 'confab-contract/values/time.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal, User, Via } from '../../kernel/principal.ts';
import { userFields } from '../../second-form/shapes/user.ts';

function text(name: string, value: string | null): string {
  return value === null ? '' : `"${name}":${jsonString(value)},`;
}

function number(name: string, value: number | null): string {
  return value === null ? '' : `"${name}":${value},`;
}

/**
 * Everything about a user (specification section 2.2): for API keys, webhooks and the user, never for other users.
 * Presence is from the moment when the user was read; in an event it never changes.
 */
export function renderUser(user: User): Json {
  const known = renderedUsers.get(user);
  if (known !== undefined) return known;
  const rendered = renderFresh(user);
  renderedUsers.set(user, rendered);
  return rendered;
}

// One request renders its caller more than once: as author and as the actor of an event.
const renderedUsers = new WeakMap<User, Json>();

/** The fields that users see of each other, in the order of the wire; see decision 0035. A guest has one more. */
const publicFields = [
  'id',
  'uid',
  'display_name',
  'given_name',
  'family_name',
  'nickname',
  'directory_id',
  'avatar_url',
  'presence',
  'is_bot',
] as const;

const guestMark = ',"is_guest":true';

/** What is known of a user in public. */
type PublicUser = Pick<
  User,
  | 'id'
  | 'uid'
  | 'displayName'
  | 'givenName'
  | 'familyName'
  | 'nickname'
  | 'directoryId'
  | 'pictureUrl'
  | 'isActive'
  | 'isBot'
  | 'way'
>;

/** A user as other users see them: `publicFields`, and that a guest is one, because nobody has checked their name. */
export function renderPublicUser(user: PublicUser): Json {
  return json(
    `{"id":${user.id},"uid":${jsonString(user.uid)},"display_name":${jsonString(user.displayName)},` +
      text('given_name', user.givenName) +
      text('family_name', user.familyName) +
      text('nickname', user.nickname) +
      number('directory_id', user.directoryId) +
      text('avatar_url', user.pictureUrl) +
      `"presence":"${user.isActive ? 'active' : 'away'}","is_bot":${user.isBot}${user.way === 'guest' ? guestMark : ''}}`,
  );
}

/**
 * The public form of an actor that `actorOf` rendered: the text of `renderPublicUser`, and the kind of the
 * actor.
 */
export function publicFormOf(rendered: string): Json {
  const actor = JSON.parse(rendered) as Record<string, unknown>;
  const pick = (fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, actor[field]]));
  const mark = actor['way'] === 'guest' ? { is_guest: true } : {};
  return json(JSON.stringify({ ...pick(publicFields), ...mark, ...pick(['kind', 'via']) }));
}

/** A user as callers without a credential see them: without the uid, which belongs to the host product. */
function renderAuthor(user: User): Json {
  // Apps of a directory are closed to visitors, so its moderators moderate nothing that visitors see.
  const isModerator = user.role === 'moderator' && user.directoryId === null;
  const mark = user.way === 'guest' ? guestMark : isModerator ? ',"is_moderator":true' : '';
  return json(
    `{"id":${user.id},"display_name":${jsonString(user.displayName)},${text('avatar_url', user.pictureUrl)}` +
      `"is_bot":${user.isBot}${mark}}`,
  );
}

/** A user as the caller may see them: in full for an API key and for the user, otherwise in the public form. */
export function renderUserFor(viewer: Principal, user: User): Json {
  if (viewer.kind === 'visitor') return renderAuthor(user);
  const isWhole = viewer.kind === 'key' || viewer.user.id === user.id;
  if (viewer.form === undefined) return isWhole ? renderUser(user) : renderPublicUser(user);
  return isWhole ? renderWhole(viewer, user) : renderPublicUserInSecondForm(user);
}

/** A user as other users see them, in the second form. */
export function renderPublicUserInSecondForm(user: PublicUser): Json {
  return withFields(renderPublicUser(user), user);
}

/** Everything about a user in the form of the caller. */
export function renderWhole({ form }: Pick<Principal, 'form'>, user: User): Json {
  return form === undefined ? renderUser(user) : withFields(renderFresh({ ...user, name: null }), user);
}

function withFields(rendered: Json, user: PublicUser): Json {
  return json(`${rendered.slice(0, -1)}${userFields(user)}}`);
}

function renderFresh(user: User): Json {
  const modified = user.modifiedAt === null ? '' : `"modified_at":"${timestamp(user.modifiedAt)}",`;
  return json(
    `{"id":${user.id},"uid":${jsonString(user.uid)},"display_name":${jsonString(user.displayName)},` +
      text('email', user.email) +
      text('given_name', user.givenName) +
      text('middle_name', user.middleName) +
      text('name', user.name) +
      text('family_name', user.familyName) +
      text('nickname', user.nickname) +
      text('phone_number', user.phoneNumber) +
      text('comment', user.comment) +
      number('directory_id', user.directoryId) +
      number('picture_id', user.pictureId) +
      text('avatar_url', user.pictureUrl) +
      (user.metadata === null ? '' : `"metadata":${user.metadata},`) +
      `"tags":${user.tags},${text('role', user.role)}${text('way', user.way)}${user.isTrusted ? '"is_trusted":true,' : ''}"presence":"${user.isActive ? 'active' : 'away'}","created_at":"${timestamp(user.createdAt)}",${modified}` +
      `"is_bot":${user.isBot},"is_suspended":${user.suspendedAt !== null},"is_trashed":${user.trashedAt !== null}}`,
  );
}

/**
 * The actor of an event, as the log and webhooks have it: the user, the kind of the actor, the API key if a
 * key made the change, and the protocol if it was not plain HTTP. Other users get the public form, without
 * the key.
 */
export function actorOf({
  user,
  apiKeyId,
  via,
}: {
  readonly user: User;
  readonly apiKeyId?: number | undefined;
  readonly via?: Via | undefined;
}): { id: number; json: Json } {
  const kind = user.isBot ? '"bot"' : '"person"';
  const by = apiKeyId === undefined ? kind : `"api_key","api_key_id":${apiKeyId}`;
  const through = via === undefined ? '' : `,"via":"${via}"`;
  return { id: user.id, json: json(`${renderUser(user).slice(0, -1)},"kind":${by}${through}}`) };
}
