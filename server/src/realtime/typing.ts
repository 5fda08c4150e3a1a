import type { TypingActivity } from '../features/typing/type.ts';
import { renderPublicUser } from '../features/users/user-json.ts';
import { type Json, json } from '../kernel/json.ts';

/** The least time between two notices of one user in one place, in milliseconds; clients repeat theirs every 2 s. */
const throttleMs = 1000;
/** The most notices that are remembered for throttling; beyond it all are forgotten. */
const rememberedMax = 10_000;

/** A notice that a user is writing in an app; `argument` is what clients receive. */
export type TypingNotice = { readonly appId: number; readonly userId: number; readonly argument: Json };

/** The name of the user whom a notice shows as writing a comment of an app; undefined where they write something else. */
export function commentWriterOf({ argument }: TypingNotice): string | undefined {
  const { actor, entity, type } = JSON.parse(argument);
  return type === 'comment' && entity.type === 'app' ? actor.display_name : undefined;
}

/** The notice as a message to other nodes. */
export function encodeTypingNotice({ appId, userId, argument }: TypingNotice): string {
  return `${appId} ${userId} ${argument}`;
}

/** Reads the message of another node. */
export function decodeTypingNotice(text: string): TypingNotice {
  const [appId = '', userId = ''] = text.split(' ', 2);
  const argument = text.slice(appId.length + userId.length + 2);
  return { appId: Number(appId), userId: Number(userId), argument: json(argument) };
}

/** The typing notices of this server; `publish` sends one to the other clients. */
export function createTyping({ publish }: { readonly publish: (notice: TypingNotice) => void }) {
  const announcedAt = new Map<string, number>();

  return {
    /** Announces that a user is writing, at most once a second for each place. */
    announce({ caller, app, place, what }: TypingActivity): void {
      const key = `${caller.user.id} ${place.type}${place.id} ${what}`;
      const now = performance.now();
      if (now - (announcedAt.get(key) ?? Number.NEGATIVE_INFINITY) < throttleMs) return;
      if (announcedAt.size >= rememberedMax) announcedAt.clear();
      announcedAt.set(key, now);
      const actor = renderPublicUser(caller.user);
      const argument = json(
        `{"action":"typing","actor":${actor},"entity":{"id":${place.id},"type":"${place.type}"},"type":"${what}"}`,
      );
      publish({ appId: app.id, userId: caller.user.id, argument });
    },
  };
}
