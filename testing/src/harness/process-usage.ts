import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The length of a tick in /proc, in microseconds: 100 a second on every Linux that Node runs on. */
const tickUs = 10_000;

/** The processor time that a process has used so far, in microseconds; undefined without /proc. */
export function cpuUsOf(pid: number): number | undefined {
  return sumOfTimes(pid, 11);
}

/** The processor time that the ended children of a process have used, in microseconds; undefined without /proc. */
export function cpuUsOfEndedChildren(pid: number): number | undefined {
  return sumOfTimes(pid, 13);
}

/** User and system time, which are two values after each other in the state of a process. */
function sumOfTimes(pid: number, place: number): number | undefined {
  const stat = readOf(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name in parentheses may contain anything; the places are counted after it.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[place]) + Number(values[place + 1])) * tickUs;
}

/** The processor time that the running children of a process have used so far, in microseconds; 0 without /proc. */
export function cpuUsOfChildren(parent: number): number {
  let sum = 0;
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const pid = Number(name);
    if (Number.isInteger(pid) && parentOf(pid) === parent) sum += cpuUsOf(pid) ?? 0;
  }
  return sum;
}

/** The parent of a process; undefined without /proc. */
export function parentOf(pid: number): number | undefined {
  const parent = /^PPid:\s+(\d+)$/m.exec(readOf(pid, 'status') ?? '')?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** The resident memory of a process, in MB; undefined without /proc. */
export function memoryMbOf(pid: number): number | undefined {
  return megabytesOf(pid, 'VmRSS');
}

/** The peak of a process's resident memory so far, in MB; undefined without /proc. */
export function peakMemoryMbOf(pid: number): number | undefined {
  return megabytesOf(pid, 'VmHWM');
}

function megabytesOf(pid: number, name: string): number | undefined {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readOf(pid, 'status') ?? '')?.[1];
  return kib === undefined ? undefined : (Number(kib) * 1024) / 1e6;
}

function readOf(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
