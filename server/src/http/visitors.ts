import type { Operation } from 'confab-contract/operation.ts';
import { credentialMissing, Problem } from 'confab-contract/problem.ts';
import type { ListQuery } from '../kernel/page.ts';
import { visitor } from '../kernel/principal.ts';
import type { Answer } from './answers/answer.ts';
import { compressedBytesMin, createVariants } from './answers/compression.ts';
import { bodyTag } from './answers/entity-tags.ts';
import { type SharedAnswer, sharedAnswer } from './pages/once.ts';
import { decode, foldName, nameOf } from './queries/query-parts.ts';
import type { HttpRequest } from './request.ts';

/**
 * Answers to visitors: people without a credential. They are the same for everyone, so caches may keep them for some
 * seconds, and the server keeps them as bytes until something in their app changes.
 */

/** How long a cache may show an answer as it is, and how long while it asks again, in seconds. */
const freshSeconds = 10;
const staleSeconds = 30;
/** The same as the header field. */
export const visitorCacheControl = `public, max-age=${freshSeconds}, stale-while-revalidate=${staleSeconds}`;

/** The most answers that are kept, and the most of their bytes, not counting compressed forms. */
const keptMax = 2000;
const keptBytesMax = 16 * 1024 * 1024;

/** The parameters of lists with which visitors may ask: others would make the server search for people whom it does not know. */
const ofLists = ['top', 'skip', 'after', 'orderby', 'count', 'countonly', 'expand'];
const expanded: ReadonlySet<string> = new Set(['created_by', 'embed'].map(foldName));
/** A page far down reads everything before it; the links to the next page reach it as well. */
const skipMax = 1000;

/**
 * Creates what refuses a query of an operation that needs a credential: it throws `unauthorized`. Visitors may ask with the
 * parameters that the operation has of its own, except for the trash.
 */
export function visitorQueryCheck({ list: spec, query: own }: Operation) {
  const properties = Object.entries(own?.properties ?? {}).filter(([name]) => name !== 'trashed');
  const known = new Set([
    ...(spec === undefined ? [] : ofLists),
    ...properties.map(([name]) => foldName(name)),
  ]);
  const repeatable = new Set(
    properties
      .filter(([, schema]) => 'type' in schema && schema.type === 'array')
      .map(([name]) => foldName(name)),
  );
  return (url: string, list: ListQuery | undefined): void => {
    const start = url.indexOf('?');
    const query = start === -1 ? '' : url.slice(start + 1);
    const parts = query.split('&').filter((part) => part !== '');
    const names = parts.map((part) => nameOf(part) ?? '');
    const isKnown = names.every((name) => known.has(name));
    // What changes nothing would make many addresses, for caches and for what is kept, of one answer.
    const single = names.filter((name) => !repeatable.has(name));
    const isOnce = new Set(single).size === single.length;
    const isExpanded =
      spec === undefined || parts.every((part) => nameOf(part) !== 'expand' || isExpansion(part));
    const isNear = list === undefined || list.after !== undefined || list.skip <= skipMax;
    if (isKnown && isOnce && isExpanded && isNear) return;
    throw new Problem(
      'unauthorized',
      'Without a credential, a list takes an order, a page, threads, and the expansions created_by and embed, each once; nothing else.',
    );
  };
}

/** Whether a part of a query names expansions for visitors, each once, or none. */
function isExpansion(part: string): boolean {
  const value = decode(part.slice(part.indexOf('=') + 1)) ?? '?';
  if (!part.includes('=') || value === '') return true;
  const words = value.split(',').map((word) => foldName(word.trim()));
  return new Set(words).size === words.length && words.every((word) => expanded.has(word));
}

/** Throws the refusal of a visitor: what they may not see is answered as if a credential were missing, whatever is there. */
export function refuseVisitor(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? credentialMissing() : error;
}

/**
 * Lets a request without a credential pass as that of a visitor. Pages of any origin may read the answer, where it continues,
 * and why there is none.
 */
export function enter(request: HttpRequest): void {
  request.principal = visitor;
  request.fields['access-control-allow-origin'] ??= '*';
  request.fields['access-control-expose-headers'] ??= 'link, allow, retry-after';
}

/** What tells whether an app has changed; see `AppChanges`. */
export type Changes = {
  catchUp(): Promise<void> | undefined;
  moment(): number;
  hasChanged(appId: number, since: number): boolean;
};

