#!/bin/sh
# Restores a backup of backup.sh into an EMPTY database and an empty folder. First stop every process of Scriptorium, and
# empty the queue (Redis: FLUSHDB).
#
#   DATABASE_URL=postgres://… STORAGE_DIR=/var/lib/scriptorium/objects sh deploy/restore.sh /backups/2026-11-22
#
# All checks are made before anything is written. After a failure, repeat the same command.
set -eu
source="${1:?usage: restore.sh FOLDER}"
: "${DATABASE_URL:?}"
refuse() {
  echo "$1" >&2
  exit 1
}
query() { psql --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1" "$DATABASE_URL"; }

(cd "$source" && sha256sum --check --quiet SHA256SUMS)
pg_restore --list "$source/database.dump" >/dev/null || refuse "this pg_restore cannot read the dump; use that of the pg_dump which made it, or a later one"
tables=$(query "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
[ "$tables" -eq 0 ] || refuse "the database is not empty ($tables tables); restore into a new one"
# The dump does not contain roles, because they belong to the server.
role=$(query "SELECT CASE WHEN pg_has_role(tenant.oid, 'MEMBER') THEN 'ready'
    WHEN tenant.oid IS NULL AND (me.rolcreaterole OR me.rolsuper) THEN 'to make' ELSE 'missing' END
  FROM pg_roles AS me LEFT JOIN pg_roles AS tenant ON tenant.rolname = 'scriptorium_tenant' WHERE me.rolname = current_user")
[ "$role" != missing ] || refuse "the role scriptorium_tenant is missing, or not granted to the user of DATABASE_URL; an administrator has to run
CREATE ROLE scriptorium_tenant NOLOGIN; GRANT scriptorium_tenant TO the user of DATABASE_URL"
if [ -e "$source/objects.tar.gz" ]; then
  : "${STORAGE_DIR:?the backup holds objects}"
  # Left by an earlier attempt.
  rm -rf "$STORAGE_DIR/.restoring"
  mkdir -p "$STORAGE_DIR"
  [ -z "$(ls -A "$STORAGE_DIR")" ] || refuse "$STORAGE_DIR is not empty"
  mkdir "$STORAGE_DIR/.restoring"
  tar --extract --gzip --xattrs --file="$source/objects.tar.gz" --directory="$STORAGE_DIR/.restoring"
fi
if [ "$role" = "to make" ]; then
  query 'CREATE ROLE scriptorium_tenant NOLOGIN' >/dev/null
  query 'GRANT scriptorium_tenant TO CURRENT_USER' >/dev/null
fi
pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" "$source/database.dump"
if [ -e "$source/objects.tar.gz" ]; then
  find "$STORAGE_DIR/.restoring" -mindepth 1 -maxdepth 1 -exec mv -t "$STORAGE_DIR" {} +
  rmdir "$STORAGE_DIR/.restoring"
fi
echo "restored from $source; now: scriptorium migrate, then start the processes"
