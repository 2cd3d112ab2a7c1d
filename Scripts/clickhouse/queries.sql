-- Ready-made queries for the table of schema.sql, for ClickHouse 18.16 and later releases. A comment above
-- each query names it, and `;` ends its last line. FINAL counts an event once even if it has arrived several times.

-- funnel: sessions by product that viewed, then added to the basket, then bought, in the order of tracking (`seq`),
-- because events can have equal times
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

-- events per product: the number of events, of their sessions and users, and the first and last time (UTC)
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

-- completeness: accepted and arrived events; an installation numbers the events of a product without gaps, and a
-- missing number below the highest one is an event that was accepted and has not arrived, yet or at all
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
