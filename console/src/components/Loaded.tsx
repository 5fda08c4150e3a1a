import type { ComponentChildren } from 'preact';
import { ConnectionError, ProblemError } from '../../../client/index.js';
import type { Query } from '../data.ts';
import { t } from '../messages.ts';

/** Why something failed, with a button to try again where that makes sense. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (error === undefined) return null;
  return (
    <div class="failure" role="alert">
      <p>{wordsOf(error)}</p>
      {error instanceof ProblemError && error.requestId !== undefined && (
        <p class="soft">{t('requestId', { id: error.requestId })}</p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {t('tryAgain')}
        </button>
      )}
    </div>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ConnectionError) return t('unreachable');
  if (error instanceof ProblemError && error.status === 401) return t('expired');
  return error instanceof Error ? error.message : String(error);
}

/** What was read, or that it is being read, or why it was not. What was read before stays while that fails. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, isLoading, refresh } = query;
  return (
    <>
      {error !== undefined && <Failure error={error} retry={refresh} />}
      {data !== undefined && children(data)}
      {data === undefined && isLoading && <Waiting />}
    </>
  );
}

/** Says that something is being read. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      {t('loading')}
    </p>
  );
}
