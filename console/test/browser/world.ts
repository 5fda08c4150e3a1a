import type { Clock } from 'confab-server/src/kernel/clock.ts';
import { makeApp, makeComment, makeImport, makePost, makeUser } from 'confab-testing/fixtures.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { register, settled as settledDelivery } from 'confab-testing/webhooks.ts';
import type { Browser, Page } from 'playwright-core';
import { type Console, openConsole, settled } from './page.ts';

/** A store in which each view of the console has something to show, and what is typed in each of them. */

/** The ids of what the addresses of views name. */
export type ConsoleWorld = Readonly<
  Record<
    'app' | 'comment' | 'post' | 'report' | 'webhook' | 'delivery' | 'erasure' | 'event' | 'import',
    number
  >
>;

/** Fills a store. Its webhook sends to `payloadUrl`, which has to accept. */
export async function fillWorld(server: TestServer, payloadUrl: string): Promise<ConsoleWorld> {
  const ada = await makeUser(server, { name: 'Ada Lovelace', email: 'ada@example.com' }, 'ada');
  const bob = await makeUser(server, { name: 'Bob' }, 'bob');
  const gone = await makeUser(server, { name: 'Gone' }, 'gone');
  const app = await makeApp(server, { uid: 'plans', name: 'Plans', access: 'write' });
  await server.call('PUT', `/api/apps/${app.id}/members/bob`, { role: 'moderator' });
  const news = await makeApp(server, { uid: 'news', name: 'News', type: 'posts', access: 'write' });
  const post = await makePost(server, news.id, { as: ada.token });
  const webhook = await register(server, { payload_url: payloadUrl });
  const comment = await makeComment(server, app.id, { text: 'It rains in Bergen' }, { as: ada.token });
  await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'It pours' }, { as: ada.token });
  await server.call('POST', `/api/comments/${comment.id}/reports`, { reason: 'spam' }, { as: bob.token });
  const delivery = await settledDelivery(server, webhook.id, 'delivered');
  const erasure = await server.call('DELETE', `/api/users/${gone.id}`);
  const reports = await server.call('GET', '/api/reports');
  await server.create('/api/bans', { address: '203.0.113.7', seconds: 3600 });
  const rules = [{ name: 'words of spam', action: 'hold', words: ['viagra'] }];
  await server.call('PUT', '/api/moderation/rules', { version: 0, rules });
  return {
    ...{ app: app.id, comment: comment.id, post, webhook: webhook.id, delivery: delivery.id },
    ...{ report: reports.body.data[0]?.id ?? 0, erasure: erasure.body.id, event: 3 },
    import: await makeImport(server, 'finished'),
  };
}

/** A view of the console and what can be typed in it. */
export type TypedView = {
  /** The pattern of its route. */
  readonly route: string;
  readonly path: (world: ConsoleWorld) => string;
  /** Words of the store that the view shows. */
  readonly shows: string;
  /** What its list is searched for, which is found. */
  readonly search?: string;
  /** The fields of the view are filled, then these buttons are pressed and the fields of the dialog are filled. */
  readonly open?: readonly string[];
};

/** Every view of the console. */
export const typedViews: readonly TypedView[] = [
  { route: '/', path: () => '', shows: 'Version' },
  { route: '/apps', path: () => '/apps', shows: 'Plans', search: 'pla', open: ['New app'] },
  {
    route: '/apps/:app',
    path: ({ app }) => `/apps/${app}`,
    shows: 'It pours',
    search: 'pours',
    open: ['Edit'],
  },
  { route: '/apps/:app/members', path: ({ app }) => `/apps/${app}/members`, shows: 'Bob', search: 'bob' },
  { route: '/apps/:app/access', path: ({ app }) => `/apps/${app}/access?user=ada`, shows: 'Ada Lovelace' },
  { route: '/content', path: () => '/content', shows: 'It pours', search: 'pours' },
  {
    route: '/content/:kind/:id',
    path: ({ post }) => `/content/posts/${post}`,
    shows: 'a post',
    open: ['Lock', 'At a later date'],
  },
  { route: '/events', path: () => '/events', shows: 'comment_created' },
  { route: '/events/:event', path: ({ event }) => `/events/${event}`, shows: 'user_created' },
  { route: '/system', path: () => '/system', shows: 'Version' },
  { route: '/system/site', path: () => '/system/site', shows: 'Two lines for your pages' },
  { route: '/system/doctor', path: () => '/system/doctor', shows: 'The doctor checks' },
  { route: '/system/backups', path: () => '/system/backups', shows: 'Backups' },
  { route: '/system/keys', path: () => '/system/keys?state=all', shows: 'console' },
  { route: '/system/settings', path: () => '/system/settings', shows: 'data-dir', search: 'data-dir' },
  { route: '/imports', path: () => '/imports', shows: 'Imports' },
  { route: '/imports/new', path: () => '/imports/new', shows: 'import' },
  { route: '/imports/:import', path: ({ import: id }) => `/imports/${id}`, shows: 'Status' },
  { route: '/moderation', path: ({ report }) => `/moderation?report=${report}`, shows: 'It pours' },
  {
    route: '/moderation/rules',
    path: () => '/moderation/rules',
    shows: 'words of spam',
    open: ['Add rule'],
  },
  { route: '/people', path: () => '/people', shows: 'Ada Lovelace', search: 'ada' },
  {
    route: '/moderation/bans',
    path: () => '/moderation/bans',
    shows: '203.0.113.7/32',
    open: ['Ban an address'],
  },
  { route: '/people/:user', path: () => '/people/ada', shows: 'ada@example.com', open: ['Edit'] },
  {
    route: '/people/erasures/:erasure',
    path: ({ erasure }) => `/people/erasures/${erasure}`,
    shows: 'completed',
  },
  { route: '/webhooks', path: () => '/webhooks', shows: '127.0.0.1', search: '127' },
  { route: '/webhooks/new', path: () => '/webhooks/new', shows: 'Payload URL' },
  {
    route: '/webhooks/:webhook',
    path: ({ webhook }) => `/webhooks/${webhook}?status=delivered`,
    shows: 'comment_created',
    open: ['Rotate secret'],
  },
  {
    route: '/webhooks/:webhook/edit',
    path: ({ webhook }) => `/webhooks/${webhook}/edit`,
    shows: 'Payload URL',
  },
  {
    route: '/webhooks/:webhook/code',
    path: ({ webhook }) => `/webhooks/${webhook}/code`,
    shows: 'webhook-signature',
  },
  {
    route: '/webhooks/:webhook/deliveries/:delivery',
    path: ({ webhook, delivery }) => `/webhooks/${webhook}/deliveries/${delivery}`,
    shows: 'POST http',
  },
];

