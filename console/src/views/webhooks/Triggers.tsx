import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { groupName, groups, t } from './messages.ts';

type TriggersProps = {
  readonly chosen: readonly string[];
  readonly onChange: (triggers: readonly string[]) => void;
  readonly error: string | undefined;
};

/** Chooses what a webhook is told: whole groups, or single events of them. */
export function Triggers({ chosen, onChange, error }: TriggersProps) {
  const toggle = (trigger: string) =>
    onChange(chosen.includes(trigger) ? chosen.filter((each) => each !== trigger) : [...chosen, trigger]);
  return (
    <fieldset class="triggers" aria-describedby={error === undefined ? undefined : 'triggers-error'}>
      <legend>{t('triggers')}</legend>
      <p class="soft">{t('triggersHint')}</p>
      {groups.map((group) => (
        <Group key={group} group={group} chosen={chosen} onToggle={toggle} />
      ))}
      {error !== undefined && (
        <p id="triggers-error" class="wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type GroupProps = {
  readonly group: (typeof groups)[number];
  readonly chosen: readonly string[];
  readonly onToggle: (trigger: string) => void;
};

function Group({ group, chosen, onToggle }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="trigger-group">
      <label class="check">
        <input type="checkbox" checked={chosen.includes(group)} onChange={() => onToggle(group)} />
        <span>{groupName(group)}</span>
      </label>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary aria-label={t('singleOf', { group: groupName(group) })}>{t('single')}</summary>
        {/* The catalogue has the schema of each event, so only what is looked at is read. */}
        {isOpen && <Actions group={group} chosen={chosen} onToggle={onToggle} />}
      </details>
    </div>
  );
}

function Actions({ group, chosen, onToggle }: GroupProps) {
  const query = useQuery(`catalogue ${group}`, async (signal) =>
    (await client.listWebhookEvents({ group }, { signal })).data.map(({ action, description }) => ({
      action,
      description,
    })),
  );
  return (
    <Loaded query={query}>
      {(events) => (
        <ul>
          {events.map(({ action, description }) => (
            <li key={action}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(group) || chosen.includes(action)}
                  disabled={chosen.includes(group)}
                  onChange={() => onToggle(action)}
                />
                <span>
                  <code>{action}</code>{' '}
                  <span class="soft" lang="en" dir="ltr">
                    {description}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
