import {
  chunkOf,
  startRawModel,
  textReply,
  type RawModel,
  type RawReply,
  type RawRequest,
} from '#testing/raw-model.js';
import { HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { callModel, type CallOptions } from '../call-model.js';
import { connectionOf, createChatModel } from '../chat-model.js';

const START: BaseMessage[] = [new SystemMessage('You write.'), new HumanMessage('Write.')];
const readFile = tool(() => 'text', {
  name: 'read_file',
  description: 'Read a file',
  schema: z.object({ filename: z.string(), line: z.number().int().positive().default(1) }),
});

let server: RawModel | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Starts a server and returns a function that calls its model. */
async function model(reply: (request: RawRequest, number: number) => RawReply) {
  server = await startRawModel(reply);
  const { baseUrl } = server;
  const config = { apiKey: 'sk-1234567890', baseUrl, model: 'm', temperature: 0 };
  const { model: chat } = createChatModel(config);
  return (messages = START, options: CallOptions = {}) =>
    callModel(chat, messages, { tools: [readFile], retryDelayMs: 1, maxOutputTokens: 100, ...options });
}

const call = (id: string | undefined, args: unknown = '{"filename":"a.md"}', more = {}) => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name: 'read_file', arguments: args },
  ...more,
});
const calling = (...calls: object[]): RawReply => ({
  events: [chunkOf({ role: 'assistant', content: null, tool_calls: calls }), chunkOf({}, 'tool_calls')],
});

/** Calls a tool, sends the result, and returns the second request. */
async function loop(reply: (request: RawRequest, number: number) => RawReply): Promise<RawRequest> {
  const ask = await model(reply);
  const { message } = await ask();
  const results = message.tool_calls!.map(
    ({ id }) => new ToolMessage({ tool_call_id: id!, content: 'text' }),
  );
  await ask([...START, message, ...results]);
  return server!.requests.at(-1)!;
}

