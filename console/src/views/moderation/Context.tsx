import type { CommentItem, Report } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { More } from '../../components/List.tsx';
import { Failure, Loaded, missingWords, Waiting } from '../../components/Loaded.tsx';
import { ServerHtml } from '../../components/ServerHtml.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages, useQuery } from '../../data.ts';
import type { Item } from './items.ts';
import { t } from './messages.ts';

type Props = { readonly item: Item; readonly report: Report };

const pageSize = 10;

/** What the item belongs to, and what was written there last. */
export function Context({ item, report }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { type } = report.entity;
  return (
    <section aria-label={t('context')}>
      {item.parent.type === 'post' && <Post id={item.parent.id} />}
      {item.parent.type === 'file' && <File id={item.parent.id} />}
      {(type === 'comment' || type === 'message') && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('around')}</summary>
          {isOpen && <Around item={item} report={report} />}
        </details>
      )}
    </section>
  );
}

function Post({ id }: { readonly id: number }) {
  const query = useQuery(`post ${id}`, (signal) => client.getPost(id, { trashed: true }, { signal }));
  return (
    <>
      <h3>{t('onPost')}</h3>
      <Loaded query={query} missing={missingWords('post', id)}>
        {({ html, created_by, created_at }) => (
          <blockquote>
            <p class="soft">
              <bdi>{created_by.display_name}</bdi> · <Time at={created_at} />
            </p>
            {html !== undefined && <ServerHtml html={html} />}
          </blockquote>
        )}
      </Loaded>
    </>
  );
}

function File({ id }: { readonly id: number }) {
  const query = useQuery(`file ${id}`, (signal) => client.getFile(id, { trashed: true }, { signal }));
  return (
    <>
      <h3>{t('onFile')}</h3>
      <Loaded query={query} missing={missingWords('file', id)}>
        {({ name }) => (
          <p>
            <bdi>{name}</bdi>
          </p>
        )}
      </Loaded>
    </>
  );
}

/** Lists what is in the same place, the last first. */
function listAround({ parent }: Item, report: Report, signal: AbortSignal) {
  const asked = {
    order_by: 'id desc' as const,
    expand: ['created_by' as const],
    top: pageSize,
    count: false,
  };
  if (report.entity.type === 'message') return client.listAppMessages(report.app_id, asked, { signal });
  if (parent.type === 'post') return client.listPostComments(parent.id, asked, { signal });
  if (parent.type === 'file') return client.listFileComments(parent.id, asked, { signal });
  return client.listAppComments(report.app_id, asked, { signal });
}

function Around({ item, report }: Props) {
  const key = `around ${report.entity.type} ${item.parent.type} ${item.parent.id} ${report.app_id}`;
  const list = usePages<Pick<CommentItem, 'id' | 'html' | 'created_at' | 'created_by'>>(key, (signal) =>
    listAround(item, report, signal),
  );
  return (
    <>
      <ul class="texts">
        {list.items.map((each) => (
          <li key={each.id} aria-current={each.id === item.id ? 'true' : undefined}>
            <span class="soft">
              <bdi>{each.created_by?.display_name}</bdi> · <Time at={each.created_at} />
            </span>
            {each.html !== undefined && <ServerHtml html={each.html} />}
          </li>
        ))}
      </ul>
      <Failure error={list.error} retry={list.refresh} />
      {list.isLoading && <Waiting />}
      {list.hasMore && !list.isLoading && list.error === undefined && (
        <More key={list.items.length} more={list.more} />
      )}
    </>
  );
}
