-- Views for the analysts' queries, for ClickHouse 18.16 and later releases. They give the shops' events of all products
-- the same names. The typed views of each event are in Scripts/plan/views.sql. To replace a view, drop it first.

-- `visitParamExtract` takes the first key of a name at any depth. `top` is `props` without the contents of nested lists
-- and objects, so an item's currency is not taken for that of the order. Release 18.16 has no function that does this.
CREATE VIEW IF NOT EXISTS awesome.actions AS
WITH
    -- The brackets outside of texts, and what is between them. If no object is nested, `props` needs no change.
    extractAll(if(match(props, '.\\{'), props, ''), '[{}\\[\\]]|(?:[^"{}\\[\\]]|"(?:[^"\\\\]|\\\\.)*")+') AS parts,
    arrayCumSum(x -> (x IN ('{', '[')) - (x IN ('}', ']')), parts) AS depths,
    arrayFilter((x, depth) -> depth < 2 OR depth = 2 AND x IN ('{', '['), parts, depths) AS outer_parts,
    if(empty(parts), props, arrayStringConcat(outer_parts)) AS top
SELECT
    product, app_version, platform, country, device_id, session_id, user_id, seq, ts_ms,
    toDate(toDateTime(intDiv(ts_ms, 1000), 'UTC'), 'UTC') AS day,
    multiIf(
        name IN ('product_viewed', 'pdp_view'), 'view',
        name = 'basket_item_added' OR name = 'pdp_cart_change' AND visitParamExtractString(top, 'action') = 'add',
        'add',
        name = 'basket_item_removed' OR name = 'pdp_cart_change', 'remove',
        name IN ('order_placed', 'purchase_complete'), 'buy',
        '') AS action,
    visitParamExtractString(replaceOne(top, '"content_id":', '"item_id":'), 'item_id') AS item,
    visitParamExtractString(top, 'currency') AS currency,
    if(action = 'buy', visitParamExtractFloat(replaceOne(top, '"cart_total":', '"total":'), 'total'), 0) AS revenue
FROM awesome.events FINAL
WHERE action != '';

-- One row for each action, with the person who did it: its own user or, for an action before the sign-in, the user of
-- its session. If a session has several users or none, an action without a user is a person by its installation, and so
-- is one without a session. If an installation has one owner, group by `device_id` instead of `session_id`. An action
-- of a device whose clock was not between 2000 and 2100 is left out, because it has no day; the query `data-quality`
-- counts it.
CREATE VIEW IF NOT EXISTS awesome.people AS
SELECT
    product,
    session_id,
    multiIf(done.5 != '', done.5, is_stitched, user, concat('device ', device_id)) AS person,
    done.5 != '' OR is_stitched AS known,
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
        session_id != '' AND uniqExactIf(user_id, user_id != '') = 1 AS is_stitched,
        arrayJoin(groupArray((ts_ms, seq, day, action, user_id, revenue, currency))) AS done
    FROM awesome.actions
    WHERE ts_ms >= 946684800000 AND ts_ms < 4102444800000
    GROUP BY product, session_id, device_id
);
