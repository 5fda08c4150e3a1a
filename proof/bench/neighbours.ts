import { median, quantile } from 'confab-testing/harness/figures.ts';
import { wordOfRank } from './comment-texts.ts';

/** Whether what is listed in a tiny app costs the same with a large store around it. */

/** How often each list is asked of either store, in turns. */
const times = 1000;
const warmingTimes = 100;

/** A server, a tiny app in its store and the token of a member. */
export type Neighbour = { readonly url: string; readonly app: number; readonly token: string };

const queries: { readonly [name: string]: string } = {
  comments: '/comments',
  'by created_at desc': '/comments?order_by=created_at+desc',
  'by modified_at': '/comments?order_by=modified_at',
  'skip 100': '/comments?skip=100',
  'a tag': '/comments?tag=t',
  'the most common word': `/comments?q=${wordOfRank(0)}`,
  'a common word': `/comments?q=${wordOfRank(30)}`,
  'a rare word': `/comments?q=${wordOfRank(5000)}`,
  'a common word by created_at desc': `/comments?q=${wordOfRank(30)}&order_by=created_at+desc`,
  members: '/members',
};

/** Asks a server alone and one with a large store for the same, in turns, and prints what each takes. */
export async function compareNeighbours(alone: Neighbour, large: Neighbour): Promise<void> {
  console.log('      alone          beside a large store');
  console.log('   p50    p99      p50    p99    of p50  of p99  in a tiny app (ms)');
  for (const [name, query] of Object.entries(queries)) {
    const waits: { [which in 'alone' | 'large']: number[] } = { alone: [], large: [] };
    for (let n = -warmingTimes; n < times; n += 1) {
      const both = { alone: await waitFor(alone, query), large: await waitFor(large, query) };
      if (n < 0) continue;
      waits.alone.push(both.alone);
      waits.large.push(both.large);
    }
    const [a, b] = [waits.alone, waits.large].map((each) => [median(each), quantile(each, 0.99)]) as [
      [number, number],
      [number, number],
    ];
    const cells = [...a, ...b].map((ms) => ms.toFixed(2).padStart(6));
    const ratios = [b[0] / a[0], b[1] / a[1]].map((ratio) => ratio.toFixed(2).padStart(6));
    console.log(`${cells[0]} ${cells[1]}   ${cells[2]} ${cells[3]}    ${ratios[0]}  ${ratios[1]}  ${name}`);
  }
}

async function waitFor({ url, app, token }: Neighbour, query: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/apps/${app}${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${query} answered ${response.status}`);
  return performance.now() - startedAt;
}
