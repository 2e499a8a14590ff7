#!/bin/sh
# Backs up PostgreSQL and the objects, while the service runs.
#
#   DATABASE_URL=postgres://… STORAGE_DIR=/var/lib/scriptorium/objects sh deploy/backup.sh /backups/2026-11-22
#
# STORAGE_DIR is the folder of the objects (with the S3 server of docker-compose.yml, its volume). If it is unset, only
# PostgreSQL is backed up, for stores with their own backup. pg_dump must have the server's major version or a later one.
# The queue is not backed up, because the reconciler adds its jobs again.
set -eu
target="${1:?usage: backup.sh FOLDER (a new one)}"
: "${DATABASE_URL:?}"
umask 077
mkdir "$target"
# Remove an incomplete backup, so that the same command can be repeated.
complete=
trap '[ -n "$complete" ] || rm -rf "$target"' EXIT
# The database first: every object that it refers to exists by then, and additional objects are harmless.
pg_dump --format=custom --no-owner --exclude-schema=bullmq --file="$target/database.dump" "$DATABASE_URL"
if [ -n "${STORAGE_DIR:-}" ]; then
  # Files may appear or disappear during the backup, but never change. tar exits with 1 if one disappears.
  tar --create --gzip --xattrs --file="$target/objects.tar.gz" --directory="$STORAGE_DIR" . || [ $? -eq 1 ]
fi
(cd "$target" && sha256sum database.dump $([ -e objects.tar.gz ] && echo objects.tar.gz) >SHA256SUMS)
complete=1
echo "backed up to $target: $(du -sh "$target" | cut -f1)"
