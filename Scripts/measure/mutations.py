"""Plants faults in a copy of the engine; see Scripts/simulate mutations --help."""
import argparse, os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / ".build" / "mutants"
ENGINE = "Modules/Delivery/EventDelivery/"
BUFFER, OUTBOX = "../EventDeliveryAPI/", "../EventOutbox/"
MEMORY = "memory"
LOSSES = ["no event is lost without", "stored events survive", "survive a power loss"]
REVIVED = ["no request of a purpose", "events that a denial covers", "of a purpose is stored", "byte of a purpose"]
# Each fault has its name, its edits, and how it is found. An edit is a file, the code to replace and the replacement,
# in which ON is true if the fault is planted. MEMORY means seeds in memory. A list means seeds over SQLite, with parts
# of the promises that the fault can break. Other broken promises do not count, because each call of the disk shifts
# the schedule. A string names the unit tests of EventOutboxTests that find a fault between real processes.
FAULTS = [
    ("a lane is not woken for stored events", [
        ("Sending/LaneTable.swift", "for index in indices { wakes[index].signal() }",
         "if !ON || group == nil { for index in indices { wakes[index].signal() } }")], MEMORY),
    ("a barrier is not made", [
        ("Storage/OutboxStorage.swift", "try outbox.commit(change, barrier: barrier)",
         "try outbox.commit(change, barrier: barrier && !(ON && change.isEmpty))")], ["survive a power loss"]),
    ("a request begins although a decision followed its lease", [
        ("Sending/LaneRunner.swift", "let isCurrent = !isOutdated(lease.number) &&",
         "let isCurrent = ON || !isOutdated(lease.number) &&")], MEMORY),
    ("the ledger counts one event too few of large batches", [
        ("Sending/LaneQueue+Completing.swift", "stored.ledger.delivered += lease.batch.events.count",
         "stored.ledger.delivered += lease.batch.events.count - (ON && lease.batch.events.count > 4 ? 1 : 0)")],
     MEMORY),
    ("a lease whose batch was not sent is kept", [
        ("Sending/LaneQueue+Leasing.swift", "leases[lease.stored.id] = nil\n    }",
         "if !ON { leases[lease.stored.id] = nil }\n    }")], MEMORY),
    ("a denial does not delete quarantined events", [
        ("Engine/DeliveryState.swift", "quarantine.events.removeAll { $0.lane == id }",
         "if !ON { quarantine.events.removeAll { $0.lane == id } }")], ["the ledger agrees"] + REVIVED),
    ("an ordered lane has two requests in flight", [
        ("Sending/LaneQueue+Leasing.swift", "guard let destination, destination.order == .none else { return 1 }",
         "guard let destination, destination.order == .none else { return ON ? 2 : 1 }")], MEMORY),
    ("a thread does not see that the identity has changed", [
        (BUFFER + "Buffer/BufferShard.swift", "if frozen.version != current.version {",
         "if frozen.version != current.version, !ON || frozen.version == 0 {")], MEMORY),
    ("a flush waits two seconds longer than its deadline", [
        (BUFFER + "Time/WakeSignal.swift", "clock.sleep(until: self.instant)",
         "clock.sleep(until: ON ? self.instant.advanced(by: .seconds(2)) : self.instant)")], MEMORY),
    ("a close does not stop the lanes", [
        ("Engine/RunningEngine.swift", "        for runner in runners { await runner.halt() }\n        for",
         "        if !ON { for runner in runners { await runner.halt() } }\n        for"),
        ("Sending/LaneRunner.swift", "entry.holds.isEmpty, !buffer.isClosed else",
         "entry.holds.isEmpty, ON || !buffer.isClosed else")], MEMORY),
    ("a denial does not wait for the requests that it cancels", [
        ("Engine/RunningEngine.swift", "for request in requests { await request.value }",
         "if !ON { for request in requests { await request.value } }")], MEMORY),
    ("the quarantine holds one event too many", [
        ("Sending/Quarantine.swift", "while count > budget.quarantinedEvents ||",
         "while count > budget.quarantinedEvents + (ON ? 1 : 0) ||")], MEMORY),
    ("events expire at half their age", [
        ("Sending/LaneQueue.swift", "return stored.monotonic.duration(to: now.monotonic) > age }",
         "return stored.monotonic.duration(to: now.monotonic) > (ON ? age / 2 : age) }")], MEMORY),
    ("a receipt reports stored for an event that is only in memory", [
        ("Storage/OutboxStorage.swift", "if entry.outcome == .stored, failure != nil {",
         "if entry.outcome == .stored, failure != nil, !ON {")], LOSSES),
    ("an acknowledged batch stays in the outbox", [
        ("Sending/LaneQueue+Completing.swift",
         "        for place in batch.segments { change.outbox.remove(place) }\n",
         "        if !ON { for place in batch.segments { change.outbox.remove(place) } }\n")], MEMORY),
    ("an erasure does not delete quarantined events", [
        ("Privacy/Cleaner.swift", "try remove([], state.quarantine.events.filter {",
         "try remove([], state.quarantine.events.filter { !ON &&")],
     ["the ledger agrees", "an erasure has deleted", "byte of an erased"]),
    ("a suspension leaves the file open", [
        ("Engine/DeliveryState.swift", "guard isOpen, configuration.directory != nil, storage.outbox.isFile else {",
         "if ON, reason == .suspended { return }\n"
         "        guard isOpen, configuration.directory != nil, storage.outbox.isFile else {")],
     ["no file is changed"]),
    ("a lane ignores the Retry-After of its receiver", [
        ("Sending/RetryState.swift", "askedUntil = retryAfter.map {",
         "askedUntil = (ON ? nil : retryAfter).map {")], MEMORY),
    ("a start forgets the Retry-After of receivers", [
        ("Engine/DeliveryState.swift", "lanes[index].restoreRetryState(at: context.now)",
         "if !ON { lanes[index].restoreRetryState(at: context.now) }")], ["before the Retry-After"]),
    ("a held lane sends", [
        (BUFFER + "Buffer/LaneHolds.swift", "isEmpty: Bool { state.", "isEmpty: Bool { ON || state.")], MEMORY),
    ("a session does not end by its timeout", [
        (BUFFER + "Identity/CurrentIdentity.swift", "guard isOver(at: now.nanoseconds) else {",
         "guard !ON, isOver(at: now.nanoseconds) else {")], MEMORY),
    ("a reset keeps the installation's id", [
        (BUFFER + "Engine/DeliveryEngine.swift", "$0.deviceID = device", "if !ON { $0.deviceID = device }")], MEMORY),
    ("an event in a scope gets the engine's identity", [
        (BUFFER + "Buffer/EventBuffer.swift", "let identity = scope?.identity(",
         "let identity = (ON ? nil : scope)?.identity(")], MEMORY),
    ("an erasure does not find the events of a scope's user", [
        (BUFFER + "Identity/TrackingScope.swift", "if let user { identity.setUser(user) }",
         "if ON { identity.userID = user?.id ?? identity.userID } else if let user { identity.setUser(user) }")], MEMORY),
    ("a decision is stored without a barrier", [
        ("Storage/OutboxStorage.swift", "outbox.commitDecisions(barrier: true)",
         "outbox.commitDecisions(barrier: !ON)")], REVIVED + ["before the user has agreed"]),
    ("a refused decision is not stored with the next commit", [
        (OUTBOX + "Outbox.swift", "var merged = refused", "var merged = ON ? OutboxChange() : refused")],
     "OutboxTests"),
    ("a flush returns before the last event is settled", [
        (BUFFER + "Reports/LaneStatus.swift", "firstUnsettled.map { $0 >= target }",
         "firstUnsettled.map { $0 >= target - (ON ? 1 : 0) }")], MEMORY),
    ("a search begins below the start of a lane", [
        (OUTBOX + "Outbox.swift", "number: lane.start - 1)", "number: ON ? 0 : lane.start - 1)")],
     REVIVED + ["the ledger", "an erasure has deleted"]),
    ("a batch with events of an erased user is leased", [
        ("Sending/LaneQueue+Leasing.swift", "if segments.contains(where: { context.row.isErased(",
         "if !ON, segments.contains(where: { context.row.isErased(")], ["an erasure has deleted", "erased", "erasure"]),
    ("a pass ends the deletion that a later decision needs", [
        ("Privacy/Cleaner.swift", "row.isUnclean = state.lastCovering > pass.number",
         "row.isUnclean = !ON && state.lastCovering > pass.number")], ["byte of a purpose", "byte of an erased"]),
    ("an event tracked between a denial and a grant before the opening is kept", [
        (BUFFER + "Buffer/EventBuffer+Privacy.swift", "event.number < allowed[$0] ?? 0",
         "!ON && event.number < allowed[$0] ?? 0")], REVIVED),
    ("an incomplete replacement of the database is used", [
        (OUTBOX + "Files/OutboxReplacement.swift",
         "        OutboxDirectory.remove(directory.queue + Suffix.unfinished)\n        let complete",
         "        if ON { rename(directory.queue + Suffix.unfinished, directory.queue + Suffix.complete) }\n"
         "        OutboxDirectory.remove(directory.queue + Suffix.unfinished)\n        let complete")], LOSSES),
    ("a grant in the configuration replaces a stored denial", [
        ("Privacy/Decisions.swift", "for (purpose, decision) in row.decisions { consents[",
         "for (purpose, decision) in row.decisions where !ON || consent[ConsentPurpose(purpose)] == nil { consents[")],
     REVIVED),
    ("a suspended process locks the directory", [
        ("Storage/OutboxStorage.swift", "guard isWaiting, !isSuspended else { return nil }",
         "guard isWaiting, ON || !isSuspended else { return nil }")], ["no file is changed"]),
    ("a deletion counts erased events again", [
        ("Privacy/Cleaner.swift", "lost[index, default: 0] += summary.count",
         "lost[index, default: 0] += summary.count * (ON ? 2 : 1)")], ["the ledger", "reports together"]),
    ("the second half of a bisected batch is sent first", [
        ("Sending/LaneQueue+Leasing.swift", "batches.replaceSubrange(place...place, with: children)",
         "batches.replaceSubrange(place...place, with: ON ? children.reversed() : children)")], MEMORY),
    ("a retried batch is sent after the other open ones", [
        ("Sending/LaneQueue+Completing.swift", "        batches[position].attempts += 1\n",
         "        batches[position].attempts += 1\n        if ON { batches.append(batches.remove(at: position)) }\n"),
        ("Sending/LaneQueue+Completing.swift", "change.outbox.save(batches[position])",
         "change.outbox.save(batches[ON ? batches.count - 1 : position])")], MEMORY),
    ("events that a partial response leaves are sent after the other open batches", [
        ("Sending/LaneQueue+Completing.swift", "batches.firstIndex { retried.start < $0.start } ?? batches.count",
         "(ON ? nil : batches.firstIndex { retried.start < $0.start }) ?? batches.count")], MEMORY),
    ("an event that was passed over is sent again after a later one was taken", [
        ("Sending/LaneQueue+Bisecting.swift",
         "let refused = aside\n", "let refused = ON ? [] : aside\n")], MEMORY),
    ("an ordered batch passes over other keys", [
        ("Sending/LaneQueue+Leasing.swift", "return destination.order == .none && passed",
         "return (ON || destination.order == .none) && passed")], MEMORY),
    ("the rest of a dissolved batch is sent after later batches", [
        ("Sending/LaneQueue+Leasing.swift", "guard destination?.order == .session, firstFree",
         "guard !ON, destination?.order == .session, firstFree")], MEMORY),
    ("the events of a dissolved batch are not found again", [
        ("Sending/LaneQueue.swift", "firstFree = gone.map(\\.start.number).reduce(firstFree, min)",
         "if !ON { firstFree = gone.map(\\.start.number).reduce(firstFree, min) }")], MEMORY),
    ("a batch contains events on both sides of another one", [
        ("Sending/LaneQueue+Leasing.swift", "starts.contains(where: { first < $0 && $0 < summary.place }) {",
         "!ON, starts.contains(where: { first < $0 && $0 < summary.place }) {")], MEMORY),
    ("an event is passed over at its first refusal without a reason", [
        ("Sending/LaneQueue+Bisecting.swift", "lease.stored.refusals + 1 >= LaneQueue.unexplainedRefusals",
         "lease.stored.refusals + 1 >= (ON ? 1 : LaneQueue.unexplainedRefusals)")], MEMORY),
    ("a directory is used without its lock", [
        (OUTBOX + "Files/DirectoryLock.swift", "while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {",
         "while !ON, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {")], "DirectoryLockTests"),
    ("a directory is used without the lock of its database", [
        (OUTBOX + "SQLite/SQLiteSchema.swift", 'try connection.execute("PRAGMA locking_mode = EXCLUSIVE")',
         'if !ON { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }')], "SQLiteSchemaTests"),
]


