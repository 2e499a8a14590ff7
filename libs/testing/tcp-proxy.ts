import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connection between a client and a server on this machine that can be cut, like a failing network. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    server.on('connection', (client: Socket) => this.join(client));
  }

  /** Starts a proxy. @param target base URL of the server; traffic passes unchanged */
  static async start(target: string): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, Number(new URL(target).port));
  }

  /** Returns the base URL for the client. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks all connections, including new ones, until `mend` is called. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.isCut) return void client.destroy();
    const server = connect(this.port, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.pipe(other);
      // The end of either side closes the other.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
