-- Ready-made queries for analysts, for ClickHouse 18.16 and later releases, one server or a cluster. They need the
-- views of actions.sql, releases.sql and Scripts/plan/views.sql. Each comment has a name, a kind of chart for
-- Scripts/report, and a title; `;` ends the last line of a query.

-- overview (numbers): people with an action, their sessions, and what they bought
SELECT figure, value
FROM
(
    SELECT 1 AS place, 'people' AS figure, toFloat64(uniqExact(person)) AS value FROM awesome.people
    UNION ALL
    SELECT 2 AS place, 'sessions' AS figure, toFloat64(uniqExactIf(session_id, session_id != '')) AS value
    FROM awesome.people
    UNION ALL
    SELECT 3 AS place, 'buyers' AS figure, toFloat64(uniqExactIf(person, action = 'buy')) AS value FROM awesome.people
    UNION ALL
    SELECT 4 AS place, 'orders' AS figure, toFloat64(countIf(action = 'buy')) AS value FROM awesome.people
    UNION ALL
    SELECT 5 AS place, if(currency = '', 'revenue', concat('revenue ', currency)) AS figure, sum(revenue) AS value
    FROM awesome.people
    WHERE action = 'buy'
    GROUP BY currency
)
ORDER BY place, figure;

-- funnel-by-session (bars): sessions that viewed, then added to the basket, then bought, in the order of tracking, and
-- in percent of those that viewed
SELECT
    product,
    countIf(stage >= 1) AS viewed,
    countIf(stage >= 2) AS added,
    countIf(stage >= 3) AS bought
FROM
(
    SELECT
        product,
        windowFunnel(1000000000)(toUInt32(seq), action = 'view', action = 'add', action = 'buy') AS stage
    FROM awesome.actions
    WHERE session_id != ''
    GROUP BY product, session_id
)
GROUP BY product
ORDER BY product;

-- funnel-by-user (bars): people who viewed, then added to the basket, then bought, within seven days of the view before
-- the addition, and in percent of those who viewed; in the order of milliseconds and, within one, of tracking
SELECT
    product,
    uniqExact(person) AS viewed,
    uniqExactIf(person, additions > 0 AND addition - seen <= 604800000) AS added,
    uniqExactIf(person, additions > 0 AND purchases > 0 AND purchase - seen <= 604800000) AS bought
FROM
(
    -- One row for each addition of a person: the view before it, and the purchases up to the next addition.
    SELECT
        product, person, additions,
        min(seen) AS seen,
        minIf(ms, done = 'add') AS addition,
        minIf(ms, done = 'buy') AS purchase,
        countIf(done = 'buy') AS purchases
    FROM
    (
        -- The rows of a person between two views, with the time of the first one.
        SELECT product, person, views, min(step.1) AS seen, arrayJoin(groupArray(step)) AS row,
            row.1 AS ms, row.2 AS done, row.3 AS additions
        FROM
        (
            SELECT
                product, person,
                arraySort(groupArray((ts_ms, seq, action))) AS actions,
                arrayCumSum(x -> x.3 = 'view', actions) AS viewed,
                arrayCumSum((x, before) -> x.3 = 'add' AND before > 0, actions, viewed) AS added,
                arrayJoin(arrayMap((x, v, a) -> (x.1, x.3, a, v), actions, viewed, added)) AS step,
                step.4 AS views
            FROM awesome.people
            GROUP BY product, person
        )
        WHERE views > 0
        GROUP BY product, person, views
    )
    GROUP BY product, person, additions
)
GROUP BY product
ORDER BY product;

-- daily-active-users (line): people with an action, by day (UTC) and product
SELECT day, product, uniqExact(person) AS people
FROM awesome.people
GROUP BY day, product
ORDER BY day, product;

-- retention-by-week (grid): people by the week of their first action, and those who came back in each later week
SELECT first_week, intDiv(week - first_week, 7) AS weeks_later, count() AS people
FROM
(
    SELECT toMonday(min(day)) AS first_week, arrayJoin(groupUniqArray(toMonday(day))) AS week
    FROM awesome.people
    GROUP BY person
)
GROUP BY first_week, weeks_later
ORDER BY first_week, weeks_later;

-- paths (bars): sessions by path: the most frequent, at most ten; a path has at most four steps, and an action several
-- times in a row is one step
SELECT arrayStringConcat(arraySlice(steps, 1, 4), ' > ') AS path, count() AS sessions
FROM
(
    SELECT
        arrayMap(x -> x.2, arraySort(groupArray((seq, action)))) AS actions,
        arrayFilter((x, before) -> x != before, actions, arrayPopBack(arrayPushFront(actions, ''))) AS steps
    FROM awesome.actions
    WHERE session_id != ''
    GROUP BY product, session_id
)
GROUP BY path
ORDER BY sessions DESC, path
LIMIT 10;

