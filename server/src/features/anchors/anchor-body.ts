import {
  type Anchor,
  anchorLimits,
  type Selector,
  type SelectorType,
  selectorTypes,
} from 'confab-contract/anchors.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { isLongerThan } from 'confab-contract/values/characters.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { Faults } from '../../kernel/faults.ts';
import { svgFault } from './svg.ts';

/**
 * Anchors are the places in documents, pictures and tables that threads belong to. Their selectors are checked against the
 * Web Annotation Data Model when they are written and kept as JSON, which lists show without reading it. Nothing here looks
 * into a document.
 */

/** The columns of an entry that have its anchor. */
export type AnchorColumns = Pick<EntryRow, 'anchor' | 'anchorKey'>;

/** The columns of an entry without an anchor. */
export const noAnchor: AnchorColumns = { anchor: null, anchorKey: null };

/** Throws `validation_failed` for an anchor in a comment that answers another one, whose id is given. */
export function assertRoot(answeredId: number | null | undefined): void {
  if (answeredId !== null && answeredId !== undefined)
    throw invalidField('/anchor', 'reply', 'can only be in a comment that replies to none');
}

/** The columns of an anchor of the right JSON types. Throws `validation_failed` with the pointer of each wrong value. */
export function readAnchor({ key: given, selector }: Anchor): AnchorColumns {
  const faults = new Faults();
  const key = given?.trim();
  if (key === undefined && selector === undefined)
    faults.add(() => ({
      pointer: '/anchor/key',
      code: 'required',
      message: 'is required, or `selector` is',
    }));
  const selectors = selector?.map((each, index) =>
    readSelector(each, { at: `/anchor/selector/${index}`, depth: 1, faults }),
  );
  const anchor = JSON.stringify({ key, selector: selectors });
  if (Buffer.byteLength(anchor) > anchorLimits.bytesMax)
    faults.add(() => ({
      pointer: '/anchor',
      code: 'too_long',
      message: `must have at most ${anchorLimits.bytesMax} bytes as JSON`,
    }));
  if (faults.count > 0) throw faults.problem('validation_failed');
  return { anchor, anchorKey: key ?? null };
}

/**
 * The quotes of the selectors of an anchor, at any depth, which readers see where the document has changed. Rules judge them
 * like the text, so that nobody hides words in them.
 */
export function quotesOf({ anchor }: Pick<AnchorColumns, 'anchor'>): string[] {
  if (anchor === null) return [];
  const { selector = [] } = JSON.parse(anchor) as Anchor;
  return selector.flatMap(quotesIn);
}

function quotesIn(selector: Selector): string[] {
  const inner = innerNames.flatMap((name) => (selector[name] as Selector | undefined) ?? []);
  const { prefix, exact, suffix } = selector;
  return [...[prefix, exact, suffix].filter((text) => text !== undefined), ...inner.flatMap(quotesIn)];
}

/** The properties of each kind: those that it must have, and those that it may have. */
const properties = {
  TextQuoteSelector: { needs: ['exact'], takes: ['prefix', 'suffix'] },
  TextPositionSelector: { needs: ['start', 'end'], takes: [] },
  FragmentSelector: { needs: ['value'], takes: ['conformsTo'] },
  CssSelector: { needs: ['value'], takes: [] },
  XPathSelector: { needs: ['value'], takes: [] },
  SvgSelector: { needs: ['value'], takes: [] },
  RangeSelector: { needs: ['startSelector', 'endSelector'], takes: [] },
} as const satisfies Record<
  SelectorType,
  { readonly needs: readonly (keyof Selector)[]; readonly takes: readonly (keyof Selector)[] }
>;

const innerNames = ['startSelector', 'endSelector', 'refinedBy'] as const;

/** Where a selector is: its pointer, how deep it is, and the faults so far. */
type Place = { readonly at: string; readonly depth: number; readonly faults: Faults };

/** A selector with its properties in one order. */
function readSelector(selector: Selector, { at, depth, faults }: Place): object {
  const { type } = selector;
  const { needs, takes } = properties[type];
  const own: readonly (keyof Selector)[] = [...needs, ...takes, 'refinedBy'];
  const read: Record<string, unknown> = { type };
  for (const name of needs)
    if (selector[name] === undefined)
      faults.add(() => ({ pointer: `${at}/${name}`, code: 'required', message: `is required in a ${type}` }));
  for (const name of Object.keys(selector) as (keyof Selector)[])
    if (name !== 'type' && !own.includes(name))
      faults.add(() => ({
        pointer: `${at}/${name}`,
        code: 'not_allowed',
        message: `cannot be in a ${type}`,
      }));
  for (const name of own) if (selector[name] !== undefined) read[name] = selector[name];
  for (const name of innerNames) {
    if (read[name] === undefined) continue;
    const place = { at: `${at}/${name}`, depth: depth + 1, faults };
    read[name] = readInner(selector[name] as Selector, { ...place, outer: type, name });
  }
  for (const [name, code, message] of faultsOf(selector))
    faults.add(() => ({ pointer: `${at}/${name}`, code, message }));
  return read;
}

/** A selector inside another one. */
function readInner(
  selector: Selector,
  { outer, name, ...place }: Place & { readonly outer: SelectorType; readonly name: string },
): object | undefined {
  const { at, depth, faults } = place;
  if (depth > anchorLimits.depthMax) {
    const message = `is nested too deep: at most ${anchorLimits.depthMax} selectors are within each other`;
    faults.add(() => ({ pointer: at, code: 'too_deep', message }));
    return undefined;
  }
  if (outer === 'RangeSelector' && name !== 'refinedBy' && selector.type === 'RangeSelector') {
    const kinds = selectorTypes.filter((type) => type !== 'RangeSelector').join(', ');
    faults.add(() => ({ pointer: `${at}/type`, code: 'enum', message: `must be one of ${kinds}` }));
    return undefined;
  }
  return readSelector(selector, place);
}

type Fault = readonly [name: keyof Selector, code: string, message: string];

/** The faults of the values of one selector. */
function faultsOf({ type, start, end, value, conformsTo }: Selector): Fault[] {
  const faults: Fault[] = [];
  if (start !== undefined && end !== undefined && end < start)
    faults.push(['end', 'minimum', 'must not be before `start`']);
  if (conformsTo !== undefined && !/^https?:$/.test(URL.parse(conformsTo)?.protocol ?? ''))
    faults.push(['conformsTo', 'url', 'must be an address with http or https']);
  if (value === undefined) return faults;
  const { valueCharactersMax } = anchorLimits;
  if (type !== 'SvgSelector' && isLongerThan(value, valueCharactersMax))
    faults.push(['value', 'maxlength', `must have at most ${valueCharactersMax} characters`]);
  const ofSvg = type === 'SvgSelector' ? svgFault(value) : undefined;
  if (ofSvg !== undefined) faults.push(['value', 'svg', ofSvg]);
  return faults;
}
