import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { usePeople } from 'confab-testing/fixtures.ts';
import { before } from 'confab-testing/server.ts';
import { handsOf } from './hands.ts';
import { type ElementPage, guests, useWorld } from './page.ts';
import { moderating, preparePage, tasks } from './task-list.ts';
import { type Users, userTasks } from './user-tasks.ts';

type Visits = Awaited<ReturnType<typeof preparePage<ElementPage>>>;

// Each task of the elements can be done, by mouse on a desktop. The other files try them in all ways and under all conditions.
describe('the tasks of the elements', () => {
  const world = useWorld(guests);
  const [ada, mina, bea] = usePeople(world.server, 'Ada', 'Mina', 'Bea');

  describe('in <confab-comments>', () => {
    let visit: Visits;
    let opened: Awaited<ReturnType<Visits>>;

    /** Has each task be done on one page, opened by a visitor or by Mina. */
    function allOf(list: typeof tasks, as?: 'mina'): void {
      before(async () => {
        visit ??= await preparePage(
          world,
          { ada, mina },
          { way: 'mouse', screen: 'desktop', language: 'en' },
        );
        opened = await visit(as);
      });
      for (const [name, task] of Object.entries(list))
        test(name, async () => {
          await task(opened.scene);
          assert.deepEqual(opened.faults, []);
        });
      after(() => opened.context.close());
    }

    describe('as a visitor', () => allOf(tasks));
    describe('as a moderator', () => allOf(moderating, 'mina'));
  });

  describe('as a user of a product', () => {
    const found: string[] = [];
    const users: Users = {
      ...world,
      ada,
      mina,
      bea,
      async open(opening) {
        const { page, faults, context } = await world.open(opening);
        const leave = async () => {
          found.push(...faults);
          await context.close();
        };
        return { page, hands: handsOf(page, 'mouse'), leave };
      },
    };
    for (const [name, task] of Object.entries(userTasks))
      test(name, async () => {
        await task(users);
        assert.deepEqual(found.splice(0), []);
      });
  });
});
