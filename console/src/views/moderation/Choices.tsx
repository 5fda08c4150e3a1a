import type { Report } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import { caller, hasKey, mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { type Choice, choicesFor } from './decisions.ts';
import { moveItem, type Standing } from './items.ts';
import { t } from './messages.ts';

type Props = {
  readonly report: Report;
  readonly standing: Standing;
  readonly onDecided: () => void;
  /** Called after every change of the item, also after one that is taken back. */
  readonly onMoved: () => void;
};

/** Whether the caller may suspend people: an API key by its scope, a user who moderates a directory. */
function useCanSuspend(): boolean {
  const { data } = useQuery(`caller ${caller().user.id}`, async (signal) =>
    hasKey() ? undefined : await client.getCaller({ signal }),
  );
  return hasKey() ? mayCall('users') : data?.role === 'moderator';
}

/** What can be done about a report, by button and by key. */
export function Choices({ report, standing, onDecided, onMoved }: Props) {
  const [asked, setAsked] = useState<Choice>();
  const [note, setNote] = useState('');
  const [hasNote, setHasNote] = useState(false);
  const canSuspend = useCanSuspend();
  const choices = mayCall('moderate') ? choicesFor(report, { standing, canSuspend }) : [];
  const isOpen = report.state === 'open';
  const finish = ({ done, undo }: Choice) => {
    const takeBack = async (move: NonNullable<Choice['undo']>) => {
      await moveItem(report.entity, move);
      onMoved();
    };
    toast(done, undo === undefined ? {} : { undo: () => takeBack(undo) });
    onMoved();
    if (isOpen) onDecided();
  };
  const action = useAction(async (choice: Choice) => {
    await choice.run(note.trim());
    finish(choice);
  });
  const choose = (choice: Choice) =>
    choice.question === undefined ? void action.run(choice) : setAsked(choice);
  useShortcuts(
    choices.map((choice) => ({ keys: choice.keys, label: choice.label, run: () => choose(choice) })),
  );
  if (choices.length === 0) return null;
  return (
    <footer class="queue-choices">
      <Failure error={action.error} />
      {isOpen && (
        <div class={hasNote ? 'note is-open' : 'note'}>
          <Note note={note} setNote={setNote} />
        </div>
      )}
      <div class="buttons">
        {choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            class={choice.isDangerous === true ? 'danger' : undefined}
            aria-keyshortcuts={choice.keys}
            disabled={action.isRunning}
            onClick={() => choose(choice)}
          >
            {choice.label}{' '}
            <span class="key" aria-hidden="true">
              {choice.keys}
            </span>
          </button>
        ))}
        {isOpen && (
          <button
            type="button"
            class="note-button"
            aria-expanded={hasNote}
            onClick={() => setHasNote(!hasNote)}
          >
            {t('addNote')}
          </button>
        )}
      </div>
      {asked?.question !== undefined && (
        <Confirm
          title={asked.label}
          text={asked.question}
          button={asked.label}
          isDangerous={asked.isDangerous === true}
          change={() => asked.run(note.trim())}
          onClose={(isDone) => {
            setAsked(undefined);
            if (isDone) finish(asked);
          }}
        />
      )}
    </footer>
  );
}

const canned = ['spam', 'insult', 'topic', 'private', 'twice', 'fine'] as const;

type NoteProps = { readonly note: string; readonly setNote: (note: string) => void };

/** What other moderators are told about a decision: typed, or one of the common reasons. */
function Note({ note, setNote }: NoteProps) {
  return (
    <>
      <label>
        <span class="hidden">{t('note')}</span>
        <input
          dir="auto"
          maxLength={1000}
          placeholder={t('note')}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <select
        aria-label={t('canned')}
        value=""
        onChange={(event) => {
          if (event.currentTarget.value !== '') setNote(event.currentTarget.value);
        }}
      >
        <option value="">{t('canned')}</option>
        {canned.map((each) => (
          <option key={each} value={t(`canned_${each}`)}>
            {t(`canned_${each}`)}
          </option>
        ))}
      </select>
    </>
  );
}
