import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { callModel, type CallOptions } from '#llm/call-model.js';
import { createChatModel } from '#llm/chat-model.js';
import { HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { chunkOf, type RawRequest } from './raw-model.js';

export const START: BaseMessage[] = [new SystemMessage('You write.'), new HumanMessage('Write.')];
export const READ = tool(() => 'text', {
  name: 'read_file',
  description: 'Read a file',
  schema: z.object({ filename: z.string() }),
});

/** Handles a request: writes the response. */
export type Answer = (body: RawRequest, response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a server whose handler writes responses byte by byte; requests to paths that it does not have get 404. */
async function serve(answer: Answer, path = '/v1/chat/completions') {
  const requests: RawRequest[] = [];
  const server = createServer((request, response) => {
    if (new URL(request.url!, 'http://x').pathname !== path)
      return response.writeHead(404).end('<h1>404</h1>');
    return void json(request).then((body) => {
      requests.push(body as RawRequest);
      answer(body as RawRequest, response, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}

const open: (() => void)[] = [];
export const closeServers = () => open.splice(0).forEach((close) => close());

/** Returns a function that calls the model of a server, which `closeServers` closes. */
export async function asking(
  answer: Answer,
  { path, base = '/v1', model: name = 'm' }: { path?: string; base?: string; model?: string } = {},
) {
  const server = await serve(answer, path);
  open.push(server.close);
  const { model } = createChatModel({ apiKey: 'sk-key', baseUrl: `${server.origin}${base}`, model: name });
  const ask = (messages = START, options: CallOptions = {}) =>
    callModel(model, messages, { tools: [READ], retryDelayMs: 1, maxRetries: 0, ...options });
  return { ask, requests: server.requests };
}

const SSE = { 'content-type': 'text/event-stream' };
export const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
export const stream =
  (...events: (object | string)[]): Answer =>
  (_, response) =>
    response
      .writeHead(200, SSE)
      .end(events.map((event) => (typeof event === 'string' ? event : data(event))).join(''));
export const DONE = 'data: [DONE]\n\n';
export const text = (answerText: string): Answer =>
  stream(chunkOf({ content: answerText }), chunkOf({}, 'stop'), DONE);
export const refuse = (response: ServerResponse, status: number, body: object | string, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
