import type { AccessDecision, AppAccess } from 'confab-client';
import { Badge } from '../../components/Badge.tsx';
import './access.css';
import { t } from './messages.ts';

const rights = ['read', 'write', 'moderate', 'manage'] as const;

/** What somebody may do in an app, each right with the rule that decides. */
export function Decisions({ access }: { readonly access: AppAccess }) {
  return (
    <dl class="decisions">
      {rights.map((right) => (
        <Right key={right} right={right} decision={access[right]} />
      ))}
    </dl>
  );
}

type RightProps = { readonly right: (typeof rights)[number]; readonly decision: AccessDecision };

function Right({ right, decision: { is_allowed, rule, reason } }: RightProps) {
  // A rule that this console does not know stands as the server says it.
  const words = t(`rule_${rule}`);
  return (
    <div>
      <dt>
        {t(`right_${right}`)}{' '}
        <Badge tone={is_allowed ? 'good' : 'bad'}>{t(is_allowed ? 'allowed' : 'refused')}</Badge>
      </dt>
      <dd>{words === `rule_${rule}` ? reason : words}</dd>
    </div>
  );
}
