import { MemoryCheckpoints, MemoryInputs, memoryManuscripts } from '#testing/memory-ports.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { runDocument } from '#testing/graph-harness.js';
import { ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { ToolSession } from './tool-session.js';
import { getTools } from './tools.js';
import { sanitizeLabel } from './validation.js';

const PAYLOADS = [
  '../secret.md',
  '..\\secret.md',
  '../../../../etc/passwd',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  '\\\\server\\share\\x.md',
  'file:///etc/passwd',
  '..',
  '.',
  './notes.md',
  'notes.md/../../ses_2/inputs/notes.md',
  'tenants/ten_2/sessions/ses_2/inputs/notes.md',
  '%2e%2e%2fsecret.md',
  '%2e%2e/secret.md',
  '..%2fsecret.md',
  '..%c0%afsecret.md',
  '%252e%252e%252fsecret.md',
  '．．／secret.md',
  '․․⁄secret.md',
  '..∕secret.md',
  'notes.md\0.png',
  '\0',
  'notes.md\n../secret.md',
  "notes.md'; DROP TABLE runs; --",
  '$(cat /etc/passwd).md',
  '`id`.md',
  '{{constructor.constructor("return process")()}}.md',
  '__proto__',
  'constructor',
  '\ud800.md',
  ' notes.md',
  'NOTES.MD',
  'x'.repeat(300),
  `${'x'.repeat(100_000)}.md`,
  `${'../'.repeat(10_000)}etc/passwd`,
];

/** Tools whose ports record every name that they receive. */
function watchedTools() {
  const asked: string[] = [];
  const inputs = new MemoryInputs({ 'notes.md': '# Notes\n' }, 1000);
  const manuscripts = memoryManuscripts('ses_1');
  const checkpoints = new MemoryCheckpoints();
  const session = new ToolSession(
    'ses_1',
    {
      inputs: {
        list: () => inputs.list(),
        readPage: (name, cursor) => (asked.push(name), inputs.readPage(name, cursor)),
      },
      manuscripts: manuscripts.port,
      checkpoints: {
        create: (checkpoint) => (asked.push(checkpoint.label), checkpoints.create(checkpoint)),
        restore: (id) => (asked.push(id), checkpoints.restore(id)),
      },
      emit: () => undefined,
    },
    null,
    'step',
  );
  const tools = new Map(getTools(session).map((tool) => [tool.name, tool]));
  return { asked, session, tools };
}

async function call(
  tools: Map<string, StructuredToolInterface>,
  name: string,
  args: object,
): Promise<string> {
  try {
    const result = await tools.get(name)!.invoke({ type: 'tool_call', id: 'c', name, args } as never);
    return String((result as ToolMessage).content);
  } catch (error) {
    return `Error: ${(error as Error).message}`;
  }
}

/** Names that a port may receive: relative paths without "..", made of storable characters. */
const isRelative = (name: string) =>
  !/^\/|\/$|\/\/|[\\\0]/.test(name) && !name.includes('..') && name.isWellFormed() && name.length <= 1_000;

describe('hostile arguments', () => {
  it.each(PAYLOADS.map((payload) => [payload.slice(0, 60), payload]))(
    'D13 read_file, place_source and rollback_to_checkpoint reject %j',
    async (_, payload) => {
      const { asked, tools } = watchedTools();
      const read = await call(tools, 'read_file', { filename: payload });
      expect(read).toMatch(/^Error: /);
      expect(await call(tools, 'read_file', { filename: payload, outline: true })).toMatch(/^Error: /);
      for (const as of ['fence', 'prose', 'image'])
        expect(await call(tools, 'place_source', { filename: payload, as })).toMatch(/^Error: /);
      const rollback = await call(tools, 'rollback_to_checkpoint', { checkpoint_id: payload });
      expect(rollback).toMatch(/^(Error: |Checkpoint not found$)/);
      expect(asked.filter((name) => !isRelative(name))).toEqual([]);
    },
  );

  it('D7 read_file accepts a path, and rollback_to_checkpoint does not', async () => {
    const { asked, tools } = watchedTools();
    await call(tools, 'read_file', { filename: 'docs/api/readme.md' });
    await call(tools, 'rollback_to_checkpoint', { checkpoint_id: 'docs/20260102_030405_a.md' });
    expect(asked).toEqual(['docs/api/readme.md']);
  });

  it.each(PAYLOADS.map((payload) => [payload.slice(0, 60), payload]))(
    'D13 a label cannot lead outside the checkpoints: %j',
    async (_, payload) => {
      const { asked, tools } = watchedTools();
      await call(tools, 'append_to_markdown', { content: '# A' });
      const id = await call(tools, 'create_checkpoint', { label: payload });
      expect(id).toMatch(/^(Error: |\d{8}_\d{6}_[\p{L}\p{N}_-]{1,60}\.md$)/u);
      expect(asked.every((label) => /^[\p{L}\p{N}_-]{1,60}$/u.test(label))).toBe(true);
    },
  );

  it.each(PAYLOADS.map((payload) => [payload.slice(0, 60), payload]))(
    'D13 content, questions and references are plain text: %j',
    async (_, payload) => {
      const { asked, session, tools } = watchedTools();
      await call(tools, 'append_to_markdown', { content: payload });
      await call(tools, 'edit_markdown_line', { line_number: 1, new_content: payload });
      await call(tools, 'insert_after_line', { line_number: 0, content: payload });
      await call(tools, 'replace_lines', { from_line: 1, to_line: 1, new_content: payload });
      await call(tools, 'request_human_input', { question: payload, refs: [payload] });
      expect(asked).toEqual([]);
      expect(session.manuscript ?? 'tenants/ten_test/sessions/ses_1/').toMatch(
        /^tenants\/ten_test\/sessions\/ses_1\//,
      );
      const { question, refs } = session.question ?? { question: '', refs: [] };
      expect([question, ...refs].every((text) => text.isWellFormed() && !text.includes('\0'))).toBe(true);
    },
  );

  it('D13 for any string, a port gets only relative paths and a label becomes a safe part of a file name', async () => {
    const { asked, tools } = watchedTools();
    await call(tools, 'append_to_markdown', { content: '# A' });
    const pieces = fc.constantFrom(
      '..',
      '/',
      '\\',
      '\0',
      '%2e',
      '.md',
      '．',
      '／',
      'a',
      '\ud83d',
      '\u{1f600}',
      ' ',
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        await call(tools, 'read_file', { filename: text });
        await call(tools, 'rollback_to_checkpoint', { checkpoint_id: `${text}.md` });
        expect(asked.splice(0).filter((name) => !isRelative(name))).toEqual([]);
        const label = sanitizeLabel(text);
        expect(label).toMatch(/^[\p{L}\p{N}_-]{1,60}$/u);
        expect(Buffer.byteLength(label)).toBeLessThanOrEqual(180);
      }),
      { numRuns: atDepth({ quick: 40, full: 300 }) },
    );
  });

  it('D13 ignores a session that the model passes as an argument', async () => {
    const { asked, session, tools } = watchedTools();
    const args = { filename: 'notes.md', session_id: 'ses_2', tenant_id: 'ten_2', sessionId: 'ses_2' };
    expect(await call(tools, 'read_file', args)).toContain('# Notes');
    expect(asked).toEqual(['notes.md']);
    expect(session.sessionId).toBe('ses_1');
  });
});

