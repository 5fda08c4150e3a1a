import { createClient, type Site as SiteState, type SiteUpdate } from 'confab-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Copy } from '../../components/Copy.tsx';
import { Field } from '../../components/Field.tsx';
import { Failure, Loaded } from '../../components/Loaded.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { type Action, useAction, useQuery } from '../../data.ts';
import { mayCall } from '../../session.ts';
import { SystemPage } from '../system/SystemPage.tsx';
import { t } from './messages.ts';

/** What a site needs to have comments: who may show them and write, the lines to paste, and how its owner hears of them. */
export function Site() {
  const query = useQuery('site', (signal) => client.getSite({ signal }), { live: ['site_'] });
  return (
    <SystemPage>
      <Loaded query={query}>
        {(site) => (
          <>
            <State site={site} />
            <h2>{t('whoTitle')}</h2>
            <SiteForm key={site.modified_at} site={site} />
            <h2>{t('linesTitle')}</h2>
            <Lines />
            <h2>{t('hearTitle')}</h2>
            <Hearing hasMail={site.possible_ways.includes('email')} />
          </>
        )}
      </Loaded>
    </SystemPage>
  );
}

function Guide({ page, children }: { readonly page: string; readonly children: ComponentChildren }) {
  return (
    <a href={`/docs/${page}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** Whether visitors can comment, or what is missing. */
function State({ site: { origins, visitors, sign_in: ways } }: { readonly site: SiteState }) {
  if (origins.length > 0 && visitors === 'write' && ways.length > 0)
    return <p class="card">{t('open', { sites: origins.join(', ') })}</p>;
  const lack = origins.length === 0 ? 'closedNoSite' : visitors === 'write' ? 'closedNoWay' : 'closed';
  return <p class="card soft">{t(lack)}</p>;
}

function Lines() {
  const lines = `<script type="module" src="${window.location.origin}/elements.js"></script>\n<confab-comments></confab-comments>`;
  return (
    <>
      <p>{t('lines')}</p>
      <pre class="long-text" dir="ltr">
        {lines}
      </pre>
      <p class="buttons">
        <Copy text={lines} label={t('copyLines')} />
        <Guide page="visitors">{t('linesGuide')}</Guide>
      </p>
    </>
  );
}

const visitorChoices = ['write', 'read', 'none'] as const;
const approvals = ['newcomers', 'guests', 'everything', 'rules', 'none'] as const;

/** What the server says about a field that is a list, or about the first of its items that is wrong. */
function errorOfItems({ errorOf }: Action<[FormData]>, field: 'origins' | 'sign_in'): string | undefined {
  // The limits of the operation are 20 for both.
  const items = Array.from({ length: 20 }, (_, at) => errorOf(`${field}/${at}`));
  return errorOf(field) ?? items.find((error) => error !== undefined);
}

/** The address of a page stands for its site, because that is what people have at hand. */
function originsIn(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((written) => written !== '')
    .map((written) => {
      const scheme = /^(?:localhost|127\.|\[::1\])/.test(written) ? 'http' : 'https';
      const address = written.includes('://') ? written : `${scheme}://${written}`;
      return /^https?:/.test(address) && URL.canParse(address) ? new URL(address).origin : written;
    });
}

function changeIn(form: FormData, { fixed }: SiteState): SiteUpdate {
  const text = (name: string) => String(form.get(name) ?? '');
  return {
    ...(fixed.origins === undefined && { origins: originsIn(text('origins')) }),
    ...(fixed.visitors === undefined && { visitors: text('visitors') as SiteState['visitors'] }),
    ...(fixed.sign_in === undefined && { sign_in: form.getAll('way').map(String) }),
    ...(fixed.approval === undefined && { approval: text('approval') as SiteState['approval'] }),
  };
}

