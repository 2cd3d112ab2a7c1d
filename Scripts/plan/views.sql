-- Typed views of the in-house events, generated from the tracking plan by Scripts/tracking-plan.
--
-- For ClickHouse 18.16 and later. A column is NULL if the row lacks the key or its value has another type; the
-- view `plan_violations` names such rows. The rows may be of any program that writes JSON, because `json` is
-- `props` without spaces between the values, and with a space before the colon of each nested key: visitParam
-- finds a key by its quotes and the colon after them, at any depth. In current releases, keys that are written
-- with escapes, such as "pr\u0069ce", can be read too: sed s/visitParam/JSON/g

DROP TABLE IF EXISTS awesome.`DL_listing_viewed`;

CREATE VIEW awesome.`DL_listing_viewed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_ids'), '^\\['), visitParamExtractRaw(json, 'item_ids'), NULL) AS `item_ids`,
    if(match(visitParamExtractRaw(json, 'list_id'), '^"'), visitParamExtractString(json, 'list_id'), NULL) AS `list_id`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'listing_viewed';

DROP TABLE IF EXISTS awesome.`DL_listing_item_selected`;

CREATE VIEW awesome.`DL_listing_item_selected` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand'), '^"'), visitParamExtractString(json, 'brand'), NULL) AS `brand`,
    if(match(visitParamExtractRaw(json, 'category'), '^"'), visitParamExtractString(json, 'category'), NULL) AS `category`,
    if(match(visitParamExtractRaw(json, 'condition'), '^"'), visitParamExtractString(json, 'condition'), NULL) AS `condition`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_id'), '^"'), visitParamExtractString(json, 'item_id'), NULL) AS `item_id`,
    if(match(visitParamExtractRaw(json, 'list_id'), '^"'), visitParamExtractString(json, 'list_id'), NULL) AS `list_id`,
    if(toString(visitParamExtractInt(json, 'position')) = replaceRegexpOne(visitParamExtractRaw(json, 'position'), '\\.0+$', ''), visitParamExtractInt(json, 'position'), NULL) AS `position`,
    if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), visitParamExtractFloat(json, 'price'), NULL) AS `price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'listing_item_selected';

DROP TABLE IF EXISTS awesome.`DL_product_viewed`;

CREATE VIEW awesome.`DL_product_viewed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand'), '^"'), visitParamExtractString(json, 'brand'), NULL) AS `brand`,
    if(match(visitParamExtractRaw(json, 'category'), '^"'), visitParamExtractString(json, 'category'), NULL) AS `category`,
    if(match(visitParamExtractRaw(json, 'condition'), '^"'), visitParamExtractString(json, 'condition'), NULL) AS `condition`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_id'), '^"'), visitParamExtractString(json, 'item_id'), NULL) AS `item_id`,
    if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), visitParamExtractFloat(json, 'price'), NULL) AS `price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'product_viewed';

DROP TABLE IF EXISTS awesome.`DL_product_liked`;

CREATE VIEW awesome.`DL_product_liked` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand'), '^"'), visitParamExtractString(json, 'brand'), NULL) AS `brand`,
    if(match(visitParamExtractRaw(json, 'category'), '^"'), visitParamExtractString(json, 'category'), NULL) AS `category`,
    if(match(visitParamExtractRaw(json, 'condition'), '^"'), visitParamExtractString(json, 'condition'), NULL) AS `condition`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_id'), '^"'), visitParamExtractString(json, 'item_id'), NULL) AS `item_id`,
    if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), visitParamExtractFloat(json, 'price'), NULL) AS `price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'product_liked';

DROP TABLE IF EXISTS awesome.`DL_basket_item_added`;

CREATE VIEW awesome.`DL_basket_item_added` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand'), '^"'), visitParamExtractString(json, 'brand'), NULL) AS `brand`,
    if(match(visitParamExtractRaw(json, 'category'), '^"'), visitParamExtractString(json, 'category'), NULL) AS `category`,
    if(match(visitParamExtractRaw(json, 'condition'), '^"'), visitParamExtractString(json, 'condition'), NULL) AS `condition`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_id'), '^"'), visitParamExtractString(json, 'item_id'), NULL) AS `item_id`,
    if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), visitParamExtractFloat(json, 'price'), NULL) AS `price`,
    if(toString(visitParamExtractInt(json, 'quantity')) = replaceRegexpOne(visitParamExtractRaw(json, 'quantity'), '\\.0+$', ''), visitParamExtractInt(json, 'quantity'), NULL) AS `quantity`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'basket_item_added';

DROP TABLE IF EXISTS awesome.`DL_basket_item_removed`;

CREATE VIEW awesome.`DL_basket_item_removed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand'), '^"'), visitParamExtractString(json, 'brand'), NULL) AS `brand`,
    if(match(visitParamExtractRaw(json, 'category'), '^"'), visitParamExtractString(json, 'category'), NULL) AS `category`,
    if(match(visitParamExtractRaw(json, 'condition'), '^"'), visitParamExtractString(json, 'condition'), NULL) AS `condition`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'item_id'), '^"'), visitParamExtractString(json, 'item_id'), NULL) AS `item_id`,
    if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), visitParamExtractFloat(json, 'price'), NULL) AS `price`,
    if(toString(visitParamExtractInt(json, 'quantity')) = replaceRegexpOne(visitParamExtractRaw(json, 'quantity'), '\\.0+$', ''), visitParamExtractInt(json, 'quantity'), NULL) AS `quantity`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'basket_item_removed';

