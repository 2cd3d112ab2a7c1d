# Creates certificate authorities for one run of Scripts/integration. Source this file with `work` set to an empty
# folder.
#
# TLS clients trust only `authority`, which signs a certificate for 127.0.0.1. `stranger` does not sign it.

certificate=''
# The options with which the demo and curl trust the authority. Empty without TLS.
trust=()
curl_trust=()

# Creates both authorities, and the certificate with its key.
make_authorities() {
    local name
    certificate=$work/tls/receiver
    mkdir "$work/tls"
    for name in authority stranger; do
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$name" \
            -keyout "$work/tls/$name.key" -out "$work/tls/$name.pem" 2>>"$work/notes"
    done
    openssl req -newkey rsa:2048 -nodes -subj /CN=receiver -keyout "$certificate.key" -out "$certificate.csr" \
        2>>"$work/notes"
    openssl x509 -req -in "$certificate.csr" -CA "$work/tls/authority.pem" -CAkey "$work/tls/authority.key" \
        -CAcreateserial -days 2 -extfile <(echo 'subjectAltName=IP:127.0.0.1') -out "$certificate.pem" 2>>"$work/notes"
    trust=(--ca-file "$work/tls/authority.pem")
    curl_trust=(--cacert "$work/tls/authority.pem")
}
