import type { Anchor } from './anchors.ts';
import type { Desk, View } from './desk.ts';
import { isIn } from './marking.ts';
import { isPicture, keyAttribute, type Spot } from './places.ts';
import { markShown, shownOf } from './shown.ts';
import type { ConfabAnnotationThread } from './thread.ts';

/** How threads are opened, by a click, by a key or by the address of the page, and begun. */

/** A click on what has comments opens them, unless it was for a link or ends a selection. */
export function click(desk: Desk, event: MouseEvent): void {
  const { places } = desk;
  const target = event.target as Element;
  if (places === undefined || target.closest('a[href], button, input, select, textarea, summary')) return;
  if (getSelection()?.isCollapsed === false) return;
  const { clientX: x, clientY: y } = event;
  const here = shownOf(desk).filter(({ id }) => {
    const range = places.spot(id)?.range;
    return range !== undefined && isIn(range, x, y);
  });
  if (here.length > 0)
    return void open(
      desk,
      here.map(({ id }) => id),
    );
  const picture = target.closest(`[${keyAttribute}]`);
  if (picture === null || !isPicture(picture) || !desk.roots?.isWritable()) return;
  const { left, top, width, height } = picture.getBoundingClientRect();
  begin(desk, { element: picture, point: { x: (x - left) / width, y: (y - top) / height } });
}

/** Opens threads of one place. */
export async function open(desk: Desk, ids: readonly number[]): Promise<void> {
  const spot = desk.places?.spot(ids[0] ?? 0) ?? {};
  const box = spot.range ?? spot.element;
  const { top = 0, bottom = 0 } = box?.getBoundingClientRect() ?? {};
  if (box !== undefined && (top < 0 || bottom > innerHeight * 0.5))
    (spot.element ?? spot.range?.startContainer.parentElement)?.scrollIntoView({ block: 'start' });
  await show(desk, { thread: await threadOf(desk, { ids, anchor: undefined }), spot });
}

/** Begins a thread about a range of the content, or an element of it. */
export function begin(desk: Desk, spot: Spot): void {
  const anchor = anchorOf(desk, spot);
  if (anchor === undefined) return;
  void threadOf(desk, { ids: [], anchor }).then((thread) => show(desk, { thread, spot }));
}

function anchorOf(desk: Desk, { range, element, point }: Spot): Anchor | undefined {
  if (element !== undefined) return desk.places?.anchorOfElement(element, point);
  const anchor = range && desk.places?.anchorOf(range);
  if (anchor === 'long') desk.spoken = desk.t('quoteTooLong');
  return anchor === 'long' ? undefined : anchor;
}

async function threadOf(
  desk: Desk,
  of: Pick<ConfabAnnotationThread, 'ids' | 'anchor'>,
): Promise<ConfabAnnotationThread> {
  await import('./thread.ts');
  const thread = document.createElement('confab-annotation-thread') as ConfabAnnotationThread;
  const { host, roots } = desk;
  for (const name of ['server', 'app', 'uid', 'token-url', 'lang']) {
    const value = host.getAttribute(name);
    if (value !== null) thread.setAttribute(name, value);
  }
  Object.assign(thread, of, { roots, texts: host.texts, getToken: host.getToken });
  return thread;
}

/** Shows something in the panel, and moves the focus there. */
export async function show(desk: Desk, view: View): Promise<void> {
  if (desk.view === undefined) desk.opener = deepActive();
  desk.selecting?.hide();
  desk.view = view;
  markShown(desk);
  await desk.redraw();
  const dialog = desk.root.querySelector<HTMLElement>('.panel');
  const field = 'thread' in view && view.thread.anchor !== undefined ? await fieldOf(view.thread) : null;
  (field ?? dialog)?.focus({ preventScroll: true });
}

/** Closes the panel; the focus goes back to where it was. */
export function close(desk: Desk): void {
  desk.view = undefined;
  markShown(desk);
  const before = desk.opener;
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
  else void desk.redraw().then(() => desk.root.querySelector<HTMLElement>('.opener')?.focus());
}

/** Goes to the next place with comments, or the one before. */
export function step(desk: Desk, by: 1 | -1): void {
  const all = shownOf(desk);
  if (all.length === 0) return;
  const { view } = desk;
  const now =
    view && 'thread' in view ? all.findIndex(({ id }) => view.thread.ids.includes(id)) : by > 0 ? -1 : 0;
  const next = all[(now + by + all.length) % all.length];
  if (next !== undefined) void open(desk, [next.id]);
}

/** Opens the thread that the address of the page names, where it is one of these. */
export async function followHash(desk: Desk): Promise<void> {
  const id = Number(/^#comment-(\d+)$/.exec(location.hash)?.[1]);
  if (desk.roots?.get(id) === undefined) return;
  await desk.places?.placed();
  if (desk.roots.get(id)?.resolved_at !== undefined) desk.filter = 'all';
  await open(desk, [id]);
}

/** What has the focus, also within shadow roots. */
function deepActive(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** The field of a thread that is being written, once it is drawn. */
async function fieldOf(thread: HTMLElement): Promise<HTMLElement | null> {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const field = thread.shadowRoot?.querySelector('textarea');
    if (field) return field;
    await new Promise(requestAnimationFrame);
  }
  return null;
}
const turnsMax = 120;