DROP TABLE IF EXISTS awesome.`DL_checkout_started`;

CREATE VIEW awesome.`DL_checkout_started` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'items'), '^\\['), visitParamExtractRaw(json, 'items'), NULL) AS `items`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'total'), '^-?[0-9]'), visitParamExtractFloat(json, 'total'), NULL) AS `total`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'checkout_started';

DROP TABLE IF EXISTS awesome.`DL_payment_selected`;

CREATE VIEW awesome.`DL_payment_selected` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'payment'), '^"'), visitParamExtractString(json, 'payment'), NULL) AS `payment`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'payment_selected';

DROP TABLE IF EXISTS awesome.`DL_order_placed`;

CREATE VIEW awesome.`DL_order_placed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'items'), '^\\['), visitParamExtractRaw(json, 'items'), NULL) AS `items`,
    if(match(visitParamExtractRaw(json, 'order_id'), '^"'), visitParamExtractString(json, 'order_id'), NULL) AS `order_id`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'total'), '^-?[0-9]'), visitParamExtractFloat(json, 'total'), NULL) AS `total`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'order_placed';

DROP TABLE IF EXISTS awesome.`DL_app_first_opened`;

CREATE VIEW awesome.`DL_app_first_opened` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'app_version'), '^"'), visitParamExtractString(json, 'app_version'), NULL) AS `props_app_version`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_first_opened';

DROP TABLE IF EXISTS awesome.`DL_app_updated`;

CREATE VIEW awesome.`DL_app_updated` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'app_version'), '^"'), visitParamExtractString(json, 'app_version'), NULL) AS `props_app_version`,
    if(match(visitParamExtractRaw(json, 'previous_app_version'), '^"'), visitParamExtractString(json, 'previous_app_version'), NULL) AS `previous_app_version`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_updated';

DROP TABLE IF EXISTS awesome.`DL_app_opened`;

CREATE VIEW awesome.`DL_app_opened` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(visitParamExtractRaw(json, 'is_launch') IN ('true', 'false'), visitParamExtractBool(json, 'is_launch'), NULL) AS `is_launch`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_opened';

DROP TABLE IF EXISTS awesome.`DL_app_backgrounded`;

CREATE VIEW awesome.`DL_app_backgrounded` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(toString(visitParamExtractInt(json, 'open_duration_ms')) = replaceRegexpOne(visitParamExtractRaw(json, 'open_duration_ms'), '\\.0+$', ''), visitParamExtractInt(json, 'open_duration_ms'), NULL) AS `open_duration_ms`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_backgrounded';

DROP TABLE IF EXISTS awesome.`DL_deep_link_opened`;

CREATE VIEW awesome.`DL_deep_link_opened` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'campaign'), '^"'), visitParamExtractString(json, 'campaign'), NULL) AS `campaign`,
    if(match(visitParamExtractRaw(json, 'campaign_id'), '^"'), visitParamExtractString(json, 'campaign_id'), NULL) AS `campaign_id`,
    if(match(visitParamExtractRaw(json, 'link'), '^"'), visitParamExtractString(json, 'link'), NULL) AS `link`,
    if(match(visitParamExtractRaw(json, 'medium'), '^"'), visitParamExtractString(json, 'medium'), NULL) AS `medium`,
    if(match(visitParamExtractRaw(json, 'source'), '^"'), visitParamExtractString(json, 'source'), NULL) AS `source`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'deep_link_opened';

DROP TABLE IF EXISTS awesome.`DL_push_opened`;

CREATE VIEW awesome.`DL_push_opened` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'campaign_id'), '^"'), visitParamExtractString(json, 'campaign_id'), NULL) AS `campaign_id`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'push_opened';

DROP TABLE IF EXISTS awesome.`DL_screen_viewed`;

CREATE VIEW awesome.`DL_screen_viewed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'screen_name'), '^"'), visitParamExtractString(json, 'screen_name'), NULL) AS `screen_name`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'screen_viewed';

