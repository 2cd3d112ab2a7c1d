-- Views that find the events which a release of an app has lost, for ClickHouse 18.16 and later releases. The events
-- that should arrive are in the view `plan_events` of Scripts/plan/views.sql.

-- One row for each version of a product: its installations, the sums over them of their sessions and of the squares,
-- and for each event the sums of its count, of the squares, and of the products with the sessions. A row without a
-- session or a version has no rate. The sums are in arrays of their own, because release 18.16 cannot read a view with
-- an array of tuples after its restart.
CREATE VIEW IF NOT EXISTS awesome.versions AS
SELECT
    product,
    app_version,
    arrayMap(x -> toUInt64OrZero(x), extractAll(app_version, '[0-9]+')) AS number,
    sumIf(installations, name = '') AS installations,
    sumIf(events, name = '') AS sessions,
    sumIf(squares, name = '') AS session_squares,
    groupArrayIf(name, name != '') AS names,
    groupArrayIf(events, name != '') AS event_sums,
    groupArrayIf(squares, name != '') AS event_squares,
    groupArrayIf(products, name != '') AS event_products
FROM
(
    -- The event '' is a session.
    SELECT product, app_version, count.1 AS name,
        count() AS installations,
        toFloat64(sum(count.2)) AS events,
        sum(toFloat64(count.2) * count.2) AS squares,
        sum(toFloat64(count.2) * sessions) AS products
    FROM
    (
        SELECT product, app_version, device_id,
            uniqExactArray(their_sessions) AS sessions,
            arrayJoin(arrayPushBack(groupArray((name, events)), ('', sessions))) AS count
        FROM
        (
            SELECT product, app_version, device_id, name,
                count() AS events,
                groupUniqArray(session_id) AS their_sessions
            FROM awesome.events FINAL
            WHERE session_id != '' AND app_version != ''
            GROUP BY product, app_version, device_id, name
        )
        GROUP BY product, app_version, device_id
    )
    GROUP BY product, app_version, name
)
GROUP BY product, app_version;

-- One row for each event of a version: its count for each session there (`before`) and in the next version by number
-- (`after`). `score` is the difference in standard errors, which are estimated from installations, because the sessions
-- of one are alike, and as if both versions had the same rate. It cannot exceed the square root of the installations of
-- the smaller version, so versions with fewer than 16 are left out: they could hardly reach a score of 3, and would
-- hide a loss from the version after them.
CREATE VIEW IF NOT EXISTS awesome.release_changes AS
SELECT
    product, name, earlier, app_version, sessions_before, sessions_after,
    events_before / sessions_before AS before,
    events_after / sessions_after AS after,
    (events_before + events_after) / (sessions_before + sessions_after) AS rate,
    (squares_before - 2 * rate * products_before + rate * rate * earlier_version.4) / pow(sessions_before, 2)
        + (squares_after - 2 * rate * products_after + rate * rate * version.4) / pow(sessions_after, 2) AS variance,
    if(variance > 0, (before - after) / sqrt(variance), 0) AS score
FROM
(
    SELECT
        product, earlier_version, version,
        earlier_version.2 AS earlier, earlier_version.3 AS sessions_before,
        version.2 AS app_version, version.3 AS sessions_after,
        arrayJoin(earlier_version.5) AS count,
        count.1 AS name, count.2 AS events_before, count.3 AS squares_before, count.4 AS products_before,
        arrayFilter(x -> x.1 = name, version.5) AS counts_after,
        arraySum(x -> x.2, counts_after) AS events_after,
        arraySum(x -> x.3, counts_after) AS squares_after,
        arraySum(x -> x.4, counts_after) AS products_after
    FROM
    (
        SELECT
            product,
            arraySort(groupArray((number, app_version, sessions, session_squares, arrayMap(
                (n, e, s, p) -> (n, e, s, p), names, event_sums, event_squares, event_products)))) AS versions,
            arrayJoin(arrayMap((x, y) -> (x, y), arrayPopBack(versions), arrayPopFront(versions))) AS pair,
            pair.1 AS earlier_version, pair.2 AS version
        FROM awesome.versions
        WHERE installations >= 16
        GROUP BY product
    )
);
