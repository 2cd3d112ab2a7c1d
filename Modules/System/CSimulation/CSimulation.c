#include "CSimulation.h"

// The runtime calls this hook before it enqueues a job on the global executor (swift/Runtime/Concurrency.h).
typedef void (*original_t)(void *job) __attribute__((swiftcall));
typedef void (*hook_t)(void *job, original_t original) __attribute__((swiftcall));
extern hook_t swift_task_enqueueGlobal_hook;

static __thread int is_watching;
static __thread long escaped;

static __attribute__((swiftcall)) void count(void *job, original_t original) {
    if (is_watching) escaped++;
    original(job);
}

void csimulation_watch_begin(void) {
    swift_task_enqueueGlobal_hook = count;
    escaped = 0;
    is_watching = 1;
}

long csimulation_watch_end(void) {
    is_watching = 0;
    return escaped;
}
