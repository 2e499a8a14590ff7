# Programs of `npm run test:system` that npm does not install, with paths, for .ci/install and .ci/run.
# test/setup/global-setup.js rejects a run without the programs that SCRIPTORIUM_TEST_REQUIRED names.
PROGRAMS="redis-server minio soffice pdftoppm pdftotext pandoc chromium"
PGVECTOR_VERSION=0.6.0
EPUBCHECK_VERSION=5.4.0
VERAPDF_VERSION=1.28.1
PYTHON_DOCX_VERSION=1.2.0
MINIO_VERSION=v0.0.0-20260212201848-7aac2a2c5b7c
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/scriptorium"
PGVECTOR_VENV="$CACHE/pgvector-$PGVECTOR_VERSION"
export SCRIPTORIUM_TEST_MINIO="${SCRIPTORIUM_TEST_MINIO:-$CACHE/bin/minio}"
export SCRIPTORIUM_TEST_EPUBCHECK="$CACHE/epubcheck-$EPUBCHECK_VERSION"
export SCRIPTORIUM_TEST_VERAPDF="$CACHE/verapdf-$VERAPDF_VERSION"
export SCRIPTORIUM_TEST_PYTHON_DOCX="$CACHE/python-docx-$PYTHON_DOCX_VERSION"
