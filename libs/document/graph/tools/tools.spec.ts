import type { InputFiles } from '#testing/memory-ports.js';
import { ToolDesk } from '#testing/tool-desk.js';
import { getTools } from './tools.js';
import { sanitizeLabel } from './validation.js';

const LOG = Array.from({ length: 50 }, (_, line) => `2026-01-02T03:04:05Z line ${line + 1} — ünïcode\n`).join(
  '',
);
const INPUTS: InputFiles = {
  'app.log': LOG,
  'broken.txt': new Uint8Array([0x41, 0xff, 0xfe, 0x42]),
  'empty.txt': '',
  'one-line.txt': 'ż'.repeat(500),
  'photo.png': new Uint8Array([0x89, 0x50]),
};

const newDesk = (questionsLeft?: number) => new ToolDesk(INPUTS, questionsLeft);

describe('getTools', () => {
  it('D5 describes each tool, with a schema that contains no session', () => {
    const tools = getTools(newDesk().session);
    expect(tools.map(({ name }) => name)).toEqual([
      'list_files',
      'read_file',
      'read_generated_file',
      'place_source',
      'append_to_markdown',
      'edit_markdown_line',
      'insert_after_line',
      'replace_lines',
      'move_lines',
      'set_title',
      'create_checkpoint',
      'rollback_to_checkpoint',
      'request_human_input',
    ]);
    for (const tool of tools) {
      expect(tool.description.length).toBeGreaterThan(30);
      expect(JSON.stringify(Object.keys((tool.schema as { shape: object }).shape))).not.toMatch(
        /session|tenant/,
      );
    }
  });

  it('D6 list_files returns only the names and sizes of the inputs', async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A' });
    await desk.call('create_checkpoint', { label: 'a' });
    expect(JSON.parse(await desk.call('list_files'))).toEqual([
      { name: 'app.log', bytes: Buffer.byteLength(LOG) },
      { name: 'broken.txt', bytes: 4 },
      { name: 'empty.txt', bytes: 0 },
      { name: 'one-line.txt', bytes: 1000 },
      { name: 'photo.png', bytes: 2 },
    ]);
  });
});

describe('read_file', () => {
  /** Returns the file joined from its pages, and the number of reads. */
  async function readAll(desk: ToolDesk, filename: string): Promise<{ text: string; pages: number }> {
    let text = '';
    for (let cursor: number | null = 0, pages = 1; ; pages++) {
      const answer: string = await desk.call('read_file', { filename, ...(cursor ? { cursor } : {}) });
      const [head = '', ...body] = answer.split('\n');
      text += body.join('\n');
      cursor = Number(/next cursor (\d+)/.exec(head)?.[1] ?? 0);
      if (cursor === 0) return { text, pages };
    }
  }

  it('D7 returns a large file in pages that add up to the file, and reports when it has been read completely', async () => {
    const desk = newDesk();
    const first = await desk.call('read_file', { filename: 'app.log' });
    expect(first).toMatch(/^\[file "app.log" lines 1-\d+ bytes 0-\d+ of \d+; next cursor \d+\]\n2026/);
    expect(desk.session.filesRead).toEqual([]);
    const { text, pages } = await readAll(desk, 'app.log');
    expect(text).toBe(LOG);
    expect(pages).toBeGreaterThan(3);
    expect(desk.session.filesRead).toEqual(['app.log']);
  });

  it('D7 never splits a character in a line longer than a page', async () => {
    expect((await readAll(newDesk(), 'one-line.txt')).text).toBe('ż'.repeat(500));
  });

  it('D7 reads an empty file completely with one call', async () => {
    const desk = newDesk();
    expect(await desk.call('read_file', { filename: 'empty.txt' })).toContain('end of file');
    expect(desk.session.filesRead).toEqual(['empty.txt']);
  });

  it.each([
    [
      'a missing file',
      { filename: 'nope.txt' },
      'there is no input file "nope.txt"; list_files returns the names',
    ],
    ['a file that is not UTF-8', { filename: 'broken.txt' }, '"broken.txt" is not UTF-8 text'],
    ['a cursor past the end', { filename: 'app.log', cursor: 1e9 }, 'past the end'],
  ])('D7 explains what is wrong with %s', async (_, args, message) => {
    await expect(newDesk().call('read_file', args)).rejects.toThrow(message);
  });

  it('D7 returns lines with their numbers and the total, and truncates long lines', async () => {
    const desk = newDesk();
    const look = await desk.call('read_file', { filename: 'app.log', from_line: 7, max_lines: 2 });
    const [, seventh, eighth] = [5, 6, 7].map((line) => LOG.split('\n')[line]);
    expect(look).toBe(`[file "app.log" lines 7-8 of 50]\n7|${seventh}\n8|${eighth}`);
    expect(await desk.call('read_file', { filename: 'one-line.txt', max_lines: 3 })).toBe(
      `[file "one-line.txt" lines 1-1 of 1]\n1|${'ż'.repeat(300)}…`,
    );
    expect(await desk.call('read_file', { filename: 'app.log', from_line: 51 })).toBe(
      '[file "app.log" no lines of 50]',
    );
  });

  it('D7 outlines a file', async () => {
    expect(await newDesk().call('read_file', { filename: 'app.log', outline: true })).toMatch(
      /^\[outline of "app.log": log, 50 lines\]\n1 2026-01-02T03:04:05 to 2026-01-02T03:04:05\n4 /,
    );
  });
});

