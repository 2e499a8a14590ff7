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
import { chunkOf } from '#testing/raw-model.js';
import { z } from 'zod';
import { gzipSync } from 'node:zlib';

afterEach(closeServers);

const call = { type: 'function', function: { name: 'read_file', arguments: '{"filename":"a"}' } };
const whole = (message: object, reason: string | null = 'stop') => ({
  id: 'c',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
});
const sent =
  (type: string | null, body: string | Buffer, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { ...(type !== null && { 'content-type': type }), ...headers }).end(body);
describe('answers of further dialects', () => {
  const said = chunkOf({ content: 'Done.' });
  const end = chunkOf({}, 'stop');
  const lines = [said, end].map((chunk) => JSON.stringify(chunk));
  it.each<[string, Answer]>([
    [
      'with names and numbers of events',
      stream(`id: 1\nevent: message\n${data(said)}`, 'retry: 3000\n\n', end, DONE),
    ],
    [
      'with an event over two lines',
      stream('data: {"choices":[{"index":0,\ndata: "delta":{"content":"Done."}}]}\n\n', end, DONE),
    ],
    [
      'with line ends of one carriage return',
      stream(`${data(said)}${data(end)}${DONE}`.replaceAll('\n', '\r')),
    ],
    [
      'compressed',
      sent('text/event-stream', gzipSync(`${data(said)}${data(end)}${DONE}`), { 'content-encoding': 'gzip' }),
    ],
    [
      'whole and compressed',
      sent('application/json', gzipSync(JSON.stringify(whole({ content: 'Done.' }))), {
        'content-encoding': 'gzip',
      }),
    ],
    ['whole, under the type of text', sent('text/plain', JSON.stringify(whole({ content: 'Done.' })))],
    ['whole, without a type', sent(null, JSON.stringify(whole({ content: 'Done.' })))],
    [
      'whole, after a byte order mark',
      sent('application/json', `\ufeff${JSON.stringify(whole({ content: 'Done.' }))}`),
    ],
    ['streamed without a type', sent(null, `${data(said)}${data(end)}${DONE}`)],
    ['as lines of JSON', sent('application/x-ndjson', `${lines.join('\n')}\n`)],
    [
      'with the whole text again at the end',
      stream(
        said,
        {
          choices: [
            { index: 0, delta: {}, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' },
          ],
        },
        DONE,
      ),
    ],
    [
      'in parts of Responses',
      stream(chunkOf({ content: [{ type: 'output_text', text: 'Done.' }] }), end, DONE),
    ],
    ['in one part that is no list', stream(chunkOf({ content: { type: 'text', text: 'Done.' } }), end, DONE)],
    [
      'with an empty reason to finish in each part',
      stream(chunkOf({ content: 'Done.' }, ''), chunkOf({}, 'stop'), DONE),
    ],
    ['with a reason "null"', stream(chunkOf({ content: 'Done.' }, 'null'), chunkOf({}, 'stop'), DONE)],
    ['that ends the turn', stream(said, chunkOf({}, 'end_turn'), DONE)],
    [
      'with null for each empty field',
      stream(
        chunkOf({
          content: 'Done.',
          tool_calls: null,
          function_call: null,
          refusal: null,
          reasoning_content: null,
          audio: null,
        }),
        end,
        DONE,
      ),
    ],
    [
      'with empty events and pings',
      stream('data:\n\n', said, 'data: \n\n', 'event: ping\ndata: {"type": "ping"}\n\n', end, DONE),
    ],
    ['with events that are no objects', stream('data: null\n\n', said, 'data: ping\n\n', end, DONE)],
    ['after reasoning in another tag', text('<thought>Hm.</thought>\nDone.')],
    ['after reasoning in brackets', text('[THINK]Hm.[/THINK]Done.')],
    ['after reasoning with a namespace', text('<seed:think>Hm.</seed:think>Done.')],
    [
      'after reasoning in a channel',
      text('<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.'),
    ],
    [
      'of two choices',
      stream(
        {
          choices: [
            { index: 0, delta: { content: 'Done.' } },
            { index: 1, delta: { content: 'Other.' } },
          ],
        },
        end,
        DONE,
      ),
    ],
  ])('are read: %s', async (_, answer) => {
    const shown: string[] = [];
    const { ask } = await asking(answer);
    expect((await ask(START, { onToken: (part) => shown.push(part) })).message.text).toBe('Done.');
    expect(shown.join('')).toBe('Done.');
  });

  it.each<[string, Answer]>([
    [
      'as a function of the old style',
      stream(
        chunkOf({ function_call: { name: 'read_file', arguments: '' } }),
        chunkOf({ function_call: { arguments: '{"filename":' } }),
        chunkOf({ function_call: { arguments: '"a"}' } }),
        chunkOf({}, 'function_call'),
        DONE,
      ),
    ],
    [
      'as a function of the old style, whole',
      sent(
        'application/json',
        JSON.stringify(whole({ content: null, function_call: call.function }, 'function_call')),
      ),
    ],
    [
      'with an index in quotes',
      stream(chunkOf({ tool_calls: [{ index: '0', id: 'a', ...call }] }), chunkOf({}, 'tool_use'), DONE),
    ],
    [
      'without the type',
      stream(chunkOf({ tool_calls: [{ index: 0, id: 'a', function: call.function }] }), end, DONE),
    ],
    [
      'with an id that is a number',
      stream(chunkOf({ tool_calls: [{ index: 0, id: 7, ...call }] }), end, DONE),
    ],
    ['that are one object', stream(chunkOf({ tool_calls: { id: 'a', ...call } }), end, DONE)],
    [
      'with the name on the top level',
      stream(
        chunkOf({ tool_calls: [{ id: 'a', name: 'read_file', arguments: { filename: 'a' } }] }),
        end,
        DONE,
      ),
    ],
    [
      'with a name of a namespace',
      stream(
        chunkOf({
          tool_calls: [
            {
              id: 'functions.read_file:0',
              type: 'function',
              function: { name: 'functions.read_file', arguments: '{"filename":"a"}' },
            },
          ],
        }),
        end,
        DONE,
      ),
    ],
    [
      'as text in tags, by a server that leaves them',
      text('<tool_call>\n{"name": "read_file", "arguments": {"filename": "a"}}\n</tool_call>'),
    ],
    [
      'as text after a mark, by a server that leaves it',
      text('[TOOL_CALLS][{"name": "read_file", "arguments": {"filename": "a"}}]'),
    ],
  ])('call tools: %s', async (_, answer) => {
    const { ask } = await asking(answer);
    const { message } = await ask();
    expect(message.tool_calls).toMatchObject([{ name: 'read_file', args: { filename: 'a' } }]);
    expect(message.text).toBe('');
  });

  it.each(['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length', 'max_length'])(
    'that are cut are known by the reason %s',
    async (reason) => {
      const { ask } = await asking(stream(chunkOf({ content: 'The tower' }), chunkOf({}, reason), DONE));
      expect((await ask()).message.response_metadata).toMatchObject({ finish_reason: 'length' });
    },
  );

  it.each(['SAFETY', 'PROHIBITED_CONTENT', 'RECITATION', 'BLOCKLIST', 'sensitive', 'content-filter'])(
    'that are refused are known by the reason %s',
    async (reason) => {
      const { ask } = await asking(stream(chunkOf({ content: '' }), chunkOf({}, reason), DONE));
      await expect(ask()).rejects.toMatchObject({ code: 'model_refused' });
    },
  );

  it('that break off are no whole answers, although each part has an empty reason to finish', async () => {
    const { ask } = await asking(stream(chunkOf({ content: 'The tower' }, '')));
    await expect(ask()).rejects.toMatchObject({ code: 'model_unavailable', retryable: true });
  });
});

describe('requests that further dialects refuse', () => {
  it('are not streamed if the server or the account may not stream', async () => {
    const message = 'Your organization must be verified to stream this model.';
    const { ask, requests } = await asking((body, response) =>
      body['stream']
        ? refuse(response, 400, { error: { message, param: 'stream', code: 'unsupported_value' } })
        : 'stream_options' in body
          ? refuse(response, 400, {
              error: { message: "'stream_options' needs 'stream'", param: 'stream_options' },
            })
          : refuse(response, 200, whole({ content: 'Done.' })),
    );
    expect((await ask()).message.text).toBe('Done.');
    const { usage } = await ask();
    expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 3, estimated: false });
    expect(requests.at(-1)).not.toHaveProperty('stream_options');
    expect(requests).toHaveLength(3);
  });

  it.each([
    "Function calling with a response mime type: 'application/json' is unsupported",
    'Invalid value at generation_config.response_schema',
    'The specified schema produces a constraint that has too many states for serving.',
    'xgrammar: unsupported keyword in the schema',
  ])('ask for JSON in a simpler way: %s', async (message) => {
    const schema = { name: 'plan', schema: z.object({ title: z.string() }) };
    const { ask, requests } = await asking((body, response, request) => {
      const { type } = (body['response_format'] ?? {}) as { type?: string };
      return type === 'json_schema'
        ? refuse(response, 400, { error: { message } })
        : text('{"title":"Tides"}')(body, response, request);
    });
    expect((await ask(START, { schema })).message.text).toBe('{"title":"Tides"}');
    expect(requests).toHaveLength(2);
  });
});
