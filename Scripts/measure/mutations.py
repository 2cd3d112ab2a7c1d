"""Plants faults in a copy of the engine; see Scripts/simulate-mutations --help."""
import os, pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / ".build" / "mutants"
ENGINE = "Modules/Delivery/EventDelivery/"
SHARED = "several processes on one directory"
LOSSES = ["no event is lost without", "what is stored survives", "survives a power loss"]
# Each fault has its name, its file, the code to replace, the replacement, and the required mode: several processes, or
# a disk. The last elements are parts of the promises that it can break. Other broken promises do not count, because
# each call of the disk shifts the schedule.
FAULTS = [
    ("a lane is not woken for what is stored", "Writer/BufferWriter.swift",
     "for index in touched { books.lanes.wakes[index].signal() }",
     "if mutant != 1 { for index in touched { books.lanes.wakes[index].signal() } }", False),
    ("a barrier is not made", "Store/OutboxKeeper.swift",
     "try outbox.commit(change, barrier: barrier)",
     "try outbox.commit(change, barrier: barrier && !(mutant == 2 && change.isEmpty))", ["survives a power loss"]),
    ("a request begins whatever was said since it was leased", "Lane/LaneRunner.swift",
     "let isLast = consent.number == lease.word.number &&",
     "let isLast = mutant == 3 || consent.number == lease.word.number &&", False),
    ("the ledger counts one event too few of large batches", "Lane/LaneQueue+Settling.swift",
     "stored.ledger.delivered += lease.batch.events.count",
     "stored.ledger.delivered += lease.batch.events.count - (mutant == 4 && lease.batch.events.count > 4 ? 1 : 0)",
     False),
    ("a lease that comes back unsent is kept", "Lane/LaneQueue+Leasing.swift",
     "leases[lease.stored.id] = nil\n    }", "if mutant != 5 { leases[lease.stored.id] = nil }\n    }", False),
    ("a purge leaves the quarantine", "../EventOutbox/SQLite/SQLiteOutbox.swift",
     "DELETE FROM quarantine WHERE product = ? AND service = ?\"",
     "DELETE FROM quarantine WHERE product = ? AND service = ?\\(mutant == 6 ? \" AND id IS NULL\" : \"\")\"", ["the ledger agrees", "of a purpose is stored", "byte of a purpose"]),
    ("an ordered lane has two requests under way", "Lane/LaneQueue+Leasing.swift",
     "guard let destination, destination.order == .none else { return 1 }",
     "guard let destination, destination.order == .none else { return mutant == 7 ? 2 : 1 }", False),
    ("a thread does not see that the identity has changed", "../EventBuffer/Buffer/BufferShard.swift",
     "if version != current.version {", "if version != current.version, mutant != 8 || version == 0 {", False),
    ("a flush waits two seconds longer than its deadline", "../EventBuffer/Buffer/FlushTicket.swift",
     "clock.sleep(until: self.deadline)",
     "clock.sleep(until: mutant == 9 ? self.deadline.advanced(by: .seconds(2)) : self.deadline)", False),
    ("a close does not stop the lanes", "RunningEngine.swift",
     "        for runner in runners { await runner.halt() }\n        for",
     "        if mutant != 10 { for runner in runners { await runner.halt() } }\n        for", False),
    ("a denial does not wait for the requests that it calls back", "Lane/LaneRunner.swift",
     "for request in outdated { await request.task.value }",
     "if mutant != 11 { for request in outdated { await request.task.value } }", False),
    ("the quarantine holds one event too many", "Store/Quarantine.swift",
     "while kept.count > budget.quarantinedEvents ||",
     "while kept.count > budget.quarantinedEvents + (mutant == 12 ? 1 : 0) ||", False),
    ("events expire at half their age", "Lane/LaneQueue.swift",
     "return stored.monotonic.duration(to: now.monotonic) > age }",
     "return stored.monotonic.duration(to: now.monotonic) > (mutant == 13 ? age / 2 : age) }", False),
    ("a receipt says stored of what only memory holds", "Store/OutboxKeeper.swift",
     "if receipt.outcome == .persisted {", "if receipt.outcome == .persisted, mutant != 14 {", LOSSES),
    ("an acknowledged batch stays in the outbox", "Lane/LaneQueue+Settling.swift",
     "        change.outbox.removed += batch.segments\n",
     "        if mutant != 15 { change.outbox.removed += batch.segments }\n", False),
    ("an erasure leaves what waits for consent", "Lane/LaneQueue.swift",
     "heldSegments(lane: stored.number) where erasure.concerns(segment.user) {",
     "heldSegments(lane: stored.number) where mutant != 16 && erasure.concerns(segment.user) {", False),
    ("a suspension leaves the file open", "Store/OutboxKeeper+Suspension.swift",
     "failed(.suspended)\n        isSuspended = true", "if mutant == 17 { return }\n        failed(.suspended)\n        isSuspended = true", ["no file is changed"]),
    ("a lane does not wait as its receiver has asked", "Lane/RetryState.swift",
     "askedUntil = retryAfter.map { wait in", "askedUntil = (mutant == 18 ? nil : retryAfter).map { wait in", False),
    ("a start forgets what receivers have asked for", "Store/LaneBooks.swift",
     "for index in lanes.indices { lanes[index].restoreRetryState(at: now) }",
     "if mutant != 19 { for index in lanes.indices { lanes[index].restoreRetryState(at: now) } }", ["before the wait is over"]),
    ("a session does not end by its timeout", "../EventBuffer/Identity.swift",
     "return !pause.overflow && pause", "return mutant != 20 && !pause.overflow && pause", False),
    ("a reset leaves the installation's id", "../EventBuffer/DeliveryEngine.swift",
     "$0.deviceID = device", "if mutant != 21 { $0.deviceID = device }", False),
    ("what the user says is not stored", "Store/OutboxKeeper+Clearance.swift",
     "guard let directory = try storageBesideQueue() else { return }\n        try ConsentFile.write(words, in: directory)",
     "guard let directory = try storageBesideQueue(), mutant != 22 else { return }\n        try ConsentFile.write(words, in: directory)",
     ["no request of a purpose"]),
    ("what the user says is applied before it is stored", "Store/StoredConsent.swift",
     "remember(isAnnounced: true)", "mutant == 23 ? nil : remember(isAnnounced: true)",
     ["a receipt says lost", "no request of a purpose"] + LOSSES),
    ("a flush returns before the last event is settled", "../EventBuffer/Buffer/LaneStatus.swift",
     "firstUnsettled.map { $0 >= target }", "firstUnsettled.map { $0 >= target - (mutant == 24 ? 1 : 0) }", False),
    ("what another process has erased is overlooked", "Store/StoredErasures.swift",
     "for erasure in stored where erasure.number > seen ?? .max {",
     "for erasure in stored where mutant != 25 && erasure.number > seen ?? .max {", SHARED),
    ("what another process is told about a purpose is overlooked", "Store/StoredConsent.swift",
     "if let seen { for", "if let seen, mutant != 26 { for", SHARED),
    ("a directory is used without its lock", "../EventOutbox/Files/DirectoryLock.swift",
     "while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {", "while mutant != 27, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {", SHARED),
    ("a process that waits encodes its events", "Store/OutboxKeeper.swift",
     "guard !isUnavailable else { return false }", "guard mutant == 28 || !isUnavailable else { return false }", ["no file is changed"] + LOSSES),
]


