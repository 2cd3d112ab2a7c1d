#!/usr/bin/env bash
# Question: A gateway announces its end as RFC 9113 advises: GOAWAY with the largest stream number while a request
# runs, then the answer. Does the request succeed?
# Guess: Yes, the frame says that all streams so far are served.
# Behaviour: httpx fails the running request at that frame, so a batch that was stored is sent again. libcurl takes
# the answer, and opens another connection for the next request.
# Versions: httpx 0.28.1, httpcore 1.0.9, h2 4.4.1, pycurl 7.49.0.

. "$(dirname "$0")/finding.bash"
python_packages httpx==0.28.1 httpcore==1.0.9 h2==4.4.1 pycurl==7.49.0

cat >server.py <<'END'
import socket, struct, threading, time
import h2.config, h2.connection, h2.events

LARGEST = 2**31 - 1

def serve(connection):
    http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    http.initiate_connection()
    connection.sendall(http.data_to_send())
    while data := connection.recv(65536):
        for event in http.receive_data(data):
            if isinstance(event, h2.events.StreamEnded):
                connection.sendall(http.data_to_send())
                connection.sendall(b"\0\0\x08\x07\0" + struct.pack(">III", 0, LARGEST, 0))
                time.sleep(0.3)
                http.send_headers(event.stream_id, [(":status", "200"), ("content-length", "0")], end_stream=True)
        connection.sendall(http.data_to_send())

def start():
    listener = socket.create_server(("127.0.0.1", 0))
    def accept():
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"
END
seen <<'END'
httpx: RemoteProtocolError, error_code:0, last_stream_id:2147483647
libcurl: 200, 200
END
cat >program.py <<'END'
import httpx, pycurl, server

with httpx.Client(http1=False, http2=True, trust_env=False) as client:
    try:
        print("httpx:", client.post(server.start(), content=b"{}").status_code)
    except httpx.HTTPError as error:
        print(f"httpx: {type(error).__name__},", ", ".join(str(error).strip("<>").split(" ", 1)[1].split(", ")[:2]))

curl = pycurl.Curl()
curl.setopt(curl.URL, server.start())
curl.setopt(curl.HTTP_VERSION, curl.CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
curl.setopt(curl.POSTFIELDS, "{}")
answers = []
for _ in range(2):
    curl.perform()
    answers.append(str(curl.getinfo(curl.RESPONSE_CODE)))
print("libcurl:", ", ".join(answers))
END
compare python3 program.py
