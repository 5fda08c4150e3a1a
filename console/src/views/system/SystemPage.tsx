import type { ComponentChildren } from 'preact';
import { Page } from '../../components/Page.tsx';
import { Tabs } from '../../components/Tabs.tsx';
import { t } from './messages.ts';

type SystemPageProps = {
  /** What stands beside the title, such as buttons. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** What all views of the system share: its name, and the way between them. */
export function SystemPage({ actions, children }: SystemPageProps) {
  return (
    <Page title={t('title')} actions={actions}>
      <Tabs
        label={t('views')}
        views={[
          ['/system', t('node')],
          ['/system/site', t('site')],
          ['/system/doctor', t('doctor')],
          ['/system/backups', t('backups')],
          ['/system/keys', t('keys')],
          ['/system/settings', t('settings')],
        ]}
      />
      {children}
    </Page>
  );
}
