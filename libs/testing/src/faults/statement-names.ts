const NAME = /^\s*\/\* ([a-z ]+) \*\//;
const GENERATED = /^(INSERT|UPDATE|DELETE)(?: INTO| FROM)? "public"\."(\w+)"/;

/** The commit point of a statement: the comment it begins with, or operation and table of one that Prisma made. */
export function commitPointOf(sql: string): string | undefined {
  const generated = GENERATED.exec(sql);
  return generated ? `${generated[1]} ${generated[2]}` : NAME.exec(sql)?.[1];
}
