import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { List as Pages } from '../data.ts';
import { t } from '../messages.ts';
import { setQuery, usePlace } from '../router.ts';
import { useShortcuts } from '../shortcuts.ts';
import { Failure, Waiting } from './Loaded.tsx';
import { useShownValue } from './shown-value.ts';

/** A column of a list. The first one names the item, so it is the header of its row. */
export type Column<T> = {
  readonly label: string;
  readonly cell: (item: T) => ComponentChildren;
  /** Numbers line up at the end. */
  readonly isNumber?: boolean;
  /** The first column takes half of the table, and no row more than its two lines: what is longer is cut. */
  readonly isWide?: boolean;
};

/** What a list counts. */
export type Counted = 'apps' | 'comments' | 'files' | 'messages' | 'pages' | 'posts' | 'users';

type ListProps<T> = {
  /** What the list is of, for readers of screens. */
  readonly label: string;
  readonly list: Pages<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string | number;
  /** What is counted, as `count_` of the messages has it; items where it is absent. */
  readonly counted?: Counted | undefined;
  /** What stands there when nothing matches. */
  readonly empty: string;
  /** What is said when the server does not know what the list is filtered by. */
  readonly missing?: string | undefined;
  /** A checkbox for each row, for changes of several items at once. */
  readonly selection?: Selection<T> | undefined;
};

/** The items that are chosen in a list, by their keys. */
export type Selection<T> = {
  readonly keys: ReadonlySet<string | number>;
  readonly toggle: (item: T) => void;
  readonly nameOf: (item: T) => string;
};

/** A list that reads its next page when the reader comes to its end, or asks for it. */
export function List<T>(props: ListProps<T>) {
  const { label, list, columns, keyOf, empty, missing, selection, counted } = props;
  const { items, count, read, error, isLoading, isStale, refresh } = list;
  return (
    <div class="list">
      <p class="list-head soft" role="status">
        {count !== undefined && t(counted === undefined ? 'count' : `count_${counted}`, { count })}
        {read !== undefined && t('first', { count: read })}
        {isStale && (
          <button type="button" class="link" onClick={refresh}>
            {t('changed')}
          </button>
        )}
      </p>
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section class="table" aria-label={label} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {selection !== undefined && (
                  <th class="choice">
                    <span class="hidden">{t('choose')}</span>
                  </th>
                )}
                {columns.map((column) => (
                  <th key={column.label} scope="col" class={column.isNumber === true ? 'number' : undefined}>
                    {column.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Row key={keyOf(item)} {...{ item, columns, selection, itemKey: keyOf(item) }} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {error !== undefined && (
        <Failure error={error} retry={items.length === 0 ? refresh : list.more} missing={missing} />
      )}
      {items.length === 0 && !isLoading && error === undefined && <p class="empty">{empty}</p>}
      {isLoading && <Waiting />}
      {list.hasMore && !isLoading && error === undefined && (
        // Another button for each page: an observer says nothing about one that stays in sight while the list grows.
        <More key={items.length} more={list.more} />
      )}
    </div>
  );
}

type RowProps<T> = {
  readonly columns: readonly Column<T>[];
  readonly selection: Selection<T> | undefined;
  readonly item: T;
  readonly itemKey: string | number;
};

function Row<T>({ item, itemKey, columns, selection }: RowProps<T>) {
  return (
    <tr>
      {selection !== undefined && (
        <td class="choice">
          <input
            type="checkbox"
            aria-label={t('chooseItem', { name: selection.nameOf(item) })}
            checked={selection.keys.has(itemKey)}
            onChange={() => selection.toggle(item)}
          />
        </td>
      )}
      {columns.map(({ label, cell, isNumber, isWide }, index) =>
        index === 0 ? (
          <th key={label} scope="row" class={isWide === true ? 'wide' : undefined}>
            {cell(item)}
          </th>
        ) : (
          <td key={label} data-label={label} class={isNumber === true ? 'number' : undefined}>
            {cell(item)}
          </td>
        ),
      )}
    </tr>
  );
}

/** How far before its end the next page of a list is read. */
const aheadMargin = '400px';

/** Reads the next page of a list when the reader comes near, or asks for it. */
export function More({ more }: { readonly more: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && more(), {
      rootMargin: aheadMargin,
    });
    if (button.current !== null) seen.observe(button.current);
    return () => seen.disconnect();
  }, [more]);
  return (
    <button type="button" class="more" ref={button} onClick={more}>
      {t('more')}
    </button>
  );
}

/** How long typing pauses before a list is searched, in milliseconds. */
const typingMs = 250;

/** A field that filters a list by words. What it holds stands in the address. `/` goes to it. */
export function Search({ label, name = 'q' }: { readonly label: string; readonly name?: string }) {
  const { query } = usePlace();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const shown = useShownValue(query.get(name) ?? '');
  useShortcuts([{ keys: '/', label: t('keySearch'), run: () => shown.ref.current?.focus() }]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string) => {
    clearTimeout(timer.current);
    setQuery({ [name]: text });
  };
  const type = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(text), typingMs);
  };
  return (
    <label class="search">
      <span class="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        {...shown}
        onInput={(event) => type(event.currentTarget.value)}
        // Who leaves the field does not wait for the search.
        onChange={(event) => search(event.currentTarget.value)}
      />
    </label>
  );
}

type FilterProps = {
  readonly label: string;
  /** The parameter of the address. */
  readonly name: string;
  /** The values with their words; the empty one is what holds without a choice. */
  readonly options: readonly (readonly [value: string, words: string])[];
};

/** A choice that filters a list. What is chosen stands in the address. */
export function Filter({ label, name, options }: FilterProps) {
  const { query } = usePlace();
  const chosen = query.get(name) ?? '';
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={chosen} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        {options.map(([value, words]) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
