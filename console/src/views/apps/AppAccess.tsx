import type { App } from 'confab-client';
import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { type Params, usePlace } from '../../router.ts';
import { hasKey } from '../../session.ts';
import { Decisions } from '../access/Decisions.tsx';
import { Items } from '../content/Items.tsx';
import { operations } from '../content/kinds.ts';
import { findPerson } from '../people/find.ts';
import { kindOfApp } from './AppContent.tsx';
import { AppFrame } from './AppFrame.tsx';
import { t } from './messages.ts';
import { People } from './People.tsx';

/** What a user may do in one app and why, and what they see there. */
export function AppAccess({ params }: { readonly params: Params }) {
  const { query } = usePlace();
  const user = query.get('user');
  return (
    <AppFrame app={params.app ?? ''}>
      {(app) => (
        <>
          <People label={t('whose')} app={app.id}>
            {({ uid }) => (
              <Link to={`/apps/${app.id}/access?user=${encodeURIComponent(uid)}`}>{t('whyButton')}</Link>
            )}
          </People>
          {user !== null && <Explanation key={user} app={app} user={user} />}
        </>
      )}
    </AppFrame>
  );
}

function Explanation({ app, user }: { readonly app: App; readonly user: string }) {
  const query = useQuery(
    `access ${app.id} ${user}`,
    async (signal) => {
      const [access, person] = await Promise.all([
        client.explainAccess(app.id, { user }, { signal }),
        findPerson(user, signal),
      ]);
      return { access, person };
    },
    { live: ['app_', 'member_', 'user_'] },
  );
  return (
    <Loaded query={query} missing={missingWords('user', user)}>
      {({ access, person }) => (
        <>
          <h2>
            <bdi>{person?.display_name ?? user}</bdi>
          </h2>
          <Decisions access={access} />
          {hasKey() && access.read.is_allowed && <Seen app={app} user={access.user_id} />}
        </>
      )}
    </Loaded>
  );
}

/** The app as this user sees it: the server answers on their behalf. */
function Seen({ app, user }: { readonly app: App; readonly user: number }) {
  const kind = kindOfApp(app);
  return (
    <>
      <h2>{t('seen')}</h2>
      <Items
        kind={kind}
        name={`seen ${app.id} ${user}`}
        app={String(app.id)}
        isPlain
        open={(query, options) => operations[kind].ofApp(app.id, query, { ...options, onBehalfOf: user })}
      />
    </>
  );
}
