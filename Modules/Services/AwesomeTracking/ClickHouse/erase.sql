-- Erases a user from a cluster of release 18.16. Run the first statement on one node. Run the second on one replica of
-- each shard, with the settings insert_quorum = 2 and insert_deduplicate = 0.
--
-- This release does not change the last part of a partition that was inserted with a quorum, until another one follows.
-- The second statement inserts an event of each partition again, which counts once, with the time of this statement as
-- `received_at` and therefore without `sent_at`. If a partition has no other user, drop the partition.

ALTER TABLE awesome.events_local ON CLUSTER events DELETE WHERE user_id = '@USER@';

INSERT INTO awesome.events_local
    (event_id, name, ts_ms, seq, session_id, device_id, user_id, product, app_version, schema, props)
SELECT event_id, name, ts_ms, seq, session_id, device_id, user_id, product, app_version, schema, props
FROM awesome.events_local FINAL
WHERE user_id != '@USER@'
LIMIT 1 BY _partition_id;
