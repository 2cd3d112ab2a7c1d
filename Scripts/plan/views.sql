-- Typed views of the in-house events, generated from the tracking plan by Scripts/tracking-plan.
--
-- For ClickHouse 18.16 and later. A missing number is NULL. In current releases, JSONExtract reads only keys at
-- the top level and can replace visitParamExtract everywhere: sed s/visitParam/JSON/g

DROP TABLE IF EXISTS awesome.`DL_listing_viewed`;

CREATE VIEW awesome.`DL_listing_viewed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractRaw(props, 'item_ids') AS `item_ids`,
    visitParamExtractString(props, 'list_id') AS `list_id`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'listing_viewed';

DROP TABLE IF EXISTS awesome.`DL_listing_item_selected`;

CREATE VIEW awesome.`DL_listing_item_selected` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand') AS `brand`,
    visitParamExtractString(props, 'category') AS `category`,
    visitParamExtractString(props, 'condition') AS `condition`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'item_id') AS `item_id`,
    visitParamExtractString(props, 'list_id') AS `list_id`,
    visitParamExtractInt(props, 'position') AS `position`,
    visitParamExtractFloat(props, 'price') AS `price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'listing_item_selected';

DROP TABLE IF EXISTS awesome.`DL_product_viewed`;

CREATE VIEW awesome.`DL_product_viewed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand') AS `brand`,
    visitParamExtractString(props, 'category') AS `category`,
    visitParamExtractString(props, 'condition') AS `condition`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'item_id') AS `item_id`,
    visitParamExtractFloat(props, 'price') AS `price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'product_viewed';

DROP TABLE IF EXISTS awesome.`DL_product_liked`;

CREATE VIEW awesome.`DL_product_liked` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand') AS `brand`,
    visitParamExtractString(props, 'category') AS `category`,
    visitParamExtractString(props, 'condition') AS `condition`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'item_id') AS `item_id`,
    visitParamExtractFloat(props, 'price') AS `price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'product_liked';

DROP TABLE IF EXISTS awesome.`DL_basket_item_added`;

CREATE VIEW awesome.`DL_basket_item_added` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand') AS `brand`,
    visitParamExtractString(props, 'category') AS `category`,
    visitParamExtractString(props, 'condition') AS `condition`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'item_id') AS `item_id`,
    visitParamExtractFloat(props, 'price') AS `price`,
    visitParamExtractInt(props, 'quantity') AS `quantity`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'basket_item_added';

DROP TABLE IF EXISTS awesome.`DL_basket_item_removed`;

CREATE VIEW awesome.`DL_basket_item_removed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand') AS `brand`,
    visitParamExtractString(props, 'category') AS `category`,
    visitParamExtractString(props, 'condition') AS `condition`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'item_id') AS `item_id`,
    visitParamExtractFloat(props, 'price') AS `price`,
    visitParamExtractInt(props, 'quantity') AS `quantity`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'basket_item_removed';

DROP TABLE IF EXISTS awesome.`DL_checkout_started`;

CREATE VIEW awesome.`DL_checkout_started` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractRaw(props, 'items') AS `items`,
    visitParamExtractString(props, 'screen') AS `screen`,
    if(visitParamHas(props, 'total'), visitParamExtractFloat(props, 'total'), NULL) AS `total`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'checkout_started';

DROP TABLE IF EXISTS awesome.`DL_payment_selected`;

CREATE VIEW awesome.`DL_payment_selected` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'payment') AS `payment`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'payment_selected';

DROP TABLE IF EXISTS awesome.`DL_order_placed`;

