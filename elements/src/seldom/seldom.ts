import type { CommentsHost } from '../shared.ts';

/** What few readers need, in one part: its parts are small, and the name of each would be in the entry. */

export { opensPage } from './opening.ts';
export { reach } from './permalink.ts';
export { keepPlace } from './place.ts';

/** Shows who is writing, as a message of the server says. */
export async function hearTyping(host: CommentsHost, message: string): Promise<void> {
  const part = await import('../typing/typing.ts');
  part.hearTyping(host, message);
}
