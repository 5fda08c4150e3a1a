import type { RuleTest } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Field } from '../../components/Field.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { Suggested } from '../../components/Suggested.tsx';
import { submitting } from '../../components/submitting.ts';
import { defined, useAction } from '../../data.ts';
import { t } from './messages.ts';

/** Tries a text: which rule would do what with it. Nothing is changed or counted. */
export function TryOut() {
  const [result, setResult] = useState<RuleTest>();
  const action = useAction(async (form: FormData) => {
    const given = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const text = String(form.get('text') ?? '');
    setResult(undefined);
    setResult(
      await client.testModerationRules({ text, ...defined({ user: given('user'), app: given('app') }) }),
    );
  });
  return (
    <section class="card" aria-label={t('tryOut')}>
      <h2>{t('tryOut')}</h2>
      <form onSubmit={submitting(action.run)}>
        <Field label={t('tryText')} error={action.errorOf('text')}>
          {(attributes) => <textarea {...attributes} name="text" required dir="auto" />}
        </Field>
        <div class="columns">
          <Field label={t('tryUser')} hint={t('tryUserHint')} error={action.errorOf('user')}>
            {(attributes) => <Suggested {...attributes} from="users" name="user" />}
          </Field>
          <Field label={t('tryApp')} hint={t('tryAppHint')} error={action.errorOf('app')}>
            {(attributes) => <Suggested {...attributes} from="apps" name="app" />}
          </Field>
        </div>
        <Failure error={action.error} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={action.isRunning}>
            {t('try')}
          </button>
        </div>
      </form>
      <div role="status">{result !== undefined && <Result result={result} />}</div>
    </section>
  );
}

function Result({ result: { action, exempt, matches } }: { readonly result: RuleTest }) {
  const tones = { take: 'good', report: 'plain', hold: 'warn', refuse: 'bad' } as const;
  return (
    <>
      <p>
        <Badge tone={tones[action]}>{t(`would_${action}`)}</Badge>{' '}
        {exempt !== undefined && t(exempt === 'bot' ? 'exemptBot' : 'exemptModerator')}
      </p>
      {matches.length === 0 ? (
        <p class="soft">{t('noMatch')}</p>
      ) : (
        <ul>
          {matches.map(({ name, action: does }) => (
            <li key={name}>
              <bdi>{name}</bdi> <Badge tone={tones[does]}>{t(`rule_${does}`)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