describe('errors of tool calls in the graph', () => {
  /** The answers to the calls, as the model gets them. */
  async function answersTo(...calls: Parameters<typeof callTools>): Promise<ToolMessage[]> {
    let answers: ToolMessage[] = [];
    await runDocument({
      inputs: { 'notes.md': 'Some notes.\n' },
      model: scriptedModel([
        callTools(...calls),
        (messages) => {
          answers = messages.filter((message) => message instanceof ToolMessage);
          return say('done');
        },
        say('done'),
      ]),
    });
    return answers;
  }

  it('D7 D13 return a ToolMessage that names the refused argument, and throw no exception', async () => {
    const [answer] = await answersTo(['read_file', { filename: '../ses_2/inputs/notes.md' }]);
    expect(answer).toMatchObject({ status: 'error', name: 'read_file' });
    expect(answer?.text).toMatch(/^Error: .*expected schema/);
    expect(answer?.text).toContain('must be a name as list_files gives it: a relative path without ".."');
    expect(answer?.text).toContain('filename');
  });

  it('D13 are short and readable for schema errors of any argument', async () => {
    const answers = await answersTo(
      ['append_to_markdown', {}],
      ['append_to_markdown', { content: 'x'.repeat(16 * 1_024 * 1_024 + 1) }],
      ['edit_markdown_line', { line_number: 'two', new_content: 7 }],
      ['read_file', { filename: 'x'.repeat(100_000) }],
      ['request_human_input', { question: 'a', refs: 'not a list' }],
      ['create_checkpoint', { label: ['a'] }],
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill('error'));
    for (const { text } of answers) expect(text.length).toBeLessThan(1_500);
    expect(answers[0]?.text).toContain('content');
    expect(answers[2]?.text).toMatch(/line_number[\s\S]*new_content|new_content[\s\S]*line_number/);
  });

  it('D5 name the existing tools for an unknown tool', async () => {
    const [answer] = await answersTo(['delete_everything', { path: '/' }]);
    expect(answer?.text).toMatch(
      /^Error: there is no tool "delete_everything". The tools are: list_files, read_file/,
    );
  });

  it('D7 report a missing file; the other calls of the message are executed', async () => {
    const answers = await answersTo(
      ['read_file', { filename: 'nope.md' }],
      ['read_file', { filename: 'notes.md' }],
      ['rollback_to_checkpoint', { checkpoint_id: 'none.md' }],
    );
    expect(answers.map(({ status }) => status)).toEqual(['error', 'success', 'success']);
    expect(answers[0]?.text).toBe('Error: there is no input file "nope.md"; list_files returns the names');
    expect(answers[2]?.text).toBe('Checkpoint not found');
  });
});
