import type { Rule } from 'confab-client';
import { useState } from 'preact/hooks';
import { Choice } from '../../components/Choice.tsx';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { submitting } from '../../components/submitting.ts';
import { type Action, useAction } from '../../data.ts';
import { t } from './messages.ts';

/** The conditions of a rule, of which it has exactly one. */
const conditions = ['words', 'pattern', 'links_max', 'equal_texts', 'rate'] as const;
type Condition = (typeof conditions)[number];

type Props = {
  /** The place of the rule among the others. */
  readonly index: number;
  /** Absent for another rule. */
  readonly rule: Rule | undefined;
  readonly save: (rule: Rule) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Edits a rule. What the server says about a field stands at that field. */
export function RuleDialog({ index, rule, save, onClose }: Props) {
  const [condition, setCondition] = useState<Condition>(
    conditions.find((each) => rule?.[each] !== undefined) ?? 'words',
  );
  const action = useAction((form: FormData) => save(ruleOf(form, condition)));
  const submit = submitting(async (form) => {
    if (await action.run(form)) onClose();
  });
  const errorOf = (field: string) => action.errorOf(`rules/${index}/${field}`);
  return (
    <Dialog title={rule === undefined ? t('addRule') : t('editRule', { name: rule.name })} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t('ruleName')} error={errorOf('name')}>
          {(attributes) => (
            <input {...attributes} name="name" required maxLength={64} dir="auto" defaultValue={rule?.name} />
          )}
        </Field>
        <Choice
          label={t('ruleAction')}
          name="action"
          value={rule?.action ?? 'hold'}
          options={(['report', 'hold', 'refuse'] as const).map((each) => [each, t(`action_${each}`)])}
        />
        <Choice
          label={t('condition')}
          name="condition"
          value={condition}
          options={conditions.map((each) => [each, t(`cond_${each}`)])}
          onChange={(value) => setCondition(value as Condition)}
        />
        <ConditionFields key={condition} condition={condition} rule={rule} index={index} action={action} />
        <Field label={t('newcomerHours')} hint={t('newcomerHint')} error={errorOf('newcomer_hours')}>
          {(attributes) => (
            <input
              {...attributes}
              name="newcomer_hours"
              type="number"
              min={1}
              max={8760}
              defaultValue={rule?.newcomer_hours}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            name="only_open_apps"
            defaultChecked={rule?.only_open_apps ?? rule === undefined}
          />{' '}
          {t('onlyOpen')}
        </label>
        <FormEnd action={action} button={t('save')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type ConditionProps = {
  readonly condition: Condition;
  readonly rule: Rule | undefined;
  readonly index: number;
  readonly action: Action<[FormData]>;
};

function ConditionFields({ condition, rule, index, action }: ConditionProps) {
  const errorOf = (field: string) => action.errorOf(`rules/${index}/${field}`);
  if (condition === 'words')
    return (
      <Field
        label={t('cond_words')}
        hint={t('wordsHint')}
        error={errorOf('words') ?? wordError(action, index)}
      >
        {(attributes) => (
          <textarea {...attributes} name="words" required dir="auto" defaultValue={rule?.words?.join('\n')} />
        )}
      </Field>
    );
  if (condition === 'pattern')
    return (
      <Field label={t('cond_pattern')} hint={t('patternHint')} error={errorOf('pattern')}>
        {(attributes) => (
          <input
            {...attributes}
            name="pattern"
            required
            maxLength={512}
            dir="ltr"
            spellcheck={false}
            defaultValue={rule?.pattern}
          />
        )}
      </Field>
    );
  if (condition === 'links_max')
    return (
      <NumberField
        label={t('linksMax')}
        name="links_max"
        min={0}
        value={rule?.links_max}
        error={errorOf('links_max')}
      />
    );
  const window = rule?.[condition];
  return (
    <>
      {condition === 'equal_texts' && (
        <Choice
          label={t('equalOf')}
          name="of"
          value={rule?.equal_texts?.of ?? 'user'}
          options={[
            ['user', t('equalOfUser')],
            ['everyone', t('equalOfEveryone')],
          ]}
        />
      )}
      <NumberField
        label={t(condition === 'rate' ? 'rateCount' : 'equalCount')}
        name="count"
        min={condition === 'rate' ? 1 : 2}
        value={window?.count}
        error={errorOf(`${condition}/count`)}
      />
      <NumberField
        label={t('windowSeconds')}
        name="seconds"
        min={1}
        value={window?.seconds ?? 3600}
        error={errorOf(`${condition}/seconds`)}
      />
      {condition === 'equal_texts' && (
        <NumberField
          label={t('charactersMin')}
          name="characters_min"
          min={1}
          value={rule?.equal_texts?.characters_min ?? 40}
          error={errorOf('equal_texts/characters_min')}
        />
      )}
    </>
  );
}

/** What the server says about one of the words. */
function wordError(action: Action<[FormData]>, index: number): string | undefined {
  for (let at = 0; at < 1000; at += 1) {
    const error = action.errorOf(`rules/${index}/words/${at}`);
    if (error !== undefined) return t('wordNumber', { number: at + 1, error });
  }
  return undefined;
}

type NumberProps = {
  readonly label: string;
  readonly name: string;
  readonly min: number;
  readonly value: number | undefined;
  readonly error: string | undefined;
};

function NumberField({ label, name, min, value, error }: NumberProps) {
  return (
    <Field label={label} error={error}>
      {(attributes) => (
        <input {...attributes} name={name} type="number" required min={min} defaultValue={value} />
      )}
    </Field>
  );
}

/** The rule that the form describes. */
function ruleOf(form: FormData, condition: Condition): Rule {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string) => Number(text(name));
  const conditionOf = {
    words: () => ({
      words: text('words')
        .split('\n')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    }),
    pattern: () => ({ pattern: text('pattern') }),
    links_max: () => ({ links_max: number('links_max') }),
    equal_texts: () => ({
      equal_texts: {
        of: text('of') as 'user' | 'everyone',
        count: number('count'),
        seconds: number('seconds'),
        characters_min: number('characters_min'),
      },
    }),
    rate: () => ({ rate: { count: number('count'), seconds: number('seconds') } }),
  };
  return {
    name: text('name'),
    action: text('action') as Rule['action'],
    ...conditionOf[condition](),
    ...(text('newcomer_hours') === '' ? {} : { newcomer_hours: number('newcomer_hours') }),
    ...(form.has('only_open_apps') ? { only_open_apps: true } : {}),
  };
}
