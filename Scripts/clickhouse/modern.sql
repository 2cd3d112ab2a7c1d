-- Additions for current releases of ClickHouse; run after schema.sql.

-- The parameters as a JSON column: `properties.item_id` reads one key without parsing `props`. Parameters that JSON
-- cannot hold, because a path occurs twice, are an empty object here and complete in `props`.
ALTER TABLE awesome.events ADD COLUMN IF NOT EXISTS properties JSON
    MATERIALIZED ifNull(accurateCastOrNull(props, 'JSON'), '{}'::JSON);

-- The number of inserts whose `insert_deduplication_token` the server remembers. A replicated table needs no setting.
ALTER TABLE awesome.events MODIFY SETTING non_replicated_deduplication_window = 1000;
