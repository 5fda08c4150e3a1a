import { addEnglish, type CommentsHost } from '../shared.ts';
import { permalinkEnglish } from '../texts/permalink-english.ts';
import { find } from '../thread/find.ts';

/** Finds comments that a permalink names and the first page does not have. */

addEnglish(permalinkEnglish);

/** Reads a comment with what is around it, or says why it cannot. Resolves to whether the comment is there. */
export async function reach(host: CommentsHost, id: number): Promise<boolean> {
  const { server, thread, reading } = host;
  const failure = await find({ api: server.api, thread, reading }, id);
  if (failure === undefined) return true;
  host.announce(host.t(failure.status === 0 ? 'away' : 'notFound'), { isShown: true });
  return false;
}
