import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface RawRequest {
  messages: Record<string, unknown>[];
  tools?: { function: { name: string; parameters: Record<string, unknown> } }[];
  [key: string]: unknown;
}

/** An answer exactly as sent over the wire. */
export type RawReply =
  | { status: number; error: Record<string, unknown> }
  /** Events of a stream, each a JSON body or a raw line. */
  | { events: (object | string)[] }
  /** An answer without a stream. */
  | { whole: object };

export interface RawModel {
  baseUrl: string;
  requests: RawRequest[];
  stop: () => Promise<unknown>;
}

/**
 * Starts a server of the chat API that sends exactly what the spec says.
 *
 * @param models its list of models, if it has one
 */
export async function startRawModel(
  reply: (request: RawRequest, number: number) => RawReply,
  models?: object[],
): Promise<RawModel> {
  const requests: RawRequest[] = [];
  const server: Server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(models ? 200 : 404, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ object: 'list', data: models ?? [] }));
    }
    void json(request).then((body) => {
      requests.push(body as RawRequest);
      const answer = reply(body as RawRequest, requests.length);
      if ('events' in answer) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const lines = answer.events.map((event) =>
          typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`,
        );
        return response.end(`${lines.join('')}data: [DONE]\n\n`);
      }
      const isError = 'status' in answer;
      response.writeHead(isError ? answer.status : 200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(isError ? { error: answer.error } : answer.whole, null, 1));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a stream chunk with one choice. */
export const chunkOf = (delta: object, finish: string | null = null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** Returns a complete text answer, streamed in OpenAI's format. */
export const textReply = (text: string, usage?: object): RawReply => ({
  events: [
    chunkOf({ role: 'assistant', content: text }),
    { ...chunkOf({}, 'stop'), ...(usage && { usage }) },
  ],
});
