import { parseWorkOrder } from '#testing/read-work-order.js';
import { loadSystemPrompt, SYSTEM_PROMPT_VERSION } from './system-prompt.js';
import { buildWorkOrder, type WorkOrderState } from './work-order.js';

const STATE: WorkOrderState = {
  session_id: 'ses_1',
  input_files: ['a.md', 'p.png', 'b.log', 'c.txt'],
  text_files: ['a.md', 'b.log', 'c.txt'],
  title: null,
  current_chapter: 2,
  document_outline: [{ level: 1, title: 'A', line: 1 }],
  missing_references: ['x.png', 'y.png'],
  user_decisions: { 'x.png': 'skip' },
  validation_passed: null,
  validation_issues: [],
  last_error: null,
  error_type: null,
  files_read: ['a.md', 'b.log'],
  files_written: ['a.md'],
  last_checkpoint_id: '20240312_031500_chapter_1.md',
  fix_attempts: 0,
  conversion_attempts: 0,
  progress: { calls: 0, seen: {} },
  file_sizes: { 'a.md': { bytes: 30, lines: 1 }, 'b.log': { bytes: 80_000, lines: 812 } },
};

describe('system prompt', () => {
  it('D14 D15 defines fidelity, form and questions; is a file with a version', () => {
    const { version, text } = loadSystemPrompt();
    expect(version).toBe(SYSTEM_PROMPT_VERSION);
    for (const rule of [
      'Never skip a level',
      'Nothing is summarised',
      'fenced code blocks',
      'Look before you place',
      'request_human_input',
    ]) {
      expect(text).toContain(rule);
    }
    for (const tool of [
      'read_file',
      'read_generated_file',
      'place_source',
      'insert_after_line',
      'replace_lines',
      'move_lines',
      'append_to_markdown',
      'edit_markdown_line',
      'create_checkpoint',
      'rollback_to_checkpoint',
    ]) {
      expect(text).toContain(tool);
    }
  });
});

