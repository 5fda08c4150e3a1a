/** Does `work` once after `ms` milliseconds, unless it is stopped before. */
export function startTimer(ms: number, work: () => void): { readonly stop: () => void } {
  const timer = setTimeout(work, ms);
  return { stop: () => clearTimeout(timer) };
}
