import type { Report, ReportResolve } from 'confab-client';
import { client } from '../../api.ts';
import type { Change } from '../content/kinds.ts';
import { moveItem, type Standing } from './items.ts';
import { t } from './messages.ts';

/**
 * What a moderator can do about a report. An open report is decided on, once. Of a decided one the item can still be
 * moved. What the opposite operation takes back is done at once; anything else is asked first.
 */
export type Choice = {
  readonly keys: string;
  readonly label: string;
  /** What is said once it is done. */
  readonly done: string;
  readonly run: (note: string) => Promise<unknown>;
  /** The operation that takes it back exactly. */
  readonly undo?: Change;
  /** The question before a decision that cannot be undone. */
  readonly question?: string;
  readonly isDangerous?: boolean;
};

/** The choices for a report and the place of its item. `canSuspend` is whether the caller may suspend its author. */
export function choicesFor(
  report: Report,
  { standing, canSuspend }: { readonly standing: Standing; readonly canSuspend: boolean },
): readonly Choice[] {
  return report.state === 'open' ? decisions(report, { standing, canSuspend }) : moves(report, standing);
}

function decisions(
  report: Report,
  { standing, canSuspend }: { readonly standing: Standing; readonly canSuspend: boolean },
): readonly Choice[] {
  const { id, author } = report;
  const decide = (action: ReportResolve['action']) => (note: string) =>
    client.resolveReport(id, note === '' ? { action } : { action, note });
  const keep: Choice =
    standing === 'held'
      ? { keys: 'a', label: t('approve'), done: t('approved'), run: decide('keep'), undo: 'hold' }
      : { keys: 'a', label: t('keep'), done: t('kept'), run: decide('keep'), question: t('askKeep') };
  const trash = { keys: 't', label: t('trash'), done: t('trashed'), run: decide('trash') };
  const hold: Choice = {
    keys: 'h',
    label: t('hold'),
    done: t('isHeld'),
    run: decide('hold'),
    undo: 'approve',
  };
  const suspend: Choice = {
    keys: 's',
    label: t('suspend'),
    done: t('suspended'),
    run: decide('suspend'),
    question: t('askSuspend', { name: author.display_name }),
    isDangerous: true,
  };
  return [
    keep,
    ...(standing === 'shown' ? [hold, { ...trash, undo: 'restore' as const }] : []),
    ...(standing === 'held' || standing === 'trashed' ? [{ ...trash, question: t('askTrash') }] : []),
    ...(canSuspend && standing !== 'gone' ? [suspend] : []),
  ];
}

function moves({ entity }: Report, standing: Standing): readonly Choice[] {
  const by = (move: Change) => () => moveItem(entity, move);
  const trash = { keys: 't', label: t('trash'), done: t('trashed'), run: by('trash') };
  if (standing === 'shown')
    return [
      { keys: 'h', label: t('hold'), done: t('isHeld'), run: by('hold'), undo: 'approve' },
      { ...trash, undo: 'restore' },
    ];
  if (standing === 'held')
    return [
      { keys: 'a', label: t('approve'), done: t('approved'), run: by('approve'), undo: 'hold' },
      { ...trash, question: t('askTrash') },
    ];
  if (standing === 'trashed')
    return [{ keys: 'a', label: t('restore'), done: t('restored'), run: by('restore'), undo: 'trash' }];
  return [];
}
