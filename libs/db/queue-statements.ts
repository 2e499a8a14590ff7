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
