import Type, { type Static } from 'typebox';
import { count, described, limits, string } from './fields.ts';
import { operationsOf } from './operation.ts';

/**
 * Anchors: the place in a document, a picture or a table that a thread belongs to. The selectors are those of the Web
 * Annotation Data Model (https://www.w3.org/TR/annotation-model/#selectors); the server checks and keeps them, and looks
 * into no document.
 */

const o = Type.Optional;

/** Limits of anchors, with their units. */
export const anchorLimits = {
  keyCharactersMax: 256,
  selectorsMax: 8,
  exactCharactersMax: 4096,
  contextCharactersMax: 256,
  valueCharactersMax: 1024,
  svgCharactersMax: 8192,
  /** How many selectors are within each other: a selector, one that refines it, and one that refines that. */
  depthMax: 3,
  bytesMax: 16 * 1024,
  /** More threads of one key than this are not counted. */
  countMax: 1000,
  keysMax: limits.topMax,
} as const;

/** The kinds of selectors. */
export const selectorTypes = [
  'TextQuoteSelector',
  'TextPositionSelector',
  'FragmentSelector',
  'CssSelector',
  'XPathSelector',
  'SvgSelector',
  'RangeSelector',
] as const;
/** One of them. */
export type SelectorType = (typeof selectorTypes)[number];

/** A selector inside another one, whose schema cannot refer to itself. */
const inner = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', format: 'selector', description });

const position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const Selector = Type.Object(
  {
    type: Type.Unsafe<SelectorType>({
      type: 'string',
      enum: [...selectorTypes],
      description: 'The kind of selector, which decides about the other properties.',
    }),
    exact: o(
      Type.String({
        minLength: 1,
        maxLength: anchorLimits.exactCharactersMax,
        description: 'The text of a `TextQuoteSelector`.',
      }),
    ),
    prefix: o(
      Type.String({
        maxLength: anchorLimits.contextCharactersMax,
        description: 'Text immediately before `exact`.',
      }),
    ),
    suffix: o(
      Type.String({
        maxLength: anchorLimits.contextCharactersMax,
        description: 'Text immediately after `exact`.',
      }),
    ),
    start: o(position('Where a `TextPositionSelector` begins, from 0.')),
    end: o(position('Where it ends: the position after its last character.')),
    value: o(
      Type.String({
        minLength: 1,
        maxLength: anchorLimits.svgCharactersMax,
        description: `The text of a \`FragmentSelector\`, \`CssSelector\` or \`XPathSelector\`, at most ${anchorLimits.valueCharactersMax} characters; of an \`SvgSelector\`, one \`svg\` element with shapes (\`g\`, \`path\`, \`rect\`, \`circle\`, \`ellipse\`, \`line\`, \`polygon\`, \`polyline\`) that have geometric attributes only.`,
      }),
    ),
    conformsTo: o(
      Type.String({
        maxLength: anchorLimits.valueCharactersMax,
        description: 'The address (http or https) of the syntax of a `FragmentSelector`.',
      }),
    ),
    startSelector: o(inner('Where a `RangeSelector` begins: a selector of another kind.')),
    endSelector: o(inner('Where it ends, which is not in the range: a selector of another kind.')),
    refinedBy: o(
      inner(
        `A selector within what this one selects. At most ${anchorLimits.depthMax} are within each other.`,
      ),
    ),
  },
  { $id: 'Selector', description: 'A selector of the Web Annotation Data Model.' },
);
export type Selector = Static<typeof Selector>;

/** A key of an anchor: 1 to 256 characters, not blank, without control characters. */
const Key = Type.String({
  minLength: 1,
  maxLength: anchorLimits.keyCharactersMax,
  format: 'anchor-key',
  description:
    'A name that the host product gives the place, such as the id of a cell: at most 256 characters without control characters. Spaces around it are removed.',
  examples: ['row-7/price'],
});

export const Anchor = Type.Object(
  {
    key: o(Key),
    selector: o(
      Type.Array(Selector, {
        minItems: 1,
        maxItems: anchorLimits.selectorsMax,
        description: 'Ways to find the place, the best first.',
      }),
    ),
  },
  {
    $id: 'Anchor',
    description: `The place that a thread belongs to: a key, selectors, or both; at most ${anchorLimits.bytesMax / 1024} KiB as JSON.`,
  },
);
export type Anchor = Static<typeof Anchor>;

/** The field of a comment. */
export const anchorFields = {
  anchor: o(
    described(Anchor, 'The place that its thread belongs to. Only in a comment that replies to none.'),
  ),
};

/** The field of a request that creates or changes a comment. */
export const anchorInput = {
  anchor: o(
    described(Anchor, 'The place that the thread belongs to: `key`, `selector` or both. A reply has none.'),
  ),
};

/** The filter of a list of comments. */
export const anchorQuery = {
  anchor: o(
    string(
      'Lists the threads with this `key` in their `anchor`: the comments that reply to none, by id. The key is compared exactly, as a tag is.',
    ),
  ),
};

const AnchorCounts = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          key: string('The key, as it was asked for.'),
          count: count(
            `How many threads with the key are neither in the trash nor held. At most ${anchorLimits.countMax}, which stands for that many or more.`,
          ),
          open_count: count(
            `How many of these are not resolved; beyond ${anchorLimits.countMax}, how many of the newest ${anchorLimits.countMax}.`,
          ),
        },
        { $id: 'AnchorCount', description: 'How many threads have a key.' },
      ),
      { description: 'The keys: in the order of the request, or else sorted.' },
    ),
  },
  { $id: 'AnchorCounts', description: 'How many threads have some keys.' },
);

export const anchorOperations = operationsOf('Comments', {
  listAnchors: {
    method: 'GET',
    path: '/api/apps/{app}/anchors',
    summary: 'Counts the threads of an app by the keys of their anchors.',
    description:
      'Without `key` it lists the keys that threads of the app have, sorted by their code points; the next page begins after the last key of the one before. A key without threads has the count 0, and more than 100 keys are ignored.',
    caller: 'any',
    on: { app: 'read', absent: 'asked' },
    effect: 'read',
    query: Type.Object({
      key: o(
        Type.Array(Type.String({ format: 'anchor-key' }), {
          maxItems: anchorLimits.keysMax,
          description: 'A key to count. Send the parameter once for each key.',
        }),
      ),
      after: o(string('The key after which the list begins. Without `key` only.')),
      top: o(
        Type.Integer({
          minimum: 1,
          maximum: limits.topMax,
          description: `The most keys to list, 1 to ${limits.topMax}; ${limits.topDefault} where it is absent.`,
        }),
      ),
      page: o(
        Type.Boolean({
          description:
            '`true` asks for the keys of a page that perhaps nobody has opened yet: where the caller sees no such app, each count is 0, in place of 401 or 404. The default is false.',
        }),
      ),
    }),
    success: { 200: AnchorCounts },
    visitors: AnchorCounts,
    errors: [401, 404],
  },
});
