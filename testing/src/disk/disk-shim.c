/*
 * Stands between a program and the C library (LD_PRELOAD) for the calls that change the files below one folder.
 *
 * DISK_SHIM_ROOT names the folder, as an absolute path without links. If DISK_SHIM_LOG names a file, every change
 * is appended to it after it succeeded and before the program learns so; a sync is recorded when it begins and when it
 * has succeeded. So whatever a program can know to have happened is in the log, in an order that could have been, over
 * all its threads and processes. If DISK_SHIM_FAULT names a file with a `struct plan`, the calls that the plan
 * selects fail with its error instead of being made, and syncs take as much longer as it says.
 *
 * The calls go to the kernel directly. Writes through stdio and copy_file_range are not seen: `Disk.differences()` in
 * disk.ts finds a program that depends on them.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The order of `kinds` in disk-log.ts. */
enum kind { WRITE, TRUNCATE, EXTEND, CREATE, RENAME, LINK, UNLINK, MKDIR, SYNC_BEGIN, SYNC_END, MAP, OPEN };

/* A record: this header, then `length` bytes (data, or a path), then a second path of `length2` bytes. */
struct header {
  uint32_t length;
  uint32_t length2;
  uint32_t kind;
  uint32_t thread;
  uint64_t ino;
  uint64_t at;
};

/*
 * While `first` is not 0, calls are counted; those from `first` to `last` fail. `failed` counts them by kind. Each sync
 * takes `sync_ms` longer.
 */
struct plan {
  uint64_t first;
  uint64_t last;
  uint64_t error;
  uint64_t calls;
  uint64_t failed[16];
  uint64_t sync_ms;
};

static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static struct plan *plan;

static int open_high(const char *name, int flags) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, flags | O_CLOEXEC, 0666);
  if (fd < 0) {
    perror(name);
    _exit(127);
  }
  /* Out of the way of a program that expects its own descriptors to be low. */
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
  close(fd);
  return high;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("DISK_SHIM_ROOT");
  const char *log = getenv("DISK_SHIM_LOG");
  const char *fault = getenv("DISK_SHIM_FAULT");
  if (folder == NULL) return;
  snprintf(root, sizeof root, "%s", folder);
  root_length = strlen(root);
  if (log != NULL) log_fd = open_high(log, O_WRONLY | O_APPEND | O_CREAT);
  if (fault == NULL) return;
  int fd = open_high(fault, O_RDWR);
  plan = (void *)syscall(SYS_mmap, NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static int is_below(const char *path) {
  return root_length > 0 && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == 0);
}

static int path_of_fd(int fd, char *path) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return length > 0 && is_below(path);
}

/* The absolute path of a name, if it is below the root. */
static int path_of_name(int folder, const char *name, char *path) {
  if (root_length == 0) return 0;
  char base[PATH_MAX] = "";
  if (name[0] == '/') snprintf(path, PATH_MAX, "%s", name);
  else {
    if (folder != AT_FDCWD) path_of_fd(folder, base);
    else if (getcwd(base, sizeof base) == NULL) return 0;
    while (strncmp(name, "./", 2) == 0) name += 2;
    if (snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) return 0;
  }
  return is_below(path);
}

/* Whether a descriptor is a file or folder below the root, with its state. */
static int is_ours(int fd, struct stat *state, char *path) {
  if (root_length == 0 || fd == log_fd) return 0;
  if (fstat(fd, state) != 0 || !(S_ISREG(state->st_mode) || S_ISDIR(state->st_mode))) return 0;
  return path_of_fd(fd, path);
}

static void note(enum kind kind, uint64_t ino, uint64_t at, const char *data, size_t length, const char *path2) {
  if (log_fd < 0) return;
  int was = errno;
  struct header header = {length, path2 == NULL ? 0 : strlen(path2), kind, (uint32_t)syscall(SYS_gettid), ino, at};
  struct iovec parts[] = {{&header, sizeof header}, {(void *)data, length}, {(void *)path2, header.length2}};
  ssize_t all = (ssize_t)(sizeof header + length + header.length2);
  if (syscall(SYS_writev, log_fd, parts, 3) != all) {
    perror("the log of the disk");
    _exit(127);
  }
  errno = was;
}

