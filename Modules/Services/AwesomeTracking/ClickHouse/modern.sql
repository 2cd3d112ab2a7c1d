-- Additions for current releases of ClickHouse; run after schema.sql.

-- The parameters as a JSON column: `properties.item_id.:String` reads one key without parsing `props`.
--
-- By default, the server turns texts such as `10-11-12` into dates. The client's setting `modern` switches that off for
-- its inserts. For other inserts, set `input_format_try_infer_dates` and `input_format_try_infer_datetimes` to 0 in the
-- profile of the user who inserts. The parameters of an insert without these settings are an empty object here, and so
-- are parameters that JSON cannot hold because a path occurs twice. Numbers and truth values in a list get one type.
-- `props` is always complete.
--
-- Rows from before this file have an empty object too, and so has a row after an UPDATE of its `props`, because neither
-- a query's settings nor MATERIALIZE COLUMN reach the inserted value. To fill the column, insert the rows again: FINAL
-- then shows them once. Their `received_at` is the time of this statement, so `sent_at`, which belongs to the old one,
-- is left out.
--
--     INSERT INTO awesome.events (event_id, name, ts_ms, seq, session_id, device_id, user_id, product, app_version,
--         schema, props)
--     SELECT event_id, name, ts_ms, seq, session_id, device_id, user_id, product, app_version, schema, props
--     FROM awesome.events FINAL
--     WHERE empty(JSONAllPaths(properties)) AND props != '{}'
--     SETTINGS input_format_try_infer_dates = 0, input_format_try_infer_datetimes = 0;
ALTER TABLE awesome.events ADD COLUMN IF NOT EXISTS properties JSON;

ALTER TABLE awesome.events MODIFY COLUMN properties JSON MATERIALIZED
    if(getSetting('input_format_try_infer_dates') OR getSetting('input_format_try_infer_datetimes'), '{}'::JSON,
        ifNull(accurateCastOrNull(props, 'JSON'), '{}'::JSON));

-- The number of inserts whose `insert_deduplication_token` the server remembers. A replicated table needs no setting.
ALTER TABLE awesome.events MODIFY SETTING non_replicated_deduplication_window = 1000;

-- The traits of each user, or of each installation without one: a row for each trait that has a value, as JSON.
--
-- Updates apply in the order of the devices' clocks. An update that arrives twice counts once, because of FINAL, and
-- increments of several devices add up. A number that is none counts as 0, and a list that is none as empty.
CREATE VIEW IF NOT EXISTS awesome.user_traits AS
SELECT product, user, change.1 AS trait,
    arrayFold((value, step) -> multiIf(
        step.1 = '$setOnce', if(value = '', step.2, value),
        step.1 = '$increment', ifNull(toString(toInt64OrNull(value) + toInt64OrNull(step.2)),
            toString(toFloat64OrZero(value) + toFloat64OrZero(step.2))),
        step.1 IN ('$append', '$remove'), concat('[', arrayStringConcat(arrayConcat(
            arrayFilter(x -> NOT has(JSONExtractArrayRaw(step.2), x), JSONExtractArrayRaw(value)),
            if(step.1 = '$append', arrayDistinct(JSONExtractArrayRaw(step.2)), [])), ','), ']'),
        step.2 = 'null', '',
        step.2), arrayMap(x -> (x.3, x.4), arraySort(groupArray((ts_ms, seq, operation, operand)))), '') AS value
FROM
(
    SELECT product, if(toString(user_id) = '', device_id, toString(user_id)) AS user, ts_ms, seq,
        arrayJoin(JSONExtractKeysAndValuesRaw(props)) AS change,
        JSONExtractKeysAndValuesRaw(change.2) AS members,
        length(members) = 1 AND members[1].1 IN ('$setOnce', '$increment', '$append', '$remove') AS is_operation,
        if(is_operation, members[1].1, '') AS operation,
        if(is_operation, members[1].2, change.2) AS operand
    FROM awesome.events FINAL
    WHERE name = '$identify'
)
GROUP BY product, user, trait
HAVING value != '';
