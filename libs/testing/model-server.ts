import { AIMessage } from '@langchain/core/messages';
import { countTokens } from 'gpt-tokenizer';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { StubRequest } from './model-stub.js';
import { fromWire, toWire, type WireMessage } from './model-wire.js';
import type { retype } from './competent-model.js';

type Json = Record<string, unknown>;

interface Refusal {
  status: number;
  body: unknown;
}

/**
 * Wire format of a server, as in test/fixtures/servers. In templates, `$text`, `$thought`, `$id`, `$index`, `$name`,
 * `$arguments`, `$argumentsObject`, `$prompt`, `$completion`, `$total` and `$window` stand for values.
 */
interface ServerFormat {
  server: string;
  /** Public documentation and reports that the format is taken from. */
  sources: string[];
  /** ID of a call: `$n` is its number, `$nine` nine characters. */
  ids: string;
  stream: {
    lineEnd?: string;
    /** Fields of every chunk. */
    head?: Json;
    /** Comments and chunks before the first one. */
    before?: (string | Json)[];
    /** Deltas that reason. */
    thought?: Json[];
    text: Json;
    /** Parts of a call: the first, and each further piece of its arguments. */
    call: Json[];
    /** Fields of a delta with calls. */
    callDelta?: Json;
    /** Length of a piece of the arguments; if absent, they are sent in one piece. */
    pieces?: number;
    finish?: { calls: string; text: string };
    /** Fields of the chunk with the finish reason. */
    last?: Json;
    after?: Json[];
  };
  /** Field that the client must send back unchanged, with each message or its first call. */
  returns?: Refusal & { of: 'message' | 'call'; field: string };
  refuses: (Refusal & { parameter?: string; keyword?: string; roles?: 'alternate' })[];
  tooLong: Refusal;
  /** Failure of the second answer; later answers succeed. */
  fault: (Refusal & { headers: Record<string, string> }) | { events: Json[] };
}

export const readFormat = (file: string): ServerFormat =>
  JSON.parse(readFileSync(file, 'utf8')) as ServerFormat;

export const THOUGHT = 'SECRET-THOUGHT: read on, then write.';

const tokensOf = ({ messages, tools }: StubRequest): number => countTokens(JSON.stringify([messages, tools]));

