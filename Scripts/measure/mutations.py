"""Plants faults in a copy of the engine; see Scripts/simulate mutations --help."""
import argparse, collections, os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / ".build" / "mutants"
DELIVERY = "Modules/Delivery"
# A fault is found by a unit test with the name `test`, or by seeds that break a promise with one of the `parts`. Without
# both, it is found in memory, by any broken promise.
Fault = collections.namedtuple("Fault", "name edits parts test")


def read_faults():
    """Returns the faults of faults.txt. An edit is a path, the code to replace and the replacement."""
    found = []
    for line in (ROOT / "Scripts/measure/faults.txt").read_text().splitlines():
        kind, _, rest = line.partition(": ")
        if kind == "fault":
            found.append(Fault(rest, [], [], []))
        elif kind == "found on disk":
            found[-1].parts.extend(rest.split("; "))
        elif kind == "found by":
            found[-1].test.append(rest)
        elif line[:1] in ("-", "+"):
            found[-1].edits[-1][1 if line[0] == "-" else 2].append(line[2:])
        elif line.endswith(".swift"):
            found[-1].edits.append((f"{DELIVERY}/{line}", [], []))
    return [fault._replace(edits=[(path, "\n".join(old), "\n".join(new)) for path, old, new in fault.edits])
            for fault in found]


FAULTS = read_faults()


def without_place():
    """Returns the faults whose code is not in the engine."""
    return [f"{fault.name}: not found in {path}: {old}" for fault in FAULTS for path, old, _ in fault.edits
            if not (ROOT / path).is_file() or old not in (ROOT / path).read_text()]


def make_copy():
    COPY.mkdir(parents=True, exist_ok=True)
    for folder in ("Modules", "Apps", "Tests"):
        shutil.rmtree(COPY / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, COPY / folder)
    (COPY / "Package.swift").write_text(
        (ROOT / "Package.swift").read_text()
        + '\npackage.targets.removeAll { $0.type == .test && $0.name != "EventOutboxTests" }\n')
    (COPY / DELIVERY / "EventTracking/Mutant.swift").write_text(
        "import Foundation\n\n/// The number of the fault that is planted.\n"
        'package let mutant = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0\n')
    for number, fault in enumerate(FAULTS, 1):
        for path, old, new in fault.edits:
            code = (COPY / path).read_text()
            (COPY / path).write_text(code.replace(old, re.sub(r"\bON\b", f"(mutant == {number})", new), 1))


def build(*arguments):
    made = subprocess.run(["swift", "build", "--package-path", COPY, *arguments], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stdout + made.stderr)


def find(number, fault, seeds):
    """Returns the first seed that breaks a promise only with the fault, and that promise."""
    simulator = COPY / ".build/release/DeliverySimulator"
    flags = [] if fault.parts else ["--memory"]
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
        if (not fault.parts or any(part in promise for part in fault.parts)) and subprocess.run(
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
    parser.add_argument("--seeds", type=positive, default=200_000)
    parser.add_argument("--fault", type=faults, default=range(1, len(FAULTS) + 1))
    arguments = parser.parse_args()
    if missing := without_place():
        sys.exit("\n".join(missing))
    if arguments.check:
        return
    if arguments.build:
        make_copy()
        return build("--target", "EventDelivery")
    subprocess.run([ROOT / "Scripts/bootstrap"], check=True)
    make_copy()
    planted = [(number, FAULTS[number - 1]) for number in arguments.fault]
    if not all(fault.test for _, fault in planted):
        build("-c", "release", "--product", "DeliverySimulator")
    if any(fault.test for _, fault in planted):
        build("--build-tests")
    missed = 0
    print("| fault | seeds until found | promise that it breaks |\n|---|---|---|")
    for number, fault in planted:
        found = test(number, *fault.test) if fault.test else find(number, fault, arguments.seeds)
        missed += not found
        kind = " (SQLite)" if fault.parts else ""
        count, promise = found or (f"not by {fault.test[0]}" if fault.test else f"not within {arguments.seeds}", "")
        print(f"| {fault.name}{kind} | {count} | {promise} |", flush=True)
    sys.exit(1 if missed else 0)


main()
