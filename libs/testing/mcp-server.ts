import {
  createMcpHandler,
  McpServer,
  type CallToolResult,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

/** A tool of the server; a spec may change it while the server runs. */
export interface ServedTool {
  name: string;
  description: string;
  parameters?: Record<string, z.ZodType>;
  annotations?: ToolAnnotations;
  run: (input: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;
}

/** Answers a request instead of the MCP server; returns false to leave it to the server. */
type Interception = (request: IncomingMessage, response: ServerResponse, body: string) => boolean;

/** An MCP server for both eras, built with the official library, for specs. */
export interface TestMcpServer {
  url: string;
  tools: ServedTool[];
  /** Headers of all requests, in order. */
  requests: IncomingHttpHeaders[];
  intercept: Interception | null;
  stop(): Promise<void>;
}

export const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Starts a server on a free port of loopback. */
export async function startMcpServer(tools: ServedTool[]): Promise<TestMcpServer> {
  const state: Pick<TestMcpServer, 'tools' | 'requests' | 'intercept'> = {
    tools,
    requests: [],
    intercept: null,
  };
  const handler = createMcpHandler(() => serverOf(state.tools));
  const http = createServer((request, response) => {
    void buffer(request).then(async (bytes) => {
      const body = bytes.toString('utf8');
      state.requests.push(request.headers);
      if (state.intercept?.(request, response, body) === true) return;
      const answer = await handler.fetch(webRequest(request, body));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (!answer.body) return response.end();
      Readable.fromWeb(answer.body as ReadableStream)
        .on('error', () => response.destroy())
        .pipe(response);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return Object.assign(state, {
    url,
    async stop() {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  });
}

function serverOf(tools: readonly ServedTool[]): McpServer {
  const server = new McpServer({ name: 'spec', version: '1' });
  for (const { name, description, parameters = {}, annotations = {}, run } of tools) {
    const about = { description, inputSchema: z.object(parameters), annotations };
    server.registerTool(name, about, (input) => run(input));
  }
  return server;
}

function webRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): Request {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Request(new URL(url, 'http://spec'), {
    method,
    headers: kept,
    ...(method === 'POST' ? { body } : {}),
  });
}
