import type { User } from 'confab-client';
import { useId } from 'preact/hooks';
import { client } from '../../api.ts';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { Suggested } from '../../components/Suggested.tsx';
import { submitting } from '../../components/submitting.ts';
import { useQuery } from '../../data.ts';
import { setQuery, usePlace } from '../../router.ts';
import { Decisions } from '../access/Decisions.tsx';
import { t } from './messages.ts';

/** What a person may do in an app, and by which rule. The app stands in the address. */
export function Access({ user }: { readonly user: User }) {
  const { query } = usePlace();
  const id = useId();
  const app = query.get('app') ?? '';
  const submit = submitting((form) => {
    setQuery({ app: String(form.get('app') ?? '').trim() });
  });
  return (
    <section class="card" aria-label={t('accessTitle')}>
      <h2>{t('accessTitle')}</h2>
      <form class="filters" onSubmit={submit}>
        <div class="filter">
          <label for={id}>{t('app')}</label>
          <Suggested id={id} from="apps" name="app" required defaultValue={app} />
        </div>
        <button type="submit">{t('explain')}</button>
      </form>
      {app !== '' && <Explained key={app} app={app} user={user} />}
    </section>
  );
}

function Explained({ app, user }: { readonly app: string; readonly user: User }) {
  const query = useQuery(
    `access ${app} ${user.id}`,
    (signal) => client.explainAccess(app, { user: String(user.id) }, { signal }),
    { live: ['member_', 'app_', 'user_'] },
  );
  return (
    <Loaded query={query} missing={missingWords('app', app)}>
      {(access) => <Decisions access={access} />}
    </Loaded>
  );
}
