import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression in shipped sources. */
export interface ShippedExpression {
  /** As written, with slashes and flags. */
  literal: string;
  source: string;
  flags: string;
  file: string;
  /** Short hash of the literal, for lists. */
  hash: string;
}

const isShipped = (file: string) =>
  file.endsWith('.ts') && !/\.spec\.ts$|(^|\/)generated\/|(^|\/)testing\/|(^|\/)fixtures\//.test(file);

/** Every regular expression literal of apps/ and libs/, once per file. */
export function shippedExpressions(root = process.cwd()): ShippedExpression[] {
  const found = new Map<string, ShippedExpression>();
  for (const folder of ['apps', 'libs']) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of names
      .map((name) => join(folder, name))
      .filter(isShipped)
      .sort()) {
      for (const literal of literalsOf(file, readFileSync(join(root, file), 'utf8'))) {
        const end = literal.lastIndexOf('/');
        const hash = createHash('sha256').update(literal).digest('hex').slice(0, 12);
        found.set(`${file} ${literal}`, {
          literal,
          source: literal.slice(1, end),
          flags: literal.slice(end + 1),
          file,
          hash,
        });
      }
    }
  }
  return [...found.values()];
}

function literalsOf(file: string, text: string): string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return literals;
}
