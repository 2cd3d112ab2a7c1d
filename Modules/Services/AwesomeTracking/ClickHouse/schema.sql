-- The tables of the in-house receiver, for ClickHouse 18.16 and later releases. `;` ends the last line of a statement.
--
-- The first columns are the event's envelope as written by `ClickHouseDestination`. `props` contains the parameters as
-- JSON. The event's id is in the sorting key, so an event that arrives again replaces itself: when parts are merged,
-- and before that in every query with FINAL. The partition is a month in UTC, so an event that arrives again has the
-- same partition in every time zone of the server.
--
-- The materialized columns are computed by the server, because release 18.16 does not compute the default of a column
-- that is missing in a row. An event that arrives again has the time of its last arrival. The platform and the country
-- are the first values of their keys, at any depth, in rows without spaces between the values.
--
-- `schema` is the number of the product's tracking plan, which its tool raises if a change breaks readers, such as a
-- removed key. Rows with different numbers may therefore have to be read differently.
--
-- `sent_at` is the device's clock at the attempt to send the row, in milliseconds, or NULL. The view `event_times` of
-- actions.sql corrects a wrong clock with it.

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
    props String,
    sent_at Nullable(Int64),
    received_at DateTime MATERIALIZED now(),
    platform String MATERIALIZED visitParamExtractString(props, 'platform'),
    country String MATERIALIZED visitParamExtractString(props, 'storefront')
)
ENGINE = ReplacingMergeTree()
PARTITION BY toYYYYMM(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (product, name, ts_ms, event_id);
