#ifndef CSIMULATION_H
#define CSIMULATION_H

#include <stdint.h>

// What a simulation needs and Swift cannot say: the hook of Swift's own pool, and a disk below SQLite.
//
// All of it belongs to the thread that calls it.

/// Begins to count the jobs that the calling thread hands to Swift's own pool.
void csimulation_watch_begin(void);
/// Ends the count; returns how many there were.
long csimulation_watch_end(void);

/// What SQLite does to a file.
enum {
    CSIMULATION_READ = 1,
    CSIMULATION_WRITE = 2,
    CSIMULATION_SYNC = 3,
    CSIMULATION_OPEN = 4,
    CSIMULATION_TRUNCATE = 5
};

/// Asked before each access; returns 0, or the result code of SQLite that the access fails with.
typedef int (*csimulation_access_t)(void *context, int operation);
/// The random numbers of the simulation.
typedef uint64_t (*csimulation_random_t)(void *context);

/// Begins to simulate the disk for files in a directory; those elsewhere are SQLite's as before.
void csimulation_disk_begin(
    const char *directory, void *context, csimulation_access_t access, csimulation_random_t random);
/// Lets nothing reach the disk from here on, as if the process or the machine had ended at this access.
void csimulation_disk_freeze(void);
/// Takes a file for the one that stood at its path before it was deleted.
void csimulation_disk_put_back(const char *path);
/// Ends a process: closes its files without a write; what it wrote before stays.
void csimulation_disk_kill(void);
/// Says which process opens the next file.
void csimulation_disk_open_by(int process);
/// Closes the files of one process, as the system does that ends it.
void csimulation_disk_close(int process);
/// Ends the machine's power, once its processes have ended: what was not synced is lost, torn by sectors or kept.
void csimulation_disk_power_loss(void);
/// Forgets all files, and simulates no disk any more.
void csimulation_disk_end(void);

#endif
