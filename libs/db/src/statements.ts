import type pg from 'pg';
import { createHash } from 'node:crypto';
import type { Prisma } from './generated/client.js';

/** What `createDatabase` adds to Prisma's client. */
export interface Statements {
  /**
   * Runs one statement without the query engine of Prisma, which costs as much CPU as all the rest of a commit. For the
   * statements that every step of every run makes; all others go through the client's own methods.
   *
   * @returns the rows as `pg` reads them: `bytea` as Buffer, `timestamptz` as Date, `int8` as string
   * @throws pg.DatabaseError, or the error of the connection
   */
  $statement<Row>(sql: Prisma.Sql): Promise<Row[]>;
  /**
   * Reads several times from one state of the database, whatever is written meanwhile, without the query engine of Prisma: for
   * what brings many bytes.
   *
   * @throws pg.DatabaseError, or the error of the connection; what `read` throws
   */
  $snapshot<T>(read: (send: SendStatement) => Promise<T>): Promise<T>;
}

/** Begins a transaction that only reads, all of it from one state of the database. */
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** Sends one statement: by itself, or within a transaction. */
export type SendStatement = Statements['$statement'];

/** Sends statements within an open transaction of Prisma. */
export function statementsIn(tx: { $queryRaw<R>(sql: Prisma.Sql): PromiseLike<R> }): SendStatement {
  return async <Row>(sql: Prisma.Sql) => tx.$queryRaw<Row[]>(sql);
}

const names = new Map<string, string>();
/** The product has a few dozen statements, each in a few lengths; more means that a text holds values. */
const NAMES_KEPT = 2_000;

/** The name under which a connection keeps the plan of a statement: the hash of its text. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    if (names.size >= NAMES_KEPT) names.clear();
    names.set(text, name);
  }
  return name;
}

/** Statements on the pool that Prisma uses too. */
export function statementsOn(pool: pg.Pool): Statements {
  return {
    async $statement<Row>({ text, values }: Prisma.Sql): Promise<Row[]> {
      const { rows } = await pool.query({ name: statementName(text), text, values });
      return rows as Row[];
    },
    async $snapshot<T>(read: (send: SendStatement) => Promise<T>): Promise<T> {
      const client = await pool.connect();
      // What is read first goes with it: should it fail, that is refused.
      const begun = client.query({ text: BEGIN_SNAPSHOT });
      begun.catch(() => undefined); // whoever waits for it is told
      try {
        const result = await read(async <Row>({ text, values }: Prisma.Sql) => {
          const { rows } = await client.query({ name: statementName(text), text, values });
          return rows as Row[];
        });
        await begun;
        // What was read is known: nobody waits for the end of the transaction.
        void client.query('COMMIT').then(
          () => client.release(),
          () => client.release(true),
        );
        return result;
      } catch (error) {
        // A transaction that did not end well goes with its connection.
        client.release(true);
        throw error;
      }
    },
  };
}
