-- Adds the new columns to a table that an earlier version has created. Old rows stay valid: their platform and
-- country are computed from `props`, and `received_at` is 0 because the time of their arrival is unknown. The
-- OPTIMIZE stores this 0. Without it, old rows would have the time of the query.

ALTER TABLE awesome.events ADD COLUMN received_at DateTime DEFAULT toDateTime(0);

OPTIMIZE TABLE awesome.events FINAL;

ALTER TABLE awesome.events MODIFY COLUMN received_at DateTime MATERIALIZED now();

ALTER TABLE awesome.events ADD COLUMN platform String MATERIALIZED visitParamExtractString(props, 'platform')
    AFTER received_at;

ALTER TABLE awesome.events ADD COLUMN country String MATERIALIZED visitParamExtractString(props, 'storefront')
    AFTER platform;

ALTER TABLE awesome.events ADD COLUMN sent_at Nullable(Int64) AFTER props;
