-- The table of the in-house receiver, for ClickHouse 18.16 and later releases. `;` ends the last line of a statement.
--
-- The columns are the event's envelope as written by `ClickHouseDestination`. `props` contains the parameters as JSON.
-- The event's id is in the sorting key, so an event that arrives again replaces itself: when parts are merged, and
-- before that in every query with FINAL.

CREATE DATABASE IF NOT EXISTS awesome;

CREATE TABLE IF NOT EXISTS awesome.events
(
    event_id String,
    name String,
    ts_ms Int64,
    seq UInt64,
    session_id String,
    device_id String,
    user_id String,
    product String,
    app_version String,
    schema UInt16,
    props String
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(toDate(intDiv(ts_ms, 1000)))
ORDER BY (product, name, ts_ms, event_id);
