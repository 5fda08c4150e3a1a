import { t } from '../messages.ts';
import { Page } from './Page.tsx';

/** What is shown at an address that is none of the console. */
export function NotFound() {
  return (
    <Page title={t('notFound')}>
      <p class="empty">{t('notFoundText')}</p>
    </Page>
  );
}
