/* Notes what a process does to the files of its log, so that power cuts can be tried out afterwards.
 *
 * Preloaded. Every write, cut and sync of a file under $TORN_FOLDER goes to $TORN_NOTES as a record:
 * kind (W, T, S), length of the path, offset, length of the data (8 bytes each, native), path, data.
 * With $TORN_ROOM bytes written the disk is full, until the file $TORN_FOLDER/room is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int notes = -1;
static int64_t written;
static ssize_t (*real_write)(int, const void *, size_t);

static int ours(int fd, char *path, size_t size) {
    char link[64];
    const char *folder = getenv("TORN_FOLDER");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t got = readlink(link, path, size - 1);
    if (!folder || got <= 0) return 0;
    path[got] = 0;
    if (strncmp(path, folder, strlen(folder))) return 0;
    return !strstr(path, "-shm");
}

static void note(char kind, const char *path, int64_t offset, const void *data, int64_t length) {
    const char *file = getenv("TORN_NOTES");
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    if (!file) return;
    if (notes < 0) notes = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    int64_t head[4] = {kind, (int64_t)strlen(path), offset, length};
    real_write(notes, head, sizeof head);
    real_write(notes, path, strlen(path));
    if (data) real_write(notes, data, length);
}

static int full(size_t length) {
    const char *room = getenv("TORN_ROOM"), *folder = getenv("TORN_FOLDER");
    char path[4096];
    if (!room) return 0;
    snprintf(path, sizeof path, "%s/room", folder);
    if (written + (int64_t)length <= atoll(room) || !access(path, F_OK)) { written += length; return 0; }
    errno = ENOSPC;
    return 1;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    char path[4096];
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    int mine = ours(fd, path, sizeof path);
    if (mine && full(length)) return -1;
    ssize_t done = real(fd, data, length, offset);
    if (mine && done > 0) note('W', path, offset, data, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    char path[4096];
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    int mine = ours(fd, path, sizeof path);
    if (mine && full(length)) return -1;
    off_t offset = mine ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t done = real_write(fd, data, length);
    if (mine && done > 0) note('W', path, offset, data, done);
    return done;
}

int ftruncate64(int fd, off64_t size) {
    static int (*real)(int, off64_t);
    char path[4096];
    if (!real) real = dlsym(RTLD_NEXT, "ftruncate64");
    if (ours(fd, path, sizeof path)) note('T', path, size, NULL, 0);
    return real(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int fdatasync(int fd) {
    static int (*real)(int);
    char path[4096];
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    int done = real(fd);
    if (!done && ours(fd, path, sizeof path)) note('S', path, 0, NULL, 0);
    return done;
}

int fsync(int fd) {
    static int (*real)(int);
    char path[4096];
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    int done = real(fd);
    if (!done && ours(fd, path, sizeof path)) note('S', path, 0, NULL, 0);
    return done;
}