DROP TABLE IF EXISTS awesome.`DL_flag_exposed`;

CREATE VIEW awesome.`DL_flag_exposed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'flag'), '^"'), visitParamExtractString(json, 'flag'), NULL) AS `flag`,
    if(match(visitParamExtractRaw(json, 'variant'), '^"'), visitParamExtractString(json, 'variant'), NULL) AS `variant`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'flag_exposed';

DROP TABLE IF EXISTS awesome.`SF_game_started`;

CREATE VIEW awesome.`SF_game_started` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(toString(visitParamExtractInt(json, 'enemies')) = replaceRegexpOne(visitParamExtractRaw(json, 'enemies'), '\\.0+$', ''), visitParamExtractInt(json, 'enemies'), NULL) AS `enemies`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'game_started';

DROP TABLE IF EXISTS awesome.`SF_shot_fired`;

CREATE VIEW awesome.`SF_shot_fired` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'side'), '^"'), visitParamExtractString(json, 'side'), NULL) AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'shot_fired';

DROP TABLE IF EXISTS awesome.`SF_ship_hit`;

CREATE VIEW awesome.`SF_ship_hit` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(toString(visitParamExtractInt(json, 'lives')) = replaceRegexpOne(visitParamExtractRaw(json, 'lives'), '\\.0+$', ''), visitParamExtractInt(json, 'lives'), NULL) AS `lives`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'side'), '^"'), visitParamExtractString(json, 'side'), NULL) AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'ship_hit';

DROP TABLE IF EXISTS awesome.`SF_ship_destroyed`;

CREATE VIEW awesome.`SF_ship_destroyed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'side'), '^"'), visitParamExtractString(json, 'side'), NULL) AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'ship_destroyed';

DROP TABLE IF EXISTS awesome.`SF_level_up`;

CREATE VIEW awesome.`SF_level_up` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(toString(visitParamExtractInt(json, 'level')) = replaceRegexpOne(visitParamExtractRaw(json, 'level'), '\\.0+$', ''), visitParamExtractInt(json, 'level'), NULL) AS `level`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'level_up';

DROP TABLE IF EXISTS awesome.`SF_game_over`;

CREATE VIEW awesome.`SF_game_over` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(toString(visitParamExtractInt(json, 'level')) = replaceRegexpOne(visitParamExtractRaw(json, 'level'), '\\.0+$', ''), visitParamExtractInt(json, 'level'), NULL) AS `level`,
    if(match(visitParamExtractRaw(json, 'outcome'), '^"'), visitParamExtractString(json, 'outcome'), NULL) AS `outcome`,
    if(toString(visitParamExtractInt(json, 'score')) = replaceRegexpOne(visitParamExtractRaw(json, 'score'), '\\.0+$', ''), visitParamExtractInt(json, 'score'), NULL) AS `score`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(toString(visitParamExtractInt(json, 'steps')) = replaceRegexpOne(visitParamExtractRaw(json, 'steps'), '\\.0+$', ''), visitParamExtractInt(json, 'steps'), NULL) AS `steps`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'game_over';

DROP TABLE IF EXISTS awesome.`SF_leaderboard_viewed`;

CREATE VIEW awesome.`SF_leaderboard_viewed` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(toString(visitParamExtractInt(json, 'players')) = replaceRegexpOne(visitParamExtractRaw(json, 'players'), '\\.0+$', ''), visitParamExtractInt(json, 'players'), NULL) AS `players`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'sort'), '^"'), visitParamExtractString(json, 'sort'), NULL) AS `sort`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'leaderboard_viewed';

DROP TABLE IF EXISTS awesome.`SF_screen_opened`;

CREATE VIEW awesome.`SF_screen_opened` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'previous_screen'), '^"'), visitParamExtractString(json, 'previous_screen'), NULL) AS `previous_screen`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'screen_opened';

DROP TABLE IF EXISTS awesome.`SF_control_tapped`;

CREATE VIEW awesome.`SF_control_tapped` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'control'), '^"'), visitParamExtractString(json, 'control'), NULL) AS `control`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'control_tapped';

DROP TABLE IF EXISTS awesome.`TY_pdp_view`;

