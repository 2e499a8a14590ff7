import { queueStatements } from '#db/statements.js';
import { EventEmitter } from 'node:events';
import pg from 'pg';

const RECONNECT_MS = 500;

/**
 * One LISTEN session per process. `on(channel)` fires with the payload. After a reconnect `onReconnect`
 * fires, because notifications may have been missed: listeners must then read the rows.
 */
export class NotificationListener {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private client: pg.Client | null = null;
  private started: Promise<void> | undefined;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly channels: Set<string>;

  constructor(
    private readonly databaseUrl: string,
    channels: string[] = [],
  ) {
    this.channels = new Set(channels);
  }

  /** The current session; null while none is connected. Locks of a session end with it. */
  get session(): pg.Client | null {
    return this.client;
  }

  /** Connects; reconnects in the background if the connection is lost later. */
  async start(): Promise<void> {
    this.started ??= this.connect();
    await this.started.catch((error: unknown) => {
      this.started = undefined;
      throw error;
    });
  }

  /** Listens on further channels; connects if not connected yet. */
  async listen(...channels: string[]): Promise<void> {
    const added = channels.filter((channel) => !this.channels.has(channel));
    for (const channel of added) this.channels.add(channel);
    await this.start();
    // Without a session, the reconnect listens on them.
    for (const channel of added) await this.client?.query(listenOn(channel));
  }

  /** Calls back for each notification on the channel; returns a function that stops it. */
  on(channel: string, listener: (payload: string) => void): () => void {
    this.emitter.on(channel, listener);
    return () => this.emitter.off(channel, listener);
  }

  onReconnect(listener: () => void): () => void {
    this.emitter.on('reconnected', listener);
    return () => this.emitter.off('reconnected', listener);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    // The connection may be broken already; the server closes its side then.
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl, keepAlive: true });
    queueStatements(client);
    const onConnectionLost = () => {
      if (this.client !== client) return;
      this.client = null;
      this.reconnect();
    };
    client.on('error', onConnectionLost);
    client.on('end', onConnectionLost);
    client.on('notification', ({ channel, payload }) => this.emitter.emit(channel, payload ?? ''));
    await client.connect();
    for (const channel of this.channels) await client.query(listenOn(channel));
    this.client = client;
  }

  private reconnect(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.connect().then(
        () => this.emitter.emit('reconnected'),
        () => this.reconnect(),
      );
    }, RECONNECT_MS);
  }
}

const listenOn = (channel: string) => `LISTEN ${pg.escapeIdentifier(channel)}`;