def make_copy():
    shutil.rmtree(COPY / "Modules", ignore_errors=True)
    COPY.mkdir(parents=True, exist_ok=True)
    for folder in ("Modules", "Apps", "Tests"):
        shutil.copytree(ROOT / folder, COPY / folder, dirs_exist_ok=True)
    shutil.copy(ROOT / "Package.swift", COPY)
    (COPY / "Modules/Delivery/EventBuffer/Mutant.swift").write_text(
        "import Foundation\n\n/// The number of the fault that is planted.\n"
        'package let mutant = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0\n')
    for what, name, old, new, _ in FAULTS:
        path = COPY / ENGINE / name
        text = path.read_text()
        if old not in text:
            sys.exit(f"not found in {name}, for: {what}\n{old}")
        path.write_text(text.replace(old, new, 1))


def find(number, seeds, promises):
    """Returns the first seed that breaks a promise only with the fault, and that promise."""
    simulator = COPY / ".build/release/DeliverySimulator"
    isShared = promises == SHARED
    flags = ["--shared"] if isShared else ["--sqlite"] if promises else []
    first = 0
    while first < seeds:
        command = [simulator, "--seed", str(first), "--seeds", str(seeds - first), "--until-broken"] + flags
        environment = dict(os.environ, MUTANT=str(number), SWIFT_DETERMINISTIC_HASHING="1")
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        found = [line.split("|") for line in run.stdout.splitlines() if line.startswith("found|")]
        if not found:
            return None
        seed, promise = first + int(found[0][1]) - 1, found[0][2]
        without = [simulator, "--hash", str(seed)] + flags
        if (not promises or isShared or any(part in promise for part in promises)) and subprocess.run(
                without, env=dict(environment, MUTANT="0"), capture_output=True).returncode == 0:
            return seed + 1, promise
        first = seed + 1


def main():
    arguments = sys.argv[1:]
    seeds = int(arguments[arguments.index("--seeds") + 1]) if "--seeds" in arguments else 20_000
    only = [int(text) for text in arguments[arguments.index("--fault") + 1].split(",")] if "--fault" in arguments else None
    subprocess.run([ROOT / "Scripts/bootstrap"], check=True)
    make_copy()
    build = ["swift", "build", "--package-path", COPY, "-c", "release", "--product", "DeliverySimulator"]
    made = subprocess.run(build, capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stdout + made.stderr)
    missed = 0
    print("| fault | seeds until found | promise that it breaks |\n|---|---|---|")
    for number, (what, _, _, _, promises) in enumerate(FAULTS, 1):
        if only and number not in only:
            continue
        found = find(number, seeds, promises)
        missed += not found
        disk = " (shared)" if promises == SHARED else " (SQLite)" if promises else ""
        count, promise = found or (f"not within {seeds}", "")
        print(f"| {what}{disk} | {count} | {promise} |", flush=True)
    sys.exit(1 if missed else 0)


main()
