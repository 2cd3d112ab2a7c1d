-- The tables of a cluster with ClickHouse 18.16; run on one node. `schema.sql` describes the columns.
CREATE DATABASE IF NOT EXISTS awesome ON CLUSTER events;

CREATE TABLE IF NOT EXISTS awesome.events_local ON CLUSTER events
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/events', '{replica}')
PARTITION BY toYYYYMM(toDateTime(intDiv(ts_ms, 1000), 'UTC'))
ORDER BY (product, name, ts_ms, event_id);

-- For queries. An installation is on one shard, because FINAL compares only the rows of a shard.
CREATE TABLE IF NOT EXISTS awesome.events ON CLUSTER events AS awesome.events_local
ENGINE = Distributed(events, awesome, events_local, cityHash64(device_id));

-- For inserts by the gateway. It lacks the materialized columns, which this release would send to the shards (code 44).
CREATE TABLE IF NOT EXISTS awesome.events_in ON CLUSTER events
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
    sent_at Nullable(Int64)
)
ENGINE = Distributed(events, awesome, events_local, cityHash64(device_id));
