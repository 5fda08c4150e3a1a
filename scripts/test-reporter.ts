import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

/** The part of a test event this reporter reads: the summary of the whole run carries no file. */
interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly counts?: Record<string, number>;
    readonly duration_ms?: number;
  };
}

/**
 * The `spec` report followed by one line of totals. `spec` alone ends with the details of the failures, so
 * the tail of a failed run would not say how much of it passed.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string | Buffer> {
  let totals = 'totals: the run ended without a summary\n';
  async function* watch(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      if (event.type === 'test:summary' && event.data.file === undefined) totals = totalsLine(event.data);
      yield event;
    }
  }
  yield* Readable.from(watch()).compose(new spec());
  yield totals;
}

function totalsLine(summary: TestEvent['data']): string {
  const { tests = 0, passed = 0, failed = 0, cancelled = 0, skipped = 0, todo = 0 } = summary.counts ?? {};
  const seconds = ((summary.duration_ms ?? 0) / 1000).toFixed(1);
  return `\ntotals: ${tests} tests, ${passed} passed, ${failed} failed, ${cancelled} cancelled, ${skipped} skipped, ${todo} todo, ${seconds} s\n`;
}
