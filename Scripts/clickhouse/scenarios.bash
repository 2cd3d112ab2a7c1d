# The scenarios of Scripts/integration, in order. Each starts with an empty table.

# Builds the demo, creates the file and starts the server.
prepare() {
    local statement log
    echo 'integration: prepares the demo and the server'
    install_packages curl openssl
    find_server
    prepare_python Scripts/otlp/requirements.txt
    Scripts/bootstrap
    log=$(swift build --configuration release --product TrackerDemo 2>&1) || fail "the demo does not build: $log"
    if [[ -n $replay ]]; then
        cp "$replay" "$work/clicks.csv"
    else
        awk -v rows="$rows" -v seed="$seed" -f Scripts/clickhouse/clickstream.awk >"$work/clicks.csv"
    fi
    file=$work/clicks.csv
    header >"$work/header.csv"
    count=$(awk -f Scripts/clickhouse/clicks.awk "$file" | wc -l)
    texts=()
    while IFS= read -r -d ';' statement; do texts+=("$statement"); done < <(statements Scripts/clickhouse/queries.sql)
    [[ $scheme == http ]] || make_authorities
    configure_server
    start_server
    echo "integration: ClickHouse $(query 'SELECT version()') by $scheme, $count rows"
}

replay_straight() {
    create_table
    deliver straight "$file" || fail 'the replay ends without having delivered all'
    compare 'straight' "$file"
}

# Stops the server between two rows, first by SIGTERM and then by SIGKILL, and starts it again while rows wait.
restart_the_server() {
    create_table
    start_demo restarted
    { header && rows 1 $((count / 3)); } >&7
    await_stored 0
    stop_server TERM
    rows $((count / 3 + 1)) $((count * 2 / 3)) >&7
    start_server
    await_stored $((count / 3))
    stop_server KILL
    rows $((count * 2 / 3 + 1)) "$count" >&7
    start_server
    end_demo restarted
    compare 'server stopped, then killed' "$file"
}

# Kills the demo while it reads, stores and sends rows. The stored events must be the beginning of the file, row by row.
# The next process continues after them.
kill_the_producer() {
    local round done=0 places=''
    create_table
    for round in 1 2 3; do
        start_demo killed
        { header && rows $((done + 1)) $((count * round / 4 + 1)); } >&7 2>/dev/null &
        exec 7>&-
        await_stored "$done"
        kill -KILL "$demo_id"
        wait "$demo_id" 2>/dev/null || true
        wait $! 2>/dev/null || true
        demo_id=''
        deliver_rest killed
        done=$(stored)
        places+=" $done"
        { header && rows 1 "$done"; } >"$work/beginning.csv"
        diff <(awk -f Scripts/clickhouse/clicks.awk "$work/beginning.csv" | sort) <(clicks_of_table | sort) >/dev/null ||
            fail "after SIGKILL number $round the table does not hold the first $done rows"
    done
    { header && rows $((done + 1)) "$count"; } >"$work/rest.csv"
    deliver killed "$work/rest.csv" || fail 'the rest is not delivered'
    compare 'demo killed three times' "$file"
    printf '%-36s %s\n' '' "killed after rows$places"
}

# Restores a queue from before its first request, which loses every acknowledgement.
lose_all_acknowledgements() {
    create_table
    .build/release/TrackerDemo --queue "$work/first" --replay "$file" --json --offline >>"$work/results" \
        2>>"$work/notes" || true
    cp -r "$work/first" "$work/again"
    deliver_rest first
    deliver_rest again
    check 'inserted in all' $(($(inserted) - inserted_before)) $((count * 2)) >>"$work/notes"
    compare 'all acknowledgements lost' "$file"
}

# Uses a table that accepts only numeric users. It refuses the row of a guest; the other rows of the request must
# arrive.
refuse_a_row() {
    local made=$work/guest.csv
    create_table 's/user_id String/user_id UInt64/'
    awk -v rows=3000 -v seed="$seed" -f Scripts/clickhouse/clickstream.awk | sed '1500s/,[0-9]*,\([^,]*\)$/,guest,\1/' >"$made"
    deliver guest "$made" && fail 'a row that the server refuses counts as delivered'
    tail -n 1 "$work/results" | grep -q '"quarantined":1,' || fail 'the refused row is not in quarantine'
    sed -i 1500d "$made"
    compare 'one row refused' "$made"
    check 'missing' "$(query "SELECT sum(missing) FROM (${texts[2]})")" 1 >>"$work/notes"
}

refuse_the_password() {
    create_table
    tracker_password=wrong deliver password "$file" && fail 'a wrong password counts as delivered'
    grep -q 'the receiver refuses the credentials' "$work/notes" || fail 'a wrong password is not named'
    check 'arrived with a wrong password' "$(stored)" 0 >>"$work/notes"
    deliver_rest password
    compare 'wrong password, then the right one' "$file"
}

# Tests an unknown certificate authority. Without its certificate nothing is sent, and with it all rows arrive.
distrust_the_receiver() {
    local known=("${trust[@]}")
    create_table
    trust=(--ca-file "$work/tls/stranger.pem")
    deliver distrust "$file" && fail 'a receiver that is not trusted counts as one that acknowledges'
    grep -q 'certificate is not trusted' "$work/notes" || fail 'a receiver that is not trusted is not named'
    check 'arrived without trust' "$(stored)" 0 >>"$work/notes"
    trust=("${known[@]}")
    deliver_rest distrust
    compare 'not trusted, then trusted' "$file"
}

