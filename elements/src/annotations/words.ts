/** The text of an element of the page, and where its characters are in the page. */

/** The text below an element. */
export type Words = {
  readonly text: string;
  /** The nodes that it is in, and where each begins in it. */
  readonly nodes: readonly Text[];
  readonly starts: readonly number[];
};

/** What is below these is no text that a reader selects. */
const skipped = /^(?:script|style|noscript|template|textarea|select|iframe|confab-.*)$/;

/** Reads the text below an element. */
export function readWords(root: Element): Words {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && skipped.test(node.localName)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const nodes: Text[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) {
      nodes.push(node);
      starts.push(length);
      parts.push(node.data);
      length += node.data.length;
    }
  return { text: parts.join(''), nodes, starts };
}

/** The part of the page that has some of the text; undefined where the page has changed since it was read. */
export function rangeAt(words: Words, start: number, end: number): Range | undefined {
  const [from, to] = [nodeAt(words, start), nodeAt(words, end - 1)];
  if (from === undefined || to === undefined || !from.node.isConnected || !to.node.isConnected)
    return undefined;
  if (from.offset > from.node.length || to.offset + 1 > to.node.length) return undefined;
  const range = document.createRange();
  range.setStart(from.node, from.offset);
  range.setEnd(to.node, to.offset + 1);
  return range;
}

function nodeAt({ nodes, starts }: Words, at: number): { node: Text; offset: number } | undefined {
  const index = lastIndex(starts.length, (each) => (starts[each] ?? 0) <= at);
  const node = nodes[index];
  return node && { node, offset: at - (starts[index] ?? 0) };
}

/** Where a range of the page begins and ends in the text; undefined where it has none of it. Spaces at its ends are left out. */
export function positionsOf(words: Words, range: Range): { start: number; end: number } | undefined {
  let start = positionOf(words, range.startContainer, range.startOffset);
  let end = positionOf(words, range.endContainer, range.endOffset);
  while (start < end && /\s/.test(words.text.charAt(start))) start += 1;
  while (start < end && /\s/.test(words.text.charAt(end - 1))) end -= 1;
  return start < end ? { start, end } : undefined;
}

function positionOf({ text, nodes, starts }: Words, node: Node, offset: number): number {
  const boundary = document.createRange();
  boundary.setStart(node, offset);
  const index = lastIndex(nodes.length, (each) => boundary.comparePoint(nodes[each] as Text, 0) <= 0);
  const own = nodes[index];
  if (own === node) return (starts[index] ?? 0) + offset;
  return starts[index + 1] ?? text.length;
}

/** The position in the text of the first words that are in an element or behind it. */
export function positionOfElement({ text, nodes, starts }: Words, element: Element): number {
  const index = lastIndex(
    nodes.length,
    (each) => ((nodes[each] as Text).compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0,
  );
  return starts[index + 1] ?? text.length;
}

/** The last of so many items that has something which all before it have; -1 where none has it. */
function lastIndex(count: number, has: (index: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (has(middle)) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
