-- Views for the analysts' queries, for ClickHouse 18.16 and later releases. They give the shops' events of all products
-- the same names. The typed views of each event are in Scripts/plan/views.sql. To replace a view, drop it first.

-- `visitParamExtract` takes the first key of a name at any depth, and knows only the spelling without spaces. `json` is
-- `props` in this spelling, with a space before the colon of each nested key, so an item's currency is not taken for
-- that of the order. Most rows need no change, and are not split. A total that is no number is 0; `plan_violations`
-- names its row.
CREATE VIEW IF NOT EXISTS awesome.actions AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS parts,
    arrayCumSum(x -> (x IN ('{', '[')) - (x IN ('}', ']')), parts) AS depths,
    if(empty(parts), props,
        arrayStringConcat(arrayMap((x, depth) -> if(x = ':' AND depth > 1, ' :', x), parts, depths))) AS json,
    replaceOne(json, '"cart_total":', '"total":') AS order_json
SELECT
    product, app_version, platform, country, device_id, session_id, user_id, seq, ts_ms,
    toDate(toDateTime(intDiv(ts_ms, 1000), 'UTC'), 'UTC') AS day,
    multiIf(
        name IN ('product_viewed', 'pdp_view'), 'view',
        name = 'basket_item_added' OR name = 'pdp_cart_change' AND visitParamExtractString(json, 'action') = 'add',
        'add',
        name = 'basket_item_removed' OR name = 'pdp_cart_change', 'remove',
        name IN ('order_placed', 'purchase_complete'), 'buy',
        '') AS action,
    visitParamExtractString(replaceOne(json, '"content_id":', '"item_id":'), 'item_id') AS item,
    visitParamExtractString(json, 'currency') AS currency,
    if(action = 'buy' AND match(visitParamExtractRaw(order_json, 'total'), '^-?[0-9]'),
        visitParamExtractFloat(order_json, 'total'), 0) AS revenue
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
    multiIf(done.5 != '', done.5, is_stitched, user, concat('device ', done.8)) AS person,
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
        product, session_id, if(session_id = '', device_id, '') AS alone,
        max(user_id) AS user,
        session_id != '' AND uniqExactIf(user_id, user_id != '') = 1 AS is_stitched,
        arrayJoin(groupArray((ts_ms, seq, day, action, user_id, revenue, currency, device_id))) AS done
    FROM awesome.actions
    WHERE ts_ms >= 946684800000 AND ts_ms < 4102444800000
    GROUP BY product, session_id, alone
);

-- Each event with its time by the server's clock. A client writes `sent_at`, the milliseconds of its own clock, into a
-- row at each attempt to send it, so `sent_at` minus `received_at` is the error of the device's clock, less the time on
-- the way. An error of less than a minute is not corrected. The corrected time is wrong if the clock was set between
-- the event and its sending, or if a program between the client and the server keeps rows for a while.
CREATE VIEW IF NOT EXISTS awesome.event_times AS
SELECT
    event_id, product, name, device_id, session_id, seq, ts_ms,
    sent_at - toInt64(toUInt32(received_at)) * 1000 AS ahead_ms,
    if(abs(ifNull(ahead_ms, 0)) > 60000, ts_ms - assumeNotNull(ahead_ms), ts_ms) AS corrected_ms
FROM awesome.events FINAL;
