import { timestamp } from 'confab-contract/values/time.ts';
import { type AppView, permissionsOf } from '../../access/access.ts';
import { isGeneratedUid } from '../../access/generated-uid.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { appFields } from '../../second-form/shapes/app.ts';
import { guidOf, isContextual } from './app-types.ts';

/**
 * The fields of an app besides its flat ones: those that a request expands, and the name of a conversation for its
 * reader.
 */
export type AppExtras = {
  readonly displayName?: string | undefined;
  readonly avatarUrl?: string | undefined;
  readonly createdBy?: Json | undefined;
  readonly modifiedBy?: Json | undefined;
  readonly members?: Json | undefined;
  /** The form of the caller (`Principal.form`). */
  readonly form?: number | undefined;
  /** The newest message of a conversation. */
  readonly lastMessageId?: number | null;
};

/** An app as the contract defines it (specification section 2.1), flat except for `extras`. */
export function renderApp(app: AppView, extras: AppExtras = {}): Json {
  const isFirst = extras.form === undefined;
  const shown = extras.displayName ?? visibleText(app.name) ?? app.uid;
  const picture = extras.avatarUrl ?? app.pictureUrl;
  const optional = [
    app.directoryId === null ? '' : `"directory_id":${app.directoryId},`,
    app.name === null || !isFirst ? '' : `"name":${jsonString(app.name)},`,
    app.description === null ? '' : `"description":${jsonString(app.description)},`,
    picture === null ? '' : `"avatar_url":${jsonString(picture)},`,
    app.metadata === null ? '' : `"metadata":${app.metadata},`,
    app.modifiedAt === null ? '' : `"modified_at":"${timestamp(app.modifiedAt)}",`,
    app.modifiedById === null ? '' : `"modified_by_id":${app.modifiedById},`,
    app.approval === null ? '' : `"approval":"${app.approval}",`,
    app.approval === 'newcomers' ? `"approval_count":${app.approvalCount ?? 1},` : '',
    app.visitors === null ? '' : `"visitors":"${app.visitors}",`,
    app.resolving === null ? '' : `"resolving":"${app.resolving}",`,
    app.reopening === null ? '' : `"reopening":"${app.reopening}",`,
    app.lockedAt === null ? '' : `"locked_at":"${timestamp(app.lockedAt)}",`,
    extras.createdBy === undefined ? '' : `"created_by":${extras.createdBy},`,
    extras.modifiedBy === undefined ? '' : `"modified_by":${extras.modifiedBy},`,
    extras.members === undefined ? '' : `"members":${extras.members},`,
  ].join('');
  return json(
    `{"id":${app.id},"type":"${isFirst ? app.type : guidOf(app.type)}",${isFirst || !isNameless(app) ? `"uid":${jsonString(app.uid)},` : ''}"access":"${app.access}",` +
      `"display_name":${jsonString(shown)},${optional}"tags":${app.tags},` +
      `"created_at":"${timestamp(app.createdAt)}","created_by_id":${app.createdById},` +
      `"permissions":${JSON.stringify(permissionsOf(app.level))},"is_starred":${app.isStarred === 1},` +
      `"is_subscribed":${app.isSubscribed === 1},"is_trashed":${app.trashedAt !== null}${isFirst ? '' : newer(app, shown, extras)}}`,
  );
}

/** Whether the server made up the uid of an app. Clients of the second form would take it for a name that somebody gave. */
function isNameless({ type, uid }: AppView): boolean {
  return !isContextual(type) && isGeneratedUid(uid);
}

function newer(
  { createdAt, modifiedAt: updatedAt }: AppView,
  name: string,
  { modifiedBy: updatedBy, lastMessageId = null }: AppExtras,
): string {
  return appFields({ name, createdAt, updatedAt, updatedBy, lastMessageId });
}

// `renderApp` puts the type before every text that a user wrote.
const typeMember = /^(\{"id":[0-9]+,"type":")([a-z_]+)(?=")/;

/** A rendered app with the guid of its type instead of the name: the reference client tells types apart by it. */
export function withTypeGuid(app: Json): Json {
  return json(app.replace(typeMember, (_, start: string, type: string) => start + guidOf(type)));
}

/** A rendered app for the client of a request: with the guid of its type for the reference client. */
export function renderForClient(
  { headers }: { readonly headers: { readonly [name: string]: string | string[] | undefined } },
  app: Json,
): Json {
  return isReferenceClient(headers['x-weavy-source']) ? withTypeGuid(app) : app;
}
