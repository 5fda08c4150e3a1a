import type { File, Report } from 'confab-client';
import { Badge } from '../../components/Badge.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { ServerHtml } from '../../components/ServerHtml.tsx';
import type { Query } from '../../data.ts';
import { formatBytes } from '../../i18n.ts';
import type { Item } from './items.ts';
import { t } from './messages.ts';

/** The item as users see it; where it cannot be read, how it began when it was reported. */
export function ItemShown({ query, report }: { readonly query: Query<Item>; readonly report: Report }) {
  const { snapshot } = report;
  return (
    <section class="card item" aria-label={t('item')}>
      <Loaded query={query} missing={missingWords(report.entity.type as 'comment', report.entity.id)}>
        {(item) =>
          'text' in item || 'html' in item || 'options' in item ? (
            <Entry item={item} />
          ) : (
            <FileShown file={item as File} />
          )
        }
      </Loaded>
      {query.data === undefined && query.error !== undefined && snapshot !== undefined && (
        <p class="soft">
          {t('began')} <q dir="auto">{snapshot.text ?? snapshot.name}</q>
        </p>
      )}
    </section>
  );
}

function Entry({ item }: { readonly item: Exclude<Item, File> }) {
  const { html, options, attachments, embed, tags } = item;
  return (
    <>
      {html !== undefined && <ServerHtml html={html} />}
      {options.length > 0 && (
        <ul>
          {options.map(({ id, text, vote_count: count }) => (
            <li key={id}>
              <bdi>{text}</bdi> <span class="soft">{t('votes', { count })}</span>
            </li>
          ))}
        </ul>
      )}
      {embed !== undefined && (
        <p>
          <bdi>{embed.title}</bdi> <code dir="ltr">{embed.original_url}</code>
        </p>
      )}
      {attachments.map((file) => (
        <FileLine key={file.id} file={file} />
      ))}
      <p class="badges">
        {tags.map((tag) => (
          <Badge key={tag}>
            <bdi>{tag}</bdi>
          </Badge>
        ))}
      </p>
    </>
  );
}

type Shown = Pick<File, 'name' | 'size'> &
  Partial<Pick<File, 'download_url' | 'external_url' | 'thumbnail_url'>>;

function FileLine({ file }: { readonly file: Shown }) {
  const { name, size, download_url: address } = file;
  return (
    <p>
      {address === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={address} download={name} dir="auto">
          {name}
        </a>
      )}{' '}
      <span class="soft">{formatBytes(size)}</span>
    </p>
  );
}

function FileShown({ file }: { readonly file: File }) {
  return (
    <>
      {file.thumbnail_url !== undefined && <img src={file.thumbnail_url} alt={file.name} />}
      <FileLine file={file} />
      {file.external_url !== undefined && <code dir="ltr">{file.external_url}</code>}
    </>
  );
}
