import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Field } from '../../components/Field.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { submitting } from '../../components/submitting.ts';
import { useAction } from '../../data.ts';
import { formatNumber } from '../../i18n.ts';
import { t as shell } from '../../messages.ts';
import { navigate } from '../../router.ts';
import { t } from './messages.ts';

/** The systems whose exports can be imported. */
const kinds = [
  'wordpress',
  'disqus',
  'remark42',
  'artalk',
  'isso',
  'commento',
  'comentario',
  'cusdis',
  'waline',
  'giscus',
  'twikoo',
  'utterances',
  'valine',
  'fastcomments',
  'blogger',
] as const;

/** Uploads an export and tries its import. */
export function NewImport() {
  const [share, setShare] = useState<number>();
  const action = useAction(async (form: FormData) => {
    try {
      const blob = await client.createImportBlob(form.get('file') as File, {
        onProgress: ({ loaded, total }) => setShare(loaded / total),
      });
      const { id } = await client.createImport({
        kind: kinds.find((kind) => kind === form.get('kind')) ?? 'wordpress',
        blob_id: blob.id,
        keeps_emails: form.has('keeps_emails'),
        replies: form.has('quotes_replies') ? 'quote' : 'thread',
        ...(form.get('site') === '' ? {} : { site: String(form.get('site')) }),
      });
      navigate(`/imports/${id}`);
    } finally {
      setShare(undefined);
    }
  });
  return (
    <Page title={t('new')}>
      <form onSubmit={submitting(action.run)}>
        <p>{t('about')}</p>
        <Choice
          label={t('kind')}
          name="kind"
          options={kinds.map((kind) => [kind, t(`kind_${kind}`)] as const)}
          hint={
            <a href="/docs/migrating" target="_blank" rel="noreferrer">
              {t('kindHint')}
            </a>
          }
          error={action.errorOf('kind')}
        />
        <Field label={t('file')} hint={t('fileHint')} error={action.errorOf('blob_id')}>
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              name="file"
              required
              accept=".xml,.atom,.json,.jsonl,.gz,text/xml,application/xml,application/json,application/gzip"
            />
          )}
        </Field>
        <Field label={t('site')} hint={t('siteHint')} error={action.errorOf('site')}>
          {(attributes) => (
            <input {...attributes} type="url" name="site" maxLength={2048} placeholder="https://" dir="ltr" />
          )}
        </Field>
        <label class="check">
          <input type="checkbox" name="keeps_emails" />
          <span>
            {t('keepEmails')} <span class="soft">{t('keepEmailsHint')}</span>
          </span>
        </label>
        <label class="check">
          <input type="checkbox" name="quotes_replies" />
          <span>
            {t('quotes')} <span class="soft">{t('quotesHint')}</span>
          </span>
        </label>
        {share !== undefined && (
          <p role="status">{t('uploading', { percent: formatNumber(share, { style: 'percent' }) })}</p>
        )}
        <Failure error={action.error} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={action.isRunning}>
            {t('try')}
          </button>
          <Link to="/imports" class="button">
            {shell('cancel')}
          </Link>
        </div>
      </form>
    </Page>
  );
}
