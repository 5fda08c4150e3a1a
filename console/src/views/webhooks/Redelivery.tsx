import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { useAction } from '../../data.ts';
import { t as shell } from '../../messages.ts';
import { t } from './messages.ts';

/** Deliveries that are sent again, some at a time. */
export type Batch = {
  /** How many there are, as far as it is known. */
  readonly total: number | undefined;
  /** Sends the next ones; `next` is what to call it with for more of them. */
  readonly send: (from?: number) => Promise<{ readonly done: number; readonly next: number | undefined }>;
};

/** Sends deliveries again: asks first, shows how far it is, and stops where the reader wants. */
export function Redelivery({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
  const { total, send } = batch;
  const [done, setDone] = useState(0);
  const [isDone, setIsDone] = useState(false);
  // A failure in the middle goes on where it stopped.
  const progress = useRef<{ from: number | undefined; isStopped: boolean }>({
    from: undefined,
    isStopped: false,
  });
  const action = useAction(async () => {
    progress.current.isStopped = false;
    for (;;) {
      const answer = await send(progress.current.from);
      setDone((count) => count + answer.done);
      progress.current.from = answer.next;
      if (answer.next === undefined) return setIsDone(true);
      if (progress.current.isStopped) return undefined;
    }
  });
  const hasBegun = action.isRunning || done > 0 || isDone;
  return (
    <Dialog title={t('redeliverMany')} onClose={action.isRunning ? () => undefined : onClose}>
      {!hasBegun && (
        <p>{total === undefined ? t('redeliverAsk') : t('redeliverAskCount', { count: total })}</p>
      )}
      {hasBegun && (
        <>
          <progress
            max={Math.max(total ?? 0, done, 1)}
            value={isDone ? Math.max(total ?? 0, done, 1) : done}
            aria-label={t('redeliverMany')}
          />
          <p role="status">
            {isDone ? t('redeliverDone', { count: done }) : t('redeliverSoFar', { count: done })}
          </p>
        </>
      )}
      <Failure error={action.error} />
      <div class="buttons">
        {action.isRunning ? (
          <button type="button" onClick={() => (progress.current.isStopped = true)}>
            {t('stop')}
          </button>
        ) : (
          <button type="button" onClick={onClose}>
            {isDone ? shell('close') : shell('cancel')}
          </button>
        )}
        {!isDone && (
          <button type="button" class="primary" disabled={action.isRunning} onClick={() => action.run()}>
            {hasBegun ? t('goOn') : t('redeliver')}
          </button>
        )}
      </div>
    </Dialog>
  );
}