CREATE VIEW awesome.`DL_order_placed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractRaw(props, 'items') AS `items`,
    visitParamExtractString(props, 'order_id') AS `order_id`,
    visitParamExtractString(props, 'screen') AS `screen`,
    if(visitParamHas(props, 'total'), visitParamExtractFloat(props, 'total'), NULL) AS `total`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'order_placed';

DROP TABLE IF EXISTS awesome.`DL_app_first_opened`;

CREATE VIEW awesome.`DL_app_first_opened` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'app_version') AS `props_app_version`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_first_opened';

DROP TABLE IF EXISTS awesome.`DL_app_updated`;

CREATE VIEW awesome.`DL_app_updated` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'app_version') AS `props_app_version`,
    visitParamExtractString(props, 'previous_app_version') AS `previous_app_version`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_updated';

DROP TABLE IF EXISTS awesome.`DL_app_opened`;

CREATE VIEW awesome.`DL_app_opened` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractBool(props, 'is_launch') AS `is_launch`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_opened';

DROP TABLE IF EXISTS awesome.`DL_app_backgrounded`;

CREATE VIEW awesome.`DL_app_backgrounded` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractInt(props, 'open_duration_ms') AS `open_duration_ms`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'app_backgrounded';

DROP TABLE IF EXISTS awesome.`DL_deep_link_opened`;

CREATE VIEW awesome.`DL_deep_link_opened` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'link') AS `link`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'deep_link_opened';

DROP TABLE IF EXISTS awesome.`DL_push_opened`;

CREATE VIEW awesome.`DL_push_opened` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'campaign_id') AS `campaign_id`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'push_opened';

DROP TABLE IF EXISTS awesome.`DL_screen_viewed`;

CREATE VIEW awesome.`DL_screen_viewed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'screen_name') AS `screen_name`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'screen_viewed';

DROP TABLE IF EXISTS awesome.`DL_flag_exposed`;

CREATE VIEW awesome.`DL_flag_exposed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'flag') AS `flag`,
    visitParamExtractString(props, 'variant') AS `variant`
FROM awesome.events FINAL
WHERE product = 'DL' AND name = 'flag_exposed';

DROP TABLE IF EXISTS awesome.`SF_game_started`;

CREATE VIEW awesome.`SF_game_started` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractInt(props, 'enemies') AS `enemies`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'game_started';

DROP TABLE IF EXISTS awesome.`SF_shot_fired`;

CREATE VIEW awesome.`SF_shot_fired` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractString(props, 'side') AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'shot_fired';

DROP TABLE IF EXISTS awesome.`SF_ship_hit`;

CREATE VIEW awesome.`SF_ship_hit` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractInt(props, 'lives') AS `lives`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractString(props, 'side') AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'ship_hit';

DROP TABLE IF EXISTS awesome.`SF_ship_destroyed`;

CREATE VIEW awesome.`SF_ship_destroyed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractString(props, 'side') AS `side`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'ship_destroyed';

DROP TABLE IF EXISTS awesome.`SF_level_up`;

CREATE VIEW awesome.`SF_level_up` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractInt(props, 'level') AS `level`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'level_up';

DROP TABLE IF EXISTS awesome.`SF_game_over`;

CREATE VIEW awesome.`SF_game_over` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractInt(props, 'level') AS `level`,
    visitParamExtractString(props, 'outcome') AS `outcome`,
    visitParamExtractInt(props, 'score') AS `score`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractInt(props, 'steps') AS `steps`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'game_over';

DROP TABLE IF EXISTS awesome.`SF_leaderboard_viewed`;

CREATE VIEW awesome.`SF_leaderboard_viewed` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractInt(props, 'players') AS `players`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractString(props, 'sort') AS `sort`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'leaderboard_viewed';

DROP TABLE IF EXISTS awesome.`SF_screen_opened`;

CREATE VIEW awesome.`SF_screen_opened` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'previous_screen') AS `previous_screen`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'screen_opened';

DROP TABLE IF EXISTS awesome.`SF_control_tapped`;

CREATE VIEW awesome.`SF_control_tapped` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'control') AS `control`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'SF' AND name = 'control_tapped';

DROP TABLE IF EXISTS awesome.`TY_pdp_view`;

