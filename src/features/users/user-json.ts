import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';

function text(name: string, value: string | null): string {
  return value === null ? '' : `"${name}":${jsonString(value)},`;
}

function number(name: string, value: number | null): string {
  return value === null ? '' : `"${name}":${value},`;
}

/**
 * A user as it stands in `created_by`, in an event's `actor` and in the users operations (specification section 2.2).
 * Presence is that of the moment the user was read; in an event it stays as it was then.
 */
export function renderUser(user: User): Json {
  const known = renderedUsers.get(user);
  if (known !== undefined) return known;
  const rendered = renderFresh(user);
  renderedUsers.set(user, rendered);
  return rendered;
}

// One request shows its caller more than once: as author and as the actor of an event.
const renderedUsers = new WeakMap<User, Json>();

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
      `"tags":${user.tags},"presence":"${user.isActive ? 'active' : 'away'}","created_at":"${timestamp(user.createdAt)}",${modified}` +
      `"is_bot":${user.isBot},"is_suspended":${user.suspendedAt !== null},"is_trashed":${user.trashedAt !== null}}`,
  );
}

/** Who did something, as the event log wants to know it. */
export function actorOf(user: User): { id: number; json: Json } {
  return { id: user.id, json: renderUser(user) };
}
