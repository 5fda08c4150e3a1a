import type { Random } from '../harness/random.ts';
import { gif, jpeg, png } from '../pictures.ts';
import type { Texts } from './texts.ts';

/** The body of a form with one part, possibly with a fault. */
export type Upload = { readonly type: string; readonly bytes: Buffer };

const boundary = 'differential-boundary';

/** A picture of one pixel that can be shrunk, unlike the beginnings of pictures. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const faulty: readonly Upload[] = [
  { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.from('') },
  { type: 'multipart/form-data', bytes: Buffer.from('x') },
  { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.from(`--${boundary}--\r\n`) },
  { type: 'application/json', bytes: Buffer.from('{}') },
];

/** Draws an upload: texts, pictures and arbitrary bytes, with all sorts of names. */
export function drawUpload(random: Random, texts: Texts): Upload {
  if (random.oneIn(15)) return random.draw(faulty);
  const [name, content] = drawFile(random, texts);
  const part = random.oneIn(20) ? 'file' : 'blob';
  const declared = random.draw(['text/plain', 'image/png', 'text/html', '']);
  return formOf(name, content, { part, declared });
}

/** The form that uploads a file, by default as a blob of a declared type of text. */
export function formOf(
  name: string,
  content: Buffer,
  { part = 'blob', declared = 'text/plain' }: { readonly part?: string; readonly declared?: string } = {},
): Upload {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: ${declared}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function drawFile(random: Random, texts: Texts): [string, Buffer] {
  const word = texts.word();
  const kind = random.integer(1, 8);
  if (kind <= 3)
    return [`${word}.${random.pick(['txt', 'md', 'ts', 'html', 'svg', ''])}`, Buffer.from(texts.words(30))];
  if (kind === 4) return [`${word}.png`, pixel];
  if (kind === 5) return [`${word}.gif`, Buffer.from(gif(random.integer(1, 500), 20))];
  if (kind === 6) return [`${word}.jpg`, Buffer.from(jpeg(random.integer(1, 500), 30))];
  if (kind === 7) return [`../${word}/${word}.png`, Buffer.from(png(random.integer(1, 500), 40))];
  return [word, Buffer.from(Array.from({ length: random.integer(0, 200) }, () => random.integer(0, 255)))];
}
