import { client } from '../../api.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { useQuery } from '../../data.ts';
import { t } from './messages.ts';

/** Whether the server is healthy and what waits for the reader. */
export function Overview() {
  return (
    <Page title={t('title')}>
      <h2>{t('attention')}</h2>
      <Attention />
    </Page>
  );
}

function Attention() {
  const query = useQuery(
    'attention',
    async (signal) => {
      const [open, held] = await Promise.all([
        client.listReports({ state: 'open', top: 1 }, { signal }),
        client.listReports({ state: 'open', held: true, top: 1 }, { signal }),
      ]);
      return { reports: (open.count ?? 0) - (held.count ?? 0), held: held.count ?? 0 };
    },
    { live: ['report_', 'comment_', 'post_', 'message_', 'file_'] },
  );
  return (
    <Loaded query={query}>
      {({ reports, held }) => (
        <ul class="cards">
          {reports === 0 && held === 0 && <li class="card">{t('nothing')}</li>}
          {reports > 0 && <li class="card">{t('openReports', { count: reports })}</li>}
          {held > 0 && <li class="card">{t('held', { count: held })}</li>}
        </ul>
      )}
    </Loaded>
  );
}
