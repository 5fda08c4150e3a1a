/**
 * The processor time that this process has used, in milliseconds, with the server in it. A test compares what code costs
 * by it, because the clock also counts what other programs use.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