def without_place():
    """Returns the faults whose code is not in the engine."""
    return [f"{what}: not found in {name}: {old}" for what, edits, _ in FAULTS for name, old, _ in edits
            if not (ROOT / ENGINE / name).is_file() or old not in (ROOT / ENGINE / name).read_text()]


def make_copy():
    COPY.mkdir(parents=True, exist_ok=True)
    for folder in ("Modules", "Apps", "Tests"):
        shutil.rmtree(COPY / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, COPY / folder)
    (COPY / "Package.swift").write_text(
        (ROOT / "Package.swift").read_text()
        + '\npackage.targets.removeAll { $0.type == .test && $0.name != "EventOutboxTests" }\n')
    (COPY / "Modules/Delivery/EventDeliveryAPI/Mutant.swift").write_text(
        "import Foundation\n\n/// The number of the fault that is planted.\n"
        'package let mutant = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0\n')
    for number, (what, edits, _) in enumerate(FAULTS, 1):
        for name, old, new in edits:
            path = COPY / ENGINE / name
            path.write_text(path.read_text().replace(old, re.sub(r"\bON\b", f"(mutant == {number})", new), 1))


def build(*arguments):
    made = subprocess.run(["swift", "build", "--package-path", COPY, *arguments], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stdout + made.stderr)


