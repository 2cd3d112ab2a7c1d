#!/usr/bin/env bash
# Question: A server answers 413 over HTTP/2 while the body still comes, and ends the stream with NO_ERROR, as RFC
# 9113 allows. Does the sender learn the status?
# Guess: Yes, that is what NO_ERROR is for.
# Behaviour: libcurl 8.23 gives 413. Debian 12's curl 7.88 gives error 92 and no status, so a sender repeats the batch
# instead of making it smaller.
# Versions: curl 7.88.1-10+deb12u15 of Debian 12, libcurl4 7.88.1-10+deb12u15, libnghttp2-14 1.52.0-1+deb12u3, h2
# 4.4.1, pycurl 7.49.0.

. "$(dirname "$0")/finding.bash"
debian_packages curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 libnghttp2-14=1.52.0-1+deb12u3
python_packages h2==4.4.1 pycurl==7.49.0
curl=$folder/debian/usr/bin/curl
[[ $("$curl" --version 2>/dev/null) == "curl 7.88.1"* ]] || cannot "curl 7.88.1 of Debian 12 does not run here"

cat >server.py <<'END'
import socket, threading
import h2.config, h2.connection, h2.errors, h2.events

def serve(connection):
    http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    http.initiate_connection()
    connection.sendall(http.data_to_send())
    while data := connection.recv(65536):
        for event in http.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                http.send_headers(event.stream_id, [(":status", "413"), ("content-length", "0")], end_stream=True)
                http.reset_stream(event.stream_id, h2.errors.ErrorCodes.NO_ERROR)
        connection.sendall(http.data_to_send())

def start():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=lambda: serve(listener.accept()[0]), daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"
END
seen <<'END'
curl 7.88: status 000, error 92
libcurl 8.23: status 413, error 0
END
cat >program.py <<'END'
import os, subprocess, sys
import pycurl, server

body = b"{}\n" * 100_000
command = [sys.argv[1], "--silent", "--http2-prior-knowledge", "--max-time", "20", "--data-binary", "@-",
           "--write-out", "status %{http_code}, error %{exitcode}", server.start()]
environment = os.environ | {"LD_LIBRARY_PATH": sys.argv[2]}
print("curl 7.88:", subprocess.run(command, input=body, capture_output=True, env=environment).stdout.decode())
curl, error = pycurl.Curl(), 0
curl.setopt(curl.URL, server.start())
curl.setopt(curl.HTTP_VERSION, curl.CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
curl.setopt(curl.TIMEOUT, 20)
curl.setopt(curl.POSTFIELDS, body)
try:
    curl.perform()
except pycurl.error as failure:
    error = failure.args[0]
print(f"libcurl 8.23: status {curl.getinfo(curl.RESPONSE_CODE):03}, error {error}")
END
libraries=$LD_LIBRARY_PATH
unset LD_LIBRARY_PATH
compare python3 program.py "$curl" "$libraries"
