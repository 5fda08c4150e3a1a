import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowedCalls, allowedFamilies, type Unit } from './unit.ts';

/**
 * The limits of a unit without systemd: a program that starts another one with the same filter of system calls, the same
 * families of sockets, no capabilities, a file system that is read-only but for one folder, and the same `/proc`.
 */

/** Changes of the limits that must show: a family taken away, or memory that is never both written and executed. */
export type Plant = { readonly withoutFamily?: string; readonly deniesExecutableMemory?: boolean };

/**
 * Builds the sandbox of a unit and returns the program, with its arguments, that runs a command in it. `writable` is the
 * only folder that the command can write to. Throws where the compiler or the kernel does not take it.
 */
export function buildSandbox(
  unit: Unit,
  { folder, writable, plant = {} }: { folder: string; writable: string; plant?: Plant },
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  mkdirSync(writable, { recursive: true });
  const [source, program, script] = ['filter.c', 'filter', 'mounts.sh'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(source, filterSource(unit, plant));
  const built = spawnSync('cc', ['-O1', '-Wall', '-Werror', '-o', program, source], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the filter of system calls is not built: ${built.stderr}`);
  writeFileSync(script, mounts);
  const unshare =
    process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--map-root-user', '--mount'];
  const drop = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
  return [...unshare, 'sh', script, writable, ...drop, program];
}

/** What ProtectSystem=strict, PrivateTmp= and ProcSubset= do; $1 is the folder of the state, the rest the command. */
const mounts = `set -e
state=$1; shift
mount --make-rprivate /
mount --bind "$state" "$state"
findmnt -rno TARGET | while read -r target; do
  case $target in "$state"|/proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$target" 2>/dev/null || true ;; esac
done
mount -o remount,bind,rw "$state"
mount -t proc -o subset=pid,hidepid=invisible proc /proc
if touch /usr/confab-sandbox 2>/dev/null; then echo 'the file system is writable' >&2; exit 1; fi
exec "$@"
`;

/** A program that sets the filter and becomes the command in its arguments. */
function filterSource(unit: Unit, { withoutFamily, deniesExecutableMemory = false }: Plant): string {
  const calls = [...allowedCalls(unit)].filter((name) => name !== 'socket').sort();
  const families = allowedFamilies(unit).filter((name) => name !== withoutFamily);
  const lists = (names: readonly string[], of: (name: string) => string) => names.map(of).join('\n');
  const noJit = deniesExecutableMemory
    ? `  for (int call = 0; call < 2; call++) {
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call ? __NR_mmap : __NR_mprotect, 0, 4));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])));
    ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, call ? PROT_EXEC | PROT_WRITE : PROT_EXEC));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call ? PROT_EXEC | PROT_WRITE : PROT_EXEC, 0, 1));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
`
    : '';
  return `#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_filter filter[4096];
static unsigned short length;
#define ADD(...) (filter[length++] = (struct sock_filter)__VA_ARGS__)
/* Calls are compared one by one: a jump in a filter reaches 255 instructions. */
#define ALLOW(call) ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1)); ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))

int main(int count, char **arguments) {
${noJit}  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
${lists(calls, (name) => `#ifdef __NR_${name}\n  ALLOW(__NR_${name});\n#endif`)}
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 1, 0));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
${lists(families, (name) => `  ALLOW(${name});`)}
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT));
  struct sock_fprog program = { length, filter };
  if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) { perror("seccomp"); return 1; }
  execvp(arguments[1], arguments + 1);
  perror(arguments[1]);
  return 1;
}
`;
}
