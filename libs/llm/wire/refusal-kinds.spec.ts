import {
  asking,
  closeServers,
  data,
  DONE,
  refuse,
  START,
  stream,
  text,
  type Answer,
} from '#testing/byte-model.js';
import { chunkOf, type RawRequest } from '#testing/raw-model.js';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { callModel } from '../call-model.js';
import { createChatModel } from '../chat-model.js';

afterEach(closeServers);

const WRITE = tool(() => '', {
  name: 'append_to_markdown',
  schema: z.object({ content: z.string().max(10_000) }),
});
const LIST = tool(() => '', { name: 'list_files', schema: z.object({}) });
const tools = [WRITE, LIST];

describe('refusals', () => {
  const refusing =
    (problem: (request: RawRequest) => string | undefined, status = 400): Answer =>
    (body, response, request) => {
      const message = problem(body);
      if (message === undefined) return text('Done.')(body, response, request);
      return refuse(response, status, { error: { message } });
    };
  const schemasOf = ({ tools: sent = [] }: RawRequest) =>
    JSON.stringify(sent.map((each) => each.function.parameters));

  it('of bounds cannot occur, because none are sent', async () => {
    const { ask, requests } = await asking(text('Done.'));
    await ask(START, { tools });
    expect(schemasOf(requests[0]!)).not.toMatch(/max|min/);
  });

  it.each<[string, (request: RawRequest) => string | undefined, number]>([
    [
      'a grammar that is too large',
      (request) =>
        schemasOf(request).includes('description')
          ? 'Failed to initialize samplers: failed to parse grammar'
          : undefined,
      2,
    ],
    [
      'empty properties',
      ({ tools: sent = [] }) =>
        sent.some(
          ({ function: { parameters } }) =>
            parameters && Object.keys(parameters['properties'] ?? {}).length === 0,
        )
          ? '[{"type":"dict_type","loc":["body","tools",2,"function","parameters","properties"],"msg":"Input should be a valid dictionary","input":null}]'
          : undefined,
      2,
    ],
    [
      'a limit without the name of the parameter',
      ({ max_tokens: sent }) =>
        (sent as number) > 8_000 ? 'This model can write at most 8k output tokens.' : undefined,
      2,
    ],
    [
      'a limit without a number',
      ({ max_tokens: sent }) =>
        (sent as number) > 9_000 ? 'max_tokens exceeds the limit of this model.' : undefined,
      3,
    ],
  ])('are learned: %s', async (_, problem, count) => {
    const { ask, requests } = await asking(refusing(problem, 422));
    const described = tool(() => '', {
      name: 'read_file',
      schema: z.object({ filename: z.string().describe('a name') }),
    });
    const options = { tools: [described, LIST], maxOutputTokens: 32_000 };
    expect((await ask(START, options)).message.text).toBe('Done.');
    expect(requests).toHaveLength(count);
    await ask(START, options);
    expect(requests).toHaveLength(count + 1);
  });

  it.each<[string, Answer]>([
    [
      'a call that the model wrote badly',
      (_, response) =>
        refuse(response, 400, {
          error: {
            message:
              "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
            code: 'tool_use_failed',
          },
        }),
    ],
    [
      'a bad call, within a stream',
      stream(
        `event: error\n${data({ error: { message: 'Failed to call a function.', code: 'tool_use_failed', status_code: 400 } })}`,
      ),
    ],
    ['a connection that a proxy closed', (_, response) => refuse(response, 499, {})],
  ])('are tried again: %s', async (_, first) => {
    const { ask, requests } = await asking((body, response, request) =>
      (requests.length === 1 ? first : text('Done.'))(body, response, request),
    );
    expect((await ask(START, { maxRetries: 1 })).message.text).toBe('Done.');
    expect(requests[1]).toEqual(requests[0]);
  });

  it.each([200, 403, 404])('by a web page in the middle of a run are tried again: %i', async (status) => {
    const { ask, requests } = await asking((body, response, request) =>
      requests.length === 2
        ? response.writeHead(status, { 'content-type': 'text/html' }).end('<html>One moment</html>')
        : text('Done.')(body, response, request),
    );
    await ask();
    expect((await ask(START, { maxRetries: 1 })).message.text).toBe('Done.');
    expect(requests).toHaveLength(3);
  });

  const LONG: BaseMessage[] = [new HumanMessage('A line of the log. '.repeat(2_000))];
  it.each<[number, object | string, number | null]>([
    [400, '', null],
    [400, { error: { message: 'Input tokens surpass the allowed limit of 4,096 tokens' } }, 4_096],
    [
      400,
      { error: { message: 'Requested token count exceeds the model context: 9500 of at most 8192' } },
      8_192,
    ],
    [500, { error: { message: 'input is larger than the max context size (8192 tokens). skipping' } }, 8_192],
    [422, { error: { message: 'The context window of 32k is too small for this prompt' } }, 32_768],
    [400, { error: { message: 'Sequence length 9500 > 8192' } }, 8_192],
    [413, '<html>Request Entity Too Large</html>', null],
  ])('say that a prompt is too long, and name the window: %i %j', async (status, body, window) => {
    const { ask, requests } = await asking((_, response) => refuse(response, status, body));
    await expect(ask(LONG)).rejects.toMatchObject({ code: 'model_prompt_too_long' });
    expect(requests).toHaveLength(1);
    // With a window that is known no second request is needed.
    await expect(ask(LONG)).rejects.toMatchObject({ code: 'model_prompt_too_long' });
    expect(requests).toHaveLength(window !== null && window < 10_000 ? 1 : 2);
  });

  it.each([
    'context deadline exceeded',
    'body.temperature: Input should be less than or equal to 2',
    'This model supports only text input.',
    'Invalid schema: maximum depth exceeded.',
  ])('about other limits say something else: %s', async (message) => {
    const { ask } = await asking((_, response) => refuse(response, 400, { error: { message } }));
    await expect(ask(LONG)).rejects.not.toMatchObject({ code: 'model_prompt_too_long' });
  });
});

