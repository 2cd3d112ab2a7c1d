# A certificate authority for one run of Scripts/integration; to be sourced with `work` set to an empty folder.
#
# What runs over TLS trusts `authority` alone, which has signed a certificate for 127.0.0.1. `stranger` has not.

certificate=''
# What the demo and curl are told about whom to trust; empty without TLS.
trust=()
curl_trust=()

# Makes both authorities and the certificate, with its key beside it.
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
