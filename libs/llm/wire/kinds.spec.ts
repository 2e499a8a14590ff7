import {
  asking,
  closeServers,
  data,
  DONE,
  READ,
  START,
  stream,
  text,
  type Answer,
} from '#testing/byte-model.js';
import { chunkOf } from '#testing/raw-model.js';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

afterEach(closeServers);

const WRITE = tool(() => '', {
  name: 'append_to_markdown',
  schema: z.object({ content: z.string().max(10_000), line: z.number().optional() }),
});
const LIST = tool(() => '', { name: 'list_files', schema: z.object({}) });
const tools = [READ, WRITE, LIST];

const part = (index: number | undefined, args: string | null, more: object = {}, name?: string) =>
  chunkOf({
    tool_calls: [
      {
        ...(index !== undefined && { index }),
        ...more,
        function: { ...(name && { name }), arguments: args },
      },
    ],
  });
const A = '{"filename":"a"}';
const END = chunkOf({}, 'tool_calls');

describe('calls are assembled by index and name, and read as their tool accepts them', () => {
  it.each<[string, object[], string[]]>([
    [
      'after an empty object',
      [part(0, '{}', { id: 'x' }, 'read_file'), part(0, '{"filename":'), part(0, '"a"}')],
      [A],
    ],
    ['after an empty object in the same part', [part(0, `{}${A}`, { id: 'x' }, 'read_file')], [A]],
    [
      'in parts that repeat what came before',
      [part(0, '{"file', { id: 'x' }, 'read_file'), part(0, '{"filename":'), part(0, A)],
      [A],
    ],
    ['twice', [part(0, '', { id: 'x' }, 'read_file'), part(0, A), part(0, A)], [A]],
    [
      'twice, in parts',
      [
        part(0, '{"filename"', { id: 'x' }, 'read_file'),
        part(0, ':"a"}'),
        part(0, '{"file'),
        part(0, 'name":"a"}'),
      ],
      [A],
    ],
    [
      'twice as whole calls',
      [part(0, A, { id: 'x' }, 'read_file'), part(0, A, { id: 'y' }, 'read_file')],
      [A],
    ],
    [
      'under an ID that changes',
      [
        part(0, '{"file', { id: 'x' }, 'read_file'),
        part(0, 'name":', { id: 'y' }),
        part(0, '"a"}', { id: 'z' }, 'read_file'),
      ],
      [A],
    ],
    ['under a name in parts', [part(0, '', { id: 'x' }, 'read_'), part(0, '', {}, 'file'), part(0, A)], [A]],
    ['under a name with control tokens', [part(0, A, { id: 'x' }, 'read_file<|channel|>commentary')], [A]],
    ['under a name in another style', [part(0, A, { id: 'x' }, 'default_api.readFile')], [A]],
    [
      'side by side under index 0',
      [part(0, A, { id: 'x' }, 'read_file'), part(0, '{"filename":"b"}', { id: 'y' }, 'read_file')],
      [A, '{"filename":"b"}'],
    ],
    ['with control tokens behind them', [part(0, `${A}<|call|>`, { id: 'x' }, 'read_file')], [A]],
  ])('%s', async (_, parts, expected) => {
    const { ask } = await asking(stream(...parts, END, DONE));
    const { message } = await ask(START, { tools });
    expect(message.invalid_tool_calls).toEqual([]);
    expect(message.tool_calls!.map(({ name, args }) => [name, JSON.stringify(args)])).toEqual(
      expected.map((args) => ['read_file', args]),
    );
  });

  it('never under a name that a strict server refuses', async () => {
    const { ask } = await asking(stream(part(0, '{}', { id: 'x' }, 'delete all<|x|>'), END, DONE));
    expect((await ask(START, { tools })).message.tool_calls).toMatchObject([{ name: 'delete_all' }]);
  });

  it('never from a part of arguments that are cut', async () => {
    const parts = [part(0, '{', { id: 'x' }, 'list_files'), part(0, '"edits":['), part(0, '{"x":1}')];
    const { ask } = await asking(stream(...parts, chunkOf({}, 'length'), DONE));
    expect((await ask(START, { tools })).message.invalid_tool_calls).toHaveLength(1);
  });
});

