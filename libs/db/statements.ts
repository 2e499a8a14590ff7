import type pg from 'pg';
import { createHash } from 'node:crypto';
import type { Prisma } from './generated/client.js';
import { runTogether } from './one-transaction.js';

/** Methods that `createDatabase` adds to Prisma's client. */
export interface Statements {
  /**
   * Runs one statement without Prisma's query engine, which costs as much CPU as the rest of a commit. Use it
   * for statements of every step of every run; for all others use the client's own methods.
   *
   * @returns the rows as `pg` reads them: `bytea` as Buffer, `timestamptz` as Date, `int8` as string
   * @throws pg.DatabaseError, or the error of the connection
   */
  $statement<Row>(sql: Prisma.Sql): Promise<Row[]>;
  /**
   * Runs several statements of the service as one transaction, in one message. If one fails, none takes effect.
   *
   * @returns the rows of each statement
   * @throws pg.DatabaseError, or the error of the connection
   */
  $together(statements: Prisma.Sql[]): Promise<unknown[][]>;
  /**
   * Runs several reads on one snapshot of the database, without Prisma's query engine. Use it for large
   * results.
   *
   * @throws pg.DatabaseError, or the error of the connection; errors of `read`
   */
  $snapshot<T>(read: (send: SendStatement) => Promise<T>): Promise<T>;
}

/** Starts a read-only transaction with one snapshot. */
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** Sends one statement, alone or within a transaction. */
export type SendStatement = Statements['$statement'];

/** Returns a function that sends statements within an open Prisma transaction. */
export function statementsIn(tx: { $queryRaw<R>(sql: Prisma.Sql): PromiseLike<R> }): SendStatement {
  return async <Row>(sql: Prisma.Sql) => tx.$queryRaw<Row[]>(sql);
}

const names = new Map<string, string>();
/**
 * The product has a few dozen statements, each in a few lengths; more would mean that a text contains values.
 */
const MAX_CACHED_NAMES = 2_000;

/** Returns the name of a prepared statement: the hash of its text. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    if (names.size >= MAX_CACHED_NAMES) names.clear();
    names.set(text, name);
  }
  return name;
}

const named = ({ text, values }: Prisma.Sql): pg.QueryConfig => ({ name: statementName(text), text, values });

/** Returns the statement methods on the pool that Prisma also uses. */
export function statementsOn(pool: pg.Pool): Statements {
  return {
    async $statement<Row>(sql: Prisma.Sql): Promise<Row[]> {
      const { rows } = await pool.query(named(sql));
      return rows as Row[];
    },
    async $together(statements) {
      const results = await runTogether(await pool.connect(), statements.map(named));
      return results.map(({ rows }) => rows);
    },
    async $snapshot<T>(read: (send: SendStatement) => Promise<T>): Promise<T> {
      const client = await pool.connect();
      // Send the first read without waiting; if BEGIN fails, `await begun` discards its result.
      const begun = client.query({ text: BEGIN_SNAPSHOT });
      begun.catch(() => undefined); // awaited below
      try {
        const result = await read(async <Row>(sql: Prisma.Sql) => {
          const { rows } = await client.query(named(sql));
          return rows as Row[];
        });
        await begun;
        // The result is complete: do not wait for the end of the transaction.
        void client.query('COMMIT').then(
          () => client.release(),
          () => client.release(true),
        );
        return result;
      } catch (error) {
        // The transaction may still be open: discard its connection.
        client.release(true);
        throw error;
      }
    },
  };
}

/** A client of `pg` that is used only with promises. */
interface Client {
  query(...statement: never[]): Promise<unknown>;
}

/**
 * Makes a client with several users execute their statements one after another: `pg` deprecates concurrent
 * statements.
 */
export function queueStatements(client: Client): void {
  const query = client.query.bind(client);
  let last: Promise<unknown> = Promise.resolve();
  client.query = (...statement: never[]) => {
    const result = last.then(() => query(...statement));
    last = result.catch(() => undefined);
    return result;
  };
}
