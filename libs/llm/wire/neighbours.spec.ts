import { jest } from '@jest/globals';
import { chunkOf } from '#testing/raw-model.js';
import { asking, closeServers, data, DONE, refuse, stream, type Answer } from '#testing/byte-model.js';

afterEach(closeServers);

const called = (name: string, args: unknown, more: object = {}) => ({
  type: 'function',
  function: { name, arguments: args },
  ...more,
});
const read = (file: string, more: object = {}) =>
  called('read_file', JSON.stringify({ filename: file }), more);
const deltas = (...calls: object[][]) => calls.map((tool_calls) => chunkOf({ tool_calls }));
describe('tool calls of other dialects', () => {
  it.each<[string, Answer, string[]]>([
    [
      'two in one chunk, without index',
      stream(...deltas([read('a', { id: '1' }), read('b', { id: '2' })]), chunkOf({}, 'tool_calls'), DONE),
      ['a', 'b'],
    ],
    [
      'two without index and id',
      stream(...deltas([read('a')], [read('b')]), chunkOf({}, 'tool_calls'), DONE),
      ['a', 'b'],
    ],
    [
      'in parts that all repeat id and name, without index',
      stream(
        ...deltas(
          [called('read_file', '{"file', { id: '1' })],
          [called('read_file', 'name":"a"}', { id: '1' })],
          [called('read_file', '', { id: '1' })],
        ),
        chunkOf({}, 'tool_calls'),
        DONE,
      ),
      ['a'],
    ],
    [
      'of one id under two indexes',
      stream(
        ...deltas([read('a', { id: '1', index: 0 })], [read('b', { id: '1', index: 1 })]),
        chunkOf({}, 'tool_calls'),
        DONE,
      ),
      ['a', 'b'],
    ],
    [
      'with arguments that are encoded twice',
      stream(...deltas([called('read_file', JSON.stringify('{"filename":"a"}'))]), chunkOf({}, 'stop'), DONE),
      ['a'],
    ],
    [
      'with a trailing comma in the arguments',
      stream(...deltas([called('read_file', '{"filename":"a",}')]), chunkOf({}, 'stop'), DONE),
      ['a'],
    ],
    ['without a reason to finish', stream(...deltas([read('a')]), DONE), ['a']],
    ['without the end mark', stream(...deltas([read('a')]), chunkOf({}, 'stop')), ['a']],
    ['with an end mark without space', stream(...deltas([read('a')]), 'data:[DONE]\n\n'), ['a']],
    [
      'after a byte order mark, with CRLF and comments',
      stream(
        '\ufeff: keep-alive\r\n\r\n',
        data(chunkOf({ tool_calls: [read('a')] })).replaceAll('\n', '\r\n'),
        ': keep-alive\r\n\r\n',
        data(chunkOf({}, 'tool_calls')).replaceAll('\n', '\r\n'),
        'data: [DONE]\r\n\r\n',
      ),
      ['a'],
    ],
    [
      'in a first event after a byte order mark',
      stream(`\ufeff${data(chunkOf({ tool_calls: [read('a')] }))}`, chunkOf({}, 'stop'), DONE),
      ['a'],
    ],
    [
      'in a stream under the type of JSON',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`${data(chunkOf({ tool_calls: [read('a')] }))}${data(chunkOf({}, 'stop'))}${DONE}`),
      ['a'],
    ],
    [
      'in a stream under a type in capitals',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'Text/Event-Stream; charset=UTF-8' })
          .end(`${data(chunkOf({ tool_calls: [read('a')] }))}${DONE}`),
      ['a'],
    ],
    [
      'with usage in the last chunk only, without choices',
      stream(
        ...deltas([read('a')]),
        chunkOf({}, 'stop'),
        { id: 'c', choices: null, usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } },
        DONE,
      ),
      ['a'],
    ],
  ])('are read: %s', async (_, answer, files) => {
    const { ask } = await asking(answer);
    const { message } = await ask();
    expect(message.tool_calls!.map(({ args }) => args['filename'] as string)).toEqual(files);
    expect(new Set(message.tool_calls!.map(({ id }) => id)).size).toBe(files.length);
    expect(message.invalid_tool_calls).toEqual([]);
  });

  it.each([
    ['null', null],
    ['an empty text', ''],
    ['nothing', undefined],
  ])('without arguments are calls with empty arguments: %s', async (_, args) => {
    const { ask } = await asking(stream(...deltas([called('read_file', args)]), chunkOf({}, 'stop'), DONE));
    expect((await ask()).message.tool_calls).toMatchObject([{ name: 'read_file', args: {} }]);
  });

  it('get IDs that the strictest servers accept if the server sent none', async () => {
    const { ask } = await asking(stream(...deltas([read('a')]), chunkOf({}, 'stop'), DONE));
    expect((await ask()).message.tool_calls![0]!.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });
});

