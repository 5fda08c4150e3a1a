import { useRef, useState } from 'preact/hooks';
import { toast } from '../../components/Toasts.tsx';
import { changeAll } from './bulk.ts';
import { type Change, changes, isOpenTo, opposites } from './kinds.ts';
import { t } from './messages.ts';
import { keyOfRow, type Row } from './rows.ts';

type BulkProps = {
  /** What is shown, of which some are chosen. */
  readonly rows: readonly Row[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (keys: readonly string[]) => void;
  /** Called after a change, and after it was taken back. */
  readonly onChange: () => void;
};

/** How far a change of several items has got. */
export type Running = { readonly tried: number; readonly total: number };

/** What can be done with the items that are chosen in a list: progress while it is done, and a way back. */
export function Bulk({ rows, chosen, choose, onChange }: BulkProps) {
  const [running, setRunning] = useState<Running>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const isStopped = useRef(false);
  const selected = rows.filter((row) => chosen.has(keyOfRow(row)));
  const run = async (change: Change) => {
    const targets = selected.filter((row) => isOpenTo(change, row));
    isStopped.current = false;
    const outcome = await changeAll(change, targets, {
      onProgress: (tried) => setRunning({ tried, total: targets.length }),
      isStopped: () => isStopped.current,
    });
    setRunning(undefined);
    setRefused(outcome.reasons);
    // What was not changed stays chosen, for another try.
    const left = new Set(outcome.done.map(keyOfRow));
    choose([...chosen].filter((key) => !left.has(key)));
    onChange();
    if (outcome.done.length === 0) return;
    toast(t(`${change}Done`, { count: outcome.done.length }), {
      undo: async () => {
        await changeAll(opposites[change], outcome.done);
        onChange();
      },
    });
  };
  const stop = () => {
    isStopped.current = true;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons and a message is no set of fields
    <div class="bulk" role="group" aria-label={t('bulk')}>
      <label>
        <input
          type="checkbox"
          disabled={running !== undefined}
          checked={selected.length > 0 && selected.length === rows.length}
          onChange={({ currentTarget }) => choose(currentTarget.checked ? rows.map(keyOfRow) : [])}
        />
        {selected.length === 0 ? t('chooseAll') : t('chosen', { count: selected.length })}
      </label>
      {changes.map((change) => {
        const count = selected.filter((row) => isOpenTo(change, row)).length;
        return (
          count > 0 && (
            <button type="button" key={change} disabled={running !== undefined} onClick={() => run(change)}>
              {t(`${change}Button`)}
            </button>
          )
        );
      })}
      {running !== undefined && <Progress running={running} stop={stop} />}
      <Refused reasons={refused} />
    </div>
  );
}

/** Says how many could not be changed, and why the first could not. */
export function Refused({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div class="failure" role="alert">
      <p>{t('refused', { count: reasons.length, reason: reasons[0] ?? '' })}</p>
    </div>
  );
}

/** How far a change of several items has got, with a button that stops it. */
export function Progress({
  running: { tried, total },
  stop,
}: {
  readonly running: Running;
  readonly stop: () => void;
}) {
  const label = t('progress', { count: tried, total });
  return (
    <span class="progress" role="status">
      <progress max={total} value={tried} aria-label={label} />
      {label}
      <button type="button" onClick={stop}>
        {t('stop')}
      </button>
    </span>
  );
}