describe('tools on the manuscript', () => {
  it('D8 read_generated_file returns the last N lines, or "" for an empty manuscript', async () => {
    const desk = newDesk();
    expect(await desk.call('read_generated_file', { lines: 5 })).toBe('');
    await desk.call('append_to_markdown', { content: '# A\n\none\ntwo\nthree' });
    expect(await desk.call('read_generated_file', { lines: 2 })).toBe('two\nthree\n');
    expect(await desk.call('read_generated_file', { lines: 2000 })).toBe('# A\n\none\ntwo\nthree\n');
  });

  it('D9 append_to_markdown stores the text exactly and returns the length of the manuscript', async () => {
    const desk = newDesk();
    const content = '```log\n\ttab  \u00a0nbsp 中文 \u{1f600}\r\n';
    expect(await desk.call('append_to_markdown', { content: '# A' })).toBe(
      'Appended 1 lines; the manuscript has 1 lines.',
    );
    await desk.call('append_to_markdown', { content });
    await desk.call('append_to_markdown', { content: 'in the fence\n```\n' });
    expect(await desk.text()).toBe(`# A\n\n${content}in the fence\n\`\`\`\n`);
    expect(desk.session.outline).toEqual([{ level: 1, title: 'A', line: 1 }]);
  });

  it('D10 edit_markdown_line replaces a line, counted from 1, and creates a new version', async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A\n\none\n' });
    const before = desk.session.manuscript;
    expect(await desk.call('edit_markdown_line', { line_number: 3, new_content: 'two' })).toBe(
      'Line 3 replaced.',
    );
    expect(await desk.text()).toBe('# A\n\ntwo\n');
    expect(await desk.manuscripts.store.read(before)).toBe('# A\n\none\n');
  });

  it.each([[4], [1000]])('D10 rejects line %i of three', async (line_number) => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A\n\none\n' });
    await expect(desk.call('edit_markdown_line', { line_number, new_content: 'x' })).rejects.toThrow(
      `line ${line_number} is out of range: the manuscript has 3 lines`,
    );
    expect(await desk.text()).toBe('# A\n\none\n');
  });

  it.each([[0], [-1], [1.5], ['2'], [Number.NaN]])('D10 rejects the line number %p', async (line_number) => {
    await expect(newDesk().call('edit_markdown_line', { line_number, new_content: 'x' })).rejects.toThrow(
      'line_number',
    );
  });
});

describe('tools that change several lines', () => {
  const written = async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A\n\none\ntwo\nthree\n' });
    return desk;
  };

  it.each([
    [
      'insert_after_line',
      { line_number: 3, content: 'and a half\n' },
      '# A\n\none\nand a half\ntwo\nthree\n',
    ],
    ['insert_after_line', { line_number: 0, content: 'first' }, 'first\n# A\n\none\ntwo\nthree\n'],
    ['insert_after_line', { line_number: 5, content: 'last' }, '# A\n\none\ntwo\nthree\nlast\n'],
    ['replace_lines', { from_line: 3, to_line: 4, new_content: '1\n2\n3' }, '# A\n\n1\n2\n3\nthree\n'],
    ['replace_lines', { from_line: 3, to_line: 5, new_content: '' }, '# A\n\n'],
    ['move_lines', { from_line: 3, to_line: 4, after_line: 5 }, '# A\n\nthree\none\ntwo\n'],
    ['move_lines', { from_line: 5, to_line: 5, after_line: 0 }, 'three\n# A\n\none\ntwo\n'],
  ])('%s %j', async (name, args, text) => {
    const desk = await written();
    expect(await desk.call(name, args)).toContain(`the manuscript has ${text.split('\n').length - 1} lines`);
    expect(await desk.text()).toBe(text);
  });

  it.each([
    [
      'insert_after_line',
      { line_number: 6, content: 'x' },
      'line 6 is out of range: the manuscript has 5 lines',
    ],
    ['replace_lines', { from_line: 4, to_line: 3, new_content: 'x' }, 'from_line must not be after to_line'],
    ['replace_lines', { from_line: 4, to_line: 9, new_content: 'x' }, 'line 9 is out of range'],
    ['move_lines', { from_line: 4, to_line: 9, after_line: 1 }, 'line 9 is out of range'],
    ['move_lines', { from_line: 3, to_line: 5, after_line: 4 }, 'cannot be moved after line 4'],
  ])('%s rejects %j', async (name, args, message) => {
    const desk = await written();
    await expect(desk.call(name, args)).rejects.toThrow(message);
    expect(await desk.text()).toBe('# A\n\none\ntwo\nthree\n');
  });

  it('read_generated_file returns numbered lines from the middle', async () => {
    const desk = await written();
    expect(await desk.call('read_generated_file', { lines: 2, from_line: 3 })).toBe(
      '[manuscript lines 3-4 of 5]\n3|one\n4|two',
    );
  });
});