-- revenue (line): revenue by week, product and currency, with orders and buyers
SELECT
    toMonday(day) AS week,
    product,
    currency,
    if(abs(sum(revenue)) < 1e9, round(sum(revenue), 6), sum(revenue)) AS total,
    count() AS orders,
    uniqExact(person) AS buyers
FROM awesome.people
WHERE action = 'buy'
GROUP BY week, product, currency
ORDER BY week, product, currency;

-- latency (table): seconds from the action to its arrival at the server, as median, 95 % and 99 %, by product
SELECT
    product,
    count() AS events,
    quantileExact(0.5)(toInt64(toUInt32(received_at)) - intDiv(ts_ms, 1000)) AS median,
    quantileExact(0.95)(toInt64(toUInt32(received_at)) - intDiv(ts_ms, 1000)) AS p95,
    quantileExact(0.99)(toInt64(toUInt32(received_at)) - intDiv(ts_ms, 1000)) AS p99
FROM awesome.events FINAL
WHERE received_at != toDateTime(0)
GROUP BY product
ORDER BY product;

-- completeness (table): accepted, arrived and missing events by installation and version, from the first number of the
-- installation that is in the table; an installation numbers the events of a product without gaps, so a number missing
-- after it is an accepted event that has not arrived, yet or at all, or one that an erasure has deleted since
SELECT
    product,
    device_id,
    version.2 AS app_version,
    version.1 - before AS accepted,
    version.3 AS arrived,
    accepted - arrived AS missing
FROM
(
    SELECT
        product,
        device_id,
        arraySort(groupArray((last, app_version, events))) AS versions,
        arrayPushFront(arrayPopBack(arrayMap(x -> x.1, versions)), min(first) - 1) AS last_before
    FROM
    (
        SELECT
            product, device_id, app_version,
            min(toInt64(seq)) AS first,
            max(toInt64(seq)) AS last,
            uniqExact(seq) AS events
        FROM awesome.events
        GROUP BY product, device_id, app_version
    )
    GROUP BY product, device_id
)
ARRAY JOIN versions AS version, last_before AS before
ORDER BY product, missing DESC, device_id, app_version;

-- release-alarm (table): events that a version sends for each session at least a fifth less often than the version
-- before it, by at least three standard errors: look for a removed call. Versions with fewer than 16 installations are
-- left out. A change of the app's use can be the reason too
SELECT
    product, name, earlier, app_version,
    round(before, 4) AS per_session_before,
    round(after, 4) AS per_session_after,
    if(after = 0, 'vanished', 'fell') AS change,
    round(score, 2) AS standard_errors
FROM awesome.release_changes
WHERE score >= 3 AND after <= 0.8 * before
ORDER BY product, app_version, name;

-- unsent-events (table): events of the tracking plan that no version has sent
SELECT product, name
FROM awesome.plan_events
WHERE (product, name) GLOBAL NOT IN (SELECT product, name FROM awesome.events)
ORDER BY product, name;

-- clock-errors (table): installations whose clock was wrong by more than a minute when they sent: the events with a
-- corrected time, and the median of the error in seconds, which is positive for a clock that is ahead
SELECT product, device_id, count() AS events, intDiv(quantileExact(0.5)(assumeNotNull(ahead_ms)), 1000) AS seconds_ahead
FROM awesome.event_times
WHERE corrected_ms != ts_ms
GROUP BY product, device_id
ORDER BY product, device_id;

-- data-quality (table): rows that break the tracking plan, by event and rule, and rows of a device with a wrong clock
SELECT product, name, rule, count() AS rows
FROM
(
    SELECT product, name, rule FROM awesome.plan_violations
    UNION ALL
    SELECT product, name, 'clock before 2000 or after 2099' AS rule
    FROM awesome.events FINAL
    WHERE ts_ms < 946684800000 OR ts_ms >= 4102444800000
)
GROUP BY product, name, rule
ORDER BY product, name, rule;

-- identity-stitching (table): anonymous actions, and those of them whose session has one user, who signed in there
SELECT
    product,
    countIf(anonymous) AS anonymous_actions,
    countIf(anonymous AND known) AS stitched,
    uniqExactIf(person, anonymous AND known) AS users
FROM awesome.people
GROUP BY product
ORDER BY product;

-- events-per-product (table): events with their sessions, users, and first and last time (UTC); a time before 2000 or
-- after 2099 is shown as the nearest one between
SELECT
    product,
    name,
    count() AS events,
    uniqExactIf(session_id, session_id != '') AS sessions,
    uniqExactIf(user_id, user_id != '') AS users,
    toDateTime(greatest(946684800, least(4102444799, intDiv(min(ts_ms), 1000))), 'UTC') AS earliest,
    toDateTime(greatest(946684800, least(4102444799, intDiv(max(ts_ms), 1000))), 'UTC') AS latest
FROM awesome.events FINAL
GROUP BY product, name
ORDER BY product, name;
