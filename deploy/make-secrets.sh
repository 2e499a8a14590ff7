#!/bin/sh
# Generates the secrets of docker-compose.yml in deploy/secrets/. Existing files are not changed.
# Other users cannot access the folder; the files in it are readable, because containers read them under different user IDs.
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
# The first is the model's key; if it is empty, the offline writer is used. The second is the embedding model's, if it has a
# separate key. The third is for web research.
keep openai_api_key ""
keep openai_embed_api_key ""
keep exa_api_key ""
echo "secrets are in $dir; the admin's password: $dir/admin_password"
