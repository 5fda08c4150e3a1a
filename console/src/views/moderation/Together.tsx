import type { ReportItem, ReportResolve } from 'confab-client';
import { useRef, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { toast } from '../../components/Toasts.tsx';
import { whileChanging } from '../../live.ts';
import { Progress, Refused, type Running } from '../content/Bulk.tsx';
import { forAll } from '../content/bulk.ts';
import '../content/content.css';
import { t as content } from '../content/messages.ts';
import { t } from './messages.ts';

/** The most items that are decided at once. */
const markedMax = 100;
/** The decisions that are the same for every item. */
const decisions = [
  ['keep', 'keepAll'],
  ['hold', 'hold'],
  ['trash', 'trash'],
] as const;

type TogetherProps = {
  readonly items: readonly ReportItem[];
  readonly marked: ReadonlySet<number>;
  readonly mark: (ids: readonly number[]) => void;
  /** Called with those that were decided. */
  readonly onDecided: (items: readonly ReportItem[]) => void;
};

/** What can be decided about the items that are marked in the queue, by one request for each of them. */
export function Together({ items, marked, mark, onDecided }: TogetherProps) {
  const [asked, setAsked] = useState<(typeof decisions)[number]>();
  const [running, setRunning] = useState<Running>();
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const isStopped = useRef(false);
  const chosen = items.filter(({ id }) => marked.has(id)).slice(0, markedMax);
  const decide = async (action: ReportResolve['action']) => {
    isStopped.current = false;
    const total = chosen.length;
    const outcome = await whileChanging(() =>
      forAll(chosen, ({ id }) => client.resolveReport(id, { action }), {
        onProgress: (tried) => setRunning({ tried, total }),
        isStopped: () => isStopped.current,
      }),
    );
    setRunning(undefined);
    setReasons(outcome.reasons);
    // What was not decided stays marked, for another try.
    const done = new Set(outcome.done.map(({ id }) => id));
    mark([...marked].filter((id) => !done.has(id)));
    onDecided(outcome.done);
    if (done.size > 0) toast(t('allDone', { count: done.size }));
  };
  const all = items.slice(0, markedMax);
  const isBusy = running !== undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons and a message is no set of fields
    <div class="bulk" role="group" aria-label={t('decideAll')}>
      <label>
        <input
          type="checkbox"
          disabled={isBusy}
          checked={chosen.length > 0 && chosen.length === all.length}
          onChange={({ currentTarget }) => mark(currentTarget.checked ? all.map(({ id }) => id) : [])}
        />
        {chosen.length === 0 ? content('chooseAll') : content('chosen', { count: chosen.length })}
      </label>
      {chosen.length > 0 &&
        decisions.map((each) => (
          <button type="button" key={each[0]} disabled={isBusy} onClick={() => setAsked(each)}>
            {t(each[1])}
          </button>
        ))}
      {running !== undefined && (
        <Progress
          running={running}
          stop={() => {
            isStopped.current = true;
          }}
        />
      )}
      <Refused reasons={reasons} />
      {asked !== undefined && (
        <Confirm
          title={t(asked[1])}
          text={t('askAll', { count: chosen.length })}
          button={t(asked[1])}
          change={async () => undefined}
          onClose={(isSure) => {
            setAsked(undefined);
            if (isSure) void decide(asked[0]);
          }}
        />
      )}
    </div>
  );
}
