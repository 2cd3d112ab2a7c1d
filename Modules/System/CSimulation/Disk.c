#include "Disk.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

/// A write or a truncation that is not synced yet.
typedef struct change {
    struct change *next;
    int64_t offset;
    int count;
    int is_truncation;
    int is_lost; // A failed sync has lost it, but the system treats it as written.
    unsigned char data[];
} change_t;

struct disk_file {
    struct disk_file *next;
    unsigned char *durable;
    int64_t size, room;
    change_t *first, *last;
};

/// A name of a file.
typedef struct name {
    struct name *next;
    char *path;
    disk_file_t *file;
} name_t;

/// A change of names that is not durable yet: the new name of a file, or the removal of a name.
typedef struct step {
    struct step *next;
    char *added, *removed;
    disk_file_t *file;
} step_t;

static __thread char *directory;
static __thread void *context;
static __thread csimulation_access_t access_hook;
static __thread csimulation_random_t random_hook;
static __thread disk_file_t *files;
static __thread name_t *names, *durable_names;
static __thread step_t *first_step, *last_step;
static __thread int is_frozen, depth;

int disk_has(const char *path) {
    if (!directory || depth || !path) return 0;
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == 0);
}

void disk_enter(void) { depth++; }
void disk_leave(void) { depth--; }

int disk_ask(int operation, int64_t growth) {
    if (!access_hook) return 0;
    disk_enter();
    int code = access_hook(context, operation, growth);
    disk_leave();
    return code;
}

int disk_has_random(void) { return random_hook != NULL; }
uint64_t disk_random(void) { return random_hook ? random_hook(context) : 0; }

// MARK: Names

static name_t **find(name_t **list, const char *path) {
    for (; *list; list = &(*list)->next)
        if (strcmp((*list)->path, path) == 0) return list;
    return list;
}

static void unname(name_t **list, const char *path) {
    name_t **link = find(list, path), *name = *link;
    if (!name) return;
    *link = name->next;
    free(name->path);
    free(name);
}

static void give(name_t **list, const char *path, disk_file_t *file) {
    unname(list, path);
    name_t *name = malloc(sizeof *name);
    *name = (name_t){.next = *list, .path = strdup(path), .file = file};
    *list = name;
}

static void clear(name_t **list) {
    while (*list) unname(list, (*list)->path);
}

static void add_step(const char *added, const char *removed, disk_file_t *file) {
    step_t *step = malloc(sizeof *step);
    *step = (step_t){.added = added ? strdup(added) : NULL, .removed = removed ? strdup(removed) : NULL, .file = file};
    if (last_step) last_step->next = step; else first_step = step;
    last_step = step;
}

static void apply(step_t *step, name_t **list) {
    if (step->removed) unname(list, step->removed);
    if (step->added) give(list, step->added, step->file);
}

static void drop_steps(void) {
    while (first_step) {
        step_t *next = first_step->next;
        free(first_step->added);
        free(first_step->removed);
        free(first_step);
        first_step = next;
    }
    last_step = NULL;
}

disk_file_t *disk_open(const char *path) {
    name_t *name = *find(&names, path);
    if (name) return name->file;
    disk_file_t *file = calloc(1, sizeof *file);
    file->next = files;
    files = file;
    if (is_frozen) return file;
    give(&names, path, file);
    add_step(path, NULL, file);
    return file;
}

void disk_rename(const char *from, const char *to) {
    name_t *name = *find(&names, from);
    if (is_frozen || !name) return;
    disk_file_t *file = name->file;
    unname(&names, from);
    give(&names, to, file);
    add_step(to, from, file);
}

void disk_remove(const char *path) {
    if (is_frozen || !*find(&names, path)) return;
    unname(&names, path);
    add_step(NULL, path, NULL);
}

void disk_sync_names(void) {
    if (is_frozen) return;
    for (step_t *step = first_step; step; step = step->next) apply(step, &durable_names);
    drop_steps();
}

// MARK: Bytes

void disk_write(disk_file_t *file, int64_t offset, int count, const void *data) {
    if (is_frozen) return;
    change_t *change = malloc(sizeof *change + (size_t)(data ? count : 0));
    *change = (change_t){.offset = offset, .count = data ? count : 0, .is_truncation = !data};
    if (data) memcpy(change->data, data, (size_t)count);
    if (file->last) file->last->next = change; else file->first = change;
    file->last = change;
}

