import { client } from '../../api.ts';
import { Copy } from '../../components/Copy.tsx';
import { Link } from '../../components/Link.tsx';
import { Filter } from '../../components/List.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { useQuery } from '../../data.ts';
import { type Params, usePlace } from '../../router.ts';
import { t } from './messages.ts';
import { receivers } from './receivers.ts';
import './webhooks.css';

/** A receiver for one webhook, to copy. */
export function ReceiverCode({ params }: { readonly params: Params }) {
  const id = Number(params.webhook);
  const query = useQuery(`webhook ${id}`, (signal) => client.getWebhook(id, { signal }));
  const chosen = usePlace().query.get('in') ?? '';
  const [, write] = receivers.find(([name]) => name === chosen) ?? receivers[0];
  return (
    <Page title={t('code')}>
      <p>
        <Link to={`/webhooks/${id}`}>{t('backToWebhook')}</Link>
      </p>
      <p>{t('codeText')}</p>
      <Loaded query={query} missing={missingWords('webhook', params.webhook ?? '')}>
        {(webhook) => {
          const code = write(webhook);
          return (
            <>
              <div class="filters">
                <Filter
                  label={t('language')}
                  name="in"
                  options={receivers.map(([name], index) => [index === 0 ? '' : name, name] as const)}
                />
                <Copy text={code} label={t('copyCode')} />
              </div>
              <pre class="long-text" dir="ltr">
                {code}
              </pre>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