CREATE VIEW awesome.`TY_pdp_view` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand_name') AS `brand_name`,
    visitParamExtractString(props, 'category_path') AS `category_path`,
    visitParamExtractString(props, 'content_id') AS `content_id`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    if(visitParamHas(props, 'list_price'), visitParamExtractFloat(props, 'list_price'), NULL) AS `list_price`,
    visitParamExtractString(props, 'merchant_id') AS `merchant_id`,
    visitParamExtractFloat(props, 'sale_price') AS `sale_price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_view';

DROP TABLE IF EXISTS awesome.`TY_pdp_cart_change`;

CREATE VIEW awesome.`TY_pdp_cart_change` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'action') AS `action`,
    visitParamExtractString(props, 'brand_name') AS `brand_name`,
    visitParamExtractString(props, 'category_path') AS `category_path`,
    visitParamExtractString(props, 'content_id') AS `content_id`,
    visitParamExtractInt(props, 'count') AS `count`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    if(visitParamHas(props, 'list_price'), visitParamExtractFloat(props, 'list_price'), NULL) AS `list_price`,
    visitParamExtractString(props, 'merchant_id') AS `merchant_id`,
    visitParamExtractFloat(props, 'sale_price') AS `sale_price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_cart_change';

DROP TABLE IF EXISTS awesome.`TY_pdp_reviews_open`;

CREATE VIEW awesome.`TY_pdp_reviews_open` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'brand_name') AS `brand_name`,
    visitParamExtractString(props, 'category_path') AS `category_path`,
    visitParamExtractString(props, 'content_id') AS `content_id`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    if(visitParamHas(props, 'list_price'), visitParamExtractFloat(props, 'list_price'), NULL) AS `list_price`,
    visitParamExtractString(props, 'merchant_id') AS `merchant_id`,
    visitParamExtractFloat(props, 'sale_price') AS `sale_price`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'pdp_reviews_open';

DROP TABLE IF EXISTS awesome.`TY_checkout_view`;

CREATE VIEW awesome.`TY_checkout_view` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(visitParamHas(props, 'cart_total'), visitParamExtractFloat(props, 'cart_total'), NULL) AS `cart_total`,
    visitParamExtractRaw(props, 'contents') AS `contents`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'screen') AS `screen`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'checkout_view';

DROP TABLE IF EXISTS awesome.`TY_checkout_shipping_select`;

CREATE VIEW awesome.`TY_checkout_shipping_select` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    visitParamExtractString(props, 'delivery_type') AS `delivery_type`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'screen') AS `screen`,
    visitParamExtractFloat(props, 'shipping_price') AS `shipping_price`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'checkout_shipping_select';

DROP TABLE IF EXISTS awesome.`TY_purchase_complete`;

CREATE VIEW awesome.`TY_purchase_complete` AS
SELECT
    event_id, ts_ms, seq, session_id, device_id, user_id, app_version, received_at, platform, country,
    if(visitParamHas(props, 'cart_total'), visitParamExtractFloat(props, 'cart_total'), NULL) AS `cart_total`,
    visitParamExtractRaw(props, 'contents') AS `contents`,
    visitParamExtractString(props, 'coupon_code') AS `coupon_code`,
    visitParamExtractString(props, 'currency') AS `currency`,
    visitParamExtractString(props, 'delivery_type') AS `delivery_type`,
    visitParamExtractString(props, 'feature') AS `feature`,
    visitParamExtractString(props, 'order_number') AS `order_number`,
    visitParamExtractString(props, 'screen') AS `screen`,
    if(visitParamHas(props, 'shipping_price'), visitParamExtractFloat(props, 'shipping_price'), NULL) AS `shipping_price`
FROM awesome.events FINAL
WHERE product = 'TY' AND name = 'purchase_complete';

DROP TABLE IF EXISTS awesome.plan_violations;