def find(number, seeds, promises):
    """Returns the first seed that breaks a promise only with the fault, and that promise."""
    simulator = COPY / ".build/release/DeliverySimulator"
    flags = ["--memory"] if promises == MEMORY else []
    first = 0
    while first < seeds:
        command = [simulator, "--seed", str(first), "--seeds", str(seeds - first), "--quiet", "--until-broken"] + flags
        environment = dict(os.environ, MUTANT=str(number), SWIFT_DETERMINISTIC_HASHING="1")
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        found = [line.split("|") for line in run.stdout.splitlines() if line.startswith("found|")]
        if not found:
            return None
        seed, promise = first + int(found[0][1]) - 1, found[0][2]
        without = [simulator, "--hash", str(seed)] + flags
        if (promises == MEMORY or any(part in promise for part in promises)) and subprocess.run(
                without, env=dict(environment, MUTANT="0"), capture_output=True).returncode == 0:
            return str(seed + 1), promise
        first = seed + 1


def test(number, name):
    """Returns the tests that fail only with the fault."""
    def passes(mutant):
        run = subprocess.run(["swift", "test", "--package-path", COPY, "--skip-build", "--filter", name],
                             env=dict(os.environ, MUTANT=str(mutant)), capture_output=True, text=True)
        return run.returncode == 0 and " with 0 tests" not in run.stdout
    return (name, "the unit tests fail") if passes(0) and not passes(number) else None


