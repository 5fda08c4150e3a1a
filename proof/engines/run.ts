import type { Suite } from 'confab-testing/harness/suite.ts';
import { type Manner, manners } from '../../elements/test/browser/task-list.ts';
import type { Driver } from './driver.ts';
import { findPlant, plants } from './plants.ts';
import { startChromium, startFirefox } from './puppeteer.ts';
import type { Found } from './table.ts';
import { doTasks } from './tasks.ts';
import { traitsOf } from './traits.ts';
import { startWebKit } from './webkit.ts';

/** What starts each engine. */
export const starts = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit } as const;

/** Has everything be done in one engine, and fails the suite for each task that cannot be. */
export async function runEngine(suite: Suite, start: () => Promise<Driver>): Promise<Found> {
  const driver = await start();
  const { name, version } = driver;
  console.log(`${name} ${version}`);
  const failed = new Map<string, Manner[]>();
  try {
    for (const manner of manners) {
      const begun = performance.now();
      let done = 0;
      await doTasks(driver, manner, (task, fault) => {
        const faults = failed.get(task) ?? [];
        failed.set(task, fault === undefined ? faults : [...faults, manner]);
        if (fault === undefined) done += 1;
        else
          suite.fail(`${name}, by ${manner.way} on a ${manner.screen} in ${manner.language}: ${task}`, [
            fault,
          ]);
      });
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      console.log(
        `${name}, by ${manner.way} on a ${manner.screen} in ${manner.language}: ${done} tasks in ${seconds} s`,
      );
    }
    for (const fault of Object.keys(plants))
      suite.planted(`${fault}, in ${name}`, await findPlant(driver, fault));
    return { name, version, tasks: failed, traits: await traitsOf(driver) };
  } finally {
    await driver.close();
  }
}
