import { send } from './client.ts';
import type { TestServer } from './server.ts';

/** The samples of a page of metrics: from name and labels, as they stand there, to value. */
export type Samples = ReadonlyMap<string, number>;

/** Reads a page of metrics. Throws for a line that is no sample. */
export function readSamples(text: string): Samples {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([a-z0-9_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a sample: ${line}`);
    samples.set(name, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return samples;
}

/** The metrics of a server, at most a second old. */
export async function samplesOf({ url, key }: Pick<TestServer, 'url' | 'key'>): Promise<Samples> {
  const { status, text } = await send(`${url}/metrics`, {
    method: 'GET',
    headers: { authorization: `Bearer ${key}` },
    body: undefined,
  });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return readSamples(text);
}
