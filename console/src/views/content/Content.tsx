import { Filter } from '../../components/List.tsx';
import { Loaded, Missing, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { useShownValue } from '../../components/shown-value.ts';
import { useQuery } from '../../data.ts';
import { setQuery, usePlace } from '../../router.ts';
import { findPerson } from '../people/find.ts';
import { Items } from './Items.tsx';
import { type Kind, kinds, operations } from './kinds.ts';
import { t } from './messages.ts';

/** The kinds that can be limited to an author. */
const authored = kinds.filter((kind) => kind !== 'files');

/** What was written in all apps of the caller, or what one user wrote of it. */
export function Content() {
  const { query } = usePlace();
  const uid = (query.get('author') ?? '').trim();
  const known = uid === '' ? kinds : authored;
  const kind = known.find((each) => each === query.get('kind')) ?? 'comments';
  return (
    <Page title={t('title')}>
      <div class="filters">
        <Filter label={t('kind')} name="kind" options={known.map(optionOf)} />
        <AuthorFilter />
      </div>
      {uid === '' ? (
        <Items key={kind} kind={kind} name={`all ${kind}`} open={operations[kind].all} />
      ) : (
        <OfAuthor key={`${kind} ${uid}`} kind={kind} uid={uid} />
      )}
    </Page>
  );
}

function optionOf(kind: Kind): readonly [string, string] {
  return [kind === 'comments' ? '' : kind, t(kind)];
}

/** A field for the uid of the user whose content is listed. */
function AuthorFilter() {
  const { query } = usePlace();
  const shown = useShownValue(query.get('author') ?? '');
  return (
    <label class="filter">
      <span>{t('authorUid')}</span>
      <input
        type="text"
        dir="auto"
        {...shown}
        onChange={(event) => setQuery({ author: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

function OfAuthor({ kind, uid }: { readonly kind: Kind; readonly uid: string }) {
  const query = useQuery(`author ${uid}`, async (signal) => ({ user: await findPerson(uid, signal) }));
  const missing = missingWords('user', uid);
  return (
    <Loaded query={query} missing={missing}>
      {({ user }) =>
        user === undefined ? (
          <Missing words={missing} />
        ) : (
          <Items
            kind={kind}
            name={`${kind} of user ${user.id}`}
            open={(asked, options) => operations[kind].all({ ...asked, author_id: user.id }, options)}
          />
        )
      }
    </Loaded>
  );
}
