#!/bin/sh
# Makes the secrets of docker-compose.yml in deploy/secrets/, each once: what is there already is kept.
# The folder is closed to other users; the files are readable, because containers read them under different user ids.
set -eu
umask 022
dir="$(dirname "$0")/secrets"
mkdir -p "$dir"
chmod 700 "$dir"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
# keep NAME CONTENT
keep() { [ -e "$dir/$1" ] || printf '%s\n' "$2" >"$dir/$1"; }

keep postgres_password "$(random)"
keep database_url "postgres://scriptorium:$(cat "$dir/postgres_password")@database:5432/scriptorium"
keep queue_password "$(random)"
keep queue.conf "requirepass $(cat "$dir/queue_password")"
keep queue_url "redis://:$(cat "$dir/queue_password")@queue:6379"
keep s3_secret_key "$(random)"
keep admin_password "$(random)"
keep token_secret "$(random)"
keep metrics_token "$(random)"
# Put the model's key into the first; empty: the offline scribe writes. The second is for an embedding model that has a key of its own,
# the third for research in the web.
keep openai_api_key ""
keep openai_embed_api_key ""
keep exa_api_key ""
echo "secrets are in $dir; the admin's password: $dir/admin_password"
