import CoreTracker
import EventDelivery
import Foundation
import LoopbackCollector
import SFLeaderboard

/// One run of the demo, from its arguments to its exit code.
@MainActor
struct Demo {
    private let arguments: Arguments
    private let console: Console
    private let tracking: DemoWiring
    private let vendors: Vendors
    private let interruption = Interruption()

    /// Creates a run.
    init(arguments: Arguments, console: Console) {
        self.arguments = arguments
        self.console = console
        tracking = DemoWiring(isReplay: arguments.replay != nil)
        vendors = Vendors(on: tracking.engine, enabled: arguments.vendors)
    }

    /// Creates the transport to the receivers, which trusts the authorities from the arguments.
    private func makeTransport() throws(DemoError) -> any Transport {
        guard let authorities = arguments.authorities else { return PlatformTransport() }
        #if canImport(Darwin)
        throw .usage("--ca-file: on Apple platforms, the keychain has the trusted authorities")
        #else
        guard FileManager.default.isReadableFile(atPath: authorities) else {
            throw DemoError("--ca-file: '\(authorities)' cannot be read", code: .noInput)
        }
        return CurlTransport(CurlConfiguration(authorities: URL(filePath: authorities)))
        #endif
    }

    /// Tracks, delivers and reports.
    ///
    /// Tracks nothing if the arguments are invalid.
    func run() async throws(DemoError) -> ExitCode {
        let file = try replayFile()
        let isShort = file == nil && !arguments.game.isPlayed && !arguments.inspection.isOn
        let retention: LoopbackCollector.Retention = isShort ? .everything : .latestIDs(50_000)
        let receivers = try Receivers(arguments, retention: retention)
        let inspection = try Inspection(arguments.inspection, of: receivers)
        let transport: any Transport = try makeTransport()
        let queue = try Queue(arguments.queue)
        try await tracking.open(
            queue: queue,
            receivers: receivers,
            transport: transport,
            inspector: inspection?.link
        )
        let started = ContinuousClock.now

        inspection?.announce(on: console)
        var count = await track(file)
        while await inspection?.wantsMore(unless: interruption) == true {
            do { count = await track(try replayFile()) ?? count } catch { console.log("\(error)") }
        }
        await shutdownFlush()
        let quarantine = await tracking.engine.quarantine.events()

        await tracking.engine.close(timeout: .zero)
        receivers.collector?.close()
        let result = result(
            RunResult(count: count, lanes: await lanes(), arrived: receivers.arrived, quarantine: quarantine)
        )
        report(result, receivers: receivers, elapsed: started.duration(to: .now))
        let isLeft = queue.tidy(holdsEvents: result.holdsEvents)
        if isLeft, queue.isTemporary {
            console.log(
                "the remaining events are in \(queue.path); a run with --queue and this directory delivers them"
            )
        }
        return exitCode(result)
    }

    /// Opens the file to replay at its start, or returns `nil` without `--replay`.
    private func replayFile() throws(DemoError) -> ReplayFile? {
        if let path = arguments.replay { try ReplayFile(path: path) } else { nil }
    }

    private func track(_ file: ReplayFile?) async -> ReplayCount? {
        if arguments.inspection.hasFault { trackFault() }
        if arguments.inspection.tracksExamples {
            let count = PlannedExamples.track(arguments.inspection.examples, vendorService: vendors.tracker)
            console.log("\(count) examples of the plan were tracked")
            return nil
        }
        if arguments.game.isPlayed {
            await play()
            return nil
        }
        guard let file else {
            let funnel = AnalyticsFunnel(on: tracking.engine, names: arguments.stepNames)
            let journey = DemoJourney(
                engine: tracking.engine,
                analytics: funnel.service,
                vendorService: vendors.tracker
            )
            var logs = journey.run()
            logs.append(PlaybackJourney(engine: tracking.engine, vendors: vendors).run())
            let standings = RepositoryStandings(repository: InMemoryPlayerRepository(SFPlayer.demo))
            let lists = LeaderboardList.show(standings)
            if !arguments.printsJSON { show(logs, lists) }
            return nil
        }
        var replay = Replay(tracking, console: console)
        let pacer = Pacer(tracking, waitsForReceivers: !arguments.isOffline)
        await replay.run(file, pacer: pacer, interruption: interruption)
        return replay.count
    }