/** Whether everything is proved, as `npm test -w console` does; the suite proves a part of it. */
const isWhole = process.env.CONSOLE_VIEWS === 'all';

/** The views that a run proves. */
export const provedViews = typedViews.filter(({ route }) => isWhole || route === '/apps');

/** A view that is open, with what is typed in it. */
export type TypedPage = Console & TypedView & { readonly typed: readonly string[] };

/** Opens a view and types in it. */
export async function openTyped(
  browser: Browser,
  server: TestServer,
  { view, world, clock }: { view: TypedView; world: ConsoleWorld; clock?: Clock },
): Promise<TypedPage> {
  const options = { path: view.path(world), ...(clock === undefined ? {} : { clock }) };
  const opened = await openConsole(browser, server, options);
  await opened.page.locator('main', { hasText: view.shows }).waitFor();
  await typeEverywhere(opened.page, view);
  return { ...opened, ...view, typed: await typedIn(opened.page) };
}

/** Waits until a view shows what it showed and says of nothing that it failed. Returns what is typed in it. */
export async function recovered({ page, shows }: TypedPage): Promise<readonly string[]> {
  await page.locator('.banner').waitFor({ state: 'detached' });
  await page.locator('main', { hasText: shows }).waitFor();
  await page.locator('.failure').waitFor({ state: 'detached' });
  return await typedIn(page);
}

/** Values for the fields that do not take any text. */
const valuesByType: { readonly [type: string]: string } = {
  'datetime-local': '2031-02-03T04:05',
  email: 'half@example.com',
  number: '77',
  url: 'https://example.com/half-typed',
};

/** Fills every field of a view that is for texts, except those that filter a list, and chooses the first row of lists. */
async function typeEverywhere(page: Page, { search, shows, open = [] }: TypedView): Promise<void> {
  if (search !== undefined) {
    await page.locator('main search input[type=search]').fill(search);
    await page.waitForURL(/[?&]q=/);
    // The controls of the list that was found are among those of the view.
    await settled(page);
    await page.locator('main', { hasText: shows }).waitFor();
  }
  await fillFields(page, 'main :not(search) ');
  const [choice] = await page.locator('tbody .choice input').all();
  await choice?.check();
  for (const name of open)
    await page.locator('button, label').filter({ hasText: name, visible: true }).first().click();
  if (open.length > 0) await fillFields(page, 'dialog ');
}

async function fillFields(page: Page, within: string): Promise<void> {
  const kinds = ['input:not([type=checkbox], [type=radio], [type=search])', '.people input', 'textarea'];
  const fields = page.locator(kinds.map((kind) => within + kind).join(', '));
  for (const [index, field] of (await fields.all()).entries()) {
    if ((await field.evaluate((element: any) => element.closest('search'))) !== null) continue;
    const type = (await field.getAttribute('type')) ?? '';
    if (type === 'file') {
      await field.setInputFiles({ name: 'half.xml', mimeType: 'text/xml', buffer: Buffer.from('<half>') });
      continue;
    }
    await field.fill(valuesByType[type] ?? `half typed ${index}`);
  }
}

/** What every control of the page holds, except those of the sign-in, and the address with its filters. */
export async function typedIn(page: Page): Promise<readonly string[]> {
  const values = await page
    .locator('main, dialog')
    .locator('input:not([name=credential]), select, textarea')
    .evaluateAll((controls: any[]) =>
      controls.map(
        ({ tagName, name, type, value, checked }) => `${tagName} ${name} ${type}: ${value} ${checked}`,
      ),
    );
  return [page.url(), ...values];
}
