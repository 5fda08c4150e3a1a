import { fileURLToPath } from 'node:url';
import { patienceMs, poll as pollFor } from 'confab-testing/poll.ts';
import { build } from 'esbuild';
import type { Place, Seeking, View } from '../../elements/test/browser/view.ts';
import type { Size, Tab } from './driver.ts';
import type { Step } from './in-page.ts';

/** A page of any engine, as tasks use it: what they look for is found in the page, what they press is pressed by the engine. */

/** The script that finds things in a page. */
export async function bundleOfPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./in-page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Whether what a page does with the elements that steps lead to is of use; `undefined` looks again. */
type Look = {
  <T>(steps: readonly Step[], act: string): Promise<T>;
  /** Looks until something is as it should be. */
  until<T>(what: string, state: () => Promise<T | undefined>): Promise<T>;
};

const described = (steps: readonly Step[]) =>
  steps.map(({ by, ...rest }) => `${by} ${Object.values(rest).join(' ')}`.trim()).join(' > ');

/** How a tab is looked at: by which script, in which size, and how long something is waited for, in milliseconds. */
type Looking = { readonly bundle: string; readonly size: Size; readonly patience?: number };

/** The view of a tab, whose pages know nothing of the suite until it looks at them. */
export function viewOf(tab: Tab, { bundle, size, patience = patienceMs }: Looking): View {
  const look: Look = Object.assign(
    async (steps: readonly Step[], act: string) => {
      const call = `(${act})(confabSuite.find(${JSON.stringify(steps)}), confabSuite)`;
      const found = await tab.evaluate(
        `typeof confabSuite === 'undefined' ? 'unknown' : JSON.stringify(${call}) ?? 'null'`,
      );
      if (found !== 'unknown') return JSON.parse(found);
      await tab.evaluate(`void (() => { ${bundle} })()`);
      return await look(steps, act);
    },
    { until: <T>(what: string, state: () => Promise<T | undefined>) => pollFor(what, state, patience) },
  );
  return {
    ...seek(tab, look, []),
    evaluate: (expression) => tab.evaluate(expression),
    viewportSize: () => size,
    keyboard: {
      press: (keys) => tab.press(keys.split('+')),
      type: (text) => tab.type(text),
    },
  };
}

function seek(tab: Tab, look: Look, steps: readonly Step[]): Seeking {
  const place = (...more: readonly Step[]) => placeOf(tab, look, [...steps, ...more]);
  return {
    locator: (selector, { hasText } = {}) =>
      place(
        { by: 'selector', selector },
        ...(hasText === undefined ? [] : [{ by: 'with text', text: hasText } as const]),
      ),
    getByRole: (role, named = {}) => place({ by: 'role', role, ...named }),
    getByText: (text) => place({ by: 'text', text }),
    getByLabel: (name, options = {}) => place({ by: 'label', name, ...options }),
  };
}

function placeOf(tab: Tab, look: Look, steps: readonly Step[]): Place {
  const name = described(steps);
  const place = (...more: readonly Step[]) => placeOf(tab, look, [...steps, ...more]);

  /** Waits for the one element, and returns what a function of the page makes of it. */
  const one = async <T>(act: string): Promise<T> =>
    await look
      .until(name, async () => {
        const made = await look<readonly [T | null] | number>(
          steps,
          `(found, suite) => found.length === 1 ? [(${act})(found[0], suite)] : found.length`,
        );
        if (Array.isArray(made)) return made as readonly [T];
        if ((made as number) > 1) throw new Error(`there are ${made} of ${name}`);
        return undefined;
      })
      .then(([value]) => value);

  /** The middle of the element, once it stands still and can be pressed. */
  async function target(): Promise<{ x: number; y: number }> {
    let last = { x: Number.NaN, y: Number.NaN, frame: 0 };
    let why = 'it is not there';
    return await look
      .until(name, async () => {
        const [at, frame] = await one<readonly [{ x: number; y: number } | string, number]>(
          '(element, suite) => [suite.target(element), suite.frames()]',
        );
        if (typeof at === 'string') {
          why = at;
          return undefined;
        }
        const stands = at.x === last.x && at.y === last.y;
        if (stands && frame > last.frame + 1) return at;
        if (!stands) last = { ...at, frame };
        return undefined;
      })
      .catch((error: Error) => {
        throw new Error(`${error.message}: ${why}`, { cause: error });
      });
  }

  /** Presses the element, once more where it moved away at that moment. */
  const press = async (act: Tab['click']) => {
    await look.until(`${name} to be pressed`, async () => {
      const { x, y } = await target();
      await act(x, y);
      return (await look<boolean>(steps, '(found, suite) => suite.isMissed()')) ? undefined : true;
    });
  };

  return {
    ...seek(tab, look, steps),
    first: () => place({ by: 'first' }),
    filter: ({ hasText = '' }) => place({ by: 'with text', text: hasText }),
    count: () => look(steps, '(found) => found.length'),
    async waitFor({ state = 'visible' } = {}) {
      await look.until(`${name} to be ${state}`, async () => {
        const seen = await look<readonly boolean[]>(steps, '(found, suite) => found.map(suite.isSeen)');
        if (seen.length > 1) throw new Error(`there are ${seen.length} of ${name}`);
        const is = { attached: seen.length === 1, visible: seen[0] === true };
        const reached = { ...is, detached: !is.attached, hidden: !is.visible };
        return reached[state] || undefined;
      });
    },
    textContent: () => one('(element, suite) => suite.textOf(element)'),
    getAttribute: (attribute) => one(`(element) => element.getAttribute(${JSON.stringify(attribute)})`),
    inputValue: () => one('(element) => element.value'),
    boundingBox: () =>
      one(
        '(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }; }',
      ),
    evaluate: (act) => one(String(act)),
    click: () => press(tab.click),
    tap: () => press(tab.tap),
    selectOption: (value) =>
      one(`(element, suite) => suite.choose(element, ${JSON.stringify(value)}) ?? null`),
    toString: () => name,
  } as Place;
}
