import { saxes } from '../../kernel/packages.ts';

/**
 * The check of an `SvgSelector`: one `svg` element with shapes, which have geometric attributes and nothing else. What an
 * SVG can do besides (scripts, styles, links, entities, text) has no place here, so that a client may draw it.
 */

const elements: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polygon',
  'polyline',
]);

const numbers = /^[\d\seE+.,%-]*$/;
const path = /^[\d\sMmZzLlHhVvCcSsQqTtAaeE+.,-]*$/;
const functions: ReadonlySet<string> = new Set([
  ...['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY'],
  ...['e', 'E'],
]);
const namespace = 'http://www.w3.org/2000/svg';

function isTransform(value: string): boolean {
  return (
    /^[\w\s(),.+-]*$/.test(value) && (value.match(/[A-Za-z_]+/g) ?? []).every((word) => functions.has(word))
  );
}

/** The attributes, and whether they may have a value. */
const attributes = new Map<string, (value: string) => boolean>([
  ...[
    ...['x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2'],
    ...['points', 'viewBox', 'pathLength'],
  ].map((name) => [name, (value: string) => numbers.test(value)] as const),
  ['d', (value) => path.test(value)],
  ['transform', isTransform],
  ['xmlns', (value) => value === namespace],
]);

/** The most levels of elements. Shapes need two, and a few groups. */
const depthMax = 8;

/** What is wrong with a text of at most a few thousand characters, to follow the name of its field; undefined for nothing. */
export function svgFault(text: string): string | undefined {
  // Refused before they are read: neither an entity nor a declaration has a use among shapes.
  if (/[&]|<[!?]/.test(text)) return 'must have neither entities, comments nor declarations';
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return error instanceof SvgError ? error.message : 'must be one svg element of well-formed XML';
  }
}

class SvgError extends Error {}

/** Throws for anything but shapes. */
function parse(text: string): void {
  const parser = new (saxes().SaxesParser)();
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes: given }) => {
    depth += 1;
    if (depth > depthMax) throw new SvgError(`must have at most ${depthMax} elements within each other`);
    if (!elements.has(name) || (name === 'svg') !== (depth === 1))
      throw new SvgError(
        'must be one svg element with shapes (g, path, rect, circle, ellipse, line, polygon, polyline)',
      );
    for (const [attribute, value] of Object.entries(given))
      if (attributes.get(attribute)?.(value) !== true)
        throw new SvgError('must have geometric attributes with numbers only');
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.on('text', (words) => {
    if (words.trim() !== '') throw new SvgError('must have no text');
  });
  parser.write(text).close();
}