describe('fields of a server’s own', () => {
  const signed = { extra_content: { google: { thought_signature: 'sig-1' } } };

  it('are sent back with the tool call that they belong to', async () => {
    const request = await loop((_, number) =>
      number === 1 ? calling(call('c1', undefined, signed), call('c2')) : textReply('Done.'),
    );
    const [, , answer] = request.messages;
    expect(answer).toMatchObject({ tool_calls: [{ id: 'c1', ...signed }, { id: 'c2' }] });
    expect((answer!['tool_calls'] as object[])[1]).not.toHaveProperty('extra_content');
  });

  it('are sent back with their own answer if the server repeats the ID of a call', async () => {
    const extra = (mark: string) => ({ extra_content: { google: { thought_signature: mark } } });
    const ask = await model((_, number) =>
      number < 3 ? calling(call('c1', undefined, extra(`sig-${number}`))) : textReply('Done.'),
    );
    const history = [...START];
    for (let turn = 0; turn < 2; turn++)
      history.push((await ask(history)).message, new ToolMessage({ tool_call_id: 'c1', content: 'text' }));
    await ask(history);
    const callers = server!.requests[2]!.messages.filter((message) => message['tool_calls']);
    expect(callers).toMatchObject([{ tool_calls: [extra('sig-1')] }, { tool_calls: [extra('sig-2')] }]);
  });

  it('are sent back with the answer that called tools, assembled from their parts', async () => {
    const shown: string[] = [];
    const ask = await model((_, number) =>
      number === 1
        ? {
            events: [
              chunkOf({ role: 'assistant', content: null, reasoning_content: 'Read ' }),
              chunkOf({ reasoning_content: 'first.', content: '' }),
              chunkOf({ tool_calls: [call('c1')] }, 'tool_calls'),
            ],
          }
        : textReply('Done.'),
    );
    const { message } = await ask(START, { onToken: (text) => shown.push(text) });
    expect([message.text, shown]).toEqual(['', []]);
    await ask([...START, message, new ToolMessage({ tool_call_id: 'c1', content: 'text' })]);
    expect(server!.requests[1]!.messages[2]).toMatchObject({ reasoning_content: 'Read first.' });
  });

  it('come back as whole blocks, which a stream divides', async () => {
    const part = (block: object) => chunkOf({ thinking_blocks: [{ type: 'thinking', ...block }] });
    const request = await loop((_, number) =>
      number > 1
        ? textReply('Done.')
        : {
            events: [
              part({ thinking: 'Read ' }),
              part({ thinking: 'first.' }),
              part({ thinking: '', signature: 'sig-1' }),
              part({ thinking: 'Then write.', signature: 'sig-2' }),
              chunkOf({ tool_calls: [call('c1')] }, 'tool_calls'),
            ],
          },
    );
    expect(request.messages[2]!['thinking_blocks']).toEqual([
      { type: 'thinking', thinking: 'Read first.', signature: 'sig-1' },
      { type: 'thinking', thinking: 'Then write.', signature: 'sig-2' },
    ]);
  });

  it('are omitted once the server refuses them', async () => {
    const refusal = { status: 400, error: { message: "property 'reasoning' is unsupported" } };
    const thought = chunkOf({ role: 'assistant', reasoning: 'Hm.', tool_calls: [call('c1')] }, 'tool_calls');
    const request = await loop(({ messages }, number) => {
      if (number === 1) return { events: [thought] };
      return messages.some((message) => 'reasoning' in message) ? refusal : textReply('Done.');
    });
    expect(request.messages[2]).not.toHaveProperty('reasoning');
  });

  it('are filled in if the server requires them in every such answer', async () => {
    const error = { message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' };
    const request = await loop(({ messages }, number) => {
      if (number === 1) return calling(call('c1'));
      const lacks = messages.some((message) => message['tool_calls'] && !('reasoning_content' in message));
      return lacks ? { status: 400, error } : textReply('Done.');
    });
    expect(request.messages[2]).toMatchObject({ reasoning_content: '' });
  });
});

describe('parameters', () => {
  it('that a server refuses are renamed or omitted, one at a time, and remembered', async () => {
    const refuse = (message: string, param: string | null = null): RawReply => ({
      status: 400,
      error: { message, param, code: 'unsupported_parameter' },
    });
    const ask = await model((request) => {
      if ('temperature' in request) return refuse("Unsupported value: 'temperature' does not support 0.");
      if ('max_tokens' in request) return refuse('Use max_completion_tokens instead.', 'max_tokens');
      if ('stream_options' in request) return refuse('Unrecognized request argument: stream_options');
      return textReply('Done.');
    });
    expect((await ask()).message.text).toBe('Done.');
    expect(server!.requests).toHaveLength(4);
    await ask();
    expect(server!.requests).toHaveLength(5);
    expect(server!.requests[4]).toMatchObject({ max_completion_tokens: 100, stream: true });
  });

  it('are unchanged if the server refuses something else', async () => {
    const ask = await model(() => ({ status: 400, error: { message: 'The prompt is indecent.' } }));
    await expect(ask()).rejects.toMatchObject({ code: 'model_rejected' });
    expect(server!.requests).toHaveLength(1);
  });
});

describe('an answer', () => {
  const CASES: [string, RawReply][] = [
    ['with arguments as an object', calling(call('c1', { filename: 'a.md' }))],
    ['without a role', { events: [chunkOf({ tool_calls: [call('c1')] }), chunkOf({}, 'tool_calls')] }],
    ['without an id of the call', calling(call(undefined))],
    [
      'in a message instead of deltas',
      {
        events: [
          {
            choices: [
              { index: 0, message: { role: 'assistant', tool_calls: [call('c1')] }, finish_reason: 'stop' },
            ],
          },
        ],
      },
    ],
    [
      'that is not streamed',
      {
        whole: {
          id: 'c',
          model: 'm',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: null, tool_calls: [call('c1')] },
              finish_reason: 'tool_calls',
            },
          ],
          usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
        },
      },
    ],
    [
      'with parts of thinking and text',
      {
        events: [
          chunkOf({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
          chunkOf({ tool_calls: [call('c1')] }, 'tool_calls'),
        ],
      },
    ],
  ];
  it.each(CASES)('is parsed: %s', async (_, reply) => {
    const ask = await model(() => reply);
    const { message } = await ask();
    expect(message.tool_calls).toMatchObject([{ name: 'read_file', args: { filename: 'a.md' } }]);
    expect(message.text).toBe('');
  });

  it('that reports an error in its stream is requested again', async () => {
    const broken: RawReply = {
      events: [
        ': PROCESSING\n\n',
        chunkOf({ role: 'assistant', content: 'I will' }),
        { ...chunkOf({ content: '' }, 'error'), error: { code: 502, message: 'Provider returned error' } },
      ],
    };
    const ask = await model((_, number) => (number === 1 ? broken : textReply('Done.')));
    expect((await ask()).message.text).toBe('Done.');
    expect(server!.requests).toHaveLength(2);
  });

  it('that reports a used-up quota in its stream fails', async () => {
    const ask = await model(() => ({ events: [{ error: { code: 402, message: 'Insufficient credits' } }] }));
    await expect(ask()).rejects.toMatchObject({ code: 'model_quota_exceeded' });
  });
});

