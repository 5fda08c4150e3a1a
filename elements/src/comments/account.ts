import { type AccountPart, parts } from '../later.ts';
import type { CommentsHost } from './host.ts';

/** Creates what loads the part with the account of a reader, once one is needed. */
export function createAccount(host: CommentsHost) {
  let loading: Promise<AccountPart> | undefined;

  /** Loads it, and shows it in the header. */
  function show(): Promise<AccountPart> {
    loading ??= parts.account();
    void loading.then(
      (part) => host.extend(part.account),
      () => {
        loading = undefined;
      },
    );
    return loading;
  }

  return {
    show,

    /** Resolves when it is loaded, or cannot be; at once where nobody needs it. */
    ready: () => loading?.catch(() => undefined),

    /** Asks the reader to sign in. Resolves to whether they are signed in. */
    async signIn(): Promise<boolean> {
      const { signIn } = await show();
      return await signIn(host);
    },
  };
}
