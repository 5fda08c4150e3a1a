/** Where a text field has a character, which browsers do not say: its text is laid out anew as that of a block. */

/** What decides where the characters of a field are. */
const copied = [
  'border-style',
  'border-width',
  'box-sizing',
  'direction',
  'font',
  'letter-spacing',
  'line-height',
  'padding',
  'text-align',
  'text-indent',
  'width',
  'word-spacing',
];

/** Where the line of a character of a field begins and ends, in pixels from the corner of what the field lies in. */
function lineOf(field: HTMLTextAreaElement, at: number) {
  const copy = document.createElement('div');
  const known = getComputedStyle(field);
  for (const name of copied) copy.style.setProperty(name, known.getPropertyValue(name));
  const hidden = { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre-wrap', top: '0' };
  Object.assign(copy.style, hidden);
  const mark = document.createElement('span');
  mark.textContent = field.value.slice(at);
  copy.append(field.value.slice(0, at), mark);
  field.after(copy);
  const { left, right, top, bottom } = mark.getClientRects()[0] ?? mark.getBoundingClientRect();
  const from = copy.getBoundingClientRect();
  copy.remove();
  const x = field.offsetLeft - from.left;
  const y = field.offsetTop - field.scrollTop - from.top;
  const isReversed = known.direction === 'rtl';
  return { left: left + x, right: right + x, top: top + y, bottom: bottom + y, isReversed };
}

/** Puts a list at a character of a field, below its line, or above where there is more place. */
export function placeAt(list: HTMLElement, field: HTMLTextAreaElement, at: number): void {
  const around = list.offsetParent;
  if (around === null) return;
  const line = lineOf(field, at);
  const { offsetWidth: width, offsetHeight: height } = list;
  const start = line.isReversed ? line.right - width : line.left;
  const { top } = around.getBoundingClientRect();
  const isAbove = top + line.bottom + height > innerHeight && top + line.top > height;
  list.style.left = `${Math.max(0, Math.min(start, around.clientWidth - width))}px`;
  list.style.top = `${isAbove ? line.top - height : line.bottom}px`;
}
