import type { Client } from '@modelcontextprotocol/client';

const IDLE_MS = 60_000;
/** Maximum connections of a worker; beyond, idle ones are closed. */
const MAX_KEPT = 20;

interface Kept {
  client: Promise<Client>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** Connections that calls with the same key share, so that a plan starts the process of a server once. */
export class KeptConnections {
  private readonly kept = new Map<string, Kept>();

  /** @param idleMs time in ms after the last call until a connection is closed */
  constructor(private readonly idleMs = IDLE_MS) {}

  /** Calls `act` with the connection of the key, which is opened if there is none. */
  async use<T>(key: string, connect: () => Promise<Client>, act: (client: Client) => Promise<T>): Promise<T> {
    const connection = this.kept.get(key) ?? this.add(key, connect());
    clearTimeout(connection.idle);
    connection.users += 1;
    try {
      return await act(await connection.client);
    } catch (error) {
      // After an error of the protocol the server still answers; otherwise, other calls should not depend on it.
      const { ProtocolError } = await import('@modelcontextprotocol/client');
      if (!(error instanceof ProtocolError)) this.remove(key, connection);
      throw error;
    } finally {
      connection.users -= 1;
      if (connection.users === 0) this.rest(key, connection);
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const all = [...this.kept.values()];
    this.kept.clear();
    for (const { idle } of all) clearTimeout(idle);
    await Promise.all(all.map(close));
  }

  private add(key: string, client: Promise<Client>): Kept {
    const added: Kept = { client, users: 0, idle: undefined };
    const idle = [...this.kept].find(([, { users }]) => users === 0);
    if (this.kept.size >= MAX_KEPT && idle) this.end(...idle);
    this.kept.set(key, added);
    // Not awaited: calls wait for the client, and a failure reaches them.
    void client.then(
      (opened) => (opened.onclose = () => this.remove(key, added)),
      () => this.remove(key, added),
    );
    return added;
  }

  private rest(key: string, connection: Kept): void {
    if (this.kept.get(key) !== connection) return this.end(key, connection);
    connection.idle = setTimeout(() => this.end(key, connection), this.idleMs).unref();
  }

  /** Makes later calls open another connection; the last user closes this one. */
  private remove(key: string, connection: Kept): void {
    if (this.kept.get(key) === connection) this.kept.delete(key);
  }

  private end(key: string, connection: Kept): void {
    clearTimeout(connection.idle);
    this.remove(key, connection);
    // Not awaited: `close` never rejects, and no call uses this connection.
    void close(connection);
  }
}

const close = ({ client }: Kept): Promise<void> =>
  client.then(
    (opened) => opened.close().catch(() => undefined),
    () => undefined,
  );