describe('buildWorkOrder', () => {
  it.each<[string, Partial<WorkOrderState>, RegExp]>([
    ['the next file', {}, /Place "b\.log", then the other open files/],
    [
      'the issues',
      { validation_passed: false, fix_attempts: 1 },
      /Repair the issues .* call create_checkpoint/,
    ],
    ['the error', { last_error: 'broken', error_type: 'x' }, /Change what caused the error/],
    ['the end', { files_written: STATE.text_files }, /Every file is in the manuscript/],
  ])('D16 states the next task: %s', (_, state, task) => {
    const order = buildWorkOrder({ ...STATE, ...state }, '');
    expect(order.split('## Task\n')[1]?.split('\n')[0]).toMatch(task);
  });

  it('D16 contains current file, chapter, open files, answers and checkpoint', () => {
    expect(parseWorkOrder(buildWorkOrder(STATE, '# A\n\ntext\n'))).toMatchObject({
      chapter: 2,
      current_file: 'b.log',
      files: [
        { name: 'a.md', written: true, about: 'markdown, 1 line, 30 bytes' },
        { name: 'b.log', written: false, about: 'log, 812 lines, 78 KB' },
        { name: 'c.txt', written: false, about: 'text' },
      ],
      assets: ['p.png'],
      open_references: ['y.png'],
      decisions: { 'x.png': 'skip' },
      validation: 'due',
      last_checkpoint: '20240312_031500_chapter_1.md',
      tail: '# A\n\ntext',
    });
  });

  it('D16 contains every issue of a failed validation, with its line number', () => {
    const issue = {
      line_number: 12,
      rule: 'SCR-heading-level',
      rule_description: 'no skip',
      message: 'Heading level 4 follows level 2',
      error_detail: null,
    };
    const order = buildWorkOrder(
      { ...STATE, validation_passed: false, validation_issues: [issue], fix_attempts: 1 },
      '',
    );
    expect(order).toContain('lines 12 | SCR-heading-level');
    expect(parseWorkOrder(order)).toMatchObject({ validation: 'failed', fix_attempts: 1, issues: [issue] });
  });

  it('D16 shows only the last lines of a finished manuscript', () => {
    const tail = Array.from({ length: 100 }, (_, line) => `line ${line} of the manuscript`).join('\n');
    const tailOf = (state: Partial<WorkOrderState>) =>
      parseWorkOrder(buildWorkOrder({ ...STATE, input_files: STATE.text_files, ...state }, tail))!.tail;
    const written = { files_written: STATE.text_files };
    expect(tailOf(written)).toBe(tail.split('\n').slice(-15).join('\n'));
    for (const unfinished of [{}, { ...written, validation_passed: false }, { ...written, last_error: 'x' }])
      expect(tailOf(unfinished)).toBe(tail);
  });

  it('D33 contains the error to recover from', () => {
    const order = buildWorkOrder(
      { ...STATE, last_error: 'broken', error_type: 'conversion_failed', conversion_attempts: 1 },
      '',
    );
    expect(parseWorkOrder(order)?.error).toEqual({ type: 'conversion_failed', message: 'broken' });
  });

  it('D16 says which lines of an open file are not placed', () => {
    const seen: Record<string, [number, number][]> = {
      'placed b.log': [
        [11, 20],
        [31, 810],
      ],
    };
    const order = buildWorkOrder({ ...STATE, progress: { calls: 0, seen } }, '');
    expect(order).toContain('"b.log" log, 812 lines, 78 KB; not placed: lines 1-10, 21-30, 811-812\n');
  });

  it('D16 counts every file of a large tree by folder', () => {
    const kinds = ['md', 'ts', 'log', 'csv', 'json', 'yaml', 'sql', 'py'];
    const names = kinds.flatMap((kind) =>
      Array.from({ length: 100 }, (_, at) => `${kind}/part${at % 25}/deep/${at}.${kind}`),
    );
    const file_sizes = Object.fromEntries(names.map((name) => [name, { bytes: 2_048, lines: 10 }]));
    const state = { input_files: names, text_files: names, files_written: names.slice(0, 150), file_sizes };
    const order = parseWorkOrder(buildWorkOrder({ ...STATE, ...state }, ''))!;
    expect(order.folders.map(({ name, about }) => `${name} ${about}`)).toEqual(
      ['markdown', 'ts', 'log', 'csv', 'json', 'yaml', 'sql', 'python'].map(
        (language, at) =>
          `${kinds[at]} 100 files (${at === 0 ? 0 : at === 1 ? 50 : 100} open), 1000 lines, 200 KB: 100 ${language}`,
      ),
    );
    const one = names.map((name) => name.replaceAll('/', '-'));
    const flat = { ...state, input_files: one, text_files: one, files_written: one };
    const [all, ...none] = parseWorkOrder(buildWorkOrder({ ...STATE, ...flat }, ''))!.folders;
    expect(none).toEqual([]);
    expect(all?.about).toMatch(/^800 files \(0 open\): (?:100 \w+, ){6}200 others$/);
  });

  it('D17 does not grow with the number of files, chapters or lines of the manuscript', () => {
    const names = Array.from({ length: 2_000 }, (_, file) => `file-${file}.log`);
    const state: WorkOrderState = {
      ...STATE,
      input_files: names,
      text_files: names,
      files_read: names.slice(0, 1_000),
      files_written: names.slice(0, 1_000),
      document_outline: names.map((title, line) => ({ level: 1, title, line })),
    };
    const order = buildWorkOrder(state, `${'x'.repeat(10_000)}\n`.repeat(500));
    expect(order.length).toBeLessThan(30_000);
    const parsed = parseWorkOrder(order);
    expect(parsed).toMatchObject({ current_file: 'file-1000.log', file_count: 2_000, files_complete: false });
    expect(parsed?.files.every((file) => !file.written)).toBe(true);
  });
});
