import { useState } from 'preact/hooks';
import type { Parent, Revision } from '../../../../client/index.js';
import { More } from '../../components/List.tsx';
import { Failure, Waiting } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages } from '../../data.ts';
import { revisionsOf } from './items.ts';
import { t } from './messages.ts';

type Props = { readonly entity: Parent; readonly modifiedAt: string | undefined };

/** What the item said before its edits. It is read once somebody wants to see it. */
export function Revisions({ entity, modifiedAt }: Props) {
  const [isOpen, setOpen] = useState(false);
  const list = revisionsOf(entity);
  if (list === undefined || modifiedAt === undefined) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('edited')} <Time at={modifiedAt} />
      </summary>
      {isOpen && <RevisionList entity={entity} list={list} />}
    </details>
  );
}

type ListProps = { readonly entity: Parent; readonly list: NonNullable<ReturnType<typeof revisionsOf>> };

function RevisionList({ entity, list }: ListProps) {
  const { items, error, isLoading, hasMore, more, refresh } = usePages<Revision>(
    `revisions ${entity.type} ${entity.id}`,
    (signal) => list(entity.id, { order_by: 'id desc' }, { signal }),
  );
  return (
    <>
      <ul class="texts">
        {items.map(({ id, text, created_at, created_by }) => (
          <li key={id}>
            <span class="soft">
              <bdi>{created_by.display_name}</bdi> · <Time at={created_at} isExact />
            </span>
            <p class="source" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ul>
      {!isLoading && items.length === 0 && error === undefined && <p class="soft">{t('notEdited')}</p>}
      <Failure error={error} retry={refresh} />
      {isLoading && <Waiting />}
      {hasMore && !isLoading && error === undefined && <More more={more} />}
    </>
  );
}
