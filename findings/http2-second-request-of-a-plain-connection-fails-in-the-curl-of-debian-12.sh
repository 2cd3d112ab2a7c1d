#!/usr/bin/env bash
# Question: Can curl send two requests over one HTTP/2 connection without TLS, as to a collector in the same pod?
# Guess: Yes, that is the use of `--http2-prior-knowledge`.
# Behaviour: In Debian 12's curl 7.88 each second request of a connection fails with error 16 before anything is sent.
# With libcurl 8.23 both succeed.
# Versions: curl 7.88.1-10+deb12u15 of Debian 12, libcurl4 7.88.1-10+deb12u15, libnghttp2-14 1.52.0-1+deb12u3,
# hypercorn 0.18.0, pycurl 7.49.0.

. "$(dirname "$0")/finding.bash"
debian_packages curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 libnghttp2-14=1.52.0-1+deb12u3
python_packages hypercorn==0.18.0 pycurl==7.49.0
curl=$folder/debian/usr/bin/curl
[[ $("$curl" --version 2>/dev/null) == "curl 7.88.1"* ]] || cannot "curl 7.88.1 of Debian 12 does not run here"

cat >collector.py <<'END'
async def app(scope, receive, send):
    if scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
END
seen <<'END'
curl 7.88: status 200, error 0
curl 7.88: status 000, error 16
libcurl 8.23: status 200
libcurl 8.23: status 200
END
cat >program.py <<'END'
import os, socket, subprocess, sys, time
import pycurl

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    address = f"127.0.0.1:{free.getsockname()[1]}"
server = subprocess.Popen([sys.executable, "-m", "hypercorn", "--bind", address, "collector:app"])
try:
    for _ in range(100):
        time.sleep(0.1)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", int(address.split(":")[1]))) == 0:
                break
    command = [sys.argv[1], "--silent", "--http2-prior-knowledge", "--max-time", "20",
               "--write-out", "curl 7.88: status %{http_code}, error %{exitcode}\n", f"http://{address}/[1-2]"]
    environment = os.environ | {"LD_LIBRARY_PATH": sys.argv[2]}
    print(subprocess.run(command, capture_output=True, env=environment).stdout.decode(), end="")
    curl = pycurl.Curl()
    curl.setopt(curl.URL, f"http://{address}/")
    curl.setopt(curl.HTTP_VERSION, curl.CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    for _ in range(2):
        curl.perform()
        print("libcurl 8.23: status", curl.getinfo(curl.RESPONSE_CODE))
finally:
    server.terminate()
    server.wait()
END
libraries=$LD_LIBRARY_PATH
unset LD_LIBRARY_PATH
compare python3 program.py "$curl" "$libraries"
