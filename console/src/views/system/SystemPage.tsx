import type { ComponentChildren } from 'preact';
import { Page } from '../../components/Page.tsx';
import { Tabs } from '../../components/Tabs.tsx';
import { t } from './messages.ts';

/** What all views of the system share: its name, and the way between them. */
export function SystemPage({ children }: { readonly children: ComponentChildren }) {
  return (
    <Page title={t('title')}>
      <Tabs
        label={t('views')}
        views={[
          ['/system', t('node')],
          ['/system/keys', t('keys')],
          ['/system/settings', t('settings')],
        ]}
      />
      {children}
    </Page>
  );
}
