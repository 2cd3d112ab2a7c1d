import CoreTracker
import EventTracking

/// The sentences about all causes, by their names.
///
/// A row of the table is a name and a cause, and below them the cure. A word in braces is a placeholder.
enum Sentences {
    /// The rows of the table.
    static let rows: [String: (cause: String, cure: String)] = {
        var rows: [(name: String, cause: String, cure: String)] = []
        for line in table.split(separator: "\n") {
            if line.hasPrefix(" "), let last = rows.indices.last {
                rows[last].cure = String(line.drop { $0 == " " })
            } else if let end = line.firstIndex(of: ":") {
                rows.append((String(line[..<end]), String(line[end...].dropFirst(2)), ""))
            }
        }
        return rows.keyed { ($0.name, ($0.cause, $0.cure)) }
    }()

    /// Replaces the placeholders of a text.
    static func fill(_ text: String, _ values: [String: String]) -> String {
        var (filled, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start] + (values[String(rest[start..<end].dropFirst())] ?? "")
            rest = rest[end...].dropFirst()
        }
        return filled + rest
    }

    private static let table = """
        dropped.other: {events} dropped for reasons that are not counted by name
            give rules and middleware short names, and fewer than \(LaneLedger.maximumNames)
        dropped.id_too_long: {events} dropped, because an id has more than \(Identity.maximumIDBytes) bytes
            pass a shorter id of the user and of the session to withTracking
        dropped.too_many_lanes: {events} dropped, because there are more than \(BufferLanes.maximum) lanes, \
        or a lane's name is too long
            use a fixed set of products and services
        dropped.buffer_full: {events} dropped, because the event buffer was full
            it fills before the engine is open, while the directory is in use or suspended, and if the disk is slow; \
        open the engine earlier, or raise its capacity
        dropped.buffer_bytes: {events} dropped, because the event buffer had reached its size in bytes
            track smaller parameters, or raise byteCapacity of the engine
        dropped.parameters_too_deep: {events} dropped, because a parameter has more than \
        \(EventParameters.maximumDepth) levels
            track a flatter parameter
        dropped.too_many_parameters: {events} dropped, because of more than \(EventParameters.maximumCount) parameters
            track fewer parameters
        dropped.closed: {events} lost, because the engine was closed
            open it at the start with a directory that can be used, and close it after the last event
        dropped.storage_full: {events} lost, because the disk was full until the engine was closed
            free space on the disk of the directory, or lower bytes of DeliveryBudget
        dropped.no_destination: {events} dropped, because the lane had no destination
            pass one in the configuration at each start
        dropped.no_tracker: {events} dropped, because the view has no product's tracker
            set it with tracker(_:) on a view around it
        dropped.no_vendor_service: vendor {vendor}: {events} dropped, because the product's tracker has no vendor service
            give it one, such as LaneService(product: "{product}")
        dropped.vendor_not_registered: vendor {vendor}: not registered, {events} dropped
            {hint}
        dropped.vendor_disabled: vendor {vendor}: disabled, {events} dropped
            enable it in the store's TrackerConfig to send them
        dropped.vendor_without_events: vendor {vendor}: {events} dropped, because its tracker records no named events
            conform it to VendorEventTrackable
        dropped.consent_denied: {events} dropped, because consent{aim} was denied
            new events are sent after a grant
        dropped.erased: {events} erased, because the app called erase
            the receiver may have earlier events
        dropped.budget_consent: {events} dropped, because too many events wait for consent
            ask the user and call setConsent(_:for:), or raise eventsAwaitingConsent of DeliveryBudget
        dropped.budget_count: {events} dropped, because more events are stored than the budget allows
            find out why they are not delivered, or raise events of DeliveryBudget
        dropped.budget_bytes: {events} dropped, because more bytes are stored than the budget allows
            find out why they are not delivered, or raise bytes of DeliveryBudget
        dropped.expired: {events} dropped, because they were not delivered within the maximum age
            find out why they were not delivered, or raise age of DeliveryBudget
        dropped.corrupted: {events} lost, because stored bytes were damaged or missing
            check the disk and other users of the directory
        dropped.event_too_large: {events} dropped, because one event exceeds the size that the destination or the \
        engine accepts
            track smaller parameters
        dropped.quarantine_full: {events} dropped, because the quarantine was full
            look at quarantine.events(), correct the cause, then retry or discard
        dropped.discarded: {events} dropped, because they were discarded from the quarantine
            correct the tracked event
        dropped.switched_off: {events} dropped: switched off by the quotas document
            change the document to send them
        dropped.sampled_out: {events} dropped by the sampling of the configuration or the quotas document
            raise the share to send more
        dropped.rate_capped: {events} dropped by the maximum rate of the configuration or the quotas document
            raise the rate to send more
        dropped.dropped_by_receiver: {events} lost at the receiver, which had accepted them
            lastFailure.code and lastFailure.response have its reason, and the receiver's log more
        dropped.not_in_plan: {events} refused, because the schema of the web bridge has no such event
            compare the call in the page with the tracking plan, and pass the bridge the page's current schema
        dropped.message_not_json: {events} refused, because the web bridge received a text that is not JSON
            pass an object of plain values to eventTracker.track in the page
        dropped.message_too_deep: {events} refused, because the web bridge received values with too many levels
            track flatter parameters in the page
        dropped.message_too_large: {events} refused, because the web bridge received more bytes than one event may have
            track smaller parameters in the page
        dropped.message_origin: {events} refused, because a page of another origin, or a frame, used the web bridge
            pass the origin to the bridge only if its pages are yours
        dropped.message_rate: {events} refused, because a page sent more messages in a second than the web bridge accepts
            track less often in the page, or raise messagesPerSecond of the bridge
        loss.rule: {events} refused by the rule {name} before being stored
            correct the tracked event
        loss.middleware: {events} dropped by the middleware {name}
        loss: {events} dropped for the reason {name}
            see its documentation

        not_open: {events} only in memory, because the engine was never opened
            call open(_:) when the program starts
        no_destination: the lane has no destination
            {hint}
        consent_denied: consent{aim} is denied: {number} dropped
            this loss is intended
        consent_unknown: waits for consent{aim}: {events} kept
            call setConsent(_:for:)
        held: on hold ({reasons}): {events} kept
            call release(_:reason:)
        no_response_yet: {receiver} has not responded for {age}
            the engine waits, then tries again
        failed: the last attempt failed
            the engine tries again{next}
        quarantined: {events} in quarantine, refused by the receiver
            see Scripts/queue {directory} quarantine, or quarantine.events(), then retry or discard
        scheduled: waits for its schedule
            sends in {age}, or when flush is called
        closed: {events} kept for the next start
        backlog: {events} waiting, the oldest for {age}
            the engine sends them in their order

        clock: the device's clock is {apart} the receiver's
            correct it
        refused: the receiver refuses events{status}
            lastFailure.response has its reason, and quarantine.events() each event that it refuses alone
        too_large: the receiver refuses the size of the body{status}
            the engine sends smaller batches; quarantine.events() has each event that is too large alone
        lost: the receiver accepted events and lost them{status}
            lastFailure.code and lastFailure.response have the receiver's reason
        warned: the receiver accepts the events with a warning{status}
            lastFailure.response has it
        rate_limited: the receiver limits the request rate{status}
            the engine waits as requested{next}
        receiver_fails: the receiver is busy or fails{status}
            the engine tries again{next}
        host_not_found: the host of {receiver} was not found
            check its name, and the network
        connection_refused: {receiver} refused the connection
            check its port, and that it runs
        connection_lost: {receiver} closed the connection before it responded
            check the receiver
        handshake_failed: the TLS handshake with {receiver} failed
            check that its port speaks TLS
        untrusted: the certificate of {receiver} is not trusted
            check it, the clock and the CA file
        host_mismatch: the certificate of {receiver} is for another host
            check the address and the certificate
        authorities: the file of certificate authorities cannot be read
            correct its path and content
        certificate: the client's certificate or key cannot be used
            correct the paths and the files
        proxy: the {code}
            check the proxy of the transport's configuration
        invalid_response: {receiver} did not respond in HTTP, or with a head of more than 64 KiB
            check the address
        no_response: {receiver} did not respond{detail}
            check the receiver and the network
        connection_failed: the connection to {receiver} failed{detail}
            check the network

        paused.credentials: the receiver refuses the credentials{status}
            correct the credentials, or call resume() if they are right
        paused.credentials.proxy: a proxy refuses the credentials{status}
            correct the credentials, or call resume() if they are right
        paused.endpoint: there is no such endpoint{status}
            correct the address, or call resume() if it is right
        paused.endpoint.id: the receiver does not know an id of the configuration{status}
            correct the ids of the destination, or call resume() if they are right
        paused.missingTable: the receiver has no such table{status}
            create the table or correct its name, and call resume()
        paused.missingColumn: the receiver's table lacks a column{status}
            add the column and call resume()
        paused.intercepted: another server responded, such as a captive portal{status}
            sign in to the network, or wait
        paused.trust: the receiver's certificate is not trusted
            check the certificate, the clock and the CA file
        paused.protocolMismatch.dropped: the receiver accepts the requests and loses each event{status}
            correct the cause that lastFailure.code names, such as missing consent, and call resume()
        paused.protocolMismatch.length: the receiver gets no length of the body{status}
            check the proxies on the way, and call resume()
        paused.protocolMismatch.format: the receiver does not accept the format or the compression of the body{status}
            check that the address takes this format and gzip, and call resume()
        paused.protocolMismatch.headers: the receiver refuses the size of the request's headers{status}
            shorten the headers and call resume()
        paused.protocolMismatch.version: the receiver does not support the method or the HTTP version{status}
            check the address, and call resume()
        paused.protocolMismatch.receiver: the receiver reports a fault of its own configuration{status}
            correct the receiver, and call resume()
        paused.protocolMismatch.fails: the receiver fails for each batch and names no event{status}
            look in the receiver's log
        paused.protocolMismatch.size: the receiver refuses the size of each event{status}
            raise the receiver's limit or track smaller parameters, and call resume()
        paused.protocolMismatch.unusual: the receiver answers each batch with an unusual status{status}
            check the address and the receiver, and call resume()
        paused.protocolMismatch.refused: the receiver refuses each event{status}
            correct the fault that lastFailure.response names, such as an invalid id, and call resume()

        storage.full: the disk{place} is full
            free space; events are kept in memory until then
        storage.busy: another connection has the queue file open in the directory{directory}
            close the other connection; events are kept in memory until then
        storage.directory_in_use: another process uses the directory{directory}
            end that process, or use another directory; events are kept in memory until then
        storage.used_by_this_process: another engine of this process uses the directory{directory}
            open one engine only, or give each its own directory; events are kept in memory until then
        storage.not_lockable: the file system of the directory{directory} has no locks ({error})
            use a local directory; events are kept in memory until the process ends
        storage.corrupt: the queue file in the directory{directory} is damaged
            the engine replaces the file and keeps its valid events; events are kept in memory until then
        storage.newer_version: a newer version of this library wrote the directory{directory} (layout {error})
            update this program; events are kept in memory until the process ends
        storage.older_version: a development version of this library wrote the directory{directory} (layout {error})
            delete the directory; events are kept in memory until the process ends
        storage.beyond_limit: a name or a number exceeds a limit of the engine
            use shorter names, or fewer of them
        storage.unavailable: the directory{directory} cannot be used ({error})
            correct the path or its permissions; events are kept in memory until then
        storage.foreign: the directory{directory} cannot be trusted: {error}
            correct the file, or delete it; events are kept in memory until the process ends
        foreign.kind: it is, or has, a link or another kind of file that the library does not create
        foreign.owner: it, or a file in it, belongs to another user
        foreign.permissions: other users can write to it, or to a file in it
        foreign.links: a file in it has a second hard link
        storage.vanished: the queue file in the directory{directory} was deleted or replaced while it was open
            leave the directory's files alone; the engine writes a new file with the events in memory
        storage.not_open: the engine is not open
            call open(_:) when the program starts
        storage.suspended: the app has suspended the storage
            call resumeStorage(); events are kept in memory until then
        storage.failed: the storage in the directory{directory} has failed (SQLite {error})
            check the disk; events are kept in memory until the storage works again

        storage.permissions_restored: a group could write to the directory {name} or its files, \
        which are their owner's only again
            keep the supervisor from changing them, such as by fsGroupChangePolicy: OnRootMismatch
        recovered: a damaged or missing queue file was replaced, and {events} recovered
            check the disk, and other users of the directory
        consent_lost: the stored decision about {name} is damaged or missing
            ask the user again, and call setConsent(_:for:)
        quotas_lost: the stored quotas document cannot be read ({error})
            call setQuotas(document:) again; the configuration's quotas are in effect until then
        consent_assumed: there is no decision about {name}, so its events are sent
            call setConsent(_:for:), or pass .unknown as defaultConsent
        unencrypted: events are sent unencrypted to {name}
            use https, unless the network on the way encrypts
        duplicate_vendor: a second tracker of the vendor {name} was not registered, and gets no event
            register one, or unregister the first
        user_id_looks_personal: the user's id looks like an e-mail address, which services forbid
            pass an id without personal data, or call user.identify(_:policy:traits:)
        id_too_long: the id of a user or of a session has more than \(Identity.maximumIDBytes) bytes, and is not used
            pass a shorter id
        """
}
