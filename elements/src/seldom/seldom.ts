import type { CommentsHost } from '../shared.ts';

/** What few readers need, in one part: its parts are small, and the name of each would be in the entry. */

export { refresh } from '../thread/refresh.ts';
export { announceNew } from './announcing.ts';
export { explained, opensPage } from './opening.ts';
export { show } from './permalink.ts';
export { keepPlace } from './place.ts';
export { untrusted } from './untrusted.ts';

/** Shows who is writing or how many are here, as a message of the server says. Resolves to what ends what lasts of it. */
export async function hearPeople(host: CommentsHost, message: string): Promise<() => void> {
  if (message.startsWith('event: t')) (await import('../typing/typing.ts')).hearTyping(host, message);
  else (await import('../presence/presence.ts')).hearPresence(host, message);
  return () => {
    host.presence = undefined;
    void host.redraw();
  };
}
