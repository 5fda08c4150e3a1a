import { type Client, issueToken } from 'confab-testing/harness/client.ts';
import type { Model, Tracked } from 'confab-testing/harness/model.ts';

/** How many clients write at once. */
export const clientCount = 16;
const readerCount = 8;

/** A webhook that exists from the beginning, so that the events it must receive are known. */
export type FixedWebhook = {
  readonly id: number;
  readonly triggers: readonly string[];
  readonly isEnabled: boolean;
};

/** A client with the apps in which it writes, which are never trashed. */
export type Writer = {
  readonly index: number;
  readonly uid: string;
  readonly token: string;
  readonly home: { readonly comments: Tracked; readonly posts: Tracked; readonly files: Tracked };
};

/** The content of a data folder before the first crash. */
export type World = {
  readonly key: string;
  readonly writers: readonly Writer[];
  readonly userIds: ReadonlyMap<string, number>;
  readonly readerUids: readonly string[];
  /** An app in which every client comments. */
  readonly shared: Tracked;
  readonly webhooks: readonly FixedWebhook[];
};

/** Creates the users, their apps and the fixed webhooks. */
export async function buildWorld(
  client: Client,
  model: Model,
  { key, receiverUrl }: { readonly key: string; readonly receiverUrl: string },
): Promise<World> {
  const person = async (uid: string) =>
    Number((await client.must('PUT', `/api/users/${uid}`, { name: uid }))['id']);
  const userIds = new Map<string, number>();
  const readerUids = Array.from({ length: readerCount }, (_, index) => `reader-${index}`);
  for (const uid of readerUids) userIds.set(uid, await person(uid));

  async function homeApp(marker: string, type: string, token = key): Promise<Tracked> {
    const app = model.track('app', marker);
    const body = await client.must(
      'POST',
      '/api/apps',
      { uid: marker, type, name: marker, access: 'write' },
      token,
    );
    model.learnId(app, Number(body['id']));
    app.possible = [{ facts: model.factsOf(app, body), events: ['app_created'] }];
    app.isTouched = true;
    return app;
  }
  const writers: Writer[] = [];
  for (let index = 0; index < clientCount; index += 1) {
    const uid = `writer-${index}`;
    userIds.set(uid, await person(uid));
    const token = await issueToken(client, uid, 2_592_000);
    const home = {
      comments: await homeApp(`home${index}comments`, 'comments', token),
      posts: await homeApp(`home${index}posts`, 'posts', token),
      files: await homeApp(`home${index}files`, 'files', token),
    };
    writers.push({ index, uid, token, home });
  }
  const shared = await homeApp('shared', 'comments');

  const webhooks: FixedWebhook[] = [];
  for (const { path, triggers, isEnabled } of [
    { path: '/fixed/1', triggers: ['comments'], isEnabled: true },
    {
      path: '/fixed/2',
      triggers: ['apps', 'members', 'post_created', 'files', 'reactions', 'polls'],
      isEnabled: true,
    },
    { path: '/fixed/3', triggers: ['comments'], isEnabled: false },
  ]) {
    const body = { payload_url: receiverUrl + path, triggers, enabled: isEnabled, secret: 'crash run' };
    webhooks.push({ id: await client.create('/api/webhooks', body), triggers, isEnabled });
  }
  return { key, writers, userIds, readerUids, shared, webhooks };
}