CREATE VIEW awesome.`TY_pdp_view` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), visitParamExtractString(json, 'brand_name'), NULL) AS `brand_name`,
    if(match(visitParamExtractRaw(json, 'category_path'), '^"'), visitParamExtractString(json, 'category_path'), NULL) AS `category_path`,
    if(match(visitParamExtractRaw(json, 'content_id'), '^"'), visitParamExtractString(json, 'content_id'), NULL) AS `content_id`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'list_price'), NULL) AS `list_price`,
    if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), visitParamExtractString(json, 'merchant_id'), NULL) AS `merchant_id`,
    if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'sale_price'), NULL) AS `sale_price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_view';

DROP TABLE IF EXISTS awesome.`TY_pdp_cart_change`;

CREATE VIEW awesome.`TY_pdp_cart_change` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'action'), '^"'), visitParamExtractString(json, 'action'), NULL) AS `action`,
    if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), visitParamExtractString(json, 'brand_name'), NULL) AS `brand_name`,
    if(match(visitParamExtractRaw(json, 'category_path'), '^"'), visitParamExtractString(json, 'category_path'), NULL) AS `category_path`,
    if(match(visitParamExtractRaw(json, 'content_id'), '^"'), visitParamExtractString(json, 'content_id'), NULL) AS `content_id`,
    if(toString(visitParamExtractInt(json, 'count')) = replaceRegexpOne(visitParamExtractRaw(json, 'count'), '\\.0+$', ''), visitParamExtractInt(json, 'count'), NULL) AS `count`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'list_price'), NULL) AS `list_price`,
    if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), visitParamExtractString(json, 'merchant_id'), NULL) AS `merchant_id`,
    if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'sale_price'), NULL) AS `sale_price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_cart_change';

DROP TABLE IF EXISTS awesome.`TY_pdp_reviews_open`;

CREATE VIEW awesome.`TY_pdp_reviews_open` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), visitParamExtractString(json, 'brand_name'), NULL) AS `brand_name`,
    if(match(visitParamExtractRaw(json, 'category_path'), '^"'), visitParamExtractString(json, 'category_path'), NULL) AS `category_path`,
    if(match(visitParamExtractRaw(json, 'content_id'), '^"'), visitParamExtractString(json, 'content_id'), NULL) AS `content_id`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'list_price'), NULL) AS `list_price`,
    if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), visitParamExtractString(json, 'merchant_id'), NULL) AS `merchant_id`,
    if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'sale_price'), NULL) AS `sale_price`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_reviews_open';

DROP TABLE IF EXISTS awesome.`TY_checkout_view`;

CREATE VIEW awesome.`TY_checkout_view` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'cart_total'), '^-?[0-9]'), visitParamExtractFloat(json, 'cart_total'), NULL) AS `cart_total`,
    if(match(visitParamExtractRaw(json, 'contents'), '^\\['), visitParamExtractRaw(json, 'contents'), NULL) AS `contents`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'checkout_view';

DROP TABLE IF EXISTS awesome.`TY_checkout_shipping_select`;

CREATE VIEW awesome.`TY_checkout_shipping_select` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'delivery_type'), '^"'), visitParamExtractString(json, 'delivery_type'), NULL) AS `delivery_type`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'shipping_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'shipping_price'), NULL) AS `shipping_price`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'checkout_shipping_select';

DROP TABLE IF EXISTS awesome.`TY_purchase_complete`;

CREATE VIEW awesome.`TY_purchase_complete` AS
WITH
    extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
        '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
    arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
    if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
        if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(match(visitParamExtractRaw(json, 'cart_total'), '^-?[0-9]'), visitParamExtractFloat(json, 'cart_total'), NULL) AS `cart_total`,
    if(match(visitParamExtractRaw(json, 'contents'), '^\\['), visitParamExtractRaw(json, 'contents'), NULL) AS `contents`,
    if(match(visitParamExtractRaw(json, 'coupon_code'), '^"'), visitParamExtractString(json, 'coupon_code'), NULL) AS `coupon_code`,
    if(match(visitParamExtractRaw(json, 'currency'), '^"'), visitParamExtractString(json, 'currency'), NULL) AS `currency`,
    if(match(visitParamExtractRaw(json, 'delivery_type'), '^"'), visitParamExtractString(json, 'delivery_type'), NULL) AS `delivery_type`,
    if(match(visitParamExtractRaw(json, 'feature'), '^"'), visitParamExtractString(json, 'feature'), NULL) AS `feature`,
    if(match(visitParamExtractRaw(json, 'order_number'), '^"'), visitParamExtractString(json, 'order_number'), NULL) AS `order_number`,
    if(match(visitParamExtractRaw(json, 'screen'), '^"'), visitParamExtractString(json, 'screen'), NULL) AS `screen`,
    if(match(visitParamExtractRaw(json, 'shipping_price'), '^-?[0-9]'), visitParamExtractFloat(json, 'shipping_price'), NULL) AS `shipping_price`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'purchase_complete';

