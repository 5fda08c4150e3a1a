import type { User } from 'confab-client';
import { Badge } from '../../components/Badge.tsx';
import { t, wayName } from './messages.ts';

/** What is special about a person, in words. */
export function States({ user }: { readonly user: User }) {
  return (
    <>
      {user.is_suspended === true && <Badge tone="bad">{t('isSuspended')}</Badge>}{' '}
      {user.is_trashed === true && <Badge tone="warn">{t('isTrashed')}</Badge>}{' '}
      {user.role === 'moderator' && <Badge>{t('moderator')}</Badge>}{' '}
      {user.way !== undefined && (
        <Badge>
          <bdi>{wayName(user.way)}</bdi>
        </Badge>
      )}{' '}
      {user.is_trusted === true && <Badge tone="good">{t('trusted')}</Badge>}{' '}
      {user.is_bot && <Badge>{t('bot')}</Badge>}
    </>
  );
}
