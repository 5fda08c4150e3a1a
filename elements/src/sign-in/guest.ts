import { type Api, createApi, type Failure, type Reply, type Server } from '../shared.ts';
import { type Puzzle, type SolvedPuzzle, solve } from './puzzle.ts';
import { keepSignedIn, type SignedIn } from './signed-in.ts';

/** How often another puzzle is solved where the server takes none any more, because it has expired meanwhile. */
const triesMax = 2;

/** Signs a guest in. Resolves to why it does not; rejects with an `AbortError` when the signal says so. */
export async function signInAsGuest(
  { url, session }: Server,
  name: string,
  { hasPuzzle, signal }: { readonly hasPuzzle: boolean; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const api = createApi(url);
  for (let tries = 1; ; tries += 1) {
    const solved = hasPuzzle ? await solvedPuzzle(api, signal) : undefined;
    if (solved?.ok === false) return solved;
    const answer = await api.call<SignedIn>('/api/sign-in/guest', {
      method: 'POST',
      body: { name, ...(solved === undefined ? {} : { puzzle: solved.body }) },
    });
    signal.throwIfAborted();
    if (answer.ok) {
      keepSignedIn(session, answer.body);
      return undefined;
    }
    if (answer.code !== 'puzzle_unsolved' || tries >= triesMax) return answer;
  }
}

async function solvedPuzzle(api: Api, signal: AbortSignal): Promise<Reply<SolvedPuzzle>> {
  const answer = await api.call<Puzzle>('/api/sign-in/puzzle', { method: 'POST' });
  return answer.ok ? { ...answer, body: await solve(answer.body, signal) } : answer;
}
