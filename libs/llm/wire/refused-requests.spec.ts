import { asking, closeServers, READ, refuse, START, text } from '#testing/byte-model.js';
import type { RawRequest } from '#testing/raw-model.js';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

afterEach(closeServers);

/** A conversation with a tool call, its empty result and an answer without text. */
const TALK: BaseMessage[] = [
  ...START,
  new AIMessage({
    content: '',
    tool_calls: [{ id: 'call_with_a_very_long_name', name: 'read_file', args: { filename: 'a' } }],
  }),
  new ToolMessage({ tool_call_id: 'call_with_a_very_long_name', content: '' }),
  new HumanMessage('Go on.'),
];

describe('conversations that a server refuses', () => {
  const roles = ({ messages }: RawRequest) => messages.map(({ role }) => role as string);
  it.each<[string, (request: RawRequest) => string | undefined, number]>([
    [
      'system messages',
      (request) => (roles(request).includes('system') ? 'System role not supported' : undefined),
      400,
    ],
    [
      'system messages, by a template',
      (request) =>
        roles(request).includes('system')
          ? 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...'
          : undefined,
      500,
    ],
    [
      'developer instructions',
      (request) =>
        roles(request).some((role) => role === 'system' || role === 'developer')
          ? 'Developer instruction is not enabled for models/gemma-3-27b-it'
          : undefined,
      400,
    ],
    [
      'the role of the first message',
      (request) =>
        roles(request)[0] === 'system'
          ? "Unsupported value: 'messages[0].role' does not support 'system' with this model."
          : undefined,
      400,
    ],
    [
      'answers without text',
      ({ messages }) =>
        messages.some(({ role, content }) => role === 'assistant' && !content)
          ? 'messages: text content blocks must be non-empty'
          : undefined,
      400,
    ],
    [
      'results without text',
      ({ messages }) =>
        messages.some(({ role, content }) => role === 'tool' && !content)
          ? 'messages.3.content: content must not be empty'
          : undefined,
      400,
    ],
    [
      'results without the name of the tool',
      ({ messages }) =>
        messages.some(({ role, name }) => role === 'tool' && name !== 'read_file')
          ? 'GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.'
          : undefined,
      400,
    ],
    [
      'ids of other servers',
      ({ messages }) => {
        const ids = messages.flatMap(({ tool_calls: calls, tool_call_id: id }) => [
          ...((calls as { id: string }[] | undefined) ?? []).map((call) => call.id),
          ...(id === undefined ? [] : [id as string]),
        ]);
        const isOne = new Set(ids).size === 1;
        return isOne && ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))
          ? undefined
          : 'Tool call id was call_x but must be a-z, A-Z, 0-9, with a length of 9.';
      },
      400,
    ],
    [
      'ids that are too long',
      ({ messages }) =>
        JSON.stringify(messages).includes('very_long')
          ? "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 10, but got a string with length 26 instead."
          : undefined,
      400,
    ],
  ])(
    'are sent again in a form that it accepts, and the form is remembered: %s',
    async (_, problem, status) => {
      const { ask, requests } = await asking((body, response, request) => {
        const message = problem(body);
        if (message === undefined) return text('Done.')(body, response, request);
        return refuse(response, status, { error: { message } });
      });
      expect((await ask(TALK)).message.text).toBe('Done.');
      const sent = requests.length;
      expect(JSON.stringify(requests.at(-1)!.messages)).toContain('You write.');
      await ask(TALK);
      expect(requests).toHaveLength(sent + 1);
    },
  );

  it('never start with the developer role, which few servers accept', async () => {
    const { ask, requests } = await asking(text('Done.'), { model: 'gpt-5-mini' });
    await ask();
    expect(roles(requests[0]!)).toEqual(['system', 'user']);
  });

  it.each<[string, object]>([
    ['its parameter', { error: { message: 'Unknown parameter.', param: 'stream_options' } }],
    [
      'the place in the body',
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
    ],
    [
      'a place within the error',
      {
        error: {
          message: 'Bad request.',
          details: [{ fieldViolations: [{ field: 'stream_options', description: 'Unknown name' }] }],
        },
      },
    ],
    [
      'a place within the message',
      { object: 'error', message: { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs' }] } },
    ],
    ['a list of errors', { errors: [{ message: 'Unrecognized field', path: ['stream_options'] }] }],
  ])('are repeated without the parameter that a refusal names by %s', async (_, refusal) => {
    const { ask, requests } = await asking((body, response, request) =>
      'stream_options' in body ? refuse(response, 400, refusal) : text('Done.')(body, response, request),
    );
    expect((await ask()).message.text).toBe('Done.');
    expect(requests).toHaveLength(2);
  });
});

it('tools without parameters have no schema once a server refuses an empty one', async () => {
  const message =
    'tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type';
  const isEmpty = ({ tools = [] }: RawRequest) =>
    tools.some(
      ({ function: { parameters } }) =>
        parameters && Object.keys(parameters['properties'] ?? {}).length === 0,
    );
  const { ask, requests } = await asking((body, response, request) =>
    isEmpty(body) ? refuse(response, 400, { error: { message } }) : text('Done.')(body, response, request),
  );
  const tools = [tool(() => '', { name: 'list_files', schema: z.object({}) }), READ];
  expect((await ask(START, { tools })).message.text).toBe('Done.');
  await ask(START, { tools });
  expect(requests).toHaveLength(3);
  expect(requests[2]!.tools!.map(({ function: { parameters } }) => parameters?.['type'])).toEqual([
    undefined,
    'object',
  ]);
});

describe('base URLs', () => {
  it.each([
    ['with a slash at its end', '/v1/', '/v1/chat/completions'],
    ['of the chat API itself', '/v1/chat/completions', '/v1/chat/completions'],
    ['without the version', '', '/v1/chat/completions'],
    ['of a server without versions', '/api', '/api/chat/completions'],
    ['of a path without the version', '/openai', '/openai/v1/chat/completions'],
  ])('work %s', async (_, base, path) => {
    const { ask } = await asking(text('Done.'), { base, path });
    expect((await ask()).message.text).toBe('Done.');
  });

  it('keep their query, and send the key as Azure expects it if the query names a version', async () => {
    const seen: (string | string[] | undefined)[] = [];
    const { ask } = await asking(
      (body, response, request) => {
        seen.push(request.url, request.headers['api-key']);
        text('Done.')(body, response, request);
      },
      { base: '/deployments/m?api-version=2024-10-21', path: '/deployments/m/chat/completions' },
    );
    await ask();
    expect(seen).toEqual(['/deployments/m/chat/completions?api-version=2024-10-21', 'sk-key']);
  });

  it('of a server without the API are reported as wrong', async () => {
    const { ask } = await asking(text('Done.'), { path: '/elsewhere' });
    await expect(ask()).rejects.toMatchObject({ code: 'model_not_found' });
  });
});