CREATE VIEW awesome.plan_violations AS
SELECT product, name, app_version, event_id, rule
FROM
(
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_ids'), if(match(visitParamExtractRaw(props, 'item_ids'), '^\\['), '', 'type of item_ids'), 'missing item_ids'),
        if(visitParamHas(props, 'list_id'), if(match(visitParamExtractRaw(props, 'list_id'), '^"'), '', 'type of list_id'), 'missing list_id'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'listing_viewed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand'), if(match(visitParamExtractRaw(props, 'brand'), '^"'), '', 'type of brand'), ''),
        if(visitParamHas(props, 'category'), if(match(visitParamExtractRaw(props, 'category'), '^"'), '', 'type of category'), ''),
        if(visitParamHas(props, 'condition'), if(match(visitParamExtractRaw(props, 'condition'), '^"'), '', 'type of condition'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_id'), if(match(visitParamExtractRaw(props, 'item_id'), '^"'), '', 'type of item_id'), 'missing item_id'),
        if(visitParamHas(props, 'list_id'), if(match(visitParamExtractRaw(props, 'list_id'), '^"'), '', 'type of list_id'), 'missing list_id'),
        if(visitParamHas(props, 'position'), if(match(visitParamExtractRaw(props, 'position'), '^-?[0-9]+$'), '', 'type of position'), 'missing position'),
        if(visitParamHas(props, 'price'), if(match(visitParamExtractRaw(props, 'price'), '^-?[0-9]'), '', 'type of price'), 'missing price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'listing_item_selected'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand'), if(match(visitParamExtractRaw(props, 'brand'), '^"'), '', 'type of brand'), ''),
        if(visitParamHas(props, 'category'), if(match(visitParamExtractRaw(props, 'category'), '^"'), '', 'type of category'), ''),
        if(visitParamHas(props, 'condition'), if(match(visitParamExtractRaw(props, 'condition'), '^"'), '', 'type of condition'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_id'), if(match(visitParamExtractRaw(props, 'item_id'), '^"'), '', 'type of item_id'), 'missing item_id'),
        if(visitParamHas(props, 'price'), if(match(visitParamExtractRaw(props, 'price'), '^-?[0-9]'), '', 'type of price'), 'missing price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'product_viewed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand'), if(match(visitParamExtractRaw(props, 'brand'), '^"'), '', 'type of brand'), ''),
        if(visitParamHas(props, 'category'), if(match(visitParamExtractRaw(props, 'category'), '^"'), '', 'type of category'), ''),
        if(visitParamHas(props, 'condition'), if(match(visitParamExtractRaw(props, 'condition'), '^"'), '', 'type of condition'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_id'), if(match(visitParamExtractRaw(props, 'item_id'), '^"'), '', 'type of item_id'), 'missing item_id'),
        if(visitParamHas(props, 'price'), if(match(visitParamExtractRaw(props, 'price'), '^-?[0-9]'), '', 'type of price'), 'missing price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'product_liked'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand'), if(match(visitParamExtractRaw(props, 'brand'), '^"'), '', 'type of brand'), ''),
        if(visitParamHas(props, 'category'), if(match(visitParamExtractRaw(props, 'category'), '^"'), '', 'type of category'), ''),
        if(visitParamHas(props, 'condition'), if(match(visitParamExtractRaw(props, 'condition'), '^"'), '', 'type of condition'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_id'), if(match(visitParamExtractRaw(props, 'item_id'), '^"'), '', 'type of item_id'), 'missing item_id'),
        if(visitParamHas(props, 'price'), if(match(visitParamExtractRaw(props, 'price'), '^-?[0-9]'), '', 'type of price'), 'missing price'),
        if(visitParamHas(props, 'quantity'), if(match(visitParamExtractRaw(props, 'quantity'), '^-?[0-9]+$'), '', 'type of quantity'), 'missing quantity'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'basket_item_added'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand'), if(match(visitParamExtractRaw(props, 'brand'), '^"'), '', 'type of brand'), ''),
        if(visitParamHas(props, 'category'), if(match(visitParamExtractRaw(props, 'category'), '^"'), '', 'type of category'), ''),
        if(visitParamHas(props, 'condition'), if(match(visitParamExtractRaw(props, 'condition'), '^"'), '', 'type of condition'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'item_id'), if(match(visitParamExtractRaw(props, 'item_id'), '^"'), '', 'type of item_id'), 'missing item_id'),
        if(visitParamHas(props, 'price'), if(match(visitParamExtractRaw(props, 'price'), '^-?[0-9]'), '', 'type of price'), 'missing price'),
        if(visitParamHas(props, 'quantity'), if(match(visitParamExtractRaw(props, 'quantity'), '^-?[0-9]+$'), '', 'type of quantity'), 'missing quantity'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'basket_item_removed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), ''),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'items'), if(match(visitParamExtractRaw(props, 'items'), '^\\['), '', 'type of items'), 'missing items'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'total'), if(match(visitParamExtractRaw(props, 'total'), '^-?[0-9]'), '', 'type of total'), ''),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'checkout_started'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'payment'), if(match(visitParamExtractRaw(props, 'payment'), '^"'), '', 'type of payment'), 'missing payment'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'payment_selected'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), ''),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'items'), if(match(visitParamExtractRaw(props, 'items'), '^\\['), '', 'type of items'), 'missing items'),
        if(visitParamHas(props, 'order_id'), if(match(visitParamExtractRaw(props, 'order_id'), '^"'), '', 'type of order_id'), 'missing order_id'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'total'), if(match(visitParamExtractRaw(props, 'total'), '^-?[0-9]'), '', 'type of total'), ''),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'order_placed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'app_version'), if(match(visitParamExtractRaw(props, 'app_version'), '^"'), '', 'type of app_version'), 'missing app_version'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_first_opened'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'app_version'), if(match(visitParamExtractRaw(props, 'app_version'), '^"'), '', 'type of app_version'), 'missing app_version'),
        if(visitParamHas(props, 'previous_app_version'), if(match(visitParamExtractRaw(props, 'previous_app_version'), '^"'), '', 'type of previous_app_version'), 'missing previous_app_version'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_updated'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'is_launch'), if(match(visitParamExtractRaw(props, 'is_launch'), '^(true|false)$'), '', 'type of is_launch'), 'missing is_launch'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_opened'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'open_duration_ms'), if(match(visitParamExtractRaw(props, 'open_duration_ms'), '^-?[0-9]+$'), '', 'type of open_duration_ms'), 'missing open_duration_ms'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'app_backgrounded'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'link'), if(match(visitParamExtractRaw(props, 'link'), '^"'), '', 'type of link'), 'missing link'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'deep_link_opened'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'campaign_id'), if(match(visitParamExtractRaw(props, 'campaign_id'), '^"'), '', 'type of campaign_id'), ''),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'push_opened'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'screen_name'), if(match(visitParamExtractRaw(props, 'screen_name'), '^"'), '', 'type of screen_name'), 'missing screen_name'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'screen_viewed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'flag'), if(match(visitParamExtractRaw(props, 'flag'), '^"'), '', 'type of flag'), 'missing flag'),
        if(visitParamHas(props, 'variant'), if(match(visitParamExtractRaw(props, 'variant'), '^"'), '', 'type of variant'), 'missing variant'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'DL' AND name = 'flag_exposed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'enemies'), if(match(visitParamExtractRaw(props, 'enemies'), '^-?[0-9]+$'), '', 'type of enemies'), 'missing enemies'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'game_started'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'side'), if(match(visitParamExtractRaw(props, 'side'), '^"'), '', 'type of side'), 'missing side'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'shot_fired'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'lives'), if(match(visitParamExtractRaw(props, 'lives'), '^-?[0-9]+$'), '', 'type of lives'), 'missing lives'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'side'), if(match(visitParamExtractRaw(props, 'side'), '^"'), '', 'type of side'), 'missing side'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'ship_hit'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'side'), if(match(visitParamExtractRaw(props, 'side'), '^"'), '', 'type of side'), 'missing side'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'ship_destroyed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'level'), if(match(visitParamExtractRaw(props, 'level'), '^-?[0-9]+$'), '', 'type of level'), 'missing level'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'level_up'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'level'), if(match(visitParamExtractRaw(props, 'level'), '^-?[0-9]+$'), '', 'type of level'), 'missing level'),
        if(visitParamHas(props, 'outcome'), if(match(visitParamExtractRaw(props, 'outcome'), '^"'), '', 'type of outcome'), 'missing outcome'),
        if(visitParamHas(props, 'score'), if(match(visitParamExtractRaw(props, 'score'), '^-?[0-9]+$'), '', 'type of score'), 'missing score'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'steps'), if(match(visitParamExtractRaw(props, 'steps'), '^-?[0-9]+$'), '', 'type of steps'), 'missing steps'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'game_over'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'players'), if(match(visitParamExtractRaw(props, 'players'), '^-?[0-9]+$'), '', 'type of players'), 'missing players'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'sort'), if(match(visitParamExtractRaw(props, 'sort'), '^"'), '', 'type of sort'), 'missing sort'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'leaderboard_viewed'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'previous_screen'), if(match(visitParamExtractRaw(props, 'previous_screen'), '^"'), '', 'type of previous_screen'), 'missing previous_screen'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'screen_opened'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'control'), if(match(visitParamExtractRaw(props, 'control'), '^"'), '', 'type of control'), 'missing control'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'SF' AND name = 'control_tapped'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand_name'), if(match(visitParamExtractRaw(props, 'brand_name'), '^"'), '', 'type of brand_name'), ''),
        if(visitParamHas(props, 'category_path'), if(match(visitParamExtractRaw(props, 'category_path'), '^"'), '', 'type of category_path'), ''),
        if(visitParamHas(props, 'content_id'), if(match(visitParamExtractRaw(props, 'content_id'), '^"'), '', 'type of content_id'), 'missing content_id'),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'list_price'), if(match(visitParamExtractRaw(props, 'list_price'), '^-?[0-9]'), '', 'type of list_price'), ''),
        if(visitParamHas(props, 'merchant_id'), if(match(visitParamExtractRaw(props, 'merchant_id'), '^"'), '', 'type of merchant_id'), ''),
        if(visitParamHas(props, 'sale_price'), if(match(visitParamExtractRaw(props, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price'), 'missing sale_price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_view'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'action'), if(match(visitParamExtractRaw(props, 'action'), '^"'), '', 'type of action'), 'missing action'),
        if(visitParamHas(props, 'brand_name'), if(match(visitParamExtractRaw(props, 'brand_name'), '^"'), '', 'type of brand_name'), ''),
        if(visitParamHas(props, 'category_path'), if(match(visitParamExtractRaw(props, 'category_path'), '^"'), '', 'type of category_path'), ''),
        if(visitParamHas(props, 'content_id'), if(match(visitParamExtractRaw(props, 'content_id'), '^"'), '', 'type of content_id'), 'missing content_id'),
        if(visitParamHas(props, 'count'), if(match(visitParamExtractRaw(props, 'count'), '^-?[0-9]+$'), '', 'type of count'), 'missing count'),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'list_price'), if(match(visitParamExtractRaw(props, 'list_price'), '^-?[0-9]'), '', 'type of list_price'), ''),
        if(visitParamHas(props, 'merchant_id'), if(match(visitParamExtractRaw(props, 'merchant_id'), '^"'), '', 'type of merchant_id'), ''),
        if(visitParamHas(props, 'sale_price'), if(match(visitParamExtractRaw(props, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price'), 'missing sale_price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_cart_change'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'brand_name'), if(match(visitParamExtractRaw(props, 'brand_name'), '^"'), '', 'type of brand_name'), ''),
        if(visitParamHas(props, 'category_path'), if(match(visitParamExtractRaw(props, 'category_path'), '^"'), '', 'type of category_path'), ''),
        if(visitParamHas(props, 'content_id'), if(match(visitParamExtractRaw(props, 'content_id'), '^"'), '', 'type of content_id'), 'missing content_id'),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), 'missing currency'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'list_price'), if(match(visitParamExtractRaw(props, 'list_price'), '^-?[0-9]'), '', 'type of list_price'), ''),
        if(visitParamHas(props, 'merchant_id'), if(match(visitParamExtractRaw(props, 'merchant_id'), '^"'), '', 'type of merchant_id'), ''),
        if(visitParamHas(props, 'sale_price'), if(match(visitParamExtractRaw(props, 'sale_price'), '^-?[0-9]'), '', 'type of sale_price'), 'missing sale_price'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'pdp_reviews_open'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'cart_total'), if(match(visitParamExtractRaw(props, 'cart_total'), '^-?[0-9]'), '', 'type of cart_total'), ''),
        if(visitParamHas(props, 'contents'), if(match(visitParamExtractRaw(props, 'contents'), '^\\['), '', 'type of contents'), 'missing contents'),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), ''),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'checkout_view'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'delivery_type'), if(match(visitParamExtractRaw(props, 'delivery_type'), '^"'), '', 'type of delivery_type'), 'missing delivery_type'),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'shipping_price'), if(match(visitParamExtractRaw(props, 'shipping_price'), '^-?[0-9]'), '', 'type of shipping_price'), 'missing shipping_price'),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'checkout_shipping_select'
    UNION ALL
    SELECT product, name, app_version, event_id, arrayJoin([
        if(visitParamHas(props, 'cart_total'), if(match(visitParamExtractRaw(props, 'cart_total'), '^-?[0-9]'), '', 'type of cart_total'), ''),
        if(visitParamHas(props, 'contents'), if(match(visitParamExtractRaw(props, 'contents'), '^\\['), '', 'type of contents'), 'missing contents'),
        if(visitParamHas(props, 'coupon_code'), if(match(visitParamExtractRaw(props, 'coupon_code'), '^"'), '', 'type of coupon_code'), ''),
        if(visitParamHas(props, 'currency'), if(match(visitParamExtractRaw(props, 'currency'), '^"'), '', 'type of currency'), ''),
        if(visitParamHas(props, 'delivery_type'), if(match(visitParamExtractRaw(props, 'delivery_type'), '^"'), '', 'type of delivery_type'), ''),
        if(visitParamHas(props, 'feature'), if(match(visitParamExtractRaw(props, 'feature'), '^"'), '', 'type of feature'), 'missing feature'),
        if(visitParamHas(props, 'order_number'), if(match(visitParamExtractRaw(props, 'order_number'), '^"'), '', 'type of order_number'), 'missing order_number'),
        if(visitParamHas(props, 'screen'), if(match(visitParamExtractRaw(props, 'screen'), '^"'), '', 'type of screen'), 'missing screen'),
        if(visitParamHas(props, 'shipping_price'), if(match(visitParamExtractRaw(props, 'shipping_price'), '^-?[0-9]'), '', 'type of shipping_price'), ''),
        '']) AS rule
    FROM awesome.events FINAL
    WHERE product = 'TY' AND name = 'purchase_complete'
    UNION ALL
    SELECT product, name, app_version, event_id, 'unknown event' AS rule
    FROM awesome.events FINAL
    WHERE name NOT IN ('$identify', '$group', '$alias') AND (product, name) NOT IN (('DL', 'listing_viewed'), ('DL', 'listing_item_selected'), ('DL', 'product_viewed'), ('DL', 'product_liked'), ('DL', 'basket_item_added'), ('DL', 'basket_item_removed'), ('DL', 'checkout_started'), ('DL', 'payment_selected'), ('DL', 'order_placed'), ('DL', 'app_first_opened'), ('DL', 'app_updated'), ('DL', 'app_opened'), ('DL', 'app_backgrounded'), ('DL', 'deep_link_opened'), ('DL', 'push_opened'), ('DL', 'screen_viewed'), ('DL', 'flag_exposed'), ('SF', 'game_started'), ('SF', 'shot_fired'), ('SF', 'ship_hit'), ('SF', 'ship_destroyed'), ('SF', 'level_up'), ('SF', 'game_over'), ('SF', 'leaderboard_viewed'), ('SF', 'screen_opened'), ('SF', 'control_tapped'), ('TY', 'pdp_view'), ('TY', 'pdp_cart_change'), ('TY', 'pdp_reviews_open'), ('TY', 'checkout_view'), ('TY', 'checkout_shipping_select'), ('TY', 'purchase_complete'))
)
WHERE rule != '';