describe('calls in the form of the model are read if the server sent none', () => {
  const json = '{"name": "read_file", "arguments": {"filename": "a"}}';
  const xml = '<function=read_file>\n<parameter=filename>\na\n</parameter>\n</function>';
  const inText = (content: string): Answer => text(content);
  const inReasoning = (reasoning_content: string): Answer =>
    stream(chunkOf({ content: null, reasoning_content }), chunkOf({}, 'stop'), DONE);
  it.each<[string, Answer]>([
    ['Qwen', inText(`<tool_call>\n${xml}\n</tool_call>`)],
    ['Qwen without the outer tag', inText(xml)],
    ['Llama', inText('<function=read_file>{"filename": "a"}</function>')],
    ['Llama, after a control token', inText(`<|python_tag|>${json}`)],
    [
      'GLM',
      inText('<tool_call>read_file\n<arg_key>filename</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'),
    ],
    [
      'Anthropic',
      inText(
        '<function_calls>\n<invoke name="read_file">\n<parameter name="filename">a</parameter>\n</invoke>\n</function_calls>',
      ),
    ],
    ['Mistral', inText('[TOOL_CALLS]read_file[ARGS]{"filename": "a"}')],
    [
      'Kimi',
      inText(
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"filename": "a"}<|tool_call_end|><|tool_calls_section_end|>',
      ),
    ],
    [
      'DeepSeek',
      inText(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"filename": "a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      ),
    ],
    [
      'harmony',
      inText(
        '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"filename": "a"}<|call|>',
      ),
    ],
    [
      'harmony, after its analysis',
      inText(
        '<|channel|>analysis<|message|>I read it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"filename": "a"}<|call|>',
      ),
    ],
    [
      'harmony, with the recipient first',
      inText(
        '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"filename": "a"}',
      ),
    ],
    ['within its thoughts', inText(`<think>\nI read it.\n<tool_call>\n${json}\n</tool_call>`)],
    [
      'within its thoughts, which end',
      inText(`<think>I read it.\n<tool_call>${json}</tool_call>\n</think>\n\n`),
    ],
    ['in the field of its thoughts', inReasoning(`I read it.\n<tool_call>\n${json}\n</tool_call>\n`)],
    ['in the field of its thoughts, in tags', inReasoning(`I read it.\n<tool_call>\n${xml}\n</tool_call>\n`)],
  ])('%s', async (_, answer) => {
    const shown: string[] = [];
    const { ask } = await asking(answer);
    const { message } = await ask(START, { tools, onToken: (more) => shown.push(more) });
    expect(message.tool_calls).toMatchObject([{ name: 'read_file', args: { filename: 'a' } }]);
    expect(message.tool_calls).toHaveLength(1);
    expect([message.text, shown.join('')]).toEqual(['', '']);
  });

  it('with values as the tool wants them, whatever they contain', async () => {
    const content = '# Log\n\n```xml\n<parameter=x>1</parameter>\n```\n{"name": "list_files"}\n';
    const call = `<function=append_to_markdown>\n<parameter=content>\n${content}\n</parameter>\n<parameter=line>\n7\n</parameter>\n</function>`;
    const { ask } = await asking(
      text(
        `I write.\n\n<tool_call>\n${call}\n</tool_call>\n<tool_call>\n<function=list_files>\n</function>\n</tool_call>`,
      ),
    );
    const { message } = await ask(START, { tools });
    expect(message.text).toBe('I write.');
    expect(message.tool_calls).toMatchObject([
      { name: 'append_to_markdown', args: { content, line: 7 } },
      { name: 'list_files', args: {} },
    ]);
  });

  it.each<[string, Answer]>([
    [
      'the model answers in words',
      stream(
        chunkOf({ content: 'Done.', reasoning_content: `<tool_call>${json}</tool_call>` }),
        chunkOf({}, 'stop'),
        DONE,
      ),
    ],
    [
      'the text only names a form',
      text('Models write `<tool_call>` around the name read_file and its arguments.'),
    ],
  ])('but not if %s', async (_, answer) => {
    const { ask } = await asking(answer);
    const { message } = await ask(START, { tools });
    expect(message.tool_calls).toEqual([]);
    expect(message.text).not.toBe('');
  });
});

describe('the reason to finish ends a stream', () => {
  const said = data(chunkOf({ content: 'Done.' }));
  const stop = data(chunkOf({}, 'stop'));
  const USAGE = { id: 'c', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } };
  const open =
    (body: string, after: (response: Parameters<Answer>[1]) => unknown = () => undefined): Answer =>
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(body, () => after(response));
  it.each<[string, Answer]>([
    ['without an end mark, on an open connection', open(said + stop + data(USAGE))],
    ['before the connection breaks', open(said + stop + data(USAGE), (response) => response.destroy())],
    [
      'before comments without end',
      open(said + stop + data(USAGE), (response) => response.write(': ping\n\n')),
    ],
    [
      'with single line breaks between events',
      stream(`${said}${stop}${data(USAGE)}`.replaceAll('\n\n', '\n'), DONE),
    ],
    [
      'with an empty line after the name of an event',
      stream(`event: message\n\n${said}event: message\n\n${stop}${data(USAGE)}`, DONE),
    ],
    [
      'with an index of the choice that counts chunks',
      stream(
        {
          ...chunkOf({ content: 'Do' }),
          choices: [{ index: 196, delta: { content: 'Do' }, message: { content: 'Do' } }],
        },
        { choices: [{ index: 197, delta: { content: 'ne.' }, message: { content: 'ne.' } }] },
        { choices: [{ index: 198, delta: {}, finish_reason: 'stop' }], usage: USAGE.usage },
      ),
    ],
  ])('%s', async (_, answer) => {
    const { ask } = await asking(answer);
    const { message, usage } = await ask();
    expect(message.text).toBe('Done.');
    expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  });

  it('with an unknown reason the answer counts as cut', async () => {
    for (const reason of ['network_error', 'model_context_window_exceeded', 'pause', 'OTHER']) {
      const { ask } = await asking(stream(chunkOf({ content: 'The tower' }), chunkOf({}, reason), DONE));
      expect((await ask()).message.response_metadata).toMatchObject({ finish_reason: 'length' });
    }
  });
});
