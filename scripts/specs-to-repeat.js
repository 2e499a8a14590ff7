/**
 * Names the specs that CI runs a second time, after it ran all of them at quick depth and without the programs that npm does not bring
 * (Redis, MinIO, LibreOffice, poppler, pandoc, Chromium, pgvector, epubcheck): those that import a helper which finds such a program,
 * and those that go further at full depth.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const HELPERS = /from '(#testing|\.)\/(columns|redis|programs|browser|pgvector|epubcheck|depth)\.js'/;
const PROGRAMS = /(spawn|execFile|run)\w*\(\s*'(redis-server|minio|soffice|pdfto\w+|pandoc|chromium)'/;

const specs = ['apps', 'libs', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

const repeated = specs.filter(({ text }) => HELPERS.test(text));
const undeclared = specs.filter((spec) => PROGRAMS.test(spec.text) && !repeated.includes(spec));
for (const { name } of undeclared)
  process.stderr.write(`${name} starts a program without #testing/programs.js: CI would not run it\n`);
process.exitCode = undeclared.length > 0 ? 1 : 0;
process.stdout.write(`${repeated.map(({ name }) => name).join('\n')}\n`);