DROP TABLE IF EXISTS awesome.plan_events;

CREATE VIEW awesome.plan_events AS
SELECT event.1 AS product, event.2 AS name
FROM
(
    SELECT arrayJoin([
        ('', ''),
        ('DL', 'listing_viewed'),
        ('DL', 'listing_item_selected'),
        ('DL', 'product_viewed'),
        ('DL', 'product_liked'),
        ('DL', 'basket_item_added'),
        ('DL', 'basket_item_removed'),
        ('DL', 'checkout_started'),
        ('DL', 'payment_selected'),
        ('DL', 'order_placed'),
        ('DL', 'app_first_opened'),
        ('DL', 'app_updated'),
        ('DL', 'app_opened'),
        ('DL', 'app_backgrounded'),
        ('DL', 'deep_link_opened'),
        ('DL', 'push_opened'),
        ('DL', 'screen_viewed'),
        ('DL', 'flag_exposed'),
        ('SF', 'game_started'),
        ('SF', 'shot_fired'),
        ('SF', 'ship_hit'),
        ('SF', 'ship_destroyed'),
        ('SF', 'level_up'),
        ('SF', 'game_over'),
        ('SF', 'leaderboard_viewed'),
        ('SF', 'screen_opened'),
        ('SF', 'control_tapped'),
        ('TY', 'pdp_view'),
        ('TY', 'pdp_cart_change'),
        ('TY', 'pdp_reviews_open'),
        ('TY', 'checkout_view'),
        ('TY', 'checkout_shipping_select'),
        ('TY', 'purchase_complete')]) AS event
)
WHERE name != '';

DROP TABLE IF EXISTS awesome.plan_violations;

