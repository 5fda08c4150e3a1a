import type { Revision } from 'confab-client';
import { Failure, Waiting } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages } from '../../data.ts';
import { contentActions, type Kind, type operations } from './kinds.ts';
import { t } from './messages.ts';
import { compareWords } from './words.ts';

type RevisionsProps = {
  readonly kind: Kind;
  readonly id: number;
  readonly list: NonNullable<(typeof operations)[Kind]['revisions']>;
  /** What the item says now. */
  readonly text: string;
};

/** What an item said before each of its edits, the newest first, as differences from what came after. */
export function Revisions({ kind, id, list, text }: RevisionsProps) {
  const revisions = usePages<Revision>(
    `revisions ${kind} ${id}`,
    (signal) => list(id, { order_by: 'id desc' }, { signal }),
    { live: contentActions },
  );
  const { items, hasMore, isLoading, error, more, refresh } = revisions;
  if (items.length === 0 && !isLoading && error === undefined) return null;
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">{t('revisions')}</h2>
      <p class="soft">{t('revisionsText')}</p>
      <ol class="revisions">
        {items.map((revision, index) => (
          <li key={revision.id} class="card">
            <p class="soft">
              <bdi>{revision.created_by.display_name}</bdi>, <Time at={revision.created_at} isExact />
            </p>
            <Difference
              earlier={revision.text ?? ''}
              later={index === 0 ? text : (items[index - 1]?.text ?? '')}
            />
          </li>
        ))}
      </ol>
      <Failure error={error} retry={items.length === 0 ? refresh : more} />
      {isLoading && <Waiting />}
      {hasMore && !isLoading && (
        <button type="button" class="more" onClick={more}>
          {t('olderRevisions')}
        </button>
      )}
    </section>
  );
}

function Difference({ earlier, later }: { readonly earlier: string; readonly later: string }) {
  if (earlier === later) return <p class="soft">{t('sameText')}</p>;
  return (
    <div class="difference" dir="auto">
      {compareWords(earlier, later).map(({ text, state }, index) => {
        if (state === 'same') return text;
        const Element = state === 'added' ? 'ins' : 'del';
        return <Element key={index}>{text}</Element>;
      })}
    </div>
  );
}
