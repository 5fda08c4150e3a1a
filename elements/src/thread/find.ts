import type { Api, Failure } from '../api.ts';
import type { Comment } from './comment.ts';
import type { Reading } from './reading.ts';
import type { Thread } from './thread.ts';

const elsewhere: Failure = { ok: false, status: 404, code: '', message: '', retryAfter: undefined };

/** Reads a comment with what is around it, so that it is shown at its place. Resolves to why it could not. */
export async function find(
  { api, thread, reading }: { api: Pick<Api, 'call'>; thread: Thread; reading: Reading },
  id: number,
): Promise<Failure | undefined> {
  const answer = await api.call<Comment>(`/api/comments/${id}`);
  if (!answer.ok) return answer;
  const { root_id: root, app_id: app } = answer.body;
  // Other elements of the page have comments of other apps.
  if (![undefined, app].includes(thread.appId())) return elsewhere;
  const rootId = root ?? id;
  if (thread.order !== 'liked' && !thread.isShown(rootId)) {
    const failure = await reading.threads(thread.order === 'newest' ? rootId + 1 : rootId - 1);
    if (failure !== undefined) return failure;
  } else if (!thread.isShown(rootId)) {
    const first = await api.call<Comment>(`/api/comments/${rootId}`);
    if (!first.ok) return first;
    thread.put(first.body);
  }
  if (root !== undefined && !thread.isShown(id)) {
    const failure = await reading.answersAfter(root, id - 1);
    if (failure !== undefined) return failure;
  }
  // What waits for approval is in the lists of its author alone, and a moderator looks at it as well.
  if (thread.get(id) === undefined) thread.put(answer.body);
  thread.show(id);
  return undefined;
}
