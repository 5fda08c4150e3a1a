import type { ShownSetting } from 'confab-client';
import { client } from '../../api.ts';
import { type Column, Filter, List, Search } from '../../components/List.tsx';
import { useQuery, wholeList } from '../../data.ts';
import { usePlace } from '../../router.ts';
import { t } from './messages.ts';
import { SystemPage } from './SystemPage.tsx';

/** The settings in effect and where each one stands. */
export function Settings() {
  const { query } = usePlace();
  const { data, ...read } = useQuery('settings', (signal) => client.getSettings({ signal }));
  // A reader may have the name of the environment variable, as most texts have it.
  const q = (query.get('q') ?? '')
    .toLowerCase()
    .replace(/^confab_/, '')
    .replaceAll('_', '-');
  const isAll = query.get('set') === 'all' || q !== '';
  const items = (data?.settings ?? []).filter(
    ({ name, from }) => name.includes(q) && (isAll || (from !== 'default' && from !== 'not set')),
  );
  return (
    <SystemPage>
      {data?.file !== undefined && (
        <p>
          {t('file')} <code dir="ltr">{data.file}</code>
        </p>
      )}
      <search class="filters">
        <Search label={t('findSetting')} />
        <Filter
          label={t('which')}
          name="set"
          options={[
            ['', t('setHere')],
            ['all', t('all')],
          ]}
        />
      </search>
      <List
        label={t('settings')}
        list={wholeList(read, items)}
        columns={columns()}
        keyOf={({ name }) => name}
        empty={t('noSettings')}
      />
    </SystemPage>
  );
}

function columns(): readonly Column<ShownSetting>[] {
  return [
    { label: t('setting'), cell: ({ name }) => <code dir="ltr">{name}</code> },
    { label: t('value'), cell: ({ value }) => <Value value={value} /> },
    { label: t('from'), cell: ({ from }) => <From from={from} /> },
  ];
}

function Value({ value }: { readonly value: string }) {
  if (value === '(hidden)') return <span class="soft">{t('hidden')}</span>;
  return value === '' ? <span>–</span> : <code dir="ltr">{value}</code>;
}

function From({ from }: { readonly from: string }) {
  if (from === 'default') return <span class="soft">{t('default')}</span>;
  return from === 'not set' ? <span class="soft">{t('notSet')}</span> : <code dir="ltr">{from}</code>;
}
