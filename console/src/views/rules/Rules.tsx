import type { ModerationRules, Rule } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { toast } from '../../components/Toasts.tsx';
import { type Action, useAction, useQuery } from '../../data.ts';
import { mayCall } from '../../session.ts';
import { t } from './messages.ts';
import './rules.css';
import { RuleDialog } from './RuleDialog.tsx';
import { conditionWords, limitWords } from './rule-words.ts';
import { TryOut } from './TryOut.tsx';

type RuleSet = Pick<ModerationRules, 'rules' | 'includes_bots'>;

/** Replaces the rules, if they are still those of `version`. */
async function replace(version: number, { rules, includes_bots }: RuleSet): Promise<ModerationRules> {
  return await client.replaceModerationRules({ version, rules, includes_bots });
}

/** What is edited: the rule at an index of the rules as they were then, so that no later ones are overwritten. */
type Edited = { readonly index: number; readonly set: ModerationRules };

/** The rules: what each looks for, what it did, a change of them, and a text to try them with. */
export function Rules() {
  const query = useQuery('rules', (signal) => client.getModerationRules({ signal }), { live: ['rules_'] });
  const [edited, setEdited] = useState<Edited>();
  const { data } = query;
  // A change can be taken back, as long as nobody has changed the rules since.
  const save = async (before: ModerationRules, after: RuleSet) => {
    const { version } = await replace(before.version, after);
    query.refresh();
    toast(t('rulesSaved'), {
      undo: async () => {
        await replace(version, before);
        query.refresh();
      },
    });
  };
  const change = useAction(save);
  const mayChange = mayCall('moderate');
  return (
    <Page
      title={t('rules')}
      actions={
        <>
          <Link to="/moderation">{t('toQueue')}</Link>
          {mayChange && data !== undefined && (
            <button
              type="button"
              class="primary"
              onClick={() => setEdited({ index: data.rules.length, set: data })}
            >
              {t('addRule')}
            </button>
          )}
        </>
      }
    >
      <p class="soft">{t('rulesAbout')}</p>
      <Failure error={change.error} retry={query.refresh} />
      <Loaded query={query}>{(set) => <RuleList {...{ set, mayChange, change, setEdited }} />}</Loaded>
      {edited !== undefined && (
        <RuleDialog
          index={edited.index}
          rule={edited.set.rules[edited.index]}
          save={(rule) =>
            save(edited.set, { ...edited.set, rules: edited.set.rules.toSpliced(edited.index, 1, rule) })
          }
          onClose={() => setEdited(undefined)}
        />
      )}
      {mayChange && <TryOut />}
    </Page>
  );
}

type RuleListProps = {
  readonly set: ModerationRules;
  readonly mayChange: boolean;
  readonly change: Action<[ModerationRules, RuleSet]>;
  readonly setEdited: (edited: Edited) => void;
};

function RuleList({ set, mayChange, change, setEdited }: RuleListProps) {
  return (
    <>
      {set.rules.length === 0 && <p class="empty">{t('noRules')}</p>}
      <ul class="rules">
        {set.rules.map((rule, index) => (
          <li key={rule.name} class="card">
            <RuleCard rule={rule} set={set} />
            {mayChange && (
              <div class="buttons">
                <button
                  type="button"
                  aria-label={t('editRule', { name: rule.name })}
                  onClick={() => setEdited({ index, set })}
                >
                  {t('edit')}
                </button>
                <button
                  type="button"
                  aria-label={t('removeRule', { name: rule.name })}
                  disabled={change.isRunning}
                  onClick={() => change.run(set, { ...set, rules: set.rules.toSpliced(index, 1) })}
                >
                  {t('remove')}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <Bots
        set={set}
        isDisabled={!mayChange || change.isRunning}
        onChange={(includes_bots) => change.run(set, { ...set, includes_bots })}
      />
    </>
  );
}

function RuleCard({ rule, set }: { readonly rule: Rule; readonly set: ModerationRules }) {
  const done = set.counts.find(({ name }) => name === rule.name);
  const tones = { report: 'plain', hold: 'warn', refuse: 'bad' } as const;
  return (
    <>
      <h2>
        <bdi>{rule.name}</bdi> <Badge tone={tones[rule.action]}>{t(`rule_${rule.action}`)}</Badge>
      </h2>
      <p dir="auto">{conditionWords(rule)}</p>
      {rule.pattern !== undefined && <code dir="ltr">{rule.pattern}</code>}
      <p class="soft">{limitWords(rule)}</p>
      {done !== undefined && (
        <p class="soft">
          {t('ruleDid', { reported: done.reported, held: done.held, refused: done.refused })}
          {done.last_at !== undefined && (
            <>
              {' '}
              {t('lastMatch')} <Time at={done.last_at} />
            </>
          )}
        </p>
      )}
    </>
  );
}

type BotsProps = {
  readonly set: ModerationRules;
  readonly isDisabled: boolean;
  readonly onChange: (includesBots: boolean) => void;
};

function Bots({ set, isDisabled, onChange }: BotsProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={set.includes_bots}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      {t('includesBots')}
    </label>
  );
}
