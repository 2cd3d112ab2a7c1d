# Starts a separate ClickHouse server for Scripts/integration. Source this file with `work` set to an empty folder.
#
# The server listens on free ports of 127.0.0.1 and stores all data in `work`. It has two users: `admin`, and `tracker`
# for the producer, who can access only the database `awesome`. No system service is installed, changed or left running.

server_id=''

# Sets `server` to the program: $CLICKHOUSE, an installed one, or the one in Debian's package. The package's libraries
# are installed, but the server is only unpacked, because installing it would start a service.
find_server() {
    local unpacked=$PWD/.build/clickhouse
    if [[ -n ${CLICKHOUSE:-} ]]; then
        server=("$CLICKHOUSE")
    elif command -v clickhouse-server >/dev/null; then
        server=(clickhouse-server)
    else
        [[ -x $unpacked/usr/sbin/clickhouse-server ]] || unpack_server "$unpacked"
        install_packages clickhouse-common
        server=("$unpacked/usr/sbin/clickhouse-server")
    fi
    [[ $(basename "${server[0]}") != clickhouse ]] || server+=(server)
}

unpack_server() {
    local package
    rm -rf "$1" && mkdir -p "$1"
    refresh_packages
    (cd "$1" && apt-get -qq download clickhouse-server 2>/dev/null)
    package=$(compgen -G "$1/*.deb") || fail 'apt-get cannot download clickhouse-server; name a server with CLICKHOUSE='
    dpkg-deb -x "$package" "$1" && rm "$package"
}

# Prints a free port of 127.0.0.1.
free_port() {
    local port
    while port=$((20000 + RANDOM % 12000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

secret() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# Prints a user's entry in the users' file: name, password, and further settings.
user() {
    printf '<%s><password_sha256_hex>%s</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>' \
        "$1" "$(printf %s "$2" | sha256sum | cut -d' ' -f1)"
    printf '<profile>default</profile><quota>default</quota>%s</%s>\n' "${3:-}" "$1"
}

# Prints the server's certificate settings if it uses TLS.
tls_of_server() {
    [[ $scheme == https ]] || return 0
    printf '<openSSL><server><certificateFile>%s</certificateFile><privateKeyFile>%s</privateKeyFile>' \
        "$certificate.pem" "$certificate.key"
    printf '<verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile></server></openSSL>'
}

configure_server() {
    local admin_password
    http=$(free_port)
    endpoint=$scheme://127.0.0.1:$http
    tracker_password=$(secret)
    admin_password=$(secret)
    mkdir -p "$work/server"
    cat >"$work/server/config.xml" <<XML
<yandex>
    <logger><level>warning</level><log>$work/server/log</log><errorlog>$work/server/errors</errorlog></logger>
    <listen_host>127.0.0.1</listen_host>
    <${scheme}_port>$http</${scheme}_port>
    $(tls_of_server)
    <tcp_port>$(free_port)</tcp_port>
    <path>$work/server/data/</path>
    <tmp_path>$work/server/tmp/</tmp_path>
    <users_config>$work/server/users.xml</users_config>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
    <mark_cache_size>5368709</mark_cache_size>
</yandex>
XML
    {
        echo '<yandex><profiles><default/></profiles><quotas><default/></quotas><users>'
        user admin "$admin_password"
        user tracker "$tracker_password" '<allow_databases><database>awesome</database></allow_databases>'
        echo '</users></yandex>'
    } >"$work/server/users.xml"
    printf 'header = "X-ClickHouse-%s"\n' 'User: admin' "Key: $admin_password" >"$work/server/curl"
}

start_server() {
    local tries=0
    inserted_before=''
    "${server[@]}" --config-file="$work/server/config.xml" >>"$work/server/output" 2>&1 7>&- &
    server_id=$!
    until [[ $(curl -s "${curl_trust[@]}" "$endpoint/ping") == Ok. ]]; do
        kill -0 "$server_id" 2>/dev/null && ((++tries < 300)) || {
            tail -n 20 "$work/server/output" "$work/server/errors" >&2
            fail 'the server does not come up'
        }
        sleep 0.1
    done
}

# Stops the server with a signal, TERM by default.
stop_server() {
    [[ -n $server_id ]] || return 0
    kill -"${1:-TERM}" "$server_id" 2>/dev/null || true
    wait "$server_id" 2>/dev/null || true
    server_id=''
}

# Runs a statement as admin, with an optional format. An exception in the response ends the script.
query() {
    local answer
    answer=$(curl -s "${curl_trust[@]}" --fail-with-body -K "$work/server/curl" "$endpoint/" --data-binary "$1${2:+ FORMAT $2}") ||
        fail "the server answers: $answer"
    [[ -z $answer ]] || printf '%s\n' "$answer"
}

# Prints the statements of a file without comments. Each ends with `;`.
statements() { sed '/^--/d' "$1"; }

# Prints the number of rows that the server has accepted since its start, before any of them replaced another.
inserted() {
    local rows
    rows=$(query "SELECT value FROM system.events WHERE event = 'InsertedRows'")
    echo "${rows:-0}"
}

# Creates the table again, optionally changed by a sed script. Sets `inserted_before` to the number of
# inserted rows, which a restart of the server resets.
create_table() {
    local statement
    query 'DROP DATABASE IF EXISTS awesome'
    while IFS= read -r -d ';' statement; do
        query "$statement"
    done < <(statements Scripts/clickhouse/schema.sql | sed "${1:-}")
    inserted_before=$(inserted)
}
