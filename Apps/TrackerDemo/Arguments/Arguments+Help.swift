extension Arguments {
    /// The text of `--help`.
    static let help = """
        TrackerDemo drives the presenters of two products, Dolap Lite (DL) and Trendyol (TY), and delivers what
        they track to Firebase and AwesomeTracking over HTTP.

        Without options it plays a scripted shopping journey whose steps also reach Google Analytics, and one of
        playback and navigation whose calls reach all enabled vendors: Adobe and Braze, not Sumo. It shows the players
        of Starfield (SF) by score and by nickname, delivers to a collector of its own on 127.0.0.1, and prints what
        arrived.

          --replay FILE             replays a clickstream in the REES46 columns (event_time, event_type, product_id,
                                    category_id, category_code, brand, price, user_id, user_session), in any order
          --game                    plays Starfield (SF), a game, instead of the shops: on a terminal it is drawn and
                                    takes arrow keys; elsewhere it plays by itself
          --seed N                  the first game's seed; the same seed makes the same events
          --games N                 how many games are played, 1 by default
          --headless                plays by itself as fast as it can: a load generator
          --queue DIR               keeps the outbox in DIR; what an earlier run has left there is delivered too.
                                    Without it the outbox is temporary, and kept only if something is left in it.
                                    An app's own queue is refused: Scripts/queue looks into it
          --offline                 all receivers are down; everything stays in the queue
          --awesome-endpoint URL    delivers AwesomeTracking's events there: ClickHouse, table awesome.events, or a
                                    gateway that takes NDJSON
          --awesome-format FORMAT   ndjson, as ClickHouse takes it, or otlp: log records for an OpenTelemetry Collector
          --awesome-user NAME       names the receiver's user; the password is the environment's AWESOME_PASSWORD
          --ca-file FILE            trusts the authorities of a PEM file instead of the system's
          --firebase-endpoint URL   delivers Firebase's events there: the GA4 Measurement Protocol
          --firebase-sdk            hands Firebase's events to a stand-in of its SDK instead
          --enable TYPE             lets the journey's calls reach a vendor, such as sumo; without these two options
          --disable TYPE            sumo alone is disabled. Both may be repeated; the last word on a vendor counts
          --step-names STYLE        as-written, or snake-case: how the journey's steps are spelt for Google Analytics
          --inspect [PORT]          shows in a browser what is tracked and what becomes of it, and goes on until Ctrl-C;
                                    Enter tracks everything once more. PORT is a free one by default
          --faults                  with --inspect: tracks one event under a misspelt name, for the inspector to find
          --examples [NAME]         tracks the plan's examples instead of the journey: all, those of a module such as
                                    DLCheckout, or those of an event such as DLOrderPlaced
          --plan DIR                reads the tracking plan of the inspector there; Scripts/demo knows this repository's
          --json                    prints one line of JSON instead of the tables
          --help                    prints this

        An endpoint is https, or http to a loopback address. Event times of a replayed file are kept; Firebase takes
        none older than 72 hours, so that older ones are clamped and counted as repaired. SIGINT and SIGTERM stop the
        reading and end the run in good order.

        exit codes:
            0  everything that was accepted, now or earlier, has been delivered
            2  something was not; a summary on stderr says what and why
           64  wrong arguments              66  no such file, or it cannot be read
           65  no header of the columns     69  a collector could not be started
           73  the queue cannot be made     74  reading the file failed in the middle
          130  ended by SIGINT             143  ended by SIGTERM
        """
}