describe('failures of other dialects', () => {
  it.each<[string, Answer, object]>([
    [
      'a web page with status 200',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Proxy</title></html>'),
      { code: 'model_not_found', retryable: false },
    ],
    [
      'a web page with status 502',
      (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
      { code: 'model_unavailable', retryable: true },
    ],
    [
      'a stream that breaks off',
      stream(chunkOf({ content: 'I will' })),
      { code: 'model_unavailable', retryable: true },
    ],
    [
      'an error as a text in the stream',
      stream({ error: 'This model’s maximum context length is 8192 tokens.' }),
      { code: 'model_prompt_too_long' },
    ],
    [
      'an error of vLLM in the stream',
      stream({ object: 'error', message: 'The maximum context length is 8192 tokens.', code: 400 }),
      { code: 'model_prompt_too_long' },
    ],
    [
      'an event of type error',
      stream(`event: error\n${data({ error: { message: 'overloaded', code: 529 } })}`),
      { code: 'model_unavailable', retryable: true },
    ],
    [
      'an error with status 200 that is not streamed',
      (_, response) => refuse(response, 200, { error: { code: 429, message: 'Slow down.' } }),
      { code: 'model_rate_limited', retryable: true },
    ],
    [
      'a list of errors',
      (_, response) => refuse(response, 400, { errors: ['prompt is too long: 9 > 8'] }),
      { code: 'model_prompt_too_long' },
    ],
    [
      'a message that is no text',
      (_, response) =>
        refuse(response, 422, {
          object: 'error',
          message: { detail: [{ loc: ['body', 'messages'], msg: 'The prompt is indecent.' }] },
        }),
      { code: 'model_rejected', message: expect.stringContaining('indecent') },
    ],
    [
      'no credit, with status 400',
      (_, response) =>
        refuse(response, 400, { error: { message: 'Your credit balance is too low to access the API.' } }),
      { code: 'model_quota_exceeded', retryable: false },
    ],
    [
      'a timeout of the request',
      (_, response) => refuse(response, 408, {}),
      { code: 'model_unavailable', retryable: true },
    ],
    [
      'a conflict',
      (_, response) => refuse(response, 409, {}),
      { code: 'model_unavailable', retryable: true },
    ],
    ['too early', (_, response) => refuse(response, 425, {}), { code: 'model_unavailable', retryable: true }],
    [
      'overload',
      (_, response) =>
        refuse(response, 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      { code: 'model_unavailable', retryable: true },
    ],
  ])('report their reason: %s', async (_, answer, failure) => {
    const { ask } = await asking(answer);
    await expect(ask()).rejects.toMatchObject(failure);
  });

  const NOW = Date.UTC(2026, 0, 1);
  const inSeconds = (seconds: number) => new Date(NOW + seconds * 1_000);
  it.each<[string, () => object, object, number]>([
    ['a date', () => ({ 'retry-after': inSeconds(60).toUTCString() }), {}, 60_000],
    [
      'the reset of the exhausted limit',
      () => ({
        'x-ratelimit-remaining-requests': '5',
        'x-ratelimit-reset-requests': '9s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1m30s',
      }),
      {},
      90_000,
    ],
    [
      'a reset as a time in ms',
      () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(inSeconds(45).getTime()) }),
      {},
      45_000,
    ],
    [
      'a reset as a date',
      () => ({
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': inSeconds(30).toISOString(),
      }),
      {},
      30_000,
    ],
    [
      'the words of the error',
      () => ({}),
      { error: { message: 'Rate limit reached. Please try again in 1m7.5s.' } },
      67_500,
    ],
    ['words in ms', () => ({}), { error: { message: 'Please retry in 250ms.' } }, 250],
  ])('are retried if the server requests it: %s', async (_, headers, body, ms) => {
    const { ask } = await asking((_request, response) => refuse(response, 429, body, headers()));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(NOW);
    try {
      await expect(ask()).rejects.toMatchObject({ code: 'model_rate_limited', retryAfterMs: ms });
    } finally {
      clock.mockRestore();
    }
  });
});
