import type { User, UserDetail } from 'confab-client';
import type { ComponentChildren } from 'preact';
import { isOwn } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Time } from '../../components/Time.tsx';
import { formatNumber } from '../../i18n.ts';
import { t, wayName } from './messages.ts';

/** What is known about a person. */
export function Profile({ user }: { readonly user: UserDetail | User }) {
  const { avatar_url: picture, comment, metadata, tags = [] } = user;
  const visitor = 'visitor' in user ? user.visitor : undefined;
  const names = [user.given_name, user.middle_name, user.family_name].filter((name) => name !== undefined);
  return (
    <section class="card profile" aria-label={t('profile')}>
      {picture !== undefined && isOwn(picture) && <img src={picture} alt="" width={64} height={64} />}
      <dl class="facts">
        <Fact label={t('uid')}>
          <code dir="auto">{user.uid}</code>
        </Fact>
        <Fact label={t('id')}>{user.id}</Fact>
        <Fact label={t('names')}>{names.length > 0 && <bdi>{names.join(' ')}</bdi>}</Fact>
        <Fact label={t('nickname')}>{user.nickname !== undefined && <bdi>{user.nickname}</bdi>}</Fact>
        <Fact label={t('email')}>{user.email !== undefined && <bdi>{user.email}</bdi>}</Fact>
        <Fact label={t('phone')}>{user.phone_number !== undefined && <bdi>{user.phone_number}</bdi>}</Fact>
        <Fact label={t('directory')}>
          {'directory' in user && user.directory !== undefined && <bdi>{user.directory.name}</bdi>}
        </Fact>
        <Fact label={t('signsIn')}>
          {user.way !== undefined && (
            <>
              <bdi>{wayName(user.way)}</bdi>, {t(user.way === 'guest' ? 'notVerified' : 'verified')}
            </>
          )}
        </Fact>
        <Fact label={t('approved')}>{visitor !== undefined && formatNumber(visitor.approved_count)}</Fact>
        <Fact label={t('address')}>
          {visitor?.address !== undefined && <code dir="ltr">{visitor.address}</code>}
        </Fact>
        <Fact label={t('signedIn')}>
          {visitor?.signed_in_at !== undefined && <Time at={visitor.signed_in_at} isExact />}
        </Fact>
        <Fact label={t('presence')}>{t(user.presence)}</Fact>
        <Fact label={t('created')}>
          {user.created_at !== undefined && <Time at={user.created_at} isExact />}
        </Fact>
        <Fact label={t('modified')}>
          {user.modified_at !== undefined && <Time at={user.modified_at} isExact />}
        </Fact>
      </dl>
      {tags.length > 0 && (
        <p>
          {tags.map((tag) => (
            <Badge key={tag}>
              <bdi>{tag}</bdi>
            </Badge>
          ))}
        </p>
      )}
      {comment !== undefined && <p dir="auto">{comment}</p>}
      {metadata !== undefined && (
        <details>
          <summary>{t('metadata')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre dir="ltr" tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </pre>
        </details>
      )}
    </section>
  );
}

/** A fact that is left out where it is not known. */
function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  if (children === false) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
