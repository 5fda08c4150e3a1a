/**
 * Keeps the place of what is read while comments change by themselves. The scroll anchoring of browsers holds the first node
 * of the window, and so lets everything below a change on the screen move. What is read is the first comment that begins on
 * the screen.
 */

/**
 * Is called before a change is drawn, which is in the same task. When it is drawn, scrolls what contains the list by as much as the
 * comment that is read has moved, before anybody sees it. Nothing is scrolled while the list begins on the screen: somebody
 * may be reading what is above it.
 */
export async function keepPlace(root: ParentNode, drawn: Promise<void>): Promise<void> {
  const article = readArticle(root);
  if (article === undefined) return;
  const { top } = article.getBoundingClientRect();
  await drawn;
  if (!article.isConnected) return;
  const moved = article.getBoundingClientRect().top - top;
  // The browser forgets its own anchor when a script scrolls, so nothing is corrected twice.
  if (moved !== 0) scrollerOf(article).scrollBy({ top: moved, behavior: 'instant' });
}

/** The first comment that begins on the screen, where the list begins above the screen. */
function readArticle(root: ParentNode): Element | undefined {
  const rows = [...root.querySelectorAll('.threads > li')];
  if (!((rows[0]?.getBoundingClientRect().top ?? 0) < 0)) return undefined;
  for (const row of rows) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= innerHeight) return undefined;
    if (bottom <= 0) continue;
    for (const article of row.querySelectorAll('article')) {
      const { top: begin, height } = article.getBoundingClientRect();
      if (height > 0 && begin >= 0) return begin < innerHeight ? article : undefined;
    }
  }
  return undefined;
}

/** What scrolls an element: the nearest element around it that does, or the window. */
function scrollerOf(element: Element): Element {
  const page = document.scrollingElement ?? document.documentElement;
  for (let each: Element | null = element; each !== null && each !== page; each = aroundOf(each))
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return each;
  return page;
}

function aroundOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
