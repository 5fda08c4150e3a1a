import { issueToken } from 'confab-testing/harness/client.ts';
import type { Model } from 'confab-testing/harness/model.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import type { Sender } from 'confab-testing/nodes/node.ts';
import { Writer } from './load.ts';

const clientCount = 16;
const slowWebhooks = 6;

/** The clients and webhooks of a run. */
export type World = {
  readonly writers: readonly Writer[];
  readonly sharedAppId: number;
  readonly tickerAppId: number;
  readonly readerIds: readonly number[];
  readonly webhooks: readonly { readonly id: number; readonly actions: readonly string[] }[];
};

/** Creates the apps, people and webhooks of a run. */
export async function buildWorld(
  node: Pick<Sender, 'must'>,
  { model, receiverUrl, random }: { model: Model; receiverUrl: string; random: Random },
): Promise<World> {
  const app = async (uid: string) =>
    Number((await node.must('POST', '/api/apps', { uid, type: 'comments', access: 'write' }))['id']);
  const person = async (uid: string) => {
    const { id } = await node.must('PUT', `/api/users/${uid}`, { name: uid });
    return { id: Number(id), token: await issueToken(node, uid) };
  };
  const sharedAppId = await app('shared');
  const tickerAppId = await app('ticker');
  const readerIds: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id, token } = await person(`reader-${n}`);
    await node.must('POST', `/api/apps/${sharedAppId}/subscribe`, undefined, token);
    readerIds.push(id);
  }
  const writers: Writer[] = [];
  for (let index = 0; index < clientCount; index += 1) {
    const { token } = await person(`writer-${index}`);
    const appIds = [sharedAppId, await app(`home-${index}`), await app(`yard-${index}`)];
    const own = seededRandom(random.integer(0, 2 ** 31));
    writers.push(new Writer(model, { index, token, appIds }, own));
  }
  const webhooks = [];
  for (let n = 0; n < slowWebhooks + 2; n += 1) {
    const isSlow = n < slowWebhooks;
    const actions = isSlow ? ['app_updated'] : ['comment_created', 'comment_updated'];
    const body = { payload_url: `${receiverUrl}/${isSlow ? 'slow' : 'fast'}/${n}`, triggers: actions };
    webhooks.push({ id: Number((await node.must('POST', '/api/webhooks', body))['id']), actions });
  }
  return { writers, sharedAppId, tickerAppId, readerIds, webhooks };
}