describe('checkpoints', () => {
  it('D11 create_checkpoint returns {timestamp}_{label}.md, also for two calls with the same ID and label', async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A' });
    const first = await desk.call('create_checkpoint', { label: 'Chapter 1: begin/../end' });
    expect(first).toMatch(/^\d{8}_\d{6}_Chapter_1_begin_end\.md$/);
    const second = await desk.call('create_checkpoint', { label: 'Chapter 1: begin/../end' });
    expect(second).not.toBe(first);
    expect(desk.session.checkpointId).toBe(second);
    expect(desk.checkpoints.saved.map(({ validated }) => validated)).toEqual([false, false]);
    const keys = desk.events.map(({ effectKey }) => effectKey);
    expect(new Set(keys).size).toBe(2);
  });

  it('D11 rejects a checkpoint of an empty manuscript', async () => {
    const desk = newDesk();
    await expect(desk.call('create_checkpoint', { label: 'a' })).rejects.toThrow('append the chapter first');
    expect(desk.session.checkpointId).toBeNull();
  });

  it('D12 rollback_to_checkpoint returns "Restored {id}" and restores text and outline', async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A' });
    const id = await desk.call('create_checkpoint', { label: 'a' });
    await desk.call('append_to_markdown', { content: '# B' });
    expect(desk.session.outline).toHaveLength(2);
    expect(await desk.call('rollback_to_checkpoint', { checkpoint_id: id })).toBe(`Restored ${id}`);
    expect(await desk.text()).toBe('# A\n');
    expect(desk.session.outline).toHaveLength(1);
    expect(desk.events.at(-1)).toMatchObject({ type: 'rollback_performed', data: { checkpoint_id: id } });
  });

  it('D12 returns "Checkpoint not found" and changes nothing', async () => {
    const desk = newDesk();
    await desk.call('append_to_markdown', { content: '# A' });
    const checkpoint_id = '20260102_030405_other.md';
    expect(await desk.call('rollback_to_checkpoint', { checkpoint_id })).toBe('Checkpoint not found');
    expect(await desk.text()).toBe('# A\n');
    expect(desk.events.at(-1)).toMatchObject({ type: 'rollback_skipped', data: { checkpoint_id } });
  });
});

describe('sanitizeLabel', () => {
  it.each([
    ['chapter_1', 'chapter_1'],
    ['../../etc/passwd', 'etc_passwd'],
    ['a\\..\\b', 'a_b'],
    ['%2e%2e%2f', '2e_2e_2f'],
    ['rozdział 第一章', 'rozdział_第一章'],
    ['\u0000\n\r\t', 'checkpoint'],
    ['．．／x', 'x'],
    ['...', 'checkpoint'],
    ['x'.repeat(200), 'x'.repeat(60)],
    [`${'x'.repeat(59)}\u{20000}\u{20000}`, 'x'.repeat(59)],
    ['\ud800', 'checkpoint'],
  ])('D11 turns %j into a safe part of a file name', (label, safe) => {
    expect(sanitizeLabel(label)).toBe(safe);
  });
});

describe('request_human_input', () => {
  it('D18 asks the question with each of its references once; several questions of one message become one', async () => {
    const desk = newDesk();
    await desk.call('request_human_input', { question: 'Where is a?', refs: ['a.png', 'a.png'] });
    await desk.call('request_human_input', { question: 'And b?', refs: ['b.png', 'a.png'] });
    expect(desk.session.question).toEqual({
      question: 'Where is a?\nAnd b?',
      refs: ['a.png', 'b.png'],
      asked_by: 'agent',
    });
  });

  it('D18 reports that the limit of questions is reached, instead of promising an answer', async () => {
    const desk = newDesk(0);
    await expect(desk.call('request_human_input', { question: 'Again?' })).rejects.toThrow(
      'which is the limit. Continue with what the sources say',
    );
    expect(desk.session.question).toBeNull();
  });
});
