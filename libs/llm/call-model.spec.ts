import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import {
  startModelStub,
  type ModelStub,
  type ModelStubOptions,
  type StubAnswer,
} from '#testing/model-stub.js';
import { callModel, type CallOptions } from './call-model.js';
import { createChatModel, offlineChatModel } from './chat-model.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { FakeListChatModel } from '@langchain/core/utils/testing';

const MESSAGES = [new SystemMessage('You write.'), new HumanMessage('Write.')];
const readFile = tool(() => 'text', {
  name: 'read_file',
  description: 'Read a file',
  schema: z.object({ filename: z.string() }),
});
const FAST = { retryDelayMs: 1 };

let stub: ModelStub | undefined;
afterEach(async () => {
  await stub?.stop();
  stub = undefined;
});

async function call(options: ModelStubOptions, callOptions: CallOptions = {}, timeoutMs?: number) {
  stub = await startModelStub(options);
  const { model } = createChatModel({
    apiKey: 'sk-secret-1234567890',
    baseUrl: stub.baseUrl,
    model: 'm-1',
    temperature: 0,
    timeoutMs,
  });
  return callModel(model, MESSAGES, { ...FAST, ...callOptions });
}

describe('callModel', () => {
  it("streams text, joins parallel tool calls and reports the provider's usage", async () => {
    const tokens: string[] = [];
    const text = 'I read two files at once, which takes more than one piece.';
    const toolCalls = ['a.md', 'b.md'].map((filename) => ({ name: 'read_file', arguments: { filename } }));
    const usage = { prompt_tokens: 321, completion_tokens: 12 };
    const answer = await call(
      { replies: [{ text, toolCalls, usage }] },
      { tools: [readFile], onToken: (token) => tokens.push(token) },
    );
    expect(answer.message.text).toBe(text);
    expect(answer.message.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
      ['read_file', { filename: 'a.md' }],
      ['read_file', { filename: 'b.md' }],
    ]);
    expect(tokens.join('')).toBe(text);
    expect(tokens.length).toBeGreaterThan(1);
    expect(answer.usage).toEqual({ input_tokens: 321, output_tokens: 12, model: 'm-1', estimated: false });
    expect(stub?.requests[0]).toMatchObject({
      model: 'm-1',
      stream: true,
      temperature: 0,
      tools: [{ function: { name: 'read_file' } }],
    });
    expect(stub?.requests[0]).not.toHaveProperty('tool_choice');
  });

  it('removes the reasoning of the model, and counts its tokens', async () => {
    const thoughts = '<think>\nFour words are enough here.\n</think>\n\n';
    const answer = await call({ replies: [{ text: `${thoughts}Done.`, usage: null, finish: 'length' }] });
    expect(answer.message.text).toBe('Done.');
    expect(answer.message.response_metadata).toMatchObject({ finish_reason: 'length' });
    expect(answer.usage.output_tokens).toBeGreaterThan(6);
  });

  it('estimates tokens and marks them as estimated if the provider reports none', async () => {
    const { usage } = await call({ replies: [{ text: 'Four words are here.', usage: null }] });
    expect(usage.estimated).toBe(true);
    expect(usage.input_tokens).toBeGreaterThan(3);
    expect(usage.output_tokens).toBeGreaterThan(3);
  });

  it.each([
    ['negative', { prompt_tokens: -5, completion_tokens: -1 }],
    ['huge', { prompt_tokens: 1e15, completion_tokens: 1e15 }],
    ['no numbers', { prompt_tokens: 'many', completion_tokens: 'more' }],
    ['fractions', { prompt_tokens: 9.5, completion_tokens: 0.1 }],
    ['zero for text', { prompt_tokens: 0, completion_tokens: 0 }],
  ])('X7 estimates tokens if the provider reports %s', async (_, usage) => {
    const reply = { text: 'Four words are here.', usage: usage as unknown as StubAnswer['usage'] };
    const { usage: counted } = await call({ replies: [reply] });
    expect(counted.estimated).toBe(true);
    for (const tokens of [counted.input_tokens, counted.output_tokens]) {
      expect(tokens).toBeGreaterThan(3);
      expect(tokens).toBeLessThan(30);
    }
  });

  it('returns malformed arguments next to the valid calls', async () => {
    const toolCalls = [
      { name: 'read_file', arguments: '{"filename": "a.md"' },
      { name: 'read_file', arguments: { filename: 'b.md' } },
      { name: 'read_file', arguments: '["a.md"]' },
    ];
    const { message } = await call({ replies: [{ toolCalls }] });
    expect(message.tool_calls).toHaveLength(1);
    expect(message.invalid_tool_calls?.map(({ args }) => args)).toEqual(['{"filename": "a.md"', '["a.md"]']);
  });

  it.each([
    ['a rate limit, for as long as Retry-After says', { status: 429, retryAfter: '0' }],
    ['a server error', { status: 500 }],
    ['an overloaded server', { status: 529 }],
    ['a stream cut in the middle', { cutAfter: 2 }],
    ['a stream that ends before all is said', { cutAfter: 2, gently: true }],
  ])('survives %s', async (_, fault) => {
    const retries: number[] = [];
    const answer = await call(
      { replies: [{ text: 'A rather long answer in several pieces.' }], faults: { 1: fault, 2: fault } },
      { onRetry: ({ attempt }) => retries.push(attempt) },
    );
    expect(answer.message.text).toBe('A rather long answer in several pieces.');
    expect(retries).toEqual([1, 2]);
  });

  it('waits as long as the server requests', async () => {
    const delays: number[] = [];
    await call(
      { replies: [{ text: 'ok' }], faults: { 1: { status: 429, retryAfter: '0.05' } } },
      { onRetry: ({ delayMs }) => delays.push(delayMs) },
    );
    expect(delays).toEqual([50]);
    await stub?.stop();
    const tooLong = call({ replies: [], faults: { 1: { status: 503, retryAfter: '3600' } } });
    await expect(tooLong).rejects.toMatchObject({ code: 'model_unavailable', retryAfterMs: 3_600_000 });
  });

  it.each([
    [400, undefined, 'model_rejected'],
    [401, undefined, 'model_unauthorized'],
    [402, undefined, 'model_quota_exceeded'],
    [404, undefined, 'model_not_found'],
    [422, undefined, 'model_rejected'],
    [400, 'context_length_exceeded', 'model_prompt_too_long'],
    [429, 'insufficient_quota', 'model_quota_exceeded'],
  ])('does not retry %i %s', async (status, code, expected) => {
    const message = `wrong key sk-secret-1234567890 at https://user:pw@host/x ${code ?? ''}`;
    const failed = await call({ faults: { 1: { status, message, ...(code ? { code } : {}) } } }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: 'ModelError', code: expected, retryable: false });
    expect(String((failed as Error).message)).not.toMatch(/secret-1234|user:pw/);
    expect(stub?.requests).toHaveLength(1);
  });

  it.each([
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    [400, 'the request exceeds the available context size. try increasing the context size'],
    [400, 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.'],
    [400, 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
    [500, 'the input length exceeds the context length'],
    [
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9113 tokens.",
    ],
    [400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
    [
      400,
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length',
    ],
    [400, 'Input is too long for requested model.'],
    [400, 'request (9113 tokens) exceeds the available context size (8192 tokens), try increasing it'],
    [
      400,
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40014 tokens.",
    ],
    [
      400,
      'Trying to keep the first 9113 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.',
    ],
    [
      400,
      'Reached context length of 4096 tokens with model (arch: qwen3) that does not currently support mid-generation context overflow.',
    ],
    [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [400, 'Invalid request: Your request exceeded model token limit: 8192'],
    [400, 'Range of input length should be [1, 30720]'],
    [422, 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000'],
    [
      429,
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41014.',
    ],
    [413, 'Request too large'],
    [413, 'Request Entity Too Large'],
  ])('recognizes a prompt that is too long, whatever the server calls it: %i %s', async (status, message) => {
    await expect(call({ faults: { 1: { status, message } } })).rejects.toMatchObject({
      code: 'model_prompt_too_long',
    });
  });

  it('fails after the last retry', async () => {
    const fault = { status: 503 };
    await expect(call({ faults: { 1: fault, 2: fault, 3: fault } }, { maxRetries: 2 })).rejects.toMatchObject(
      { code: 'model_unavailable', retryable: true },
    );
    expect(stub?.requests).toHaveLength(3);
  });

  it('reports an address that does not respond', async () => {
    stub = await startModelStub();
    const { model } = createChatModel({ apiKey: 'k', baseUrl: stub.baseUrl, model: 'm' });
    await stub.stop();
    await expect(callModel(model, MESSAGES, { ...FAST, maxRetries: 1 })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('Nothing answers at the address of the model provider (ECONNREFUSED)'),
    });
  });

  it('fails if the server stays silent', async () => {
    await expect(call({ replies: [{ hold: true }] }, { maxRetries: 0 }, 50)).rejects.toMatchObject({
      code: 'model_timeout',
      retryable: true,
    });
  });

  it('stops immediately when aborted, during a call and during a pause', async () => {
    const inCall = new AbortController();
    const held = call({ replies: [{ hold: true }] }, { signal: inCall.signal });
    const reason = new Error('cancelled by the person');
    inCall.abort(reason);
    await expect(held).rejects.toBe(reason);
    await stub?.stop();
    const inPause = new AbortController();
    const paused = call(
      { faults: { 1: { status: 429, retryAfter: '100' } } },
      { signal: inPause.signal, onRetry: () => setImmediate(() => inPause.abort(reason)) },
    );
    await expect(paused).rejects.toBe(reason);
  });
});

describe('createChatModel', () => {
  it('falls back to the offline writer, which uses no tokens', async () => {
    const { model, label, offline } = offlineChatModel({
      model: new FakeListChatModel({ responses: ['By rules.'] }),
      label: OFFLINE_WRITER,
    });
    expect({ label, offline }).toEqual({ label: OFFLINE_WRITER, offline: true });
    const { usage } = await callModel(model, MESSAGES);
    expect(usage).toMatchObject({ input_tokens: 0, output_tokens: 0, estimated: false });
  });

  it('names model and host, but never the key', () => {
    const { label } = createChatModel({
      apiKey: 'sk-1',
      baseUrl: 'https://llm.example.org/v1',
      model: 'm-2',
    });
    expect(label).toBe('m-2');
    expect(() => createChatModel({ apiKey: 'sk-1' })).toThrow('OPENAI_MODEL');
  });
});
