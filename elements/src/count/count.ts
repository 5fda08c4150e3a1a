import type { OtherElement } from '../others/element.ts';
import {
  addEnglish,
  appOfPage,
  createSpeaker,
  pageUid,
  type Reply,
  type Server,
  type Speaker,
  serverAt,
} from '../shared.ts';
import { countEnglish } from '../texts/count-english.ts';

addEnglish(countEnglish);

/**
 * `<confab-count>`: how many comments a page has. All on a page ask with one request. Attributes: `uid`, or else `href`, the
 * address of the page; without them the address of the link around it, or else of the page that it is on. Until the number
 * is there, it shows what is inside of it.
 */

/** How long elements wait for others that ask with them, in milliseconds. */
const gatherMs = 20;
/** The most apps of one request, and the most characters of their uids, which the address of a request may have. */
const appsMax = 100;
const charactersMax = 6000;
/** How long a number is good for elements that come later, in milliseconds. */
const goodMs = 30_000;
/** The first pause after the server did not answer, and the longest, in milliseconds. */
const firstPauseMs = 5000;
const longestPauseMs = 300_000;

/** The counts of a server. */
type Counts = {
  /** The number of an app that is known. */
  known(uid: string): number | undefined;
  /** Draws an element once the number of its app is there. */
  ask(uid: string, element: OtherElement): void;
};

const counts = new Map<Server, Counts>();
const speakers = new WeakMap<OtherElement, Speaker>();

export function update(element: OtherElement): void {
  const uid = uidOf(element);
  if (uid === undefined) return;
  const server = serverAt(element.getAttribute('server'));
  let ofServer = counts.get(server);
  if (ofServer === undefined) {
    ofServer = createCounts(server);
    counts.set(server, ofServer);
  }
  const count = ofServer.known(uid);
  if (count === undefined) ofServer.ask(uid, element);
  else draw(element, count);
}

function uidOf(element: OtherElement): string | undefined {
  const uid = element.getAttribute('uid');
  if (uid) return uid;
  const href = element.getAttribute('href') ?? element.closest<HTMLAnchorElement>('a[href]')?.href;
  if (!href) return appOfPage();
  return URL.canParse(href, document.baseURI) ? pageUid(new URL(href, document.baseURI).href) : undefined;
}

/** The text is in a shadow root: what is inside of the element belongs to the page, which may be drawn by a framework. */
function draw(element: OtherElement, count: number): void {
  const speaker = speakers.get(element) ?? createSpeaker(element, () => update(element));
  speakers.set(element, speaker);
  const speech = speaker.speech(element.texts);
  if (speech === undefined) return;
  const { t } = speech;
  const text = count === 0 ? t('noComments') : t('comments', { count });
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  if (root.textContent !== text) root.textContent = text;
}

function createCounts({ api, session }: Server): Counts {
  const known = new Map<string, { readonly count: number; readonly at: number }>();
  const waiting = new Map<string, Set<OtherElement>>();
  let isDue = false;
  let pauseMs = firstPauseMs;

  // Users see the apps of their product, and visitors the open ones.
  session.subscribe(() => {
    known.clear();
    for (const element of document.querySelectorAll<OtherElement>('confab-count')) update(element);
  });

  function askIn(delayMs: number): void {
    if (!isDue) setTimeout(askAll, delayMs);
    isDue = true;
  }

  async function askAll(): Promise<void> {
    isDue = false;
    for (const uids of requestsOf([...waiting.keys()])) {
      const query = uids.map((uid) => `uid=${encodeURIComponent(uid)}`).join('&');
      const answer: Reply<{ counts: number[] }> = await api.call(`/api/counts?${query}`);
      if (!answer.ok) return askLater(answer.status, answer.retryAfter);
      pauseMs = firstPauseMs;
      for (const [at, uid] of uids.entries()) take(uid, answer.body.counts[at] ?? 0);
    }
  }

  function askLater(status: number, seconds: number | undefined): void {
    const isRefused = status > 0 && status < 500 && status !== 429;
    if (isRefused) waiting.clear();
    else askIn((seconds ?? 0) * 1000 || pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  function take(uid: string, count: number): void {
    known.set(uid, { count, at: Date.now() });
    const elements = waiting.get(uid) ?? [];
    waiting.delete(uid);
    for (const element of elements) update(element);
  }

  return {
    known(uid) {
      const found = known.get(uid);
      return found !== undefined && Date.now() - found.at < goodMs ? found.count : undefined;
    },
    ask(uid, element) {
      const elements = waiting.get(uid);
      if (elements === undefined) waiting.set(uid, new Set([element]));
      else elements.add(element);
      askIn(gatherMs);
    },
  };
}

/** The uids of each request. */
function requestsOf(uids: readonly string[]): string[][] {
  const requests: string[][] = [];
  let characters = 0;
  for (const uid of uids) {
    const last = requests.at(-1);
    characters += uid.length;
    if (last !== undefined && last.length < appsMax && characters <= charactersMax) last.push(uid);
    else {
      requests.push([uid]);
      characters = uid.length;
    }
  }
  return requests;
}