it('describes tools in keywords that every server accepts', async () => {
  const ask = await model(() => textReply('Done.'));
  await ask();
  expect(server!.requests[0]!.tools![0]!.function.parameters).toEqual({
    type: 'object',
    required: ['filename'],
    properties: {
      filename: { type: 'string' },
      line: { type: 'integer', description: '(greater than 0)' },
    },
  });
});

describe('a refusal', () => {
  it.each<[string, RawReply, string]>([
    [
      'in its own field',
      {
        events: [
          chunkOf({ refusal: 'I can’t help ' }),
          chunkOf({ refusal: 'with that.' }),
          chunkOf({}, 'stop'),
        ],
      },
      "The model or its provider's content filter refused to answer: I can’t help with that.",
    ],
    [
      'of the content filter, in the middle of an answer',
      { events: [chunkOf({ content: 'The tower' }), chunkOf({}, 'content_filter')] },
      "The model or its provider's content filter refused to answer.",
    ],
    [
      'of the prompt',
      { status: 400, error: { code: 'content_filter', message: 'The prompt was filtered.' } },
      "The model or its provider's content filter refused to answer.",
    ],
  ])('is not mistaken for an empty answer: %s', async (_, reply, message) => {
    const ask = await model(() => reply);
    await expect(ask()).rejects.toMatchObject({ code: 'model_refused', message, retryable: false });
    expect(server!.requests).toHaveLength(1);
  });
});

describe('an answer in JSON', () => {
  const schema = { name: 'plan', schema: z.object({ title: z.string().max(9) }) };
  const plan = textReply('{"title": "Tides"}');
  const formats = () =>
    server!.requests.map(({ response_format: format }) => format as { type: string } | undefined);

  it('is requested by its schema, without limits that would make the grammar large', async () => {
    const ask = await model(() => plan);
    await ask(START, { schema });
    expect(formats()).toEqual([
      {
        type: 'json_schema',
        json_schema: {
          name: 'plan',
          schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        },
      },
    ]);
  });

  it.each([
    ['This response_format type is unavailable now', "'response_format' is not supported"],
    ["'json_schema' is not supported", 'Unknown field: response_format'],
    ['failed to parse grammar', 'Invalid value for json mode'],
  ])(
    'is requested in the strictest form that the server accepts, which is remembered: %s',
    async (first, second) => {
      const refused = { json_schema: first, json_object: second };
      const ask = await model(({ response_format: format }) => {
        const { type } = (format ?? {}) as { type?: keyof typeof refused };
        return type ? { status: 400, error: { message: refused[type] } } : plan;
      });
      expect((await ask(START, { schema })).message.text).toBe('{"title": "Tides"}');
      await ask(START, { schema });
      expect(formats().map((format) => format?.type)).toEqual([
        'json_schema',
        'json_object',
        undefined,
        undefined,
      ]);
    },
  );
});

describe('an endpoint that is down', () => {
  it('gets one attempt per call after three failed calls, until it answers', async () => {
    let isUp = false;
    const ask = await model(() => (isUp ? textReply('Yes.') : { status: 503, error: { message: 'down' } }));
    const attempts = async () => {
      const before = server!.requests.length;
      await ask(START, { maxRetries: 2 }).catch(() => undefined);
      return server!.requests.length - before;
    };
    const down = [await attempts(), await attempts(), await attempts(), await attempts(), await attempts()];
    expect(down).toEqual([3, 3, 3, 1, 1]);
    isUp = true;
    expect(await attempts()).toBe(1);
    isUp = false;
    expect(await attempts()).toBe(3);
  });
});

it('records what answers reveal about the model', async () => {
  const ask = await model(() => calling(call('a', '{"filename":"a.md"}'), call('b', '{"filename":"b.md"}')));
  await ask();
  const { model: chat } = createChatModel({ apiKey: 'k', baseUrl: server!.baseUrl, model: 'm' });
  expect(connectionOf(chat)!.profile.facts).toMatchObject({
    tools: true,
    stream_usage: false,
    json_schema: null,
  });
});
