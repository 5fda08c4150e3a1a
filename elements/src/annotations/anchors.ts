import type { Comment } from '../shared.ts';
import type { Quote } from './place.ts';

/** Where a thread belongs, in the Web Annotation Data Model of the W3C, as far as this element makes and reads it. */

type Selector =
  | {
      readonly type: 'TextQuoteSelector';
      readonly exact: string;
      readonly prefix?: string;
      readonly suffix?: string;
    }
  | { readonly type: 'TextPositionSelector'; readonly start: number; readonly end: number }
  | { readonly type: 'FragmentSelector'; readonly value: string; readonly conformsTo?: string };

/** What a comment that begins a thread is about. */
export type Anchor = { readonly key: string; readonly selector?: readonly Selector[] };

/** A comment that began a thread. */
export type Root = Comment & { readonly anchor?: Anchor; readonly resolved_at?: string };

/** What has an anchor, or may have one. */
type Anchored = { readonly anchor?: Anchor | undefined };

/** A point of a picture, from 0 to 1 of its width and its height. */
export type Point = { readonly x: number; readonly y: number };

/** How fragments name a part of a picture. */
const mediaFragments = 'http://www.w3.org/TR/media-frags/';

/** The anchor of a quote. The key names the text, so that one request lists its threads. */
export function anchorOfQuote(key: string, { exact, prefix, suffix, hint = 0 }: Quote): Anchor {
  const context = { ...(prefix === '' ? {} : { prefix }), ...(suffix === '' ? {} : { suffix }) };
  return {
    key,
    selector: [
      { type: 'TextQuoteSelector', exact, ...context },
      { type: 'TextPositionSelector', start: hint, end: hint + exact.length },
    ],
  };
}

/** The anchor of a point of a picture. */
export function anchorOfPoint(key: string, { x, y }: Point): Anchor {
  const [left, top] = [x, y].map((each) => Math.round(each * 1000) / 10);
  return {
    key,
    selector: [
      { type: 'FragmentSelector', value: `xywh=percent:${left},${top},0,0`, conformsTo: mediaFragments },
    ],
  };
}

function selectorOf<T extends Selector['type']>({ anchor }: Anchored, type: T) {
  return anchor?.selector?.find((each): each is Extract<Selector, { type: T }> => each.type === type);
}

/** The quote that a thread is about; undefined for one about something else. */
export function quoteOf(root: Anchored): Quote | undefined {
  const quote = selectorOf(root, 'TextQuoteSelector');
  if (quote === undefined) return undefined;
  const { exact, prefix = '', suffix = '' } = quote;
  return { exact, prefix, suffix, hint: selectorOf(root, 'TextPositionSelector')?.start };
}

/** The point of a picture that a thread is about. */
export function pointOf(root: Anchored): Point | undefined {
  const value = selectorOf(root, 'FragmentSelector')?.value ?? '';
  const [, left, top] = /^xywh=percent:([\d.]+),([\d.]+)/.exec(value) ?? [];
  return left === undefined || top === undefined
    ? undefined
    : { x: Number(left) / 100, y: Number(top) / 100 };
}