    /// Tracks an event whose name is not in the plan, as an example of a finding in the inspector.
    private func trackFault() {
        let lane = tracking.engine.lane(.awesomeTracking(product: "DL"))
        lane.track("prodcut_viewed", parameters: ["item_id": "9001"])
    }

    private func play() async {
        let game = GameRun(
            arguments.game,
            console: console,
            interruption: interruption,
            isSilent: arguments.printsJSON
        )
        await game.run(pacer: Pacer(tracking, waitsForReceivers: !arguments.isOffline))
    }

    private func shutdownFlush() async {
        let shutdownFlush = ShutdownFlush(tracking: tracking, console: console, interruption: interruption)
        await shutdownFlush.run(isOffline: arguments.isOffline)
    }

    private func lanes() async -> [LaneResult] { await tracking.engine.statistics().map(LaneResult.init) }

    /// Removes idle lanes from a result.
    private func result(_ all: RunResult) -> RunResult {
        var result = all.leavingOutIdleVendors(isReplay: arguments.isWithoutJourney)
        // Of the unplayed products, keep only those with events left.
        let played = arguments.game.isPlayed ? ["SF"] : Product.allCases.map(\.rawValue)
        result.lanes.removeAll { $0.isIdle && !played.contains($0.id.product) }
        return result
    }

    private func exitCode(_ result: RunResult) -> ExitCode {
        if let code = interruption.exitCode { return code }
        if result.count?.readError != nil { return .fileFailed }
        return result.isComplete ? .success : .undelivered
    }
}

extension Demo {
    private func show(_ result: RunResult, receivers: Receivers) {
        let arrived = Dictionary(result.arrived.map { ($0.service, $0.events) }) { first, _ in first }
        console.print("\nplayback and navigation, each call made once for all enabled vendors:\n")
        console.print(VendorTable(vendors: vendors, lanes: result.lanes, arrived: arrived).text)
        // Requests may overtake each other. The ids are in the order of the calls.
        let steps = receivers.collector?.events(of: .googleAnalytics).sorted { $0.id < $1.id }.map(\.name) ?? []
        if !steps.isEmpty { console.print("\nsteps that Google Analytics received: \(steps.joined(separator: ", "))") }
    }

    private func show(_ logs: [ScreenLog], _ leaderboards: [String]) {
        for log in logs {
            console.print("\(log.product.name): \(log.scenes.joined(separator: " → "))")
        }
        for leaderboard in leaderboards { console.print("Starfield: \(leaderboard)") }
        console.print(SharedServices.show(DemoJourney.dresses[0], DemoJourney.headphones))
        console.print("")
    }

    private func report(
        _ result: RunResult,
        receivers: Receivers,
        elapsed: Duration
    ) {
        reportRun(result, receivers: receivers, elapsed: elapsed)
        guard arguments.printsJSON else { return }
        if arguments.inspection.tracksExamples { for line in receivers.received { console.print(line) } }
        console.print(result.json)
    }

    private func reportRun(_ result: RunResult, receivers: Receivers, elapsed: Duration) {
        if !arguments.printsJSON {
            console.print(result.table)
            for line in result.remarks { console.print(line) }
            if let sdk = receivers.firebaseSDK { console.print("passed to Firebase's SDK: \(sdk.text)") }
            if let collector = receivers.collector,
                let comparison = SideBySide(collector.events(of: .awesomeTracking))
            {
                console.print("\nthe product view event of each product, as AwesomeTracking received it:\n")
                console.print(comparison.text)
            }
        }
        if !arguments.printsJSON, result.count == nil, !arguments.game.isPlayed { show(result, receivers: receivers) }
        if let count = result.count { report(count, elapsed: elapsed) }
        for line in result.shortfall { console.log(line) }
    }

    private func report(_ count: ReplayCount, elapsed: Duration) {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = Int(Double(count.rows) / max(seconds, 0.001))
        let tenths = Int((seconds * 10).rounded())
        console.log("\(count.rows) rows in \(tenths / 10).\(tenths % 10) s (\(rate) rows/s)")
        if count.malformed > 0 { console.log("\(count.malformed) malformed rows were skipped") }
        if let error = count.readError { console.log("reading stopped after \(count.rows) rows: \(error)") }
        if interruption.isRaised { console.log("ended early by a signal") }
    }
}
