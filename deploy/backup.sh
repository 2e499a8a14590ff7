#!/bin/sh
# Backs up everything that cannot be made again: PostgreSQL (the truth) and the objects (the bytes). Runs beside a service at work.
#
#   DATABASE_URL=postgres://… STORAGE_DIR=/var/lib/scriptorium/objects sh deploy/backup.sh /backups/2026-11-22
#
# STORAGE_DIR is the folder of the objects (with the S3 server of docker-compose.yml: its volume). Unset: PostgreSQL alone, for
# stores that have a backup of their own. pg_dump has to be of the server's major version or later. The queue is left out: the
# reconciler makes its jobs again.
set -eu
target="${1:?usage: backup.sh FOLDER (a new one)}"
: "${DATABASE_URL:?}"
umask 077
mkdir "$target"
# A backup that failed leaves nothing, so that it can be repeated as it was.
complete=
trap '[ -n "$complete" ] || rm -rf "$target"' EXIT
# First the database: every object that it names is there by then, and objects that come later do no harm.
pg_dump --format=custom --no-owner --exclude-schema=bullmq --file="$target/database.dump" "$DATABASE_URL"
if [ -n "${STORAGE_DIR:-}" ]; then
  # Objects are written once, so a file may come or go meanwhile, but it does not change (1: "file removed before we read it").
  tar --create --gzip --xattrs --file="$target/objects.tar.gz" --directory="$STORAGE_DIR" . || [ $? -eq 1 ]
fi
(cd "$target" && sha256sum database.dump $([ -e objects.tar.gz ] && echo objects.tar.gz) >SHA256SUMS)
complete=1
echo "backed up to $target: $(du -sh "$target" | cut -f1)"
