import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { diligentAnswer } from './diligent-model.js';
import { garbleAnswer, withoutGarbage, type Garbage, type StubAnswer } from './garbage.js';
import { fromWire, toWire, type WireAnswer, type WireMessage } from './model-wire.js';

export type { StubAnswer };

/** Body of a chat completion request. */
export interface StubRequest {
  model: string;
  messages: WireMessage[];
  tools?: { type: string; function: { name: string } }[];
  tool_choice?: unknown;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  [key: string]: unknown;
}

export type StubFault =
  /** An error status, with `Retry-After` if given. */
  | { status: number; retryAfter?: string; message?: string; code?: string }
  /** The answer breaks off after this many chunks: the connection is destroyed, or ended normally with `gently`. */
  | { cutAfter: number; gently?: boolean }
  /** The answer is delayed until `release` is called. */
  | { hold: true }
  /** The answer is delayed by this many milliseconds. */
  | { delayMs: number }
  /** The answer is complete but partly or wholly unusable. */
  | { garbage: Garbage };

export type StubReply = StubAnswer | StubFault;

export interface ModelStubOptions {
  /** Replies in order; without them, a model that writes documents answers every request. */
  replies?: (StubReply | ((request: StubRequest) => StubReply))[];
  /** Replies to every request instead of a script. */
  respond?: (request: StubRequest) => StubReply | Promise<StubReply>;
  /** Faults by number of the request, from 1. An error status, a cut or garbage does not advance the script. */
  faults?: Record<number, StubFault>;
  /** Entries of `GET /v1/models`; without them the server has no such list. */
  models?: object[];
  /** Milliseconds that every answer takes; for benchmarks. */
  latencyMs?: number;
}

export interface ModelStub {
  /** Value for `OPENAI_BASE_URL`. */
  baseUrl: string;
  requests: StubRequest[];
  /** The keys that were sent, each once. */
  keys: Set<string>;
  /** The usage that was sent, also with answers that broke off. */
  reported: { prompt_tokens: number; completion_tokens: number }[];
  /** Requests that were answered with garbage. */
  garbled: StubRequest[];
  /** Sends the held answers and stops holding later ones. */
  release(): void;
  stop(): Promise<void>;
}

const isFault = (reply: StubReply): reply is StubFault =>
  ['status', 'cutAfter', 'hold', 'delayMs', 'garbage'].some((kind) => kind in reply);

/** Starts an OpenAI-compatible server for tests on a free port of this machine: `POST /v1/chat/completions`, streamed or not. */
export async function startModelStub(options: ModelStubOptions = {}): Promise<ModelStub> {
  const stub = new Stub(options);
  const server = createServer((request, response) => {
    stub.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: stub.requests,
    keys: stub.keys,
    reported: stub.reported,
    garbled: stub.garbled,
    release: () => stub.release(),
    async stop() {
      stub.release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Stub {
  readonly requests: StubRequest[] = [];
  readonly keys = new Set<string>();
  readonly reported: ModelStub['reported'] = [];
  readonly garbled: StubRequest[] = [];
  private readonly script: NonNullable<ModelStubOptions['replies']> | null;
  private readonly released: Promise<void>;
  release: () => void = () => undefined;

  constructor(private readonly options: ModelStubOptions) {
    this.script = options.replies ? [...options.replies] : null;
    this.released = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    this.keys.add(incoming.headers.authorization ?? '');
    const { models } = this.options;
    if (incoming.method === 'GET' && incoming.url?.endsWith('/models') && models) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: models }));
      return;
    }
    if (incoming.method !== 'POST' || !incoming.url?.endsWith('/chat/completions'))
      return fail(response, { status: 404 });
    const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as StubRequest;
    this.requests.push(request);
    if (this.options.latencyMs !== undefined) await delay(this.options.latencyMs);
    const fault = this.options.faults?.[this.requests.length];
    if (fault !== undefined && 'status' in fault) return fail(response, fault);
    const reply = await this.reply(request, fault);
    if (fault !== undefined && 'delayMs' in fault) await delay(fault.delayMs);
    if ('hold' in reply || (fault !== undefined && 'hold' in fault)) await this.released;
    if ('status' in reply) return fail(response, reply);
    return send(response, request, reply, (usage) => this.reported.push(usage));
  }

  private async reply(request: StubRequest, fault: StubFault | undefined): Promise<StubReply> {
    if (fault !== undefined && 'cutAfter' in fault)
      return { ...(await this.answer(request, false)), ...fault };
    if (fault === undefined || !('garbage' in fault)) return this.answer(request);
    this.garbled.push(request);
    const answer = await this.answer(request, false);
    return isFault(answer) ? answer : garbleAnswer(answer, fault.garbage);
  }

  /** @param consume false keeps the script's reply for the next request */
  private async answer(request: StubRequest, consume = true): Promise<StubReply> {
    if (this.options.respond) return this.options.respond(request);
    if (this.script === null) return toWire(diligentAnswer(fromWire(withoutGarbage(request.messages))));
    const next = consume ? this.script.shift() : this.script[0];
    if (next === undefined) return { status: 400, message: 'The script of the stub has no more replies.' };
    return typeof next === 'function' ? next(request) : next;
  }
}

