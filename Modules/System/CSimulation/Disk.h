#ifndef CSIMULATION_DISK_H
#define CSIMULATION_DISK_H

#include "CSimulation.h"

// The simulated disk of the calling thread, for the SQLite files (SQLiteFiles.c) and all other files (Calls.c).

/// A file: its durable bytes, and the changes that are not synced yet.
typedef struct disk_file disk_file_t;

/// Starts and stops the simulation.
void disk_start(const char *path, void *context, csimulation_access_t access, csimulation_random_t random);
void disk_stop(void);
/// Returns whether the calling thread has a simulation's random numbers.
int disk_has_random(void);
/// Returns whether a path is on the simulated disk, and the call does not come from the simulation itself.
int disk_has(const char *path);
/// Enters and leaves a section whose system calls are not simulated.
void disk_enter(void);
void disk_leave(void);
/// Asks the simulation about an access, with the bytes by which it makes the file larger. Returns 0, or the SQLite result code with which the access fails.
int disk_ask(int operation, int64_t growth);
/// Returns the next random number of the simulation.
uint64_t disk_random(void);

/// Returns the file with a name, and creates it if it does not exist.
disk_file_t *disk_open(const char *path);
/// Records that a file was renamed or removed.
void disk_rename(const char *from, const char *to);
void disk_remove(const char *path);
/// Makes all names durable.
void disk_sync_names(void);
/// Records a write or, without data, a truncation.
void disk_write(disk_file_t *file, int64_t offset, int count, const void *data);
/// Makes the bytes of a file durable, or loses some of them if the sync has failed.
void disk_sync(disk_file_t *file, int has_failed);

#endif
