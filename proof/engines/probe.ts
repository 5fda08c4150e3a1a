/**
 * The script that a page runs before the elements. It notes what goes wrong, in the same words in each engine: not every
 * engine lets its console be read from outside.
 */
export const probe = `globalThis.confabFaults = [];
const note = (what, detail) => confabFaults.push(what + ': ' + String(detail).slice(0, 300));
addEventListener('securitypolicyviolation', (event) =>
  note('against the policy', event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample), true);
addEventListener('unhandledrejection', ({ reason }) => note('rejection', reason?.stack ?? reason));
addEventListener('error', (event) =>
  note('error', event.error?.stack ?? event.message ?? event.target?.src ?? event.target?.href), true);
for (const level of ['error', 'warn']) {
  const write = console[level];
  console[level] = (...args) => { note('console', args.join(' ')); write.apply(console, args); };
}`;