function SiteForm({ site }: { readonly site: SiteState }) {
  const { fixed } = site;
  // A site that nobody has set begins with what most have, so that its address is all that it needs.
  const isNew = site.modified_at === undefined && site.origins.length === 0;
  const action = useAction(async (form: FormData) => {
    await client.updateSite(changeIn(form, site));
    toast(t('saved'));
  });
  const hintOf = (by: string | undefined, hint: string) =>
    by === undefined ? hint : t('fixed', { name: by });
  return (
    <form class="card" onSubmit={submitting(action.run)}>
      <Field
        label={t('origins')}
        hint={hintOf(fixed.origins, t('originsHint'))}
        error={errorOfItems(action, 'origins')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            name="origins"
            rows={2}
            dir="ltr"
            placeholder="https://blog.example.com"
            disabled={fixed.origins !== undefined}
            defaultValue={site.origins.join('\n')}
          />
        )}
      </Field>
      <Choice
        name="visitors"
        label={t('visitors')}
        hint={hintOf(fixed.visitors, t('visitorsHint'))}
        error={action.errorOf('visitors')}
        isDisabled={fixed.visitors !== undefined}
        value={isNew && fixed.visitors === undefined ? 'write' : site.visitors}
        options={visitorChoices.map((each) => [each, t(`visitors_${each}`)])}
      />
      <Ways site={site} isNew={isNew} error={errorOfItems(action, 'sign_in')} />
      <Choice
        name="approval"
        label={t('approval')}
        hint={hintOf(fixed.approval, t('approvalHint'))}
        error={action.errorOf('approval')}
        isDisabled={fixed.approval !== undefined}
        value={site.approval}
        options={approvals.map((each) => [each, t(`approval_${each}`)])}
      />
      <Failure error={action.error} />
      {mayCall('all') && (
        <p class="buttons">
          <button type="submit" class="primary" disabled={action.isRunning}>
            {t('save')}
          </button>
        </p>
      )}
    </form>
  );
}

type WaysProps = { readonly site: SiteState; readonly isNew: boolean; readonly error: string | undefined };

/** How visitors sign in: those in use first, in their order, then the others that are possible. */
function Ways({ site: { sign_in: used, possible_ways: possible, fixed }, isNew, error }: WaysProps) {
  const ways = [...new Set([...used, ...possible])];
  const isChosen = (way: string) => used.includes(way) || (isNew && used.length === 0 && way === 'guest');
  return (
    <fieldset disabled={fixed.sign_in !== undefined}>
      <legend>{t('ways')}</legend>
      {ways.map((way) => (
        <label key={way} class="check">
          <input type="checkbox" name="way" value={way} defaultChecked={isChosen(way)} />
          <span>{way === 'guest' || way === 'email' ? t(`way_${way}`) : way}</span>
        </label>
      ))}
      {fixed.sign_in !== undefined && <p class="soft">{t('fixed', { name: fixed.sign_in })}</p>}
      {error !== undefined && <p class="wrong">{error}</p>}
    </fieldset>
  );
}

/** Has a user told of each new comment, which is for the user to choose: with an access token that soon ends. */
async function tellEach(user: number): Promise<void> {
  const { access_token: token } = await client.issueToken(user, { expires_in: 60 });
  await createClient({ url: window.location.origin, token }).updateMail({ new_comments: true });
}

/** How moderators hear of comments, and a form for the first of them: until there is one, nobody gets an email. */
function Hearing({ hasMail }: { readonly hasMail: boolean }) {
  const [added, setAdded] = useState(0);
  const action = useAction(async (form: FormData) => {
    const [name, email] = [String(form.get('name') ?? ''), String(form.get('email') ?? '')];
    const uid = email.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
    // Who is there already, as after a second press, stays one user.
    const { id } = await client.upsertUser(uid, { name, email, role: 'moderator' });
    if (form.has('each')) await tellEach(id);
    toast(t('moderatorAdded', { name }));
    setAdded(added + 1);
  });
  return (
    <>
      <p>{t('hearConsole')}</p>
      <p>{t(hasMail ? 'hearMail' : 'hearNoMail')}</p>
      {hasMail && mayCall('users') && (
        <form key={added} class="card" onSubmit={submitting(action.run)}>
          <Field label={t('moderatorName')} error={action.errorOf('name')}>
            {(attributes) => <input {...attributes} name="name" required maxLength={256} dir="auto" />}
          </Field>
          <Field label={t('moderatorEmail')} error={action.errorOf('email') ?? action.errorOf('uid')}>
            {(attributes) => <input {...attributes} name="email" type="email" required dir="ltr" />}
          </Field>
          <label class="check">
            <input type="checkbox" name="each" defaultChecked />
            <span>{t('moderatorEach')}</span>
          </label>
          <Failure error={action.error} />
          <p class="buttons">
            <button type="submit" disabled={action.isRunning}>
              {t('addModerator')}
            </button>
          </p>
        </form>
      )}
      <p>
        <Guide page="keeping-a-community#email">{t('hearGuide')}</Guide>
      </p>
    </>
  );
}