describe('a prompt that Ollama cuts without saying so', () => {
  async function ollama(parameters: string | null, billed: number) {
    let shown = 0;
    const server = createServer((request, response) => {
      request.resume();
      if (request.url === '/api/show') {
        shown += 1;
        if (parameters === null) return refuse(response, 404, { error: { message: 'Not Found' } });
        return response.end(JSON.stringify({ parameters, model_info: { 'llama.context_length': 131_072 } }));
      }
      const usage = {
        choices: [],
        usage: { prompt_tokens: billed, completion_tokens: 3, total_tokens: billed + 3 },
      };
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(data(chunkOf({ content: 'Done.' })) + data(chunkOf({}, 'stop')) + data(usage) + DONE);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { model } = createChatModel({ apiKey: 'k', baseUrl, model: 'm' });
    const ask = (characters: number) =>
      callModel(model, [new HumanMessage('A line of the log. '.repeat(characters / 19))], { maxRetries: 0 });
    return { ask, shown: () => shown, close: () => server.close() };
  }

  it.each([
    ['the usual window', '', '4096'],
    ['a window of the model', 'num_ctx                        2048\nstop "x"', '2048'],
  ])('is an error that names the setting: %s', async (_, parameters, window) => {
    const { ask, close } = await ollama(parameters, 2_000);
    await expect(ask(40_000)).rejects.toMatchObject({
      code: 'model_prompt_too_long',
      message: expect.stringMatching(`${window}.*OLLAMA_CONTEXT_LENGTH`),
    });
    await expect(ask(40_000)).rejects.toMatchObject({ message: expect.stringContaining(window) });
    close();
  });

  it('is not suspected if the server billed what was sent, or its window was large enough', async () => {
    const whole = await ollama('', 9_000);
    expect((await whole.ask(40_000)).message.text).toBe('Done.');
    expect(whole.shown()).toBe(0);
    whole.close();
    const large = await ollama('num_ctx 32768', 2_000);
    expect((await large.ask(40_000)).message.text).toBe('Done.');
    expect(large.shown()).toBe(1);
    large.close();
  });

  it('is asked about once, if the server is not Ollama', async () => {
    const other = await ollama(null, 2_000);
    for (const _ of [1, 2]) expect((await other.ask(40_000)).message.text).toBe('Done.');
    expect(other.shown()).toBe(1);
    other.close();
  });
});