class Parser(argparse.ArgumentParser):
    """A parser that ends an invalid command line with one line and 64."""

    def error(self, message):
        self.exit(64, f"simulate mutations: {message}; see Scripts/simulate --help\n")


def positive(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def faults(text):
    numbers = [int(number) for number in text.split(",")]
    if not all(1 <= number <= len(FAULTS) for number in numbers):
        raise argparse.ArgumentTypeError(f"the faults have the numbers 1 to {len(FAULTS)}")
    return numbers


def main():
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--seeds", type=positive, default=20_000)
    parser.add_argument("--fault", type=faults, default=range(1, len(FAULTS) + 1))
    arguments = parser.parse_args()
    if missing := without_place():
        sys.exit("\n".join(missing))
    if arguments.check:
        return
    if arguments.build:
        make_copy()
        return build("--target", "EventDelivery")
    seeds = arguments.seeds
    subprocess.run([ROOT / "Scripts/bootstrap"], check=True)
    make_copy()
    planted = [(number, fault) for number, fault in enumerate(FAULTS, 1) if number in arguments.fault]
    isTested = [isinstance(by, str) and by != MEMORY for _, (_, _, by) in planted]
    if not all(isTested):
        build("-c", "release", "--product", "DeliverySimulator")
    if any(isTested):
        build("--build-tests")
    missed = 0
    print("| fault | seeds until found | promise that it breaks |\n|---|---|---|")
    for (number, (what, _, by)), byTests in zip(planted, isTested):
        found = test(number, by) if byTests else find(number, seeds, by)
        missed += not found
        kind = " (SQLite)" if isinstance(by, list) else ""
        count, promise = found or (f"not by {by}" if byTests else f"not within {seeds}", "")
        print(f"| {what}{kind} | {count} | {promise} |", flush=True)
    sys.exit(1 if missed else 0)


main()
