#!/bin/sh
# Restores a backup of backup.sh into an EMPTY database and an empty folder. Stop every process of Scriptorium first, and start
# with an empty queue (Redis: FLUSHDB).
#
#   DATABASE_URL=postgres://… STORAGE_DIR=/var/lib/scriptorium/objects sh deploy/restore.sh /backups/2026-11-22
set -eu
source="${1:?usage: restore.sh FOLDER}"
: "${DATABASE_URL:?}"
(cd "$source" && sha256sum --check --quiet SHA256SUMS)
tables=$(psql --no-psqlrc --tuples-only --no-align --command="SELECT count(*) FROM pg_tables WHERE schemaname = 'public'" "$DATABASE_URL")
[ "$tables" -eq 0 ] || { echo "the database is not empty ($tables tables); restore into a new one" >&2; exit 1; }
if [ -e "$source/objects.tar.gz" ]; then
  : "${STORAGE_DIR:?the backup holds objects}"
  mkdir -p "$STORAGE_DIR"
  [ -z "$(ls -A "$STORAGE_DIR")" ] || { echo "$STORAGE_DIR is not empty" >&2; exit 1; }
  tar --extract --gzip --xattrs --file="$source/objects.tar.gz" --directory="$STORAGE_DIR"
fi
# Roles belong to the server and are not in the dump.
role=$(psql --no-psqlrc --tuples-only --no-align --command="SELECT count(*) FROM pg_roles WHERE rolname = 'scriptorium_tenant'" "$DATABASE_URL")
[ "$role" -eq 1 ] || psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --command='CREATE ROLE scriptorium_tenant NOLOGIN' \
  --command='GRANT scriptorium_tenant TO CURRENT_USER' "$DATABASE_URL"
pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" "$source/database.dump"
echo "restored from $source; now: scriptorium migrate, then start the processes"
