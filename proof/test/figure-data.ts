import type { FigureData } from '../figures/data.ts';

/** A run of a part on a machine that does not exist. */
export const someRun = {
  commit: '0123456789abcdef0123456789abcdef01234567',
  sources: '89abcdef0123456789abcdef0123456789abcdef',
  is_clean: true,
  at: '2026-11-27T08:30:00.000Z',
  seconds: 12,
  machine: { processor: 'A & B <processor>', cores: 2, node: 'v24.21.0', system: 'Linux 6.1' },
  load: { before: 0.03, after: 1.98 },
} as const;

/** Figures with what is hard to draw: long and hostile names, missing values, aims that are reached and missed. */
export function someFigures(): FigureData {
  const command = 'npx node proof/figures.ts';
  return {
    release: { name: '0.1.0', commit: someRun.commit },
    parts: {
      speed: {
        run: someRun,
        command,
        tables: {
          requests: [
            {
              name: 'list 25 threads with 3 answers each, each time of another page or of another app',
              values: { perSecond: 12_345.678, ofFloor: 1.2, cpuUs: 250.4 },
              aim: { of: 'ofFloor', most: 1.3 },
            },
            {
              name: 'a <b>name</b> & "quotes" | \'others\'',
              values: { perSecond: 10, ofFloor: 2.345, cpuUs: null },
              aim: { of: 'ofFloor', most: 1.5 },
            },
            { name: 'missing', values: { ofFloor: null }, aim: { of: 'ofFloor', most: 1.5 } },
          ],
          process: [
            { name: 'memory at rest', unit: 'MB', values: { value: 131 }, aim: { of: 'value', most: 130 } },
          ],
        },
      },
      releases: {
        run: { ...someRun, is_clean: false, load: { before: 3.5, after: 4 } },
        command,
        tables: {
          costs: [
            { name: 'get one comment', unit: 'µs', values: { own: 84, release: 98, ratio: 0.857 } },
            {
              name: 'create a comment',
              unit: 'µs',
              values: { own: 253, release: null, ratio: null },
              note: 'npm could not install the packages of 0.1.0',
            },
          ],
        },
      },
      proofs: {
        run: someRun,
        command,
        tables: {
          parts: [
            {
              name: 'works-of-many-transactions',
              unit: 'power cuts and kills of the longest kind',
              values: { count: 1_000_000, pieces: 3, failed: 1, hours: 0.5 },
              aim: { of: 'count', least: 1_000_000 },
            },
          ],
        },
      },
      coverage: {
        run: someRun,
        command,
        tables: {
          statuses: [
            {
              name: '200',
              values: { documented: 219, sqlite: 219, documentedPostgres: 216, postgres: null },
            },
          ],
        },
      },
    },
  };
}
