import type { ImportPlanned } from 'confab-client';
import { t } from './messages.ts';
import { Numbers, ofServer } from './Numbers.tsx';

/** What the dry run says. */
export function Planned({ planned }: { readonly planned: ImportPlanned }) {
  const { left_out: leftOut, notes } = planned;
  return (
    <>
      <Numbers
        title={t('report')}
        numbers={[
          [t('found'), planned.found],
          [t('toImport'), planned.comments],
          ...ofServer(planned),
          [t('thereBefore'), planned.there_before],
          [t('restorable'), planned.restorable],
          [t('moved'), planned.moved_replies],
          [t('pages'), planned.pages],
          [t('pagesWith'), planned.pages_with_comments],
          [t('apps'), planned.apps],
          [t('restricted'), planned.restricted_apps],
          [t('users'), planned.users],
        ]}
      />
      {leftOut.length === 0 ? (
        <p class="soft">{t('nothingLeftOut')}</p>
      ) : (
        <Numbers
          title={t('leftOut')}
          numbers={leftOut.map(({ reason, count }) => [t(`reason_${reason}`), count] as const)}
        />
      )}
      {notes.length > 0 && (
        <section class="card" aria-label={t('notes')}>
          <h2>{t('notes')}</h2>
          <ul>
            {notes.map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
