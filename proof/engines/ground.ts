import { pageUid } from 'confab-contract/values/page-uid.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { handsOf, type Way } from '../../elements/test/browser/hands.ts';
import { guests, type Opening, serveElements } from '../../elements/test/browser/page.ts';
import type { Ground } from '../../elements/test/browser/task-list.ts';
import type { Users, Visited } from '../../elements/test/browser/user-tasks.ts';
import type { View } from '../../elements/test/browser/view.ts';
import type { Driver, Size, Tab } from './driver.ts';
import { probe } from './probe.ts';
import { bundleOfPage, viewOf } from './view.ts';

/** A page that is open in an engine. */
type Opened = {
  readonly page: View;
  /** What went wrong in it since it was loaded. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** How a ground is started. */
type Starting = {
  /** A script that pages run first, and which breaks something in them. */
  readonly plant?: string;
  /** How long something is waited for in a page, in milliseconds. */
  readonly patience?: number;
};

/** A site, a server of its own, and an engine that opens pages of the site. */
export type EngineGround = Ground<Opened> & AsyncDisposable;

const desktop: Size = { width: 1280, height: 900 };

/** Starts what the tasks of one engine need. */
export async function startGround(
  driver: Driver,
  { plant = '', patience }: Starting = {},
): Promise<EngineGround> {
  const host = await startHost();
  const server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url, ...guests });
  const bundle = await bundleOfPage();
  const script = host.serve('/probe.js', { type: 'text/javascript', body: `${probe}\n${plant}` });
  return {
    host,
    server,
    async appFor(path, fields = {}) {
      const uid = pageUid(host.url + path);
      return (await makeApp(server, { uid, access: 'write', visitors: 'read', ...fields })).id;
    },
    async open(opening = {}) {
      const tab = await driver.openTab(opening.viewport ?? desktop);
      await keep(tab, host, opening.storageState);
      await tab.goTo(serveElements({ host, server }, { ...opening, script }));
      const [width, height] = await tab.evaluate('[innerWidth, innerHeight]');
      const looking = { bundle, size: { width, height }, ...(patience === undefined ? {} : { patience }) };
      return {
        page: viewOf(tab, looking),
        // A page that was followed to from here has no probe.
        faults: () => tab.evaluate('globalThis.confabFaults ?? []'),
        close: () => tab.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await host.close();
    },
  };
}

/** Puts into the storage of a tab what a browser has kept for the site. */
async function keep(tab: Tab, host: Host, storage: Opening['storageState']): Promise<void> {
  if (typeof storage !== 'object') return;
  const empty = { type: 'text/html', body: '<!doctype html><title>empty</title>' };
  await tab.goTo(host.serve('/empty', empty));
  for (const { name, value } of storage.origins.flatMap(({ localStorage }) => localStorage))
    await tab.evaluate(`localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)}) ?? null`);
}

/** The users of a ground, who do everything in one way. */
export async function usersOf(ground: EngineGround, way: Way): Promise<Users> {
  const { server } = ground;
  const [ada, mina, bea] = [
    await makeUser(server, { name: 'Ada' }),
    await makeUser(server, { name: 'Mina' }),
    await makeUser(server, { name: 'Bea' }),
  ];
  return {
    ...ground,
    ...{ ada, mina, bea },
    async open(opening): Promise<Visited> {
      const { page, faults, close } = await ground.open(opening);
      return {
        page,
        hands: handsOf(page, way),
        async leave() {
          const found = await faults();
          await close();
          if (found.length > 0) throw new Error(`went wrong in the page: ${found.join('; ')}`);
        },
      };
    },
  };
}
