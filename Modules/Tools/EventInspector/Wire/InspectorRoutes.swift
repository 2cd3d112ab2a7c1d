import LoopbackCollector

/// The handler of the inspector's paths.
struct InspectorRoutes: Sendable {
    /// The interval at which an open stream checks for changes.
    private static let interval: Duration = .milliseconds(50)
    private static let json = "application/json; charset=utf-8"
    private static let html = "text/html; charset=utf-8"

    let store: InspectorStore
    let plan: InspectorPlan
    let access: Access
    /// The address that receives events.
    let receiver: String

    /// Returns the response to a request, or `nil` if the path does not belong to the inspector.
    func response(to request: CollectedRequest) -> CollectorAction? {
        let path = request.path
        if path == "/favicon.ico" { return .status(204) }
        guard path.hasPrefix("/inspector/") || request.method == "GET" && ["/", "/plan"].contains(path) else {
            return nil
        }
        if path == "/", let welcome = access.welcome(request.head) { return .respond(welcome) }
        guard access.admits(request.head) else { return .respond(InspectorRoutes.locked) }
        switch request.method {
        case "GET": return page(request)
        case "POST": return access.isOfOwnOrigin(request.head) ? command(request) : .respond(InspectorRoutes.foreign)
        default: return .respond(InspectorRoutes.otherMethod)
        }
    }

    private func page(_ request: CollectedRequest) -> CollectorAction {
        let number = request.query["after"].flatMap { Int($0) }
        switch request.path {
        case "/":
            let (html, policy) = InspectorPage.live(receiver: receiver)
            return respond(html, InspectorRoutes.html, policy: policy)
        case "/plan": return planPage
        case "/inspector/events": return respond(RowFeed.all(of: store), InspectorRoutes.json)
        case "/inspector/lanes": return respond(lanes, InspectorRoutes.json)
        case "/inspector/stream": return stream(after: request.headers["last-event-id"].flatMap { Int($0) } ?? number)
        case "/inspector/export.ndjson":
            return export(LineExport(store), as: "application/x-ndjson", name: "events.ndjson")
        case "/inspector/export.har": return export(ArchiveExport(store), as: InspectorRoutes.json, name: "events.har")
        default:
            guard request.path.hasPrefix("/inspector/event/"), let number = Int(request.path.dropFirst(17)),
                let detail = RowDetail.json(of: number, in: store, receiver: receiver)
            else { return .respond(CollectorResponse(404, text: "There is nothing at this address.\n")) }
            return respond(detail, InspectorRoutes.json)
        }
    }

    private func command(_ request: CollectedRequest) -> CollectorAction {
        switch request.path {
        case "/inspector/state":
            let lines = request.body.split(separator: UInt8(ascii: "\n"))
            store.add(lines.compactMap { CollectedValue(Array($0)).flatMap(SenderReport.init) }, at: WallTime.now)
        case "/inspector/clear": store.clear()
        case "/inspector/fault":
            let value = CollectedValue(request.body)
            if value?["service"] == "stream" {
                store.cutStreams()
            } else if let fault = value.flatMap(Fault.init) {
                store.set(fault)
            } else {
                return .respond(
                    CollectorResponse(400, text: "A fault has the form {\"service\", \"status\", \"count\"}.\n")
                )
            }
        default: return .respond(CollectorResponse(404, text: "There is nothing at this address.\n"))
        }
        return .status(204)
    }

    /// Returns a stream of changes.
    ///
    /// The page closes it while it is hidden.
    private func stream(after position: Int?) -> CollectorAction {
        let feed = RowFeed(store, after: position)
        let head = CollectorResponse(200, headers: InspectorRoutes.headers("text/event-stream"))
        return .stream(head, every: InspectorRoutes.interval) { feed.next() }
    }

    private func export(_ export: some ExportParts, as type: String, name: String) -> CollectorAction {
        let attachment = CollectorResponse.Header("Content-Disposition", "attachment; filename=\"\(name)\"")
        let head = CollectorResponse(200, headers: InspectorRoutes.headers(type) + [attachment])
        return .stream(head, every: .zero) { export.next() }
    }

    private var lanes: String {
        let faults = store.activeFaults.map(\.json).joined(separator: ",")
        return "{\"lanes\":\(store.read { $0.lanes.json }),\"faults\":[\(faults)]}"
    }

    private var planPage: CollectorAction {
        guard var page = plan.page else {
            return .respond(CollectorResponse(404, text: InspectorRoutes.noPlan))
        }
        let seen = store.read { $0.seenCalls }
        for (product, event) in plan.events {
            let count = seen["\(product) \(event)"] ?? 0
            let text = count == 0 ? "never seen" : count == 1 ? "seen once" : "seen \(count) times"
            let mark = "<span class=\"\(count == 0 ? "unseen" : "seen")\">\(text)</span>"
            page = page.replacing(InspectorPlan.marker(product: product, event: event), with: mark)
        }
        let (html, policy) = InspectorPage.plan(page)
        return respond(html, InspectorRoutes.html, policy: policy)
    }

    private func respond(_ text: String, _ type: String, policy: String = InspectorPage.policy) -> CollectorAction {
        .respond(CollectorResponse(200, headers: InspectorRoutes.headers(type, policy: policy), text: text))
    }

    private static func headers(
        _ type: String,
        policy: String = InspectorPage.policy
    ) -> [CollectorResponse.Header] {
        [
            .init("Content-Type", type), .init("Content-Security-Policy", policy), .init("Cache-Control", "no-store"),
            .init("X-Content-Type-Options", "nosniff"), .init("Referrer-Policy", "no-referrer"),
            .init("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }

    private static let otherMethod = CollectorResponse(405, headers: [.init("Allow", "GET, POST")])

    private static let foreign = CollectorResponse(
        403,
        headers: headers("text/plain; charset=utf-8"),
        text: "A command needs an Origin header with the address of this page.\n"
    )

    private static let noPlan = """
        The inspector was started without a tracking plan.
        Write one with the plan tool of the app's package, and start the inspector with --plan and the plan's folder.

        """

    private static let locked = CollectorResponse(
        403,
        headers: headers("text/plain; charset=utf-8"),
        text: "Open the link that the inspector printed: it contains the token of this page.\n"
    )
}
