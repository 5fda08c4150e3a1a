import type { Import } from 'confab-client';
import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { type Column, List } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages } from '../../data.ts';
import { formatNumber } from '../../i18n.ts';
import { navigate } from '../../router.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { ImportState } from './ImportState.tsx';
import { t } from './messages.ts';
import { mayImport } from './rights.ts';

/** The imports, the newest first. */
export function Imports() {
  const list = usePages('imports', (signal) => client.listImports({}, { signal }), { live: ['import_'] });
  useShortcuts(mayImport() ? [{ keys: 'n', label: t('new'), run: () => navigate('/imports/new') }] : []);
  return (
    <Page
      title={t('title')}
      actions={
        mayImport() && (
          <Link to="/imports/new" class="button primary">
            {t('new')}
          </Link>
        )
      }
    >
      <List label={t('title')} list={list} columns={columns()} keyOf={({ id }) => id} empty={t('none')} />
    </Page>
  );
}

function columns(): readonly Column<Import>[] {
  return [
    {
      label: t('file'),
      cell: ({ id, name }) => (
        <Link to={`/imports/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { label: t('kind'), cell: ({ kind }) => t(`kind_${kind}`) },
    { label: t('state'), cell: ({ state }) => <ImportState state={state} /> },
    {
      label: t('comments'),
      isNumber: true,
      cell: ({ made }) => formatNumber(made.comments + made.restored),
    },
    { label: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
