/**
 * `npm run size`: prints the lines and files of the product's code in each folder, and the regular expressions in libs,
 * next to those of the last release (`size.json`). Code is .ts, .tsx and .js in apps and libs, without specs,
 * libs/testing and generated files. `npm run size -- --store NAME` stores the numbers as those of a release.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values } = parseArgs({
  options: { store: { type: 'string' }, root: { type: 'string', default: join(import.meta.dirname, '..') } },
});
const stored = join(import.meta.dirname, 'size.json');

/** Returns the number of literals and of `new RegExp` in a file. */
function countRegularExpressions(name, text) {
  let count = 0;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) count++;
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp')
      count++;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  return count;
}

function measure(root) {
  const folders = {};
  let regularExpressions = 0;
  for (const top of ['apps', 'libs'])
    for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name));
      if (!entry.isFile() || !/(?<!\.spec)\.(?:tsx?|js)$/.test(path)) continue;
      if (path.startsWith('libs/testing/') || /\/(?:generated|node_modules)\//.test(path)) continue;
      const text = readFileSync(join(root, path), 'utf8');
      const folder = (folders[path.split('/').slice(0, 2).join('/')] ??= { lines: 0, files: 0 });
      folder.lines += text.split('\n').length - 1;
      folder.files++;
      if (top === 'libs') regularExpressions += countRegularExpressions(path, text);
    }
  return { folders, regularExpressions };
}

const sum = ({ folders }) =>
  Object.values(folders).reduce(
    (all, { lines, files }) => ({ lines: all.lines + lines, files: all.files + files }),
    { lines: 0, files: 0 },
  );

const now = measure(values.root);
if (values.store !== undefined) {
  writeFileSync(stored, `${JSON.stringify({ release: values.store, ...now }, null, 2)}\n`);
} else {
  const before = JSON.parse(readFileSync(stored, 'utf8'));
  const difference = (value, old) => `${value - old > 0 ? '+' : ''}${(value - old).toLocaleString('en')}`;
  const row = (one = { lines: 0, files: 0 }, old = { lines: 0, files: 0 }) => ({
    lines: one.lines,
    files: one.files,
    [`lines since ${before.release}`]: difference(one.lines, old.lines),
    [`files since ${before.release}`]: difference(one.files, old.files),
  });
  const names = [...new Set([...Object.keys(now.folders), ...Object.keys(before.folders)])].sort();
  console.table({
    ...Object.fromEntries(names.map((name) => [name, row(now.folders[name], before.folders[name])])),
    total: row(sum(now), sum(before)),
  });
  const change = difference(now.regularExpressions, before.regularExpressions);
  console.log(`Regular expressions in libs: ${now.regularExpressions} (${change} since ${before.release})`);
}
