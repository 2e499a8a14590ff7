import { createParser } from 'eventsource-parser';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { StubAnswer, StubFault, StubRequest } from '#testing/model-stub.js';

/** A model call that passed the relay. */
export interface Call {
  request: StubRequest;
  /** HTTP status of the server. */
  status: number;
  /** Answer of the model; for an error, its status and message. */
  answer: StubAnswer | StubFault;
  /** Input tokens that the server reports as cached. */
  cached: number;
  seconds: number;
}

export interface Relay {
  /** Value for `OPENAI_BASE_URL`. */
  baseUrl: string;
  calls: Call[];
  stop(): Promise<void>;
}

/** Starts a server on this machine that passes requests on to a model server and keeps requests and answers. */
export async function startRelay(target: string): Promise<Relay> {
  const calls: Call[] = [];
  const server = createServer((incoming, response) => {
    void pass(target, incoming, response, calls).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pass(target: string, incoming: IncomingMessage, response: ServerResponse, calls: Call[]) {
  const from = performance.now();
  const body = await buffer(incoming);
  const { host: _, ...headers } = incoming.headers;
  const url = new URL(`${target.replace(/\/$/, '')}${incoming.url}`);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const onward = send(url, { method: incoming.method, headers });
  response.once('close', () => onward.destroy());
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode!, answer.headers);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    response.write(chunk);
  }
  response.end();
  if (!incoming.url?.endsWith('/chat/completions')) return;
  calls.push({
    request: JSON.parse(body.toString('utf8')) as StubRequest,
    status: answer.statusCode!,
    seconds: (performance.now() - from) / 1_000,
    ...read(Buffer.concat(chunks).toString('utf8'), answer),
  });
}

interface Delta {
  content?: string | null;
  tool_calls?: { index?: number; function?: { name?: string; arguments?: unknown } }[];
}
interface Chunk {
  choices?: { delta?: Delta; message?: Delta; finish_reason?: string | null }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number };
  } | null;
}

/** Returns the answer of a chat completion, streamed or not, or its error. */
function read(text: string, { statusCode, headers }: IncomingMessage): Pick<Call, 'answer' | 'cached'> {
  if (statusCode !== 200) return { answer: readError(statusCode!, text), cached: 0 };
  const type = headers['content-type'] ?? '';
  const chunks: Chunk[] = [];
  if (type.includes('event-stream')) {
    const parser = createParser({
      onEvent: ({ data }) => void (data === '[DONE]' || chunks.push(JSON.parse(data) as Chunk)),
    });
    parser.feed(text);
  } else if (text.startsWith('{')) chunks.push(JSON.parse(text) as Chunk);
  let content = '';
  const calls: { name: string; arguments: string }[] = [];
  for (const { delta, message } of chunks.flatMap(({ choices }) => choices ?? [])) {
    const part = delta ?? message ?? {};
    content += part.content ?? '';
    for (const [at, call] of (part.tool_calls ?? []).entries()) {
      const known = (calls[call.index ?? at] ??= { name: '', arguments: '' });
      known.name += call.function?.name ?? '';
      const args = call.function?.arguments ?? '';
      known.arguments += typeof args === 'string' ? args : JSON.stringify(args);
    }
  }
  const usage = chunks.findLast((chunk) => chunk.usage)?.usage;
  const isCut = chunks.some(({ choices }) => choices?.some(({ finish_reason: why }) => why === 'length'));
  return {
    answer: {
      text: content,
      ...(calls.length > 0 && { toolCalls: calls.filter(Boolean) }),
      ...(usage && {
        usage: { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens },
      }),
      ...(isCut && { finish: 'length' as const }),
    },
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  };
}

function readError(status: number, text: string): StubFault {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; code?: string | null } };
    return { status, message: error?.message ?? text, ...(error?.code ? { code: error.code } : {}) };
  } catch {
    return { status, message: text };
  }
}
