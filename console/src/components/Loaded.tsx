import { ConnectionError, ProblemError } from 'confab-client';
import type { ComponentChildren } from 'preact';
import type { Query } from '../data.ts';
import { t } from '../messages.ts';
import { hasKey } from '../session.ts';

/** Something that an address or a field names. */
type Kind =
  | 'app'
  | 'comment'
  | 'delivery'
  | 'erasure'
  | 'file'
  | 'import'
  | 'message'
  | 'post'
  | 'report'
  | 'user'
  | 'webhook';

/** Says that something does not exist; to callers that do not see everything, that it may be hidden from them. */
export function missingWords(kind: Kind, name: string | number): string {
  const thing = t(`missing_${kind}`, { name: String(name) });
  return t(hasKey() ? 'missing' : 'missingOrHidden', { thing });
}

/** What is shown in place of something that does not exist. */
export function Missing({ words }: { readonly words: string }) {
  return (
    <p class="missing" role="alert">
      {words}
    </p>
  );
}

type FailureProps = {
  readonly error: unknown;
  readonly retry?: () => void;
  /** What is said when the server knows nothing of the name: `missingWords`. */
  readonly missing?: string | undefined;
};

/** Why something failed, with a button to try again where that can help: what does not exist will not come to be. */
export function Failure({ error, retry, missing }: FailureProps) {
  if (error === undefined) return null;
  const isMissing = error instanceof ProblemError && error.status === 404;
  if (isMissing && missing !== undefined) return <Missing words={missing} />;
  return (
    <div class="failure" role="alert">
      <p>{wordsOf(error)}</p>
      {error instanceof ProblemError && error.requestId !== undefined && (
        <p class="soft">{t('requestId', { id: error.requestId })}</p>
      )}
      {retry !== undefined && !isMissing && (
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

type LoadedProps<T> = Pick<FailureProps, 'missing'> & {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
};

/** What was read, or that it is being read, or why it was not. What was read before stays while that fails. */
export function Loaded<T>({ query, missing, children }: LoadedProps<T>) {
  const { data, error, isLoading, refresh } = query;
  return (
    <>
      {error !== undefined && <Failure error={error} retry={refresh} missing={missing} />}
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