type CachedAnswer = {
  readonly shared: SharedAnswer;
  readonly bytes: number;
  readonly appId: number | undefined;
  readonly moment: number;
  readonly keptAt: number;
};

/**
 * An answer for a visitor: its JSON, the link to the next page, the methods that visitors may use once they have signed in,
 * and the app that it is of; undefined where it is of several.
 */
export type VisitorAnswer = {
  readonly body: Buffer | string;
  readonly link: string | undefined;
  readonly allow: string | undefined;
  readonly appId: number | undefined;
  /** Whether it is an empty list in place of an app that a visitor does not see. Anybody can ask for any number of these. */
  readonly isAbsent: boolean;
};

/** Makes an answer for visitors from the store. */
type Make = (request: HttpRequest) => Promise<VisitorAnswer>;

/**
 * Creates the function that answers a visitor from what is kept, or with what `make` makes; a promise only where the answer
 * has to be made or coded.
 */
export function createVisitorAnswers(
  changes: Changes,
): (request: HttpRequest, make: Make) => Answer | Promise<Answer> {
  const answers = new Map<string, CachedAnswer>();
  /** What is being made, for the requests that come meanwhile: after a change there may be many. */
  const making = new Map<string, { readonly moment: number; readonly pending: Promise<CachedAnswer> }>();
  let bytes = 0;

  function forget(url: string): void {
    bytes -= answers.get(url)?.bytes ?? 0;
    answers.delete(url);
  }

  function current(url: string): CachedAnswer | undefined {
    const answer = answers.get(url);
    if (answer === undefined) return undefined;
    // Another process may have changed the store as well, and links in it expire.
    const isOld = performance.now() - answer.keptAt > freshSeconds * 1000;
    const hasChanged =
      answer.appId === undefined
        ? changes.moment() > answer.moment
        : changes.hasChanged(answer.appId, answer.moment);
    if (!isOld && !hasChanged) return answer;
    forget(url);
    return undefined;
  }

  function keep(url: string, answer: VisitorAnswer, moment: number): CachedAnswer {
    const { body, link, allow, appId, isAbsent } = answer;
    const whole = typeof body === 'string' ? Buffer.from(body) : body;
    const isLong = whole.length >= compressedBytesMin;
    const headers = {
      'access-control-allow-origin': '*',
      // Whoever opens the page shows it to the next reader at once.
      'cache-control': isAbsent ? 'no-store' : visitorCacheControl,
      'content-type': 'application/json; charset=utf-8',
      etag: `"${bodyTag(whole)}"`,
      ...(link === undefined ? {} : { link }),
      ...(allow === undefined ? {} : { allow }),
      // A browser in which somebody signs in has the answer of before.
      vary: isLong ? 'authorization, accept-encoding' : 'authorization',
    };
    const entry = {
      shared: {
        headers,
        whole: () => whole,
        packed: isLong ? createVariants(async () => whole) : undefined,
      },
      bytes: whole.length,
      appId,
      moment,
      keptAt: performance.now(),
    };
    forget(url);
    if (isAbsent) return entry;
    answers.set(url, entry);
    bytes += whole.length;
    for (const [oldest] of answers) {
      if (answers.size <= keptMax && bytes <= keptBytesMax) break;
      forget(oldest);
    }
    return entry;
  }

  /** Makes an answer, or waits for the same one that began after the same changes. */
  function makeOnce(request: HttpRequest, make: Make): Promise<CachedAnswer> {
    const { url } = request;
    const moment = changes.moment();
    const underWay = making.get(url);
    if (underWay?.moment === moment) return underWay.pending;
    const pending = make(request)
      .then((answer) => keep(url, answer, moment))
      .finally(() => {
        if (making.get(url)?.pending === pending) making.delete(url);
      });
    making.set(url, { moment, pending });
    return pending;
  }

  async function answerLater(request: HttpRequest, make: Make, catching: Promise<void> | undefined) {
    await catching;
    const { shared } = current(request.url) ?? (await makeOnce(request, make));
    return sharedAnswer(request, shared);
  }

  return (request, make) => {
    const catching = changes.catchUp();
    const cached = catching === undefined ? current(request.url) : undefined;
    return cached === undefined
      ? answerLater(request, make, catching).catch(refuseVisitor)
      : sharedAnswer(request, cached.shared);
  };
}
