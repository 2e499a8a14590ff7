import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { commitPointOf } from '#testing/faults/statement-names.js';

/** Folders with the statements that change a run or its results. */
const SOURCES = [
  'libs/engine',
  'libs/db/repositories',
  'libs/gateway',
  'libs/kit',
  'libs/document',
  'libs/book',
  'libs/article',
  'libs/plan',
  'libs/knowledge',
];
const WRITES = /\b(INSERT INTO|DELETE FROM|(?<!FOR |FOR NO KEY |DO )UPDATE)\b|\$\{eventsCte\(/;
/** A template that is passed directly to a function that sends it, not part of another template. */
const WHOLE = /^`\s*(--[^\n]*\s+)*(WITH|INSERT|UPDATE|DELETE)\b/;
const RAW = /\.\$(queryRaw|executeRaw|statement)$/;
const OPERATIONS: Record<string, string> = {
  create: 'INSERT',
  createMany: 'INSERT',
  createManyAndReturn: 'INSERT',
  upsert: 'INSERT',
  update: 'UPDATE',
  updateMany: 'UPDATE',
  updateManyAndReturn: 'UPDATE',
  delete: 'DELETE',
  deleteMany: 'DELETE',
};

/** The commit points of the product, read from its sources. */
export interface CommitPoints {
  /** `claim run` for a statement that begins with `/* claim run *\/`, `INSERT exports` for one that Prisma writes. */
  names: string[];
  /** Positions of writing statements without a name. */
  unnamed: string[];
}

/**
 * Finds every statement that writes.
 *
 * @param root the checkout
 */
export async function findCommitPoints(root: string): Promise<CommitPoints> {
  const tables = await tablesOf(root);
  const names = new Set<string>();
  const unnamed: string[] = [];
  for (const file of (await Promise.all(SOURCES.map((dir) => sourcesIn(join(root, dir))))).flat()) {
    const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const name = ts.isTaggedTemplateExpression(node) ? nameOf(node) : generatedBy(node, tables);
      if (name !== undefined) names.add(name);
      else if (ts.isTaggedTemplateExpression(node) && isStatement(node) && WRITES.test(node.getText())) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        unnamed.push(`${file.slice(root.length + 1)}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { names: [...names].sort(), unnamed };
}

const nameOf = (node: ts.TaggedTemplateExpression): string | undefined =>
  commitPointOf(node.template.getText().slice(1));

/** Whether a template is sent as it is, not as part of another. */
function isStatement(node: ts.TaggedTemplateExpression): boolean {
  if (RAW.test(node.tag.getText())) return true;
  return ts.isCallExpression(node.parent) && WHOLE.test(node.template.getText());
}

/** Returns the name of the statement that Prisma sends for a call such as `db.export.createMany(…)`. */
function generatedBy(node: ts.Node, tables: ReadonlyMap<string, string>): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [, model, method] = /\b(?:db|tx)\.(\w+)\.(\w+)$/.exec(node.expression.getText()) ?? [];
  const operation = OPERATIONS[method ?? ''];
  const table = tables.get(model ?? '');
  return operation && table ? `${operation} ${table}` : undefined;
}

/** Tables by the names of their models in TypeScript. */
async function tablesOf(root: string): Promise<Map<string, string>> {
  const schema = await readFile(join(root, 'prisma/schema.prisma'), 'utf8');
  const models = schema.matchAll(/^model (\w)(\w*) \{.*?@@map\("(\w+)"\)/gms);
  return new Map([...models].map(([, first, rest, table]) => [first!.toLowerCase() + rest!, table!]));
}

async function sourcesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true });
  return (
    entries
      // Repairs from the command line are not part of a run.
      .filter(
        (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith('maintenance.ts'),
      )
      .map((name) => join(dir, name))
  );
}
