import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

/** A received request. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** Responds to a request; by default with 204. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** A server on this machine that receives webhooks, for tests. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  answer: Answer = (_, response) => void response.writeHead(204).end();

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

  /**
   * Waits until the received requests satisfy the condition, and returns them.
   *
   * @param what description of the condition; it starts the error message
   */
  async until(what: string, isEnough: (received: ReceivedRequest[]) => boolean): Promise<ReceivedRequest[]> {
    await until(
      what,
      () => this.received.map(({ json }) => json),
      () => isEnough(this.received),
    );
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
