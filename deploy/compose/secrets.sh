#!/bin/sh
# Makes the secrets of compose.yml, once: files that exist stay as they are. Back up secrets/master_key
# apart from the database: neither is of use without the other.
set -eu
cd "$(dirname "$0")"
# Files of compose are mounted as they are: the containers' users must be able to read them, so the
# folder keeps others of this machine out.
mkdir -p secrets
chmod 700 secrets
umask 022

make() { # NAME VALUE
  [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
}

make master_key "$(openssl rand -base64 32)"
make postgres_password "$(openssl rand -hex 24)"
make grafana_password "$(openssl rand -hex 12)"
make verify_token "$(openssl rand -hex 24)"
# The app secret of your app at the platform replaces this one before live accounts are used.
make app_secret "$(openssl rand -hex 16)"
make database_url "postgresql://tidings:$(cat secrets/postgres_password)@postgres:5432/tidings"