static void resize(disk_file_t *file, int64_t size) {
    if (size > file->room) {
        int64_t room = file->room ? file->room : 4096;
        while (room < size) room *= 2;
        file->durable = realloc(file->durable, (size_t)room);
        file->room = room;
    }
    if (size > file->size) memset(file->durable + file->size, 0, (size_t)(size - file->size));
    file->size = size;
}

static void put(disk_file_t *file, int64_t offset, const void *data, int count) {
    if (offset + count > file->size) resize(file, offset + count);
    memcpy(file->durable + offset, data, (size_t)count);
}

static void drop_changes(disk_file_t *file) {
    for (change_t *change = file->first; change;) {
        change_t *next = change->next;
        free(change);
        change = next;
    }
    file->first = file->last = NULL;
}

void disk_sync(disk_file_t *file, int has_failed) {
    if (is_frozen) return;
    for (change_t *change = file->first; change; change = change->next) {
        if (has_failed) {
            // The system now treats the pages as clean, even if they are not on the disk.
            if (disk_random() & 1) change->is_lost = 1;
        } else if (!change->is_lost) {
            if (change->is_truncation) resize(file, change->offset);
            else put(file, change->offset, change->data, change->count);
        }
    }
    if (!has_failed) drop_changes(file);
}

/// Decides which unsynced changes have reached the disk when the power is lost: whole, torn by sectors, or not at all.
static void lose(disk_file_t *file) {
    for (change_t *change = file->first; change; change = change->next) {
        uint64_t luck = disk_random() % 4;
        if (change->is_lost || luck == 0) continue;
        if (change->is_truncation) {
            resize(file, change->offset);
        } else if (luck == 1) {
            put(file, change->offset, change->data, change->count);
        } else {
            for (int at = 0; at < change->count; at += sector) {
                int count = change->count - at < sector ? change->count - at : sector;
                if (disk_random() & 1) put(file, change->offset + at, change->data + at, count);
            }
        }
    }
    drop_changes(file);
}

/// Writes the durable bytes of a file to the real one.
static void restore(const char *path, disk_file_t *file) {
    char *parent = strdup(path), *end = strrchr(parent, '/');
    if (end) *end = 0;
    mkdir(parent, 0700);
    free(parent);
    int descriptor = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);
    if (descriptor < 0) return;
    for (int64_t done = 0; done < file->size;) {
        ssize_t count = pwrite(descriptor, file->durable + done, (size_t)(file->size - done), done);
        if (count <= 0) break;
        done += count;
    }
    close(descriptor);
}

// MARK: The simulation

void disk_start(
    const char *path, void *new_context, csimulation_access_t access, csimulation_random_t random) {
    directory = strdup(path);
    context = new_context;
    access_hook = access;
    random_hook = random;
    is_frozen = depth = 0;
}

void csimulation_disk_pause(void) { disk_enter(); }
void csimulation_disk_continue(void) { disk_leave(); }
void csimulation_disk_freeze(void) { is_frozen = 1; }
void csimulation_disk_thaw(void) { is_frozen = 0; }

void csimulation_disk_power_loss(void) {
    disk_enter();
    for (disk_file_t *file = files; file; file = file->next) lose(file);
    // Changes of names reach the disk in order.
    for (step_t *step = first_step; step && disk_random() % 3; step = step->next) apply(step, &durable_names);
    drop_steps();
    for (name_t *name = names; name; name = name->next) unlink(name->path);
    clear(&names);
    for (name_t *name = durable_names; name; name = name->next) {
        restore(name->path, name->file);
        give(&names, name->path, name->file);
    }
    disk_leave();
}

void disk_stop(void) {
    while (files) {
        disk_file_t *next = files->next;
        drop_changes(files);
        free(files->durable);
        free(files);
        files = next;
    }
    clear(&names);
    clear(&durable_names);
    drop_steps();
    free(directory);
    directory = NULL;
    context = NULL;
    access_hook = NULL;
    random_hook = NULL;
    is_frozen = 0;
}
