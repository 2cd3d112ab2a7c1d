-- Ready queries on the table of clickhouse-schema.sql, for ClickHouse 18.16 and all later releases. A name stands
-- above each query; each ends its line with `;`. FINAL counts an event once that has arrived more than once.

-- funnel: sessions by product that have viewed, then filled the basket, then bought; in the order of tracking, `seq`,
-- because events can share a time
SELECT
    product,
    countIf(stage >= 1) AS viewed,
    countIf(stage >= 2) AS filled,
    countIf(stage >= 3) AS bought
FROM
(
    SELECT
        product,
        session_id,
        windowFunnel(1000000000)(
            toUInt32(seq),
            name IN ('product_viewed', 'pdp_view'),
            name = 'basket_item_added' OR (name = 'pdp_cart_change' AND visitParamExtractString(props, 'action') = 'add'),
            name IN ('order_placed', 'purchase_complete')
        ) AS stage
    FROM awesome.events FINAL
    GROUP BY product, session_id
)
GROUP BY product
ORDER BY product;

-- events per product: how many, of how many sessions and users, from when to when (UTC)
SELECT
    product,
    name,
    count() AS events,
    uniqExact(session_id) AS sessions,
    uniqExactIf(user_id, user_id != '') AS users,
    toDateTime(intDiv(min(ts_ms), 1000), 'UTC') AS earliest,
    toDateTime(intDiv(max(ts_ms), 1000), 'UTC') AS latest
FROM awesome.events FINAL
GROUP BY product, name
ORDER BY product, name;

-- completeness: accepted against arrived; an installation numbers the events of a product without gaps, so that a
-- number that is missing below the highest is an event that was accepted and has not arrived, yet or at all
SELECT
    product,
    uniqExact(device_id) AS installations,
    sum(highest) AS accepted,
    sum(different) AS arrived,
    accepted - arrived AS missing
FROM
(
    SELECT product, device_id, max(seq) AS highest, uniqExact(seq) AS different
    FROM awesome.events
    GROUP BY product, device_id
)
GROUP BY product
ORDER BY product;
