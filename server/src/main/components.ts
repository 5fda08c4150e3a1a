import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createDemo } from '../features/demo/demo.ts';
import { bindDemo } from '../http/demo/demo.ts';
import { bindElements } from '../http/elements/elements.ts';
import { findKits } from '../http/kit/installed.ts';
import { bindKit } from '../http/kit/kit.ts';
import type { Http } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** Serves the web components, and the demo with them, which it returns unless it is off. */
export async function bindComponents(
  http: Http,
  {
    config,
    db,
    clock,
    log,
    publicUrl,
  }: { config: Config; db: Db; clock: Clock; log: Log; publicUrl: () => string },
) {
  const kits = findKits(config.kit);
  bindKit(http, { kits, log });
  bindElements(http);
  if (config.demo === 'off') return undefined;
  const demo = createDemo({ db, clock });
  bindDemo(http, { kits, isLocal: config.demo === 'here', publicUrl, token: demo.token });
  await demo.prepare();
  return demo;
}
