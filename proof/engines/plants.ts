import { manners, preparePage, tasks } from '../../elements/test/browser/task-list.ts';
import type { Driver } from './driver.ts';
import { startGround, usersOf } from './ground.ts';

/** Faults of an element in one engine alone, each a script that pages run first, and the task that finds it. */
export const plants: { readonly [fault: string]: readonly [task: string, plant: string] } = {
  'a button that does nothing': [
    'see more comments',
    `addEventListener('click', (event) => event.stopImmediatePropagation(), true);`,
  ],
  'something above what is pressed': [
    'see more comments',
    `addEventListener('load', () => {
      const cover = document.createElement('dialog');
      document.body.append(cover);
      cover.showModal();
    });`,
  ],
  'an exception that nobody sees': [
    'read',
    `customElements.whenDefined('confab-comments').then(() => { throw new Error('planted'); });`,
  ],
  'a style that the policy of the page refuses': [
    'read',
    `addEventListener('load', () => document.body.insertAdjacentElement('beforeend',
      Object.assign(document.createElement('style'), { textContent: 'p { color: red }' })));`,
  ],
};

/** How long something is waited for that never comes, in milliseconds. */
const patience = 5000;

/** What kept a task from being done with a plant, if anything did. */
export async function findPlant(driver: Driver, fault: string): Promise<string | undefined> {
  const [name = '', plant = ''] = plants[fault] ?? [];
  await using ground = await startGround(driver, { plant, patience });
  const [manner] = manners;
  const visit = await preparePage(ground, await usersOf(ground, manner.way), manner);
  const { scene, faults, close } = await visit();
  try {
    await tasks[name]?.(scene);
    return (await faults())[0];
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}