static void note_path(enum kind kind, uint64_t ino, const char *path) {
  note(kind, ino, 0, path, strlen(path), NULL);
}

/* Whether the plan lets this call fail; sets errno. Reads fail only with EIO, and a full disk lets names be removed. */
static int fails(enum kind kind, int is_read) {
  if (plan == NULL || __atomic_load_n(&plan->first, __ATOMIC_SEQ_CST) == 0) return 0;
  if (is_read && plan->error != EIO) return 0;
  if (kind == UNLINK && plan->error == ENOSPC) return 0;
  uint64_t call = __atomic_add_fetch(&plan->calls, 1, __ATOMIC_SEQ_CST);
  if (call < plan->first || call > plan->last) return 0;
  __atomic_add_fetch(&plan->failed[kind], 1, __ATOMIC_SEQ_CST);
  errno = (int)plan->error;
  return 1;
}

int openat(int folder, const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  char path[PATH_MAX];
  int ours = path_of_name(folder, name, path);
  if (ours && fails(OPEN, (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY)) return -1;
  int fd = (int)syscall(SYS_openat, folder, name, flags, mode);
  struct stat state;
  if (fd < 0 || !ours || !(flags & (O_CREAT | O_TRUNC)) || fstat(fd, &state) != 0) return fd;
  if (flags & O_CREAT) note_path(CREATE, state.st_ino, path);
  if (flags & O_TRUNC) note(TRUNCATE, state.st_ino, 0, NULL, 0, NULL);
  return fd;
}

int open(const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return openat(AT_FDCWD, name, flags, mode);
}

int creat(const char *name, mode_t mode) { return openat(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* Records what a write of `count` parts has written: `at` is its place, or -1 for the place of the descriptor. */
static ssize_t wrote(int fd, ino_t ino, const struct iovec *parts, int count, off_t at, ssize_t done) {
  if (done <= 0) return done;
  if (at < 0) at = lseek(fd, 0, SEEK_CUR) - done;
  ssize_t left = done;
  for (int i = 0; i < count && left > 0; i += 1) {
    ssize_t length = (ssize_t)parts[i].iov_len < left ? (ssize_t)parts[i].iov_len : left;
    note(WRITE, ino, (uint64_t)at, parts[i].iov_base, (size_t)length, NULL);
    at += length;
    left -= length;
  }
  return done;
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t at) {
  struct stat state;
  char path[PATH_MAX];
  int ours = is_ours(fd, &state, path);
  if (ours && fails(WRITE, 0)) return -1;
  ssize_t done = at < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, at, 0);
  return ours ? wrote(fd, state.st_ino, parts, count, at, done) : done;
}

ssize_t write(int fd, const void *data, size_t length) {
  struct stat state;
  char path[PATH_MAX];
  if (!is_ours(fd, &state, path)) return syscall(SYS_write, fd, data, length);
  return write_parts(fd, &(struct iovec){(void *)data, length}, 1, -1);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
  return write_parts(fd, &(struct iovec){(void *)data, length}, 1, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) { return write_parts(fd, parts, count, -1); }

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return write_parts(fd, parts, count, at); }

int ftruncate(int fd, off_t length) {
  struct stat state;
  char path[PATH_MAX];
  int ours = is_ours(fd, &state, path);
  if (ours && fails(TRUNCATE, 0)) return -1;
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (ours && result == 0) note(TRUNCATE, state.st_ino, (uint64_t)length, NULL, 0, NULL);
  return result;
}

int truncate(const char *name, off_t length) {
  int fd = open(name, O_WRONLY);
  if (fd < 0) return -1;
  int result = ftruncate(fd, length);
  int was = errno;
  close(fd);
  errno = was;
  return result;
}

int fallocate(int fd, int mode, off_t at, off_t length) {
  struct stat state;
  char path[PATH_MAX];
  int ours = is_ours(fd, &state, path);
  if (ours && fails(EXTEND, 0)) return -1;
  /* Only the plain form is known here; programs take the other ones for an optimisation. */
  if (ours && mode != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  int result = (int)syscall(SYS_fallocate, fd, mode, at, length);
  if (ours && result == 0) note(EXTEND, state.st_ino, (uint64_t)(at + length), NULL, 0, NULL);
  return result;
}

int posix_fallocate(int fd, off_t at, off_t length) { return fallocate(fd, 0, at, length) == 0 ? 0 : errno; }

static int sync_file(int fd, long number) {
  struct stat state;
  char path[PATH_MAX];
  if (!is_ours(fd, &state, path)) return (int)syscall(number, fd);
  if (fails(SYNC_BEGIN, 0)) return -1;
  if (plan != NULL) {
    uint64_t ms = __atomic_load_n(&plan->sync_ms, __ATOMIC_SEQ_CST);
    nanosleep(&(struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000}, NULL);
  }
  int is_folder = S_ISDIR(state.st_mode);
  note_path(SYNC_BEGIN, state.st_ino, is_folder ? path : "");
  int result = (int)syscall(number, fd);
  if (result == 0) note_path(SYNC_END, state.st_ino, is_folder ? path : "");
  return result;
}

int fsync(int fd) { return sync_file(fd, SYS_fsync); }

int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

int renameat2(int folder, const char *name, int folder2, const char *name2, unsigned flags) {
  char path[PATH_MAX], path2[PATH_MAX];
  int ours = path_of_name(folder, name, path) && path_of_name(folder2, name2, path2);
  if (ours && fails(RENAME, 0)) return -1;
  int result = (int)syscall(SYS_renameat2, folder, name, folder2, name2, flags);
  if (ours && result == 0) note(RENAME, 0, 0, path, strlen(path), path2);
  return result;
}

int renameat(int folder, const char *name, int folder2, const char *name2) {
  return renameat2(folder, name, folder2, name2, 0);
}

int rename(const char *name, const char *name2) { return renameat2(AT_FDCWD, name, AT_FDCWD, name2, 0); }

int linkat(int folder, const char *name, int folder2, const char *name2, int flags) {
  char path[PATH_MAX], path2[PATH_MAX];
  int ours = path_of_name(folder, name, path) && path_of_name(folder2, name2, path2);
  if (ours && fails(LINK, 0)) return -1;
  int result = (int)syscall(SYS_linkat, folder, name, folder2, name2, flags);
  if (ours && result == 0) note(LINK, 0, 0, path, strlen(path), path2);
  return result;
}

int link(const char *name, const char *name2) { return linkat(AT_FDCWD, name, AT_FDCWD, name2, 0); }

int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX];
  int ours = path_of_name(folder, name, path);
  if (ours && fails(UNLINK, 0)) return -1;
  int result = (int)syscall(SYS_unlinkat, folder, name, flags);
  if (ours && result == 0) note_path(UNLINK, 0, path);
  return result;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int remove(const char *name) {
  int result = unlinkat(AT_FDCWD, name, 0);
  return result != 0 && errno == EISDIR ? rmdir(name) : result;
}

int mkdirat(int folder, const char *name, mode_t mode) {
  char path[PATH_MAX];
  int ours = path_of_name(folder, name, path);
  if (ours && fails(MKDIR, 0)) return -1;
  int result = (int)syscall(SYS_mkdirat, folder, name, mode);
  if (ours && result == 0) note_path(MKDIR, 0, path);
  return result;
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

void *mmap(void *start, size_t length, int protection, int flags, int fd, off_t at) {
  struct stat state;
  char path[PATH_MAX];
  int is_written = (flags & MAP_SHARED) && (protection & PROT_WRITE) && !(flags & MAP_ANONYMOUS);
  if (is_written && is_ours(fd, &state, path)) note_path(MAP, state.st_ino, path);
  return (void *)syscall(SYS_mmap, start, length, protection, flags, fd, at);
}

/* On 64-bit systems these are the same functions. */
int open64(const char *name, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *name, int flags, ...) __attribute__((alias("openat")));
int creat64(const char *name, mode_t mode) __attribute__((alias("creat")));
ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) __attribute__((alias("pwrite")));
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) __attribute__((alias("pwritev")));
int ftruncate64(int fd, off_t length) __attribute__((alias("ftruncate")));
int truncate64(const char *name, off_t length) __attribute__((alias("truncate")));
int fallocate64(int fd, int mode, off_t at, off_t length) __attribute__((alias("fallocate")));
int posix_fallocate64(int fd, off_t at, off_t length) __attribute__((alias("posix_fallocate")));
void *mmap64(void *start, size_t length, int protection, int flags, int fd, off_t at) __attribute__((alias("mmap")));
