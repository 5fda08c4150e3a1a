import type { Writing } from '../features/typing/type.ts';
import { renderPublicUser } from '../features/users/user-json.ts';
import { type Json, json } from '../kernel/json.ts';

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

/** The typing notices of this server; `tell` passes one to the other listeners. */
export function createTyping({ tell }: { readonly tell: (typed: Typed) => void }) {
  const announcedAt = new Map<string, number>();

  return {
    /** Announces that a user is writing; drops it when the last announcement of the same is less than a second old. */
    announce({ caller, app, place, what }: Writing): void {
      const key = `${caller.user.id} ${place.type}${place.id} ${what}`;
      const now = performance.now();
      if (now - (announcedAt.get(key) ?? Number.NEGATIVE_INFINITY) < throttleMs) return;
      if (announcedAt.size >= remembered) announcedAt.clear();
      announcedAt.set(key, now);
      const actor = renderPublicUser(caller.user);
      const argument = json(
        `{"action":"typing","actor":${actor},"entity":{"id":${place.id},"type":"${place.type}"},"type":"${what}"}`,
      );
      tell({ appId: app.id, userId: caller.user.id, argument });
    },
  };
}
