-- The in-house receiver's table, for ClickHouse 18.16 and all later releases; each statement ends its line with `;`.
--
-- The columns are the event's envelope as `ClickHouseDestination` writes it; `props` holds the parameters as JSON. An
-- event that arrives again replaces itself, since its id stands in the sorting key: when parts are merged, and in every
-- query with FINAL before that.

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
