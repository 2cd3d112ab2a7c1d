import LoopbackCollector

/// The details of a row.
enum RowDetail {
    /// Returns the details as JSON, or `nil` if the row was removed.
    static func json(of number: Int, in store: InspectorStore, receiver: String) -> String? {
        let sightings = store.read { $0.sightings(ofRow: number) }
        guard !sightings.isEmpty else { return nil }
        var json = JSONBuilder()
        json.object { json in
            json.member("n", number)
            json.member("event", sightings.lazy.compactMap { $0.entry?.event }.first ?? "")
            json.member("title", sightings.lazy.compactMap { $0.entry?.title }.first ?? "")
            json.member("isUnplanned", sightings.allSatisfy(\.isUnplanned) ? 1 : 0)
            json.member("isGroupedByTime", RowSummary.isGroupedByTime(sightings) ? 1 : 0)
            json.key("services")
            json.array { json in
                for sighting in sightings { write(sighting, receiver, to: &json) }
            }
        }
        return json.text
    }

    private static func write(_ sighting: Sighting, _ receiver: String, to json: inout JSONBuilder) {
        let status = sighting.status
        json.object { json in
            json.member("service", sighting.service)
            json.member("product", sighting.product ?? "")
            json.member("name", sighting.name)
            json.member("id", sighting.eventID)
            json.member("state", status.state)
            json.member("reason", status.reason)
            json.member("user", sighting.user)
            json.member("session", sighting.session)
            json.member("arrivals", sighting.arrivals)
            json.member("body", sighting.body)
            json.member("own", sighting.report?.own ?? "")
            json.key("parameters")
            write(ParameterOrigins(sighting).parameters, to: &json)
            json.key("findings")
            write(sighting.findings, to: &json)
            json.key("attempts")
            write(sighting.attempts, to: &json)
            json.member("omitted", sighting.omittedAttempts)
            json.member("curl", sighting.arrival.map { Redaction.curl($0, receiver: receiver) } ?? "")
        }
    }

    private static func write(_ parameters: [ParameterOrigins.Parameter], to json: inout JSONBuilder) {
        json.array { json in
            for parameter in parameters {
                json.array { json in
                    json.string(parameter.key)
                    json.string(parameter.value.json)
                    json.string(parameter.origin.rawValue)
                }
            }
        }
    }

    private static func write(_ findings: [Finding], to json: inout JSONBuilder) {
        json.array { json in
            for finding in findings {
                json.object { json in
                    json.member("severity", finding.severity.rawValue)
                    json.member("source", finding.source.name)
                    json.member("code", finding.code)
                    json.member("path", finding.path)
                    json.member("text", finding.text)
                    json.member("cure", finding.cure)
                }
            }
        }
    }

    private static func write(_ attempts: [DeliveryAttempt], to json: inout JSONBuilder) {
        json.array { json in
            for attempt in attempts {
                json.object { json in
                    json.member("end", attempt.end.rawValue)
                    json.member("t", Int(attempt.time / 1000))
                    if let status = attempt.status { json.member("status", status) }
                    json.member("answer", attempt.response)
                    json.member("result", attempt.result)
                }
            }
        }
    }
}