CREATE VIEW awesome.plan_violations AS
SELECT product, name, app_version, event_id, rule
FROM
(
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_ids') = '', 'missing item_ids', if(match(visitParamExtractRaw(json, 'item_ids'), '^\\['), '', 'type of item_ids')),
        if(visitParamExtractRaw(json, 'list_id') = '', 'missing list_id', if(match(visitParamExtractRaw(json, 'list_id'), '^"'), '', 'type of list_id')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'listing_viewed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand') = '', '', if(match(visitParamExtractRaw(json, 'brand'), '^"'), '', 'type of brand')),
        if(visitParamExtractRaw(json, 'category') = '', '', if(match(visitParamExtractRaw(json, 'category'), '^"'), '', 'type of category')),
        if(visitParamExtractRaw(json, 'condition') = '', '', if(match(visitParamExtractRaw(json, 'condition'), '^"'), '', 'type of condition')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_id') = '', 'missing item_id', if(match(visitParamExtractRaw(json, 'item_id'), '^"'), '', 'type of item_id')),
        if(visitParamExtractRaw(json, 'list_id') = '', 'missing list_id', if(match(visitParamExtractRaw(json, 'list_id'), '^"'), '', 'type of list_id')),
        if(visitParamExtractRaw(json, 'position') = '', 'missing position', if(toString(visitParamExtractInt(json, 'position')) = replaceRegexpOne(visitParamExtractRaw(json, 'position'), '\\.0+$', ''), '', 'type of position')),
        if(visitParamExtractRaw(json, 'price') = '', 'missing price', if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), '', 'type of price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'listing_item_selected'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand') = '', '', if(match(visitParamExtractRaw(json, 'brand'), '^"'), '', 'type of brand')),
        if(visitParamExtractRaw(json, 'category') = '', '', if(match(visitParamExtractRaw(json, 'category'), '^"'), '', 'type of category')),
        if(visitParamExtractRaw(json, 'condition') = '', '', if(match(visitParamExtractRaw(json, 'condition'), '^"'), '', 'type of condition')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_id') = '', 'missing item_id', if(match(visitParamExtractRaw(json, 'item_id'), '^"'), '', 'type of item_id')),
        if(visitParamExtractRaw(json, 'price') = '', 'missing price', if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), '', 'type of price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'product_viewed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand') = '', '', if(match(visitParamExtractRaw(json, 'brand'), '^"'), '', 'type of brand')),
        if(visitParamExtractRaw(json, 'category') = '', '', if(match(visitParamExtractRaw(json, 'category'), '^"'), '', 'type of category')),
        if(visitParamExtractRaw(json, 'condition') = '', '', if(match(visitParamExtractRaw(json, 'condition'), '^"'), '', 'type of condition')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_id') = '', 'missing item_id', if(match(visitParamExtractRaw(json, 'item_id'), '^"'), '', 'type of item_id')),
        if(visitParamExtractRaw(json, 'price') = '', 'missing price', if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), '', 'type of price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'product_liked'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand') = '', '', if(match(visitParamExtractRaw(json, 'brand'), '^"'), '', 'type of brand')),
        if(visitParamExtractRaw(json, 'category') = '', '', if(match(visitParamExtractRaw(json, 'category'), '^"'), '', 'type of category')),
        if(visitParamExtractRaw(json, 'condition') = '', '', if(match(visitParamExtractRaw(json, 'condition'), '^"'), '', 'type of condition')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_id') = '', 'missing item_id', if(match(visitParamExtractRaw(json, 'item_id'), '^"'), '', 'type of item_id')),
        if(visitParamExtractRaw(json, 'price') = '', 'missing price', if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), '', 'type of price')),
        if(visitParamExtractRaw(json, 'quantity') = '', 'missing quantity', if(toString(visitParamExtractInt(json, 'quantity')) = replaceRegexpOne(visitParamExtractRaw(json, 'quantity'), '\\.0+$', ''), '', 'type of quantity')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'basket_item_added'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand') = '', '', if(match(visitParamExtractRaw(json, 'brand'), '^"'), '', 'type of brand')),
        if(visitParamExtractRaw(json, 'category') = '', '', if(match(visitParamExtractRaw(json, 'category'), '^"'), '', 'type of category')),
        if(visitParamExtractRaw(json, 'condition') = '', '', if(match(visitParamExtractRaw(json, 'condition'), '^"'), '', 'type of condition')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'item_id') = '', 'missing item_id', if(match(visitParamExtractRaw(json, 'item_id'), '^"'), '', 'type of item_id')),
        if(visitParamExtractRaw(json, 'price') = '', 'missing price', if(match(visitParamExtractRaw(json, 'price'), '^-?[0-9]'), '', 'type of price')),
        if(visitParamExtractRaw(json, 'quantity') = '', 'missing quantity', if(toString(visitParamExtractInt(json, 'quantity')) = replaceRegexpOne(visitParamExtractRaw(json, 'quantity'), '\\.0+$', ''), '', 'type of quantity')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'basket_item_removed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'currency') = '', '', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'items') = '', 'missing items', if(match(visitParamExtractRaw(json, 'items'), '^\\['), '', 'type of items')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'total') = '', '', if(match(visitParamExtractRaw(json, 'total'), '^-?[0-9]'), '', 'type of total')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'checkout_started'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'payment') = '', 'missing payment', if(match(visitParamExtractRaw(json, 'payment'), '^"'), '', 'type of payment')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'payment_selected'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'currency') = '', '', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'items') = '', 'missing items', if(match(visitParamExtractRaw(json, 'items'), '^\\['), '', 'type of items')),
        if(visitParamExtractRaw(json, 'order_id') = '', 'missing order_id', if(match(visitParamExtractRaw(json, 'order_id'), '^"'), '', 'type of order_id')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'total') = '', '', if(match(visitParamExtractRaw(json, 'total'), '^-?[0-9]'), '', 'type of total')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'order_placed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'app_version') = '', 'missing app_version', if(match(visitParamExtractRaw(json, 'app_version'), '^"'), '', 'type of app_version')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_first_opened'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'app_version') = '', 'missing app_version', if(match(visitParamExtractRaw(json, 'app_version'), '^"'), '', 'type of app_version')),
        if(visitParamExtractRaw(json, 'previous_app_version') = '', 'missing previous_app_version', if(match(visitParamExtractRaw(json, 'previous_app_version'), '^"'), '', 'type of previous_app_version')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_updated'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'is_launch') = '', 'missing is_launch', if(visitParamExtractRaw(json, 'is_launch') IN ('true', 'false'), '', 'type of is_launch')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_opened'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'open_duration_ms') = '', 'missing open_duration_ms', if(toString(visitParamExtractInt(json, 'open_duration_ms')) = replaceRegexpOne(visitParamExtractRaw(json, 'open_duration_ms'), '\\.0+$', ''), '', 'type of open_duration_ms')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_backgrounded'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'campaign') = '', '', if(match(visitParamExtractRaw(json, 'campaign'), '^"'), '', 'type of campaign')),
        if(visitParamExtractRaw(json, 'campaign_id') = '', '', if(match(visitParamExtractRaw(json, 'campaign_id'), '^"'), '', 'type of campaign_id')),
        if(visitParamExtractRaw(json, 'link') = '', 'missing link', if(match(visitParamExtractRaw(json, 'link'), '^"'), '', 'type of link')),
        if(visitParamExtractRaw(json, 'medium') = '', '', if(match(visitParamExtractRaw(json, 'medium'), '^"'), '', 'type of medium')),
        if(visitParamExtractRaw(json, 'source') = '', '', if(match(visitParamExtractRaw(json, 'source'), '^"'), '', 'type of source')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'deep_link_opened'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'campaign_id') = '', '', if(match(visitParamExtractRaw(json, 'campaign_id'), '^"'), '', 'type of campaign_id')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'push_opened'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'screen_name') = '', 'missing screen_name', if(match(visitParamExtractRaw(json, 'screen_name'), '^"'), '', 'type of screen_name')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'screen_viewed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'flag') = '', 'missing flag', if(match(visitParamExtractRaw(json, 'flag'), '^"'), '', 'type of flag')),
        if(visitParamExtractRaw(json, 'variant') = '', 'missing variant', if(match(visitParamExtractRaw(json, 'variant'), '^"'), '', 'type of variant')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'flag_exposed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'enemies') = '', 'missing enemies', if(toString(visitParamExtractInt(json, 'enemies')) = replaceRegexpOne(visitParamExtractRaw(json, 'enemies'), '\\.0+$', ''), '', 'type of enemies')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'game_started'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'side') = '', 'missing side', if(match(visitParamExtractRaw(json, 'side'), '^"'), '', 'type of side')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'shot_fired'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'lives') = '', 'missing lives', if(toString(visitParamExtractInt(json, 'lives')) = replaceRegexpOne(visitParamExtractRaw(json, 'lives'), '\\.0+$', ''), '', 'type of lives')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'side') = '', 'missing side', if(match(visitParamExtractRaw(json, 'side'), '^"'), '', 'type of side')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'ship_hit'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'side') = '', 'missing side', if(match(visitParamExtractRaw(json, 'side'), '^"'), '', 'type of side')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'ship_destroyed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'level') = '', 'missing level', if(toString(visitParamExtractInt(json, 'level')) = replaceRegexpOne(visitParamExtractRaw(json, 'level'), '\\.0+$', ''), '', 'type of level')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'level_up'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'level') = '', 'missing level', if(toString(visitParamExtractInt(json, 'level')) = replaceRegexpOne(visitParamExtractRaw(json, 'level'), '\\.0+$', ''), '', 'type of level')),
        if(visitParamExtractRaw(json, 'outcome') = '', 'missing outcome', if(match(visitParamExtractRaw(json, 'outcome'), '^"'), '', 'type of outcome')),
        if(visitParamExtractRaw(json, 'score') = '', 'missing score', if(toString(visitParamExtractInt(json, 'score')) = replaceRegexpOne(visitParamExtractRaw(json, 'score'), '\\.0+$', ''), '', 'type of score')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'steps') = '', 'missing steps', if(toString(visitParamExtractInt(json, 'steps')) = replaceRegexpOne(visitParamExtractRaw(json, 'steps'), '\\.0+$', ''), '', 'type of steps')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'game_over'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'players') = '', 'missing players', if(toString(visitParamExtractInt(json, 'players')) = replaceRegexpOne(visitParamExtractRaw(json, 'players'), '\\.0+$', ''), '', 'type of players')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'sort') = '', 'missing sort', if(match(visitParamExtractRaw(json, 'sort'), '^"'), '', 'type of sort')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'leaderboard_viewed'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'previous_screen') = '', 'missing previous_screen', if(match(visitParamExtractRaw(json, 'previous_screen'), '^"'), '', 'type of previous_screen')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'screen_opened'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'control') = '', 'missing control', if(match(visitParamExtractRaw(json, 'control'), '^"'), '', 'type of control')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'control_tapped'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand_name') = '', '', if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), '', 'type of brand_name')),
        if(visitParamExtractRaw(json, 'category_path') = '', '', if(match(visitParamExtractRaw(json, 'category_path'), '^"'), '', 'type of category_path')),
        if(visitParamExtractRaw(json, 'content_id') = '', 'missing content_id', if(match(visitParamExtractRaw(json, 'content_id'), '^"'), '', 'type of content_id')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'list_price') = '', '', if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), '', 'type of list_price')),
        if(visitParamExtractRaw(json, 'merchant_id') = '', '', if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), '', 'type of merchant_id')),
        if(visitParamExtractRaw(json, 'sale_price') = '', 'missing sale_price', if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_view'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'action') = '', 'missing action', if(match(visitParamExtractRaw(json, 'action'), '^"'), '', 'type of action')),
        if(visitParamExtractRaw(json, 'brand_name') = '', '', if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), '', 'type of brand_name')),
        if(visitParamExtractRaw(json, 'category_path') = '', '', if(match(visitParamExtractRaw(json, 'category_path'), '^"'), '', 'type of category_path')),
        if(visitParamExtractRaw(json, 'content_id') = '', 'missing content_id', if(match(visitParamExtractRaw(json, 'content_id'), '^"'), '', 'type of content_id')),
        if(visitParamExtractRaw(json, 'count') = '', 'missing count', if(toString(visitParamExtractInt(json, 'count')) = replaceRegexpOne(visitParamExtractRaw(json, 'count'), '\\.0+$', ''), '', 'type of count')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'list_price') = '', '', if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), '', 'type of list_price')),
        if(visitParamExtractRaw(json, 'merchant_id') = '', '', if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), '', 'type of merchant_id')),
        if(visitParamExtractRaw(json, 'sale_price') = '', 'missing sale_price', if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_cart_change'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'brand_name') = '', '', if(match(visitParamExtractRaw(json, 'brand_name'), '^"'), '', 'type of brand_name')),
        if(visitParamExtractRaw(json, 'category_path') = '', '', if(match(visitParamExtractRaw(json, 'category_path'), '^"'), '', 'type of category_path')),
        if(visitParamExtractRaw(json, 'content_id') = '', 'missing content_id', if(match(visitParamExtractRaw(json, 'content_id'), '^"'), '', 'type of content_id')),
        if(visitParamExtractRaw(json, 'currency') = '', 'missing currency', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'list_price') = '', '', if(match(visitParamExtractRaw(json, 'list_price'), '^-?[0-9]'), '', 'type of list_price')),
        if(visitParamExtractRaw(json, 'merchant_id') = '', '', if(match(visitParamExtractRaw(json, 'merchant_id'), '^"'), '', 'type of merchant_id')),
        if(visitParamExtractRaw(json, 'sale_price') = '', 'missing sale_price', if(match(visitParamExtractRaw(json, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_reviews_open'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'cart_total') = '', '', if(match(visitParamExtractRaw(json, 'cart_total'), '^-?[0-9]'), '', 'type of cart_total')),
        if(visitParamExtractRaw(json, 'contents') = '', 'missing contents', if(match(visitParamExtractRaw(json, 'contents'), '^\\['), '', 'type of contents')),
        if(visitParamExtractRaw(json, 'currency') = '', '', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'checkout_view'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'delivery_type') = '', 'missing delivery_type', if(match(visitParamExtractRaw(json, 'delivery_type'), '^"'), '', 'type of delivery_type')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'shipping_price') = '', 'missing shipping_price', if(match(visitParamExtractRaw(json, 'shipping_price'), '^-?[0-9]'), '', 'type of shipping_price')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'checkout_shipping_select'
    UNION ALL
    WITH
        extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
            '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
        arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
        if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
            if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamExtractRaw(json, 'cart_total') = '', '', if(match(visitParamExtractRaw(json, 'cart_total'), '^-?[0-9]'), '', 'type of cart_total')),
        if(visitParamExtractRaw(json, 'contents') = '', 'missing contents', if(match(visitParamExtractRaw(json, 'contents'), '^\\['), '', 'type of contents')),
        if(visitParamExtractRaw(json, 'coupon_code') = '', '', if(match(visitParamExtractRaw(json, 'coupon_code'), '^"'), '', 'type of coupon_code')),
        if(visitParamExtractRaw(json, 'currency') = '', '', if(match(visitParamExtractRaw(json, 'currency'), '^"'), '', 'type of currency')),
        if(visitParamExtractRaw(json, 'delivery_type') = '', '', if(match(visitParamExtractRaw(json, 'delivery_type'), '^"'), '', 'type of delivery_type')),
        if(visitParamExtractRaw(json, 'feature') = '', 'missing feature', if(match(visitParamExtractRaw(json, 'feature'), '^"'), '', 'type of feature')),
        if(visitParamExtractRaw(json, 'order_number') = '', 'missing order_number', if(match(visitParamExtractRaw(json, 'order_number'), '^"'), '', 'type of order_number')),
        if(visitParamExtractRaw(json, 'screen') = '', 'missing screen', if(match(visitParamExtractRaw(json, 'screen'), '^"'), '', 'type of screen')),
        if(visitParamExtractRaw(json, 'shipping_price') = '', '', if(match(visitParamExtractRaw(json, 'shipping_price'), '^-?[0-9]'), '', 'type of shipping_price')),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'purchase_complete'
    UNION ALL
    SELECT product, name, app_version, event_id, 'unknown event' AS rule
    FROM awesome.events FINAL
    WHERE name NOT IN ('$identify', '$group', '$alias') AND (product, name) GLOBAL NOT IN (SELECT product, name FROM awesome.plan_events)
)
WHERE rule != '';
