import { EventEmitter } from 'node:events';
import pg from 'pg';

const RECONNECT_MS = 500;

/**
 * One LISTEN connection per process. `on(channel)` fires with the payload. After a reconnect `onReconnect`
 * fires, because notifications may have been missed: listeners must then read the rows.
 */
export class NotificationListener {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private client: pg.Client | null = null;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly channels: string[],
  ) {}

  /** Connects; reconnects in the background if the connection is lost later. */
  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl, keepAlive: true });
    const lost = () => {
      if (this.client !== client) return;
      this.client = null;
      this.reconnect();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => this.emitter.emit(channel, payload ?? ''));
    await client.connect();
    for (const channel of this.channels) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    this.client = client;
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
    await client?.end().catch(() => undefined);
  }

  private reconnect(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.start().then(
        () => this.emitter.emit('reconnected'),
        () => this.reconnect(),
      );
    }, RECONNECT_MS);
  }
}
