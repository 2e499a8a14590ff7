import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model server that streams endless answers. */
export interface EndlessModel {
  baseUrl: string;
  close(): void;
}

/** Returns one event of a streamed answer. */
export const streamedPiece = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Starts an endless model. @param text repeated in every answer */
export async function startEndlessModel(text: string): Promise<EndlessModel> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = () => {
      while (!response.destroyed && response.write(text));
    };
    response.on('drain', send);
    send();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
