import type { Random } from 'confab-testing/harness/random.ts';

/**
 * Texts as communities get them, drawn from templates: what people write, with the links, repetitions and words that make
 * them look like spam, and what senders of spam write, with the tricks by which they avoid rules.
 */

/** The kinds of honest texts, and how many of 100 are of each. */
export const hamShares = { plain: 72, short: 14, link: 8, links: 2, quoted: 3, unlucky: 1 } as const;
export type HamKind = keyof typeof hamShares;

/** The ways of spam, and how many of 100 are of each. */
export const spamShares = {
  words: 22,
  disguised: 12,
  links: 16,
  'one link': 10,
  copies: 16,
  'same text': 12,
  edited: 8,
  polite: 4,
} as const;
export type SpamKind = keyof typeof spamShares;

const subjects = [
  'the sourdough',
  'my bicycle',
  'the second chapter',
  'the new release',
  'the garden',
  'that recipe',
];
const verbs = [
  'turned out better than',
  'took longer than',
  'reminds me of',
  'is nothing like',
  'works as well as',
];
const objects = [
  'I expected',
  'the one from last year',
  'what the manual says',
  'my neighbour claimed',
  'the pictures',
];
const asides = [
  'Has anyone tried it with rye?',
  'I would use less salt next time.',
  'The figures in the second table are worth a look.',
  'It took me an afternoon, with two children around.',
  'Does it also work without an oven?',
  'I measured it twice to be sure.',
  'You were right about the temperature.',
  'My grandmother did it the other way round.',
];
const shortTexts = [
  'Thank you!',
  '+1',
  'Great idea',
  'Same here.',
  'Congratulations!',
  'Me too, thanks a lot',
  '👍',
  'Looking forward to it',
];
const hosts = [
  'en.wikipedia.org/wiki',
  'github.com/nodejs',
  'www.bbc.co.uk/food',
  'docs.python.org/3',
  'example.org/blog',
];
const unlucky = [
  'We passed the casino in Monaco and had ice cream instead.',
  'The pharmacy on the corner sells a good cream against sunburn.',
  'My payday was on Friday, so the loan of the library book came first.',
  'He plays roulette with deadlines, if you ask me.',
];

const offers = [
  'Buy viagra and cialis without prescription',
  'Best online casino with free spins and welcome bonus',
  'Payday loans within minutes, no credit check',
  'Guaranteed backlinks and SEO services for your site',
  'Double your bitcoin in one day with our crypto giveaway',
  'Replica watches at wholesale prices',
  'Hot singles in your area are waiting for you',
];
const endings = [
  'Order today!',
  'Only this week.',
  'Satisfaction guaranteed.',
  'Do not miss it!',
  'Contact us now.',
];
const shops = [
  'pills-24',
  'lucky-spins',
  'fast-cash',
  'rank-top',
  'coin-rain',
  'best-replica',
  'meet-tonight',
];
const polite = [
  'This is a very informative post, I will bookmark it and visit again.',
  'I am really impressed with your writing skills and also with the layout.',
];

const lookAlikes: { readonly [letter: string]: string } = { a: 'ａ', e: 'é', i: 'í', o: 'ö', s: 'ｓ' };

/** Draws a kind by its share. */
export function drawKind<K extends string>(random: Random, shares: { readonly [k in K]: number }): K {
  let left = random.integer(1, 100);
  for (const [kind, share] of Object.entries(shares) as [K, number][]) {
    left -= share;
    if (left <= 0) return kind;
  }
  throw new Error('the shares are less than 100');
}

function sentence(random: Random): string {
  const [subject, verb, object] = [subjects, verbs, objects].map((items) => random.draw(items));
  return `I think ${subject} ${verb} ${object}. ${random.draw(asides)} ${random.integer(1, 999)} of ${random.integer(1, 999)} so far.`;
}

function link(random: Random): string {
  return `https://${random.draw(hosts)}/${random.integer(1, 99_999)}`;
}

/** An honest text. */
export function drawHam(random: Random, kind: HamKind): string {
  const text = sentence(random);
  if (kind === 'plain') return text;
  if (kind === 'short') return random.draw(shortTexts);
  if (kind === 'link') return `${text} See ${link(random)}`;
  if (kind === 'links') return `${text}\n\n- ${link(random)}\n- [notes](${link(random)})`;
  if (kind === 'quoted') return `> ${sentence(random)}\n\n${text}`;
  return `${random.draw(unlucky)} ${random.draw(asides)}`;
}

/** The text of a campaign, in which no word gives it away. */
export function drawCampaign(random: Random): string {
  return `${sentence(random)} Write to me. I will tell you how this changed everything for me. Many others did.`;
}

/** A text that nobody asked for. `campaign` is the text that all senders of copies send today. */
export function drawSpam(random: Random, kind: SpamKind, campaign: string): string {
  const offer = `${random.draw(offers)}. ${random.draw(endings)}`;
  const shop = () => `http://${random.draw(shops)}.example/${random.integer(1, 99_999)}`;
  if (kind === 'words') return `${offer} ${shop()}`;
  if (kind === 'disguised') return `${disguised(random, offer)} ${shop()}`;
  if (kind === 'links') return `${random.draw(endings)} ${Array.from({ length: 4 }, shop).join(' ')}`;
  if (kind === 'one link') return `${sentence(random)} [Read more](${shop()})`;
  if (kind === 'copies') return disguisedCopy(random, campaign);
  if (kind === 'same text')
    return `Amazing results, everybody should see what I found about my health at ${random.draw(shops)}`;
  if (kind === 'edited') return `${offer} ${shop()}`;
  return `${random.draw(polite)} Greetings ${random.integer(1, 9999)}`;
}

/** The offer with letters that look alike, characters that nobody sees, or markup within words. */
function disguised(random: Random, text: string): string {
  const way = random.integer(1, 4);
  if (way === 1) return text.replace(/[aeios]/g, (letter) => lookAlikes[letter] ?? letter);
  if (way === 2) return text.replace(/\b(\w{2})(\w)/g, '$1\u200B$2');
  if (way === 3) return text.replace(/\b(\w{2})(\w{2,})/g, '$1**$2**');
  return text.toUpperCase();
}

/** A copy with other spaces, case and punctuation. */
function disguisedCopy(random: Random, text: string): string {
  const way = random.integer(1, 3);
  if (way === 1) return text.toUpperCase();
  if (way === 2) return text.replaceAll('. ', ' ... ').replaceAll(' ', '  ');
  return `${text}!!!`;
}
