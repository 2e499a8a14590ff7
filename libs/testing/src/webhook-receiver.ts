import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the receiver got it. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** What the receiver does with a request; by default it answers 204. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** How long a test waits for a request before it fails. */
const PATIENCE_MS = 60_000;

/** A server on this machine that takes webhooks, for tests. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  answer: Answer = (_, response) => void response.writeHead(204).end();
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const json = JSON.parse(body) as ReceivedRequest['json'];
        const request = { path: incoming.url ?? '', headers: incoming.headers, body, json };
        this.received.push(request);
        this.answer(request, response);
        for (const look of this.waiting) look();
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebhookReceiver(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Waits until what was received satisfies the condition. */
  async until(isEnough: (received: ReceivedRequest[]) => boolean): Promise<ReceivedRequest[]> {
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const types = () => this.received.map(({ json }) => json.type).join(', ');
      const timer = setTimeout(
        () => end(() => reject(new Error(`the receiver did not get there; it has ${types()}`))),
        PATIENCE_MS,
      );
      const look = () => {
        if (isEnough(this.received)) end(resolve);
      };
      this.waiting.add(look);
      look();
    });
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
