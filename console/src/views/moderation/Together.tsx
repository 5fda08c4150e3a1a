import type { ReportItem } from 'confab-client';
import { useRef, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { toast } from '../../components/Toasts.tsx';
import { whileChanging } from '../../live.ts';
import { Progress, Refused, type Running } from '../content/Bulk.tsx';
import { forAll } from '../content/bulk.ts';
import '../content/content.css';
import type { Change } from '../content/kinds.ts';
import { t as content } from '../content/messages.ts';
import { moveItem, readItem, standingOf } from './items.ts';
import { t } from './messages.ts';

/** The most items that are decided at once. */
const markedMax = 100;
/** A decision that is the same for every item. */
type Decision = 'keep' | 'hold' | 'trash';
/** What takes a decision back exactly, by where the item was before. */
const undoing: { readonly [D in Decision]: { readonly [standing: string]: Change } } = {
  keep: { held: 'hold' },
  hold: { shown: 'approve' },
  trash: { shown: 'restore' },
};

/** What the decisions are called for these items: each of them does something to at least one. */
function decisionsFor(items: readonly ReportItem[]): readonly (readonly [Decision, string])[] {
  const held = items.filter((item) => item.held !== undefined).length;
  const trash = ['trash', t('trash')] as const;
  if (held === items.length) return [['keep', t('approve')], trash];
  return [['keep', t(held === 0 ? 'keep' : 'keepAll')], ['hold', t('hold')], trash];
}

/** What is asked before a decision, or said after it. */
function wordsFor(action: Decision, items: readonly ReportItem[], tense: 'ask' | 'did'): string {
  const areComments = items.every(({ entity }) => entity.type === 'comment');
  const things = t(areComments ? 'comments' : 'items', { count: items.length });
  const isApproval = action === 'keep' && items.every(({ held }) => held !== undefined);
  return t(`${tense}_${isApproval ? 'approve' : action}`, { things });
}

/** The question before a decision: what happens, where the items are found, and what cannot be taken back. */
function questionFor(action: Decision, items: readonly ReportItem[]): string {
  const count = items.length;
  const isShownAgain = action === 'trash' && items.some(({ held }) => held !== undefined);
  return [
    wordsFor(action, items, 'ask'),
    t('foundLater', { count }),
    ...(isShownAgain ? [t('shownAgain', { count })] : []),
  ].join(' ');
}

/** Decides on an item; returns what takes that back exactly, if anything does. */
async function decideOn({ id, entity }: ReportItem, action: Decision): Promise<Change | undefined> {
  // The list does not say whether the item is already in the trash.
  const signal = new AbortController().signal;
  const standing = await readItem(entity, signal).then(standingOf, () => 'gone' as const);
  await client.resolveReport(id, { action });
  return undoing[action][standing];
}

type TogetherProps = {
  readonly items: readonly ReportItem[];
  readonly marked: ReadonlySet<number>;
  readonly mark: (ids: readonly number[]) => void;
  /** Called with those that were decided. */
  readonly onDecided: (items: readonly ReportItem[]) => void;
};

/** What can be decided about the items that are marked in the queue, by one request for each of them. */
export function Together({ items, marked, mark, onDecided }: TogetherProps) {
  const [asked, setAsked] = useState<Decision>();
  const [running, setRunning] = useState<Running>();
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const isStopped = useRef(false);
  const chosen = items.filter(({ id }) => marked.has(id)).slice(0, markedMax);
  const decide = async (action: Decision) => {
    isStopped.current = false;
    const total = chosen.length;
    const opposites = new Map<number, Change>();
    const outcome = await whileChanging(() =>
      forAll(
        chosen,
        async (item) => {
          const opposite = await decideOn(item, action);
          if (opposite !== undefined) opposites.set(item.id, opposite);
        },
        { onProgress: (tried) => setRunning({ tried, total }), isStopped: () => isStopped.current },
      ),
    );
    setRunning(undefined);
    setReasons(outcome.reasons);
    // What was not decided stays marked, for another try.
    const done = new Set(outcome.done.map(({ id }) => id));
    mark([...marked].filter((id) => !done.has(id)));
    onDecided(outcome.done);
    if (done.size === 0) return;
    const takeBack = async () => {
      const { reasons: refused } = await whileChanging(() =>
        forAll(outcome.done, ({ id, entity }) => moveItem(entity, opposites.get(id) as Change), {}),
      );
      onDecided([]);
      if (refused.length > 0) throw new Error(refused[0]);
    };
    // One that takes back a part would leave the reader to find out which.
    const canUndo = outcome.done.every(({ id }) => opposites.has(id));
    toast(wordsFor(action, outcome.done, 'did'), canUndo ? { undo: takeBack } : {});
  };
  const all = items.slice(0, markedMax);
  const isBusy = running !== undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons and a message is no set of fields
    <div class="bulk" role="group" aria-label={t('decideAll')}>
      <label class="bulk-all">
        <input
          type="checkbox"
          disabled={isBusy}
          checked={chosen.length > 0 && chosen.length === all.length}
          onChange={({ currentTarget }) => mark(currentTarget.checked ? all.map(({ id }) => id) : [])}
        />
        {chosen.length === 0 ? content('chooseAll') : content('chosen', { count: chosen.length })}
      </label>
      {(chosen.length > 0 || isBusy || reasons.length > 0) && (
        <div class="bulk-bar">
          {decisionsFor(chosen).map(
            ([action, words]) =>
              chosen.length > 0 && (
                <button type="button" key={action} disabled={isBusy} onClick={() => setAsked(action)}>
                  {words}
                </button>
              ),
          )}
          {running !== undefined && (
            <Progress
              running={running}
              stop={() => {
                isStopped.current = true;
              }}
            />
          )}
          <Refused reasons={reasons} />
        </div>
      )}
      {asked !== undefined && (
        <Confirm
          title={decisionsFor(chosen).find(([action]) => action === asked)?.[1] ?? ''}
          text={questionFor(asked, chosen)}
          button={decisionsFor(chosen).find(([action]) => action === asked)?.[1] ?? ''}
          change={async () => undefined}
          onClose={(isSure) => {
            setAsked(undefined);
            if (isSure) void decide(asked);
          }}
        />
      )}
    </div>
  );
}
