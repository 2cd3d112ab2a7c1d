-- Views for the analysts' queries, for ClickHouse 18.16 and later releases. They give the shops' events of all products
-- the same names. The typed views of each event are in Scripts/plan/views.sql. To replace a view, drop it first.

CREATE VIEW IF NOT EXISTS awesome.actions AS
SELECT
    product, app_version, platform, country, device_id, session_id, user_id, seq, ts_ms,
    toDate(toDateTime(intDiv(ts_ms, 1000), 'UTC'), 'UTC') AS day,
    multiIf(
        name IN ('product_viewed', 'pdp_view'), 'view',
        name = 'basket_item_added' OR name = 'pdp_cart_change' AND visitParamExtractString(props, 'action') = 'add',
        'add',
        name = 'basket_item_removed' OR name = 'pdp_cart_change', 'remove',
        name IN ('order_placed', 'purchase_complete'), 'buy',
        '') AS action,
    visitParamExtractString(replaceOne(props, '"content_id"', '"item_id"'), 'item_id') AS item,
    visitParamExtractString(props, 'currency') AS currency,
    if(action = 'buy', visitParamExtractFloat(replaceOne(props, '"cart_total"', '"total"'), 'total'), 0) AS revenue
FROM awesome.events FINAL
WHERE action != '';

-- One row for each action, with the person who did it: the user of the session, even for the actions before the
-- sign-in. A session without a user is a person by its installation. If an installation has one owner, group by
-- `device_id` instead of `session_id`. An action of a device whose clock was not between 2000 and 2100 is left out,
-- because it has no day; the query `data-quality` counts it.
CREATE VIEW IF NOT EXISTS awesome.people AS
SELECT
    product,
    session_id,
    if(user != '', user, concat('device ', device_id)) AS person,
    user != '' AS known,
    done.1 AS ts_ms,
    done.2 AS seq,
    done.3 AS day,
    done.4 AS action,
    done.5 = '' AS anonymous,
    done.6 AS revenue,
    done.7 AS currency
FROM
(
    SELECT
        product, session_id, device_id,
        max(user_id) AS user,
        arrayJoin(groupArray((ts_ms, seq, day, action, user_id, revenue, currency))) AS done
    FROM awesome.actions
    WHERE ts_ms >= 946684800000 AND ts_ms < 4102444800000
    GROUP BY product, session_id, device_id
);
