extension Arguments {
    /// The text of `--help`.
    static let help = """
        TrackerDemo drives the presenters of two products, Dolap Lite (DL) and Trendyol (TY), and delivers their
        events to Firebase and AwesomeTracking over HTTP.

        Without options it plays two scripted journeys. The steps of the shopping journey also reach Google Analytics.
        The calls of the playback and navigation journey reach all enabled vendors: Adobe and Braze, but not Sumo. It
        also prints the players of Starfield (SF) by score and by nickname. All events go to a collector on 127.0.0.1;
        at the end the demo prints the events that arrived there.

          --replay FILE             replays a clickstream with the REES46 columns (event_time, event_type, product_id,
                                    category_id, category_code, brand, price, user_id, user_session), in any order
          --game                    plays Starfield (SF), a game, instead of the shops. On a terminal it draws the game
                                    and reads the arrow keys; elsewhere it plays by itself
          --seed N                  the seed of the first game; the same seed produces the same events
          --games N                 the number of games; 1 by default
          --headless                plays by itself at full speed: a load generator
          --queue DIR               keeps the outbox in DIR, and also delivers the events that an earlier run left
                                    there. Without it the outbox is temporary, and kept only if it has events at
                                    the end. The queue of another app is refused; use Scripts/queue to look into it
          --offline                 all receivers are down; every event stays in the queue
          --awesome-endpoint URL    the receiver of AwesomeTracking's events: ClickHouse (table awesome.events), or a
                                    gateway that accepts NDJSON
          --awesome-format FORMAT   ndjson for ClickHouse, or otlp: log records for an OpenTelemetry Collector
          --awesome-user NAME       the user name at the receiver; the environment variable AWESOME_PASSWORD has the
                                    password.
                                    AWESOME_TOKEN has the app's token for a gateway, which excludes a user
          --awesome-server KIND     portable for every ClickHouse and gateway, or modern to also send a token with which
                                    the server recognizes a repeated batch
          --ca-file FILE            trusts the certificate authorities in a PEM file instead of the system's
          --firebase-endpoint URL   the receiver of Firebase's events: the GA4 Measurement Protocol
          --firebase-sdk            passes Firebase's events to a stand-in for its SDK instead
          --enable TYPE             enables a vendor, such as sumo, for the calls of the journey
          --disable TYPE            disables a vendor. By default only sumo is disabled. Both options may be repeated;
                                    the last one for a vendor counts
          --step-names STYLE        as-written or snake-case: the spelling of the steps' names for Google Analytics
          --inspect [PORT]          shows each event and its delivery in a browser, until Ctrl-C; Enter tracks all
                                    events again. Without PORT it uses a free port
          --faults                  with --inspect: tracks one event with a misspelled name, so that the inspector has a
                                    finding
          --examples [NAME]         tracks the examples of the tracking plan instead of the journey: all of them, those
                                    of a module such as DLCheckout, or those of an event such as DLOrderPlaced
          --plan DIR                the folder of the inspector's tracking plan; Scripts/demo passes this repository's
          --json                    prints one line of JSON instead of the tables. With --examples and without
                                    --inspect, it first prints a line for each event that arrived
          --help                    prints this help

        An endpoint must use https, or http with a loopback address. Events of a replayed file keep their times.
        Firebase accepts no event older than 72 hours: the times of older events are adjusted, and the table counts
        them under "adjusted". SIGINT and SIGTERM stop the reading and end the run in an orderly way.

        exit codes:
            0  all events that were accepted, now or earlier, were delivered
            2  some were not; a summary on stderr lists them with the reason
           64  wrong arguments                   66  the file does not exist or cannot be read
           65  the file has no header line       69  the collector could not be started
           73  the queue cannot be created       74  an error of the file, or no space for the output
          130  ended by SIGINT                  143  ended by SIGTERM
        """
}
