/**
 * Names the specs that need programs which npm does not bring (Redis, MinIO, LibreOffice, poppler, pandoc, Chromium, pgvector, epubcheck): those that import one
 * of the helpers which find them. CI runs all specs without these programs, and then these with them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const HELPERS = /from '#testing\/(columns|redis|programs|browser|pgvector|epubcheck)\.js'/;
const PROGRAMS = /(spawn|execFile|run)\w*\(\s*'(redis-server|minio|soffice|pdfto\w+|pandoc|chromium)'/;

const specs = ['apps', 'libs', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

const needing = specs.filter(({ text }) => HELPERS.test(text));
const undeclared = specs.filter((spec) => PROGRAMS.test(spec.text) && !needing.includes(spec));
for (const { name } of undeclared)
  process.stderr.write(`${name} starts a program without #testing/programs.js: CI would not run it\n`);
process.exitCode = undeclared.length > 0 ? 1 : 0;
process.stdout.write(`${needing.map(({ name }) => name).join('\n')}\n`);
