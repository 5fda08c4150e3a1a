import { stemmer } from 'stemmer';

/** A word of a question as the index has it, and how much it counts: 1 as asked, less for a synonym. */
export type AskedWord = {
  readonly word: string;
  readonly weight: number;
  /** The word of the question that it stands for, counted from 0. */
  readonly place: number;
};

/** Words that a question needs and its answer does not. */
const ignored = new Set(
  (
    'a about am an and any are at be been but by can could did do does for from get gets give had has have how i if in ' +
    'into is it its just like make me my need no not of on or our please should show so some than that the their them ' +
    'then there these they this those to up us use using want was way we were what when where which who why will ' +
    'with would you your'
  ).split(' '),
);

/** Expressions of more than one word, or with several spellings, and the word that they are found by. */
const expressions: readonly (readonly [RegExp, string])[] = [
  [/\bsingle[- ]sign[- ]?on\b/gi, 'sso'],
  [/\bjson web tokens?\b/gi, 'jwt'],
  [/\bback(?:ed|ing|s)?[- ]up\b/gi, 'backup'],
  [/\bsign(?:ed|ing|s)?[- ]in\b/gi, 'signin'],
  [/\blog(?:ged|ging|s)?[- ][io]n\b/gi, 'login'],
  [/\be-mail/gi, 'email'],
  [/\bweb[- ]hook/gi, 'webhook'],
  [/\breal[- ]time\b/gi, 'realtime'],
  [/\bhow many\b/gi, 'count'],
];

/** Words that stand for each other in a question. A word can be in several groups. */
const synonyms: readonly string[] = [
  'jwt token',
  'sso oidc identity',
  'signin login authenticate oauth',
  'hide hold held approve moderate',
  'reply answer nested thread',
  'email mail smtp',
  'restore recover',
  'erase delete remove gdpr privacy',
  'theme color colour look style css dark',
  'gravatar avatar picture photo image',
  'migrate move import switch',
  'export download',
  'proxy nginx caddy https tls ssl certificate',
  'docker container podman image',
  'kubernetes k8s helm',
  'postgres postgresql',
  'ban block suspend',
  'guest anonymous visitor',
  'lock close',
  'limit quota throttle rate',
  'agent ai llm chatgpt claude mcp',
  'rotate renew replace',
  'upgrade update',
  'fail error',
  'sort order',
  'count number',
  'setting option variable environment env configuration',
  'chat messenger',
  'notification bell',
  'metric prometheus monitor grafana',
  'realtime live websocket',
  'integrate connect',
];

const synonymWeight = 0.5;

const synonymsByStem = new Map<string, Set<string>>();
for (const group of synonyms) {
  const stems = group.split(' ').map((word) => stemmer(word));
  for (const stem of stems)
    synonymsByStem.set(stem, new Set([...(synonymsByStem.get(stem) ?? []), ...stems]));
}

/**
 * The words of a text for the index, as stems. A name such as `CONFAB_CORS_ORIGINS` or `createApp` is found as a whole
 * and by its parts.
 */
export function indexedWords(text: string): string[] {
  return tokens(text).flatMap((token) => {
    const parts = token.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter(Boolean);
    return parts.length > 1 ? [indexedWord(token), ...parts.map(indexedWord)] : [indexedWord(token)];
  });
}

/**
 * The words of a question and their synonyms. Without its small words, unless it has no others. `countMax` bounds the
 * words that count.
 */
export function askedWords(question: string, countMax: number): AskedWord[] {
  const all = tokens(question).map((token) => token.toLowerCase());
  const significant = all.filter((word) => !ignored.has(word));
  const stems = [...new Set((significant.length > 0 ? significant : all).map(indexedWord))].slice(
    0,
    countMax,
  );
  const words = stems.map((word, place): AskedWord => ({ word, weight: 1, place }));
  for (const { word, place } of [...words])
    for (const synonym of synonymsByStem.get(word) ?? [])
      if (!words.some((each) => each.word === synonym))
        words.push({ word: synonym, weight: synonymWeight, place });
  return words;
}

/** The words of a text as they are written, where an expression is the word that it is found by. */
export function tokens(text: string): string[] {
  let plain = text.normalize('NFKC').replaceAll(/['’]s\b/g, '');
  for (const [expression, word] of expressions) plain = plain.replaceAll(expression, word);
  return plain.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The form in which words are compared. */
export function indexedWord(token: string): string {
  return stemmer(token.toLowerCase());
}
