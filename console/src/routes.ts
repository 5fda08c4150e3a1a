import type { FunctionComponent } from 'preact';
import { t } from './messages.ts';
import type { Params } from './router.ts';
import { AppAccess } from './views/apps/AppAccess.tsx';
import { AppContent } from './views/apps/AppContent.tsx';
import { AppMembers } from './views/apps/AppMembers.tsx';
import { Apps } from './views/apps/Apps.tsx';
import { Content } from './views/content/Content.tsx';
import { ItemDetail } from './views/content/ItemDetail.tsx';
import { Doctor } from './views/doctor/Doctor.tsx';
import { Receipt } from './views/erasures/Receipt.tsx';
import { EventDetail } from './views/events/EventDetail.tsx';
import { Events } from './views/events/Events.tsx';
import { ImportDetail } from './views/imports/ImportDetail.tsx';
import { Imports } from './views/imports/Imports.tsx';
import { NewImport } from './views/imports/NewImport.tsx';
import { Moderation } from './views/moderation/Moderation.tsx';
import { Overview } from './views/overview/Overview.tsx';
import { Bans } from './views/people/Bans.tsx';
import { People } from './views/people/People.tsx';
import { Person } from './views/people/Person.tsx';
import { Rules } from './views/rules/Rules.tsx';
import { Site } from './views/site/Site.tsx';
import { Backups } from './views/system/Backups.tsx';
import { Keys } from './views/system/Keys.tsx';
import { Settings } from './views/system/Settings.tsx';
import { System } from './views/system/System.tsx';
import { DeliveryDetail } from './views/webhooks/DeliveryDetail.tsx';
import { ReceiverCode } from './views/webhooks/ReceiverCode.tsx';
import { WebhookDetail } from './views/webhooks/WebhookDetail.tsx';
import { EditWebhook, NewWebhook } from './views/webhooks/WebhookForm.tsx';
import { Webhooks } from './views/webhooks/Webhooks.tsx';

/** The addresses of the console, each with its view. */
export const routes: readonly (readonly [
  pattern: string,
  view: FunctionComponent<{ readonly params: Params }>,
])[] = [
  ['/', Overview],
  ['/apps', Apps],
  ['/apps/:app', AppContent],
  ['/apps/:app/members', AppMembers],
  ['/apps/:app/access', AppAccess],
  ['/content', Content],
  ['/content/:kind/:id', ItemDetail],
  ['/events', Events],
  ['/events/:event', EventDetail],
  ['/imports', Imports],
  ['/imports/new', NewImport],
  ['/imports/:import', ImportDetail],
  ['/system', System],
  ['/system/doctor', Doctor],
  ['/system/backups', Backups],
  ['/system/keys', Keys],
  ['/system/settings', Settings],
  ['/system/site', Site],
  ['/moderation', Moderation],
  ['/moderation/rules', Rules],
  ['/people', People],
  ['/moderation/bans', Bans],
  ['/people/:user', Person],
  ['/people/erasures/:erasure', Receipt],
  ['/webhooks', Webhooks],
  ['/webhooks/new', NewWebhook],
  ['/webhooks/:webhook', WebhookDetail],
  ['/webhooks/:webhook/edit', EditWebhook],
  ['/webhooks/:webhook/code', ReceiverCode],
  ['/webhooks/:webhook/deliveries/:delivery', DeliveryDetail],
];

/** An area of the navigation. */
export type Area = {
  readonly path: string;
  readonly label: () => string;
  /** The second key of the shortcut that goes there, after `g`. */
  readonly key: string;
  /** Whether only API keys can use it. */
  readonly isForKeys?: boolean;
};

/** The areas in the order of the navigation, which shows those that have a route. */
export const areas: readonly Area[] = [
  { path: '/', label: () => t('overview'), key: 'o' },
  { path: '/apps', label: () => t('apps'), key: 'a' },
  { path: '/content', label: () => t('content'), key: 'c' },
  { path: '/moderation', label: () => t('moderation'), key: 'm' },
  { path: '/people', label: () => t('people'), key: 'p' },
  { path: '/webhooks', label: () => t('webhooks'), key: 'w', isForKeys: true },
  { path: '/events', label: () => t('events'), key: 'e' },
  { path: '/imports', label: () => t('imports'), key: 'i', isForKeys: true },
  { path: '/system', label: () => t('system'), key: 's', isForKeys: true },
].filter(({ path }) => routes.some(([pattern]) => pattern === path));
