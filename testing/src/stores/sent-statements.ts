import pg from 'pg';

/** One statement as sent, with the ids of the rows that it inserted or reserved, if it returns them. */
export type Sent = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly returnedIds: readonly number[];
};

/** Statements that a server runs by itself from time to time. */
const ofItself = /"due_at"|presence|"leases"|pg_notify|"nodes"/;

/** The statements of every connection of this process while `work` runs, in order, without those of loops. */
export async function sentWhile(work: () => Promise<void>): Promise<Sent[]> {
  const sent: { text: string; values: readonly unknown[]; returnedIds: number[] }[] = [];
  const { prototype } = pg.Client as unknown as { prototype: { query: (...all: unknown[]) => unknown } };
  const { query } = prototype;
  prototype.query = function watched(this: unknown, ...all: unknown[]): unknown {
    const asked = all[0] as string | { text: string; values?: unknown[] };
    const { text, values = [] } = typeof asked === 'string' ? { text: asked } : asked;
    const one = { text, values, returnedIds: [] as number[] };
    if (!ofItself.test(text)) sent.push(one);
    const answer = query.apply(this, all) as Promise<pg.QueryResult>;
    if (/returning id|nextval/.test(text))
      void answer.then(({ rows }) => {
        // Those of a batch come as arrays that end with the id.
        for (const row of rows) one.returnedIds.push(Array.isArray(row) ? row.at(-1) : row.id);
      });
    return answer;
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}
