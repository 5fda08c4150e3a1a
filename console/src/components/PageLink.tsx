import { t } from '../messages.ts';

/** The address of the page that an app is of, where its metadata has one. */
export function pageOf({ metadata }: { readonly metadata?: object | undefined }): string | undefined {
  const url = metadata !== undefined && 'url' in metadata ? metadata.url : undefined;
  // What programs write there may be anything; a script is no page.
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}

type PageLinkProps = {
  readonly address: string;
  /** The comment at which the page is opened. */
  readonly at?: number | undefined;
};

/** A link to the page where something stands, in a tab of its own. */
export function PageLink({ address, at }: PageLinkProps) {
  const target = new URL(address);
  if (at !== undefined) target.hash = `comment-${at}`;
  return (
    <a class="page-link" href={target.href} target="_blank" rel="noreferrer" title={address}>
      <span aria-hidden="true">↗</span>
      <span class="hidden">{t('openPage')}</span>
    </a>
  );
}
