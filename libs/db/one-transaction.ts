import pg from 'pg';

/** What `pg.Query` has beyond its types. */
interface Query {
  name?: string | undefined;
  text?: string | undefined;
  _results: pg.QueryResult | pg.QueryResult[];
  _canceledDueToError: unknown;
  prepare(connection: Connection): void;
  _getRows(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

interface Connection {
  execute(options: object): void;
  sync(): void;
  submittedNamedStatements: Record<string, string>;
}

const PgQuery = pg.Query as unknown as new (statement: pg.QueryConfig) => Query;

/** Statement that leaves the end of the message, which commits, to the whole. */
class Part extends PgQuery {
  override _getRows(connection: Connection): void {
    connection.execute({});
  }
}

/**
 * Statements that are sent in one message and answered by one: without `BEGIN`, PostgreSQL executes them as one
 * transaction, which ends with the message. If one fails, none takes effect.
 */
class OneTransaction extends PgQuery {
  private readonly parts: Part[];
  /** Index of the statement that PostgreSQL answers next. */
  private at = 0;

  /** @param statements by them, the tests of crashes know where a process dies */
  constructor(readonly statements: pg.QueryConfig[]) {
    super(statements.at(-1)!);
    this.parts = statements.map((statement) => new Part(statement));
  }

  override prepare(connection: Connection): void {
    for (const part of this.parts) part.prepare(connection);
    connection.sync();
    this.expect(0);
  }

  override handleRowDescription(message: unknown): void {
    this.parts[this.at]!.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.parts[this.at]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.parts[this.at]!.handleCommandComplete(message, connection);
    this._canceledDueToError ||= this.parts[this.at]!._canceledDueToError;
    this.expect(this.at + 1);
  }

  override handleError(error: unknown, connection: Connection): void {
    // PostgreSQL has skipped the rest, so it does not know statements that came first in it.
    for (const { name } of this.parts.slice(this.at)) delete connection.submittedNamedStatements[name!];
    super.handleError(error, connection);
  }

  override handleReadyForQuery(connection: Connection): void {
    this._results = this.parts.map((part) => part._results as pg.QueryResult);
    super.handleReadyForQuery(connection);
  }

  /** The client records as prepared what the active query is named. */
  private expect(index: number): void {
    this.at = index;
    this.name = this.parts[index]?.name;
    this.text = this.parts[index]?.text;
  }
}

/**
 * Runs named statements as one transaction, in one message, and releases the connection.
 *
 * @returns the result of each statement
 * @throws pg.DatabaseError, or the error of the connection
 */
export function runTogether(client: pg.PoolClient, statements: pg.QueryConfig[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const query = new OneTransaction(statements) as unknown as pg.Query;
    const done = (error: Error | null, results: pg.QueryResult[]) => {
      // Every other error ends the session.
      client.release(error !== null && !isRefused(error));
      if (error) reject(error);
      else resolve(results);
    };
    (client as { query(query: pg.Query, callback: typeof done): unknown }).query(query, done);
  });
}

/** Beginnings of the codes of errors that end the session, perhaps when its transaction is already committed. */
const LOST = ['08', '25P', '57P'];

/**
 * Returns whether PostgreSQL refused a statement, and so has undone its transaction; the session goes on. The code says
 * so, because the severity is in the server's language.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !LOST.some((begin) => error.code?.startsWith(begin));