function fail(
  response: ServerResponse,
  { status, retryAfter, message, code }: Extract<StubFault, { status: number }>,
): void {
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  };
  response.writeHead(status, headers);
  response.end(
    JSON.stringify({
      error: { message: message ?? `The stub answers ${status}.`, type: 'stub', code: code ?? null },
    }),
  );
}

async function send(
  response: ServerResponse,
  request: StubRequest,
  reply: StubReply,
  onUsage: (usage: NonNullable<StubAnswer['usage']>) => void,
): Promise<void> {
  const cut = isFault(reply) && 'cutAfter' in reply ? reply : null;
  const answer = { text: 'Held.', ...(reply as StubAnswer) };
  if ('toolCalls' in reply && !('text' in reply)) answer.text = '';
  const wire = new Wire(request, answer);
  if (request.stream !== true && cut === null) {
    if (wire.usage !== null) onUsage(wire.usage);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wire.whole()));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  for (const chunk of wire.chunks()) {
    if (cut !== null && sent >= cut.cutAfter) break;
    // Apply backpressure, so that a large answer does not pile up.
    if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await once(response, 'drain');
    sent += 1;
    if (wire.usage !== null && 'usage' in chunk) onUsage(wire.usage);
  }
  // Flush the data sent before the cut.
  if (cut !== null) await new Promise((resolve) => response.write('\n', resolve));
  if (cut !== null && cut.gently !== true) {
    response.socket?.destroy();
    return;
  }
  response.end(cut === null ? 'data: [DONE]\n\n' : '');
}

const TEXT_PIECE = 24;
const ARGUMENTS_PIECE = 1_024;

/** One answer in both wire formats. */
class Wire {
  private readonly head: Record<string, unknown>;
  private readonly calls: WireAnswer['toolCalls'];
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;

  constructor(
    private readonly request: StubRequest,
    private readonly answer: StubAnswer & { text: string },
  ) {
    this.head = { id: 'chatcmpl-stub', created: 1_700_000_000, model: request.model };
    this.calls = (answer.toolCalls ?? []).map((call, index) => ({
      id: call.id ?? `call_${index}_${Math.random().toString(36).slice(2)}`,
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    }));
    const { usage = { prompt_tokens: 100, completion_tokens: 10 } } = answer;
    this.usage =
      usage === null ? null : { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
  }

  whole(): Record<string, unknown> {
    const tool_calls = this.calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    }));
    const message = {
      role: 'assistant',
      content: this.answer.text,
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: this.finishReason() }];
    return {
      ...this.head,
      object: 'chat.completion',
      choices,
      ...(this.usage === null ? {} : { usage: this.usage }),
    };
  }

  *chunks(): Generator<Record<string, unknown>> {
    yield this.chunk({ role: 'assistant', content: '' });
    for (const content of pieces(this.answer.text, TEXT_PIECE)) yield this.chunk({ content });
    for (const [index, { id, name, arguments: args }] of this.calls.entries()) {
      yield this.chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const piece of pieces(args, ARGUMENTS_PIECE))
        yield this.chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    yield this.chunk({}, this.finishReason());
    if (this.usage !== null && this.request.stream_options?.include_usage === true) {
      yield { ...this.head, object: 'chat.completion.chunk', choices: [], usage: this.usage };
    }
  }

  private finishReason(): string {
    return this.answer.finish ?? (this.calls.length > 0 ? 'tool_calls' : 'stop');
  }

  private chunk(delta: Record<string, unknown>, finish: string | null = null): Record<string, unknown> {
    return {
      ...this.head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
  }
}

/** Cuts by UTF-16 units, as real servers cut tokens; JSON escapes a lone surrogate. */
function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