/** Starts a server that answers as the model, in a server's format, and refuses what that server refuses. */
export async function startModelServer(format: ServerFormat, model: typeof retype, window: number) {
  const state = new Conversation(format, model, window);
  const server = createServer((request, response) => {
    state.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Names of the answers that were not the model's, in order. */
    refused: state.refused,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

class Conversation {
  readonly refused: string[] = [];
  private calls = 0;
  private answers = 0;
  private hasFailed = false;
  /** Fields that the client must send back, by the ID of the message's first call. */
  private readonly sent = new Map<string, unknown>();

  constructor(
    private readonly format: ServerFormat,
    private readonly model: typeof retype,
    private readonly window: number,
  ) {}

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as StubRequest;
    const prompt = tokensOf(request);
    const values = { $prompt: prompt, $completion: 20, $total: prompt + 20, $window: this.window };
    const refusal = this.refusalOf(request, prompt);
    if (refusal) return sendError(response, refusal.status, {}, fill(refusal.body, values));
    const { fault } = this.format;
    const isFault = this.answers === 1 && !this.hasFailed;
    this.hasFailed ||= isFault;
    if (isFault) this.refused.push('fault');
    if (isFault && 'status' in fault)
      return sendError(response, fault.status, fault.headers, fill(fault.body, values));
    const events = isFault && 'events' in fault ? fault.events : this.answer(request, values);
    this.answers += isFault ? 0 : 1;
    this.stream(response, request, events);
  }

  private refusalOf(request: StubRequest, prompt: number): Refusal | undefined {
    const { refuses, returns, tooLong } = this.format;
    const refused = refuses.find(
      ({ parameter, keyword, roles }) =>
        (parameter !== undefined && request[parameter] !== undefined) ||
        (keyword !== undefined && hasKey(request.tools, keyword)) ||
        (roles !== undefined && !alternates(request.messages)),
    );
    const note = (name: string, refusal: Refusal) => (this.refused.push(name), refusal);
    if (refused) return note(refused.parameter ?? refused.keyword ?? 'roles', refused);
    if (returns && request.messages.some((message) => this.lacks(message))) return note('returns', returns);
    // A server whose refusal names the completion also counts the tokens requested for it.
    const counts = JSON.stringify(tooLong.body).includes('completion');
    const room = counts ? Number(request['max_tokens'] ?? request['max_completion_tokens'] ?? 0) : 0;
    return prompt + room > this.window ? note('tooLong', tooLong) : undefined;
  }

  /** Whether a returned message with calls lacks the field that this server sent with it. */
  private lacks(message: WireMessage): boolean {
    const { of, field } = this.format.returns!;
    const [call] = message.tool_calls ?? [];
    if (!call) return false;
    const from = of === 'call' ? call : message;
    return !isDeepStrictEqual((from as unknown as Json)[field], this.sent.get(call.id));
  }

  private answer(request: StubRequest, numbers: Json): (string | Json)[] {
    const { stream, ids, returns } = this.format;
    const { text, toolCalls } = toWire(this.model(fromWire(request.messages)) as AIMessage);
    const choice = (delta: Json, finish_reason: string | null = null, more: Json = {}) => ({
      choices: [{ index: 0, delta, finish_reason }],
      ...more,
    });
    const thought = fill(stream.thought ?? [], { $thought: THOUGHT }) as Json[];
    const events: (string | Json)[] = [...(stream.before ?? []), ...thought.map((delta) => choice(delta))];
    if (text !== '') events.push(choice(fill(stream.text, { $text: text }) as Json));
    for (const [index, { name, arguments: args }] of toolCalls.entries()) {
      this.calls += 1;
      const nine = String(this.calls).padStart(9, 'a');
      const id = ids.replace('$nine', nine).replace('$n', String(this.calls));
      const [first = {}, further] = stream.call;
      const values = { $id: id, $index: index, $name: name, $argumentsObject: JSON.parse(args) as unknown };
      const parts = [fill(first, { ...values, $arguments: args }) as Json];
      if (further)
        parts.push(
          ...piecesOf(args, stream.pieces ?? args.length).map(
            (piece) => fill(further, { ...values, $arguments: piece }) as Json,
          ),
        );
      if (returns && index === 0) {
        const message = Object.assign({}, ...thought) as Json;
        this.sent.set(id, (returns.of === 'call' ? parts[0]! : message)[returns.field]);
      }
      events.push(...parts.map((part) => choice({ ...stream.callDelta, tool_calls: [part] })));
    }
    const { finish = { calls: 'tool_calls', text: 'stop' } } = stream;
    events.push(choice({}, toolCalls.length > 0 ? finish.calls : finish.text, stream.last));
    return fill([...events, ...(stream.after ?? [])], numbers) as (string | Json)[];
  }

  private stream(response: ServerResponse, request: StubRequest, events: (string | Json)[]): void {
    const { lineEnd = '\n', head = {} } = this.format.stream;
    const common = {
      id: `chatcmpl-${this.answers}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: request.model,
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const line =
        typeof event === 'string' ? event : `data: ${JSON.stringify({ ...common, ...head, ...event })}`;
      response.write(`${line}${lineEnd}${lineEnd}`);
    }
    response.end(`data: [DONE]${lineEnd}${lineEnd}`);
  }
}

function sendError(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: unknown,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Replaces `$…` in a template: a whole text by the value, a part of a text by its words. */
function fill(template: unknown, values: Json): unknown {
  if (typeof template === 'string') {
    if (Object.hasOwn(values, template)) return values[template];
    // Texts of the model contain no names of values.
    return template.replace(/\$[a-z]+/gi, (name) =>
      Object.hasOwn(values, name) ? String(values[name]) : name,
    );
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
}

const piecesOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name === key || hasKey(inner, key));
}

/** Whether user and assistant messages alternate after the system message; calls and results do not count. */
function alternates([first, ...rest]: WireMessage[]): boolean {
  const turns = (first?.role === 'system' ? rest : [first!, ...rest]).filter(
    ({ role, tool_calls: calls }) => role !== 'tool' && !calls?.length,
  );
  return turns.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
}
