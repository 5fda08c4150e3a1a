import { type Call, Refusal, type Reply, type State } from './wrong-state.ts';

type Json = any;

/** How a list finds, orders and shows its things. */
export type Listing = {
  /** The text in which `q` looks for words. */
  readonly text: (item: Json) => string;
  readonly show: (item: Json) => Json;
  readonly isNewestFirst?: boolean;
};

/** Answers a list of things with the parameters that all lists have. */
export function list(state: State, items: readonly Json[], call: Call, listing: Listing): Reply {
  const { query } = call;
  const found = filtered(state, items, query, listing);
  const ordered = inOrder(state, found, query, listing);
  const count = ordered.length;
  if (query.get('countonly') === 'true')
    return { status: 200, body: state.has('countOnlyShowsMore') ? { count, data: [] } : { count } };
  const asked = Number(query.get('top') ?? Number.NaN);
  if (state.has('topRefused') && (asked < 1 || asked > 100)) throw new Refusal(400);
  const most = state.has('topUnbounded') ? Number.POSITIVE_INFINITY : state.has('topAtMost50') ? 50 : 100;
  const top = Number.isNaN(asked)
    ? state.has('topByDefault20')
      ? 20
      : 25
    : Math.min(Math.max(asked, 1), most);
  const skip = Math.max(0, Number(query.get('skip') ?? 0) || 0);
  const from = state.has('pageBeginsEarly')
    ? Math.max(0, skip - 1)
    : skip + (state.has('pageBeginsLate') && skip > 0 ? 1 : 0);
  const page = ordered.slice(from, from + top + (state.has('pageIsOneLonger') ? 1 : 0)).map(listing.show);
  const first = state.has('positionsFromZero') ? from : from + 1;
  const isCounted = query.get('count') !== 'false' || state.has('countFalseIgnored');
  return {
    status: 200,
    body: {
      data: state.has('dataIsObject') ? { ...page } : page,
      start: page.length === 0 ? 0 : first,
      ...(state.has('endMissing') ? {} : { end: page.length === 0 ? 0 : first + page.length - 1 }),
      ...(isCounted ? { count: state.has('countIsOfThePage') ? page.length : count } : {}),
    },
  };
}

function filtered(state: State, items: readonly Json[], query: Call['query'], { text }: Listing): Json[] {
  const tag = query.get('tag');
  const q = query.get('q');
  const trashed = trashedOf(state, query.get('trashed'));
  const words = q === undefined || state.has('wordsIgnored') ? [] : wordsIn(state, q);
  return items.filter((item) => {
    if (
      trashed !== undefined &&
      (item.isTrashed ?? false) !== trashed &&
      !state.has('trashedIsListed') &&
      !state.has('trashedCommentListed')
    )
      return false;
    if (state.has('trashedIsNeverListed') && item.isTrashed === true) return false;
    if (tag !== undefined && !state.has('tagIgnored')) {
      const isTag = (one: string) => one === tag || (state.has('tagByPrefix') && one.startsWith(tag));
      if (!(item.tags ?? []).some(isTag)) return false;
    }
    const has = wordsIn(state, text(item));
    return words.every((word) => has.some((one) => one.startsWith(word)));
  });
}

/** Whether the items must be in the trash; undefined when it does not matter. */
function trashedOf(state: State, asked: string | undefined): boolean | undefined {
  if (asked === 'null') return state.has('trashedNullListsTrashed') ? true : undefined;
  if (asked === 'true') return state.has('trashedTrueListsAll') ? undefined : true;
  return false;
}

function wordsIn(state: State, text: string): string[] {
  const folded = state.has('wordsExact') ? text : text.toLowerCase().replaceAll('ß', 'ss');
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

const byLetters = new Intl.Collator('en');

function inOrder(
  state: State,
  items: Json[],
  query: Call['query'],
  { isNewestFirst = false }: Listing,
): Json[] {
  const isDescendingByDefault = isNewestFirst && !state.has('deliveriesOldestFirst');
  const asked = state.has('orderNamesExact') ? undefined : query.get('orderby');
  const named = /^(\w+)(?: (asc|desc))?$/.exec((asked ?? query.get('order_by') ?? '').toLowerCase());
  const field = (named?.[1] ?? '').replaceAll('_', '');
  const keys: Readonly<Record<string, (item: Json) => number | string>> = {
    id: (item) => item.id,
    createdat: (item) => item.createdAt ?? 0,
    name: (item) => item.name ?? '',
  };
  const key = keys[field];
  const compare = (one: number | string, other: number | string): number => {
    if (typeof one === 'number' && typeof other === 'number' && !state.has('orderAsText')) return one - other;
    const [a, b] = [String(one), String(other)];
    if (field === 'name' && !state.has('capitalsFirst')) return byLetters.compare(a, b);
    return a < b ? -1 : Number(a > b);
  };
  if (key === undefined || state.has('orderIgnored'))
    return items.toSorted((a, b) => (isDescendingByDefault ? b.id - a.id : a.id - b.id));
  const ascending = items.toSorted((a, b) => compare(key(a), key(b)) || a.id - b.id);
  return named?.[2] === 'desc' && !state.has('descendingIgnored') ? ascending.reverse() : ascending;
}
