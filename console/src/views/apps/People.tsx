import type { AutocompleteUser } from 'confab-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Field } from '../../components/Field.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { t } from './messages.ts';

type PeopleProps = {
  readonly label: string;
  /** The app that `is_member` of what is found is about. */
  readonly app: number;
  /** What stands beside each one that is found, such as a button. */
  readonly children: (user: AutocompleteUser) => ComponentChildren;
};

const foundMax = 8;

/** Finds users by the beginnings of their names while one types. */
export function People({ label, app, children }: PeopleProps) {
  const [q, setQ] = useState('');
  return (
    <div class="people">
      <Field label={label} hint={t('findPersonHint')}>
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            value={q}
            onInput={(event) => setQ(event.currentTarget.value)}
          />
        )}
      </Field>
      {q.trim() !== '' && <Found key={app} q={q.trim()} {...{ app, children }} />}
    </div>
  );
}

type FoundProps = Pick<PeopleProps, 'app' | 'children'> & { readonly q: string };

function Found({ q, app, children }: FoundProps) {
  const { data, error, isLoading, refresh } = useQuery(`people ${app} ${q}`, (signal) =>
    client.autocompleteUsers({ q, id: app, top: foundMax }, { signal }),
  );
  const users = data?.data ?? [];
  return (
    <>
      <Failure error={error} retry={refresh} />
      <p class="hidden" role="status">
        {isLoading ? '' : t('found', { count: users.length })}
      </p>
      {users.length === 0 && !isLoading && error === undefined && <p class="empty">{t('noPerson')}</p>}
      <ul class="found">
        {users.map((user) => (
          <li key={user.id}>
            <span>
              <bdi>{user.display_name}</bdi> <code dir="auto">{user.uid}</code>
            </span>
            {children(user)}
          </li>
        ))}
      </ul>
    </>
  );
}
