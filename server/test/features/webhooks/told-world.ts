import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { register } from 'confab-testing/webhooks.ts';
import type { World } from './told-events.ts';

/** Creates what the rows of the told events are tried on; `receiver` is where the webhook sends to. */
export async function makeWorld(server: TestServer, receiver: { readonly url: string }): Promise<World> {
  const [ada, bob] = [(await makeUser(server, {}, 'ada')).token, (await makeUser(server, {}, 'bob')).token];
  const make = async (type: string) => (await makeApp(server, { type, access: 'write' })).id;
  return {
    server,
    ada,
    bob,
    apps: {
      comments: await make('comments'),
      posts: await make('posts'),
      files: await make('files'),
      chat: await make('chat'),
    },
    // Nothing but pings goes there, so that nothing is sent while the log is looked at.
    webhook: (await register(server, { payload_url: `${receiver.url}/pinged`, triggers: ['app_deleted'] }))
      .id,
  };
}
