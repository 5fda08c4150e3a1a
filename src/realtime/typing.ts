import type { Read } from '../db/db.ts';
import { asWritable, findApp, type WritableApp } from '../features/access/access.ts';
import { appAccess } from '../features/access/app-access.ts';
import { postAccess } from '../features/access/entry-access.ts';
import { fileAccess } from '../features/access/file-access.ts';
import { chatTypes } from '../features/apps/app-types.ts';
import { renderPublicUser } from '../features/users/user-json.ts';
import { type Json, json } from '../kernel/json.ts';
import type { Principal } from '../kernel/principal.ts';
import { invalidField, notFound } from '../kernel/problem.ts';

/** How often one person is told to be writing in one place, in milliseconds; clients repeat it every 2 s. */
const throttleMs = 1000;
/** The most places that are remembered for that; beyond it the memory begins anew. */
const remembered = 10_000;

/** What is said about who writes. */
export type Typed = { readonly appId: number; readonly userId: number; readonly argument: Json };

/** What other nodes are told of it. */
export function writeTyped({ appId, userId, argument }: Typed): string {
  return `${appId} ${userId} ${argument}`;
}

/** Reads what another node has told. */
export function readTyped(text: string): Typed {
  const [appId = '', userId = ''] = text.split(' ', 2);
  const argument = text.slice(appId.length + userId.length + 2);
  return { appId: Number(appId), userId: Number(userId), argument: json(argument) };
}

/** Where somebody writes, on the wire. */
type Place = { readonly id: number; readonly type: 'app' | 'file' | 'post' };

/** What typing is made with. */
export type TypingOptions = {
  readonly read: Read;
  /** Tells it to the others who listen. */
  readonly tell: (typed: Typed) => void;
};

/** The operations about who is writing, of which nothing is kept. Whoever may not write in a place is not writing in it. */
export function createTyping({ read, tell }: TypingOptions) {
  const toldAt = new Map<string, number>();

  function say(
    principal: Principal,
    app: WritableApp,
    { place, what }: { place: Place; what: string },
  ): undefined {
    const key = `${principal.user.id} ${place.type}${place.id} ${what}`;
    const now = performance.now();
    if (now - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < throttleMs) return undefined;
    if (toldAt.size >= remembered) toldAt.clear();
    toldAt.set(key, now);
    const actor = renderPublicUser(principal.user);
    const argument = json(
      `{"action":"typing","actor":${actor},"entity":{"id":${place.id},"type":"${place.type}"},"type":"${what}"}`,
    );
    tell({ appId: app.id, userId: principal.user.id, argument });
    return undefined;
  }

  return {
    async typeMessage(principal: Principal, id: number): Promise<undefined> {
      const app = await appAccess.write({ read, caller: principal, ref: { id }, isTrashedIncluded: false });
      if (!chatTypes.includes(app.type))
        throw invalidField('', 'app_type', `cannot be a message in an app of type ${app.type}`);
      return say(principal, app, { place: { id, type: 'app' }, what: 'message' });
    },

    async typePost(principal: Principal, id: number): Promise<undefined> {
      const app = await appAccess.write({ read, caller: principal, ref: { id }, isTrashedIncluded: false });
      if (app.type !== 'posts')
        throw invalidField('', 'app_type', `cannot be a post in an app of type ${app.type}`);
      return say(principal, app, { place: { id, type: 'app' }, what: 'post' });
    },

    async typeFileComment(principal: Principal, id: number): Promise<undefined> {
      const look = { read, caller: principal, ref: { id }, isTrashedIncluded: false };
      const { app } = await fileAccess.write(look);
      return say(principal, app, { place: { id, type: 'file' }, what: 'comment' });
    },

    async typePostComment(principal: Principal, id: number): Promise<undefined> {
      const look = { read, caller: principal, ref: { id }, isTrashedIncluded: false };
      const { app } = await postAccess.write(look);
      return say(principal, app, { place: { id, type: 'post' }, what: 'comment' });
    },

    async typeConversation(principal: Principal, id: number): Promise<undefined> {
      const app = await findApp(read, principal, { id });
      const isThere = app !== undefined && app.level !== 'none' && app.trashedAt === null;
      // A conversation is there for its members alone, however open its app is.
      if (!isThere || app.memberAccess === null || !chatTypes.includes(app.type))
        throw notFound('conversation');
      const writable = asWritable(app as Parameters<typeof asWritable>[0]);
      return say(principal, writable, { place: { id, type: 'app' }, what: 'message' });
    },
  };
}
