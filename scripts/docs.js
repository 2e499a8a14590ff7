/**
 * Writes the generated parts of the documentation (`npm run docs`). With `--check`, writes nothing, lists the
 * committed files that are out of date and then exits with 1. Needs dist/ (`npm run build`).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './docs/errors.js';
import { DOCUMENT_PAGE, documentPage } from './docs/document-graph.js';

const root = join(import.meta.dirname, '..');
if (!existsSync(join(root, 'dist/libs/contracts/errors.js'))) {
  process.stderr.write('The apps are not built: run "npm run build" first.\n');
  process.exit(1);
}

/** Complete text of each generated file, by path. */
const pages = {
  [DOCUMENT_PAGE]: await documentPage(root),
  'docs/ERRORS.md': await errorsPage(root),
};

const isCheck = process.argv.includes('--check');
const stale = Object.entries(pages).filter(([path, text]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
for (const [path, text] of isCheck ? [] : stale) writeFileSync(join(root, path), text);
for (const [path] of stale)
  process.stdout.write(`${isCheck ? 'differs from the code' : 'written'}: ${path}\n`);
if (isCheck && stale.length > 0) {
  process.stdout.write('Run "npm run docs" and commit the result.\n');
  process.exitCode = 1;
}
