#ifndef CSIMULATION_H
#define CSIMULATION_H

#include <stdint.h>

// The parts of a simulation that Swift cannot express: the hook of Swift's own pool, and a disk below SQLite and the
// system calls for files. All of it belongs to the thread that calls it.

/// Begins to count the jobs that the calling thread hands to Swift's own pool.
void csimulation_watch_begin(void);
/// Ends the count; returns how many there were.
long csimulation_watch_end(void);

/// The kinds of access to a file.
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

/// Begins to simulate the disk for the files in a directory.
void csimulation_disk_begin(
    const char *directory, void *context, csimulation_access_t access, csimulation_random_t random);
/// Lets nothing reach the disk, as if the process or the machine had ended at this access.
void csimulation_disk_freeze(void);
/// Lets changes reach the disk again, after its files were reset to those at the freeze.
void csimulation_disk_thaw(void);
/// Sets the process that opens the next file.
void csimulation_disk_open_by(int process);
/// Closes the SQLite files of a process without a write, as the system does that ends it.
void csimulation_disk_close(int process);
/// Ends the machine's power: unsynced bytes are lost, torn by sectors or kept, and unsynced names are lost from some point
/// on.
void csimulation_disk_power_loss(void);
/// Pauses and continues the simulation of calls, for an observer of the files.
void csimulation_disk_pause(void);
void csimulation_disk_continue(void);
/// Ends the simulation.
void csimulation_disk_end(void);

#endif
