/** Where a server writes its log, for a test that reads it: the lines are parsed and kept. Those of one turn come together. */
export function keptLog<L>(lines: L[]): { write(text: string): void } {
  return {
    write: (text) => {
      for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line) as L);
    },
  };
}
