import assert from 'node:assert/strict';
import { poll } from 'confab-testing/poll.ts';
import type { BrowserContextOptions } from 'playwright-core';
import type { Place, View } from './view.ts';

/** The ways in which people use a page. */
export const ways = ['mouse', 'touch', 'keyboard'] as const;
export type Way = (typeof ways)[number];

/** The screens that they use it on. */
export const screens = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 900 }, hasTouch: true },
} satisfies Readonly<Record<string, BrowserContextOptions>>;

/** Somebody who uses a page in one of the ways. */
export type Hands = {
  /** Presses a button, a link or an item of a menu. */
  press(target: Place): Promise<void>;
  /** Goes to a field and types into it, at the end of what is in it. */
  write(field: Place, text: string): Promise<void>;
  /** Chooses an option of a list; with the keyboard by so many steps down or up. */
  choose(list: Place, value: string, steps: number): Promise<void>;
};

/** Longer than a deletion can be undone, in milliseconds. */
export const undoneWithinMs = 8000;

/** The most stops of the Tab key on a page of a test. */
const stopsMax = 400;

/** Somebody who uses a page in one of the ways, and in no other. */
export function handsOf(page: View, way: Way): Hands {
  if (way === 'keyboard') return keyboardOf(page);
  const press = (target: Place) => (way === 'mouse' ? target.click() : target.tap());
  return {
    press,
    async write(field, text) {
      await press(field);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
    },
    // The browser draws the options outside of the page, where no test reaches them.
    choose: async (list, value) => void (await list.selectOption(value)),
  };
}

function keyboardOf(page: View): Hands {
  /** How far down the page the last focus was. People remember it when the button that they pressed has gone. */
  let lastTop = 0;
  const hasFocus = (target: Place) => target.evaluate((element: any) => element.matches(':focus'));

  /** Goes to something by Tab, with Shift where it is before what has the focus, or by the arrow keys in a menu. */
  async function goTo(target: Place): Promise<void> {
    await target.waitFor();
    const isItem = (await target.getAttribute('role')) === 'menuitem';
    const { isBefore, top } = await target.evaluate(whereIs);
    const key = isItem ? 'ArrowDown' : (isBefore ?? top < lastTop) ? 'Shift+Tab' : 'Tab';
    for (let stops = 0; stops < stopsMax; stops += 1) {
      if (await hasFocus(target)) {
        lastTop = (await target.evaluate(whereIs)).top;
        return await assertVisible(page, target);
      }
      await page.keyboard.press(key);
    }
    assert.fail(`${key} does not lead to ${target}`);
  }

  return {
    async press(target) {
      await goTo(target);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await goTo(field);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
    },
    async choose(list, value, steps) {
      await goTo(list);
      for (let step = 0; step < Math.abs(steps); step += 1)
        await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
      await poll('the choice', async () => (await list.inputValue()) === value || undefined);
    },
  };
}

/** How far down the page an element is, and whether it is before what has the focus in its root, if anything has. */
function whereIs(element: any): { readonly isBefore: boolean | null; readonly top: number } {
  const focused = element.getRootNode().activeElement;
  const { DOCUMENT_POSITION_PRECEDING: preceding } = element;
  const isBefore = focused && (focused.compareDocumentPosition(element) & preceding) !== 0;
  return { isBefore, top: element.getBoundingClientRect().top + element.ownerDocument.defaultView.scrollY };
}

/** Whoever goes somewhere by keyboard sees where they are. */
async function assertVisible(page: View, target: Place): Promise<void> {
  const box = await target.boundingBox();
  const size = page.viewportSize();
  assert.ok(box !== null && size !== null);
  const isSeen = box.y + box.height > 0 && box.y < size.height && box.x + box.width > 0 && box.x < size.width;
  assert.ok(isSeen, `${target} has the focus and is not on the screen`);
}
