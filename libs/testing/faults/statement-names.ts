const NAME = /^\s*\/\* ([a-z ]+) \*\//;
const GENERATED = /^(INSERT|UPDATE|DELETE)(?: INTO| FROM)? "public"\."(\w+)"/;

/** The commit point of a statement: the comment it begins with, or operation and table of one that Prisma made. */
export function commitPointOf(sql: string): string | undefined {
  const generated = GENERATED.exec(sql);
  return generated ? `${generated[1]} ${generated[2]}` : NAME.exec(sql)?.[1];
}

const RUN_ID = /^run_[0-9a-z]+/;

/** The run that a statement is about, by its values: a run's id, or a key that begins with one; empty when none does. */
export function runIdIn(values: readonly unknown[]): string {
  for (const value of values) {
    const id = typeof value === 'string' ? RUN_ID.exec(value)?.[0] : undefined;
    if (id !== undefined) return id;
  }
  return '';
}
