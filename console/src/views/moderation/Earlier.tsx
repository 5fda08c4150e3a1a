import type { Parent } from 'confab-client';
import { useState } from 'preact/hooks';
import { Time } from '../../components/Time.tsx';
import { kindOf } from '../content/kinds.ts';
import { Revisions } from '../content/Revisions.tsx';
import { type Item, operationsOf } from './items.ts';
import { t } from './messages.ts';

/** What the item said before its edits. It is read once somebody wants to see it. */
export function Earlier({ entity, item }: { readonly entity: Parent; readonly item: Item }) {
  const [isOpen, setOpen] = useState(false);
  const { revisions: list } = operationsOf(entity);
  const kind = kindOf(entity.type);
  if (list === undefined || kind === undefined || item.modified_at === undefined) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('edited')} <Time at={item.modified_at} />
      </summary>
      {isOpen && (
        <Revisions {...{ kind, list }} id={entity.id} text={'text' in item ? (item.text ?? '') : ''} />
      )}
    </details>
  );
}
