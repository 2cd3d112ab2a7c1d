#ifndef CSIMULATION_H
#define CSIMULATION_H

#include <stdint.h>

// The parts of a simulation that Swift cannot express: a hook in Swift's global executor, and a simulated disk beneath
// SQLite and the system calls for files. All state belongs to the calling thread.

/// Starts counting the jobs that the calling thread passes to Swift's global executor.
void csimulation_watch_begin(void);
/// Stops counting, and returns the count.
long csimulation_watch_end(void);

/// The kinds of access to a file.
enum {
    CSIMULATION_READ = 1,
    CSIMULATION_WRITE = 2,
    CSIMULATION_SYNC = 3,
    CSIMULATION_OPEN = 4,
    CSIMULATION_TRUNCATE = 5
};

/// Decides about each access before it happens. The growth is the number of bytes by which a write makes the file
/// larger. Returns 0, or the SQLite result code with which the access fails.
typedef int (*csimulation_access_t)(void *context, int operation, int64_t growth);
/// Returns the next random number of the simulation.
typedef uint64_t (*csimulation_random_t)(void *context);

/// Starts simulating the disk for the files in a directory.
void csimulation_disk_begin(
    const char *directory, void *context, csimulation_access_t access, csimulation_random_t random);
/// Discards all further changes of the disk, as if the process or the machine had ended at this access.
void csimulation_disk_freeze(void);
/// Accepts changes again. The caller must first reset the files to their state at the freeze.
void csimulation_disk_thaw(void);
/// Sets the process that opens the next file.
void csimulation_disk_open_by(int process);
/// Closes the SQLite files of a process without a write, as the system does for a killed process.
void csimulation_disk_close(int process);
/// Simulates a power loss: unsynced bytes are lost, torn by sectors or kept, and unsynced changes of names are lost
/// from some point on.
void csimulation_disk_power_loss(void);
/// Pauses and resumes the simulation of system calls, so a test can inspect the files.
void csimulation_disk_pause(void);
void csimulation_disk_continue(void);
/// Ends the simulation.
void csimulation_disk_end(void);

#endif
