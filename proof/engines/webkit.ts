import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { Builder, Capabilities, Key, Origin, type WebDriver } from 'selenium-webdriver';
import type { Driver, Size, Tab } from './driver.ts';

/** WebKitGTK, by WebDriver. Its browser draws on a screen, so it gets one of its own that nobody sees. */

const screen = { width: 1600, height: 1200 };

/** The keys that are no letters, by the names of `KeyboardEvent.key`. */
const keys: Readonly<Record<string, string>> = {
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  Control: Key.CONTROL,
  End: Key.END,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Shift: Key.SHIFT,
  Tab: Key.TAB,
};

async function startScreen(): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  const mode = `${screen.width}x${screen.height}x24`;
  const child = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', mode], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  return { process: child, display: `:${String(said).trim()}` };
}

/** Starts the driver of WebKitGTK, and a screen. */
export async function startWebKit(): Promise<Driver> {
  const { process: xvfb, display } = await startScreen();
  const port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display },
  });
  const url = `http://127.0.0.1:${port}`;
  await poll('WebKitWebDriver', async () => {
    const answer = await fetch(`${url}/status`).catch(() => undefined);
    return answer?.ok || undefined;
  });
  const open = () =>
    new Builder()
      .usingServer(url)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
      .build();
  const first = await open();
  const version = String((await first.getCapabilities()).get('browserVersion'));
  await first.quit();
  let tab: Tab | undefined;
  return {
    name: 'WebKitGTK',
    version,
    // It runs one session at a time, which has no storage of an earlier one. A task that fails leaves its own.
    async openTab(size) {
      await tab?.close();
      tab = await tabOf(await open(), size);
      return tab;
    },
    async close() {
      await tab?.close();
      child.kill();
      xvfb.kill();
    },
  };
}

async function tabOf(session: WebDriver, { width, height }: Size): Promise<Tab> {
  // Without a window manager, the window below the pointer has the focus, and the pointer is in the middle of the screen.
  const resize = async (outer: number) => {
    const [x, y] = [Math.round((screen.width - width) / 2), Math.round((screen.height - outer) / 2)];
    await session.manage().window().setRect({ x, y, width, height: outer });
  };
  await resize(height);
  const inner = Number(await session.executeScript('return innerHeight'));
  // With what the bars of the window take.
  await resize(2 * height - inner);
  let isOpen = true;
  const point = async (x: number, y: number) =>
    await session
      .actions()
      .move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 0 })
      .press()
      .release()
      .perform();
  return {
    goTo: (url) => session.get(url),
    evaluate: (expression) => session.executeScript(`return (${expression})`),
    click: point,
    tap: point,
    async press(names) {
      const actions = session.actions();
      const pressed = names.map((name) => keys[name] ?? name);
      for (const key of pressed) actions.keyDown(key);
      for (const key of pressed.toReversed()) actions.keyUp(key);
      await actions.perform();
    },
    type: (text) => session.actions().sendKeys(text).perform(),
    async close() {
      if (isOpen) await session.quit();
      isOpen = false;
    },
  };
}
