#!/bin/sh
# Makes the certificates of the tests anew: sh make.sh. Needs openssl 1.1.1 or later.
# Each signs itself. Begin and end are fixed, so that no test depends on today's date.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cat > "$work/config" <<END
[ca]
default_ca = own
[own]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = extensions
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
[extensions]
basicConstraints = critical, CA:TRUE
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = \${ENV::NAMES}
END

make() { # NAME SUBJECT-ALT-NAMES LAST-YEAR
    export NAMES="$2"
    : > "$work/index"
    openssl req -new -config "$work/config" -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
        -nodes -subj "/CN=Hearts test $1" -keyout "$1.key" -out "$work/request"
    openssl ca -batch -selfsign -config "$work/config" -in "$work/request" -keyfile "$1.key" \
        -startdate 20200101000000Z -enddate "$3"0101000000Z -notext -out "$1.pem"
}

here=DNS:localhost,IP:127.0.0.1,IP:::1
make house "$here" 2120                  # the one that servers in the tests have
make stranger "$here" 2120               # the same names, another key
make elsewhere DNS:hearts.example 2120   # another host
make expired "$here" 2021
# The key of the house behind a password.
openssl pkey -in house.key -aes128 -passout pass:hearts -out locked.key
chmod 600 ./*.key
