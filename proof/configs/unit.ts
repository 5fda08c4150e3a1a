import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A unit of systemd: the values of each name in its order. */
export type Unit = ReadonlyMap<string, readonly string[]>;

/** Reads a unit file; lines of comments are left out. */
export function readUnit(file: string): Unit {
  const unit = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

/** The system calls that the unit lets through: its lists in their order, those with `~` taken away. */
export function allowedCalls(unit: Unit): ReadonlySet<string> {
  // systemd lets these through in any case.
  const allowed = new Set(callsOf('@default'));
  for (const line of unit.get('SystemCallFilter') ?? []) {
    const isDenied = line.startsWith('~');
    for (const name of line.replace('~', '').split(/\s+/))
      for (const call of callsOf(name))
        if (isDenied) allowed.delete(call);
        else allowed.add(call);
  }
  return allowed;
}

/** The system calls of a group, and of the groups in it. Throws for a group that systemd does not know. */
function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['syscall-filter', name], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return [...stdout.matchAll(/^ +([@\w-]+)$/gm)].flatMap(([, inner = '']) => callsOf(inner));
}

/** The families of sockets that the unit lets open, as they are called in C. */
export function allowedFamilies(unit: Unit): readonly string[] {
  return (unit.get('RestrictAddressFamilies') ?? []).flatMap((line) => line.split(/\s+/));
}