# Runs the ready-made queries on the rows of the last scenario, and compares the results with the file.
run_the_queries() {
    local statement funnel
    for statement in "${texts[@]}"; do query "$statement" PrettyCompactNoEscapes; done
    funnel=$(awk -f Scripts/clickhouse/clicks.awk "$file" | awk -f Scripts/clickhouse/funnel.awk)
    check 'funnel: viewed, filled, bought' \
        "$(query "SELECT sum(viewed), sum(filled), sum(bought) FROM (${texts[0]})" TabSeparated)" "$funnel"
    check 'events per product: events' "$(query "SELECT sum(events) FROM (${texts[1]})")" "$count"
    check 'completeness: accepted, missing' \
        "$(query "SELECT sum(accepted), sum(missing) FROM (${texts[2]})" TabSeparated)" "$count"$'\t'0
}

# Prints the rows per second that the server accepts in requests of a size, from one sender without a network.
rate() {
    local part start
    rm -rf "$work/parts" && mkdir "$work/parts"
    split -l "$1" "$2" "$work/parts/"
    start=$(date +%s%N)
    for part in "$work"/parts/*; do
        curl -s "${curl_trust[@]}" --fail -K "$work/server/curl" --data-binary "@$part" \
            "$endpoint/?database=awesome&query=INSERT%20INTO%20events%20FORMAT%20JSONEachRow" || fail 'a row is refused'
    done
    echo $(($(wc -l <"$2") * 1000000000 / ($(date +%s%N) - start)))
}

# Measures the figures for sizing a receiver, with the arrived rows inserted five times. They replace themselves.
measure_sizes() {
    local rows=$work/rows.ndjson part zipped=0
    query 'SELECT * FROM awesome.events FINAL' JSONEachRow >"$work/once.ndjson"
    for part in 1 2 3 4 5; do cat "$work/once.ndjson"; done >"$rows"
    printf '%-58s %s\n' 'rows a second, in requests of 1000' "$(rate 1000 "$rows")" \
        "rows a second, in one request of $((count * 5))" "$(rate $((count * 5)) "$rows")"
    query 'OPTIMIZE TABLE awesome.events FINAL'
    rm -rf "$work/parts" && mkdir "$work/parts"
    split -l 1000 "$work/once.ndjson" "$work/parts/"
    gzip "$work"/parts/*
    zipped=$(cat "$work"/parts/* | wc -c)
    check 'stored, when all has been sent again' "$(stored)" "$count"
    printf '%-58s %s\n' 'bytes a row: JSON, gzip by thousands, on disk' \
        "$(($(wc -c <"$work/once.ndjson") / count)) $((zipped / count)) $(query "SELECT
            intDiv(sum(bytes_on_disk), sum(rows)) FROM system.parts WHERE active AND database = 'awesome'")"
}

# Deletes a user, as for a deletion request. After the mutation, none of the user's rows is on disk.
erase_a_user() {
    local user before theirs tries=0
    user=$(query 'SELECT any(user_id) FROM awesome.events')
    before=$(stored)
    theirs=$(query "SELECT count() FROM awesome.events FINAL WHERE user_id = '$user'")
    query "ALTER TABLE awesome.events DELETE WHERE user_id = '$user'"
    until [[ $(query "SELECT count() FROM system.mutations WHERE NOT is_done") == 0 ]]; do
        ((++tries < 600)) || fail 'the deletion does not end'
        sleep 0.05
    done
    check "erased: events of a user who had $theirs" "$(query "SELECT count() FROM awesome.events WHERE user_id = '$user'")" 0
    check 'erased: events of all others' "$(stored)" $((before - theirs))
}

# Sends the other wire format to a receiver that uses the official definitions and is busy at first. The receiver ends
# with its input, at the latest with this scenario.
receive_otlp() {
    local tries=0
    mkfifo "$work/end"
    "$python" Scripts/otlp/receiver.py "$work/port" "$work/arrived" \
        ${certificate:+"$certificate.pem" "$certificate.key"} <"$work/end" &
    receiver_id=$!
    exec 8>"$work/end"
    until [[ -s $work/port ]]; do
        ((++tries < 200)) || fail 'the receiver of OTLP does not come up'
        sleep 0.05
    done
    .build/release/TrackerDemo --queue "$work/otlp" --replay "$file" --json --awesome-format otlp \
        "${trust[@]}" --awesome-endpoint "$scheme://127.0.0.1:$(<"$work/port")" >>"$work/results" 2>>"$work/notes" 8>&- ||
        fail 'the replay by OTLP ends without having delivered all'
    exec 8>&-
    wait "$receiver_id"
    receiver_id=''
    awk -f Scripts/clickhouse/clicks.awk "$file" >"$work/expected"
    report_counts 'by OTLP, busy at first'
}

# Parses each golden body with the official definitions. An unknown member or a wrong type is an error.
read_otlp() {
    "$python" Scripts/otlp/check.py Tests/Services/AwesomeTrackingTests/Fixtures/*.json
}

# Tests schema, golden rows and queries with the current release, which PyPI distributes as a library.
read_by_current_release() {
    prepare_python Scripts/clickhouse/requirements.txt
    "$python" Scripts/clickhouse/current.py "$work/current" Tests/Services/AwesomeTrackingTests/Fixtures/*.ndjson
}
