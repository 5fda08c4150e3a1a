import type { AccessDecision, App } from '../../../../client/index.js';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { usePlace } from '../../router.ts';
import type { Params } from '../../routes.ts';
import { hasKey } from '../../session.ts';
import { Items } from '../content/Items.tsx';
import { operations } from '../content/kinds.ts';
import { kindOfApp } from './AppContent.tsx';
import { AppFrame } from './AppFrame.tsx';
import { t } from './messages.ts';
import { People } from './People.tsx';

const rights = ['read', 'write', 'moderate', 'manage'] as const;

/** What a user may do in one app and why, and what they see there. */
export function AppAccess({ params }: { readonly params: Params }) {
  const { query } = usePlace();
  const user = query.get('user');
  return (
    <AppFrame app={params.app ?? ''}>
      {(app) => (
        <>
          <People label={t('whose')} app={app.id}>
            {({ id }) => <Link to={`/apps/${app.id}/access?user=${id}`}>{t('whyButton')}</Link>}
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
        client.getUser(user, { trashed: true }, { signal }),
      ]);
      return { access, person };
    },
    { live: ['app_', 'member_', 'user_'] },
  );
  return (
    <Loaded query={query}>
      {({ access, person }) => (
        <>
          <h2>
            <bdi>{person.display_name}</bdi>
          </h2>
          <dl class="rights">
            {rights.map((right) => (
              <Right key={right} right={right} decision={access[right]} />
            ))}
          </dl>
          {hasKey() && access.read.is_allowed && <Seen app={app} user={person.id} />}
        </>
      )}
    </Loaded>
  );
}

type RightProps = { readonly right: (typeof rights)[number]; readonly decision: AccessDecision };

function Right({ right, decision: { is_allowed, rule, reason } }: RightProps) {
  return (
    <div>
      <dt>
        {t(`right_${right}`)}{' '}
        <Badge tone={is_allowed ? 'good' : 'bad'}>{t(is_allowed ? 'allowed' : 'refused')}</Badge>
      </dt>
      <dd>{t(`rule_${rule}`) === `rule_${rule}` ? reason : t(`rule_${rule}`)}</dd>
    </div>
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
