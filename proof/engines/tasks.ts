import { annotationTasks } from '../../elements/test/browser/annotation-tasks.ts';
import { type Manner, moderating, preparePage, tasks } from '../../elements/test/browser/task-list.ts';
import { userTasks } from '../../elements/test/browser/user-tasks.ts';
import type { Driver } from './driver.ts';
import { startGround, usersOf } from './ground.ts';

/** The tasks of a guest, of users and of a moderator, in each manner, and whether they could be done. */

/** Gets the name of each task and what kept it from being done, if anything did. */
export type Note = (task: string, fault: string | undefined) => void;

/** Calls a task and notes how it ended. */
async function attempt(note: Note, name: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
    note(name, undefined);
  } catch (error) {
    note(name, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** Has every task be done in one manner, on a server of its own. */
export async function doTasks(driver: Driver, manner: Manner, note: Note): Promise<void> {
  await using ground = await startGround(driver);
  const users = await usersOf(ground, manner.way);
  const visit = await preparePage(ground, users, manner);
  for (const [who, list] of [
    ['guest', tasks],
    ['moderator', moderating],
  ] as const) {
    const opened = await visit(who === 'moderator' ? 'mina' : undefined);
    let known = 0;
    let isLost = false;
    for (const [name, task] of Object.entries(list))
      await attempt(note, `${who}: ${name}`, async () => {
        // Each task leaves the page as the next one wants it.
        if (isLost) throw new Error('not tried: a task before it could not be done');
        isLost = true;
        await task(opened.scene);
        isLost = false;
        const faults = await opened.faults();
        const found = faults.slice(known);
        known = faults.length;
        if (found.length > 0) throw new Error(`went wrong in the page: ${found.join('; ')}`);
      });
    await opened.close();
  }
  for (const [name, task] of Object.entries(userTasks))
    await attempt(note, `user: ${name}`, () => task(users));
  for (const [name, task] of Object.entries(annotationTasks))
    await attempt(note, `reader: ${name}`, () => task({ ...users, manner }));
}
