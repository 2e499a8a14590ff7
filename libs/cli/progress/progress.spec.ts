import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { RunEvent, RunEventType } from '#catalogue/events.js';
import { LineProgress } from './line-progress.js';
import { TtyProgress } from './progress.js';

const outline = (...titles: string[]) => titles.map((title, index) => ({ level: 1, title, line: index + 1 }));

/** The events of a run with one question, a chapter that is mended once and the agent's last visit. */
const events: [RunEventType, Record<string, unknown>][] = [
  ['run_status', { status: 'running' }],
  [
    'run_status',
    { status: 'running', waiting_for: [{ task_id: 't', task: 'scan_assets', node: 'scan_assets' }] },
  ],
  ['node_complete', { node: 'scan_assets', chapter: 1 }],
  [
    'run_status',
    { status: 'needs_answer', waiting_for: [{ task_id: 'd', task: 'human_input', node: 'human_input' }] },
  ],
  ['decision_required', { decision_id: 'd', question: 'Upload or skip?' }],
  ['decision_answered', {}],
  ['node_complete', { node: 'agent', chapter: 1 }],
  ['node_complete', { node: 'tools', chapter: 1 }],
  ['state_updated', { node: 'tools', document_outline: outline('Timeline') }],
  [
    'run_status',
    { status: 'running', waiting_for: [{ task_id: 'v', task: 'validate_md', node: 'validate_md' }] },
  ],
  ['validation_ran', { passed: false, issue_count: 2, coverage: 0.5 }],
  ['node_complete', { node: 'agent', chapter: 1 }],
  ['node_complete', { node: 'tools', chapter: 1 }],
  ['validation_ran', { passed: true, issue_count: 0, coverage: 0.99999 }],
  ['checkpoint_saved', { checkpoint_id: 'c', label: 'chapter_1', validated: true }],
  ['node_complete', { node: 'checkpoint', chapter: 1 }],
  ['state_updated', { node: 'checkpoint', current_chapter: 2 }],
  ['node_complete', { node: 'agent', chapter: 2 }],
  ['run_status', { status: 'running', waiting_for: [{ task_id: 'w', task: 'convert', node: 'convert' }] }],
  ['node_complete', { node: 'convert', chapter: 2 }],
  ['run_status', { status: 'completed' }],
  ['done', { status: 'completed' }],
];

const feed = (take: (event: RunEvent) => void) =>
  events.forEach(([type, data], index) =>
    take({ seq: index + 1, at: '2026-01-01T00:00:00.000Z', run_id: 'r', type, data }),
  );

describe('progress', () => {
  it('as plain lines reports each start and end once', () => {
    const lines: string[] = [];
    const progress = new LineProgress((line) => lines.push(line));
    feed((event) => progress.event(event));
    expect(lines).toEqual([
      'scanning the sources: done',
      'waiting: Upload or skip?',
      'answered; the run continues',
      'chapter 1: writing "Timeline"',
      'chapter 1: 2 issues, rewriting',
      'chapter 1: validated, coverage 99.9 %',
      'chapter 1: saved',
      'converting to Word: done',
    ]);
  });

  it('at a terminal leaves one line per chapter, none wider than the terminal', () => {
    let written = '';
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        written += chunk.toString();
        done();
      },
    });
    const progress = new TtyProgress(Object.assign(stream, { columns: 47 }) as NodeJS.WriteStream);
    progress.say('1 file(s) uploaded');
    feed((event) => progress.event(event));
    progress.end();
    // What a terminal shows in the end: each line after its last carriage return.
    const screen = stripVTControlCharacters(written.replaceAll('\r', '\n\r'))
      .split('\n')
      .filter((line) => /^\r?[✓✗ ] /.test(line))
      .map((line) => line.trim());
    expect(screen).toEqual([
      '1 file(s) uploaded',
      '✓ scanning the sources',
      '✓ waiting for a person',
      '✓ Chapter 1  Timeline  saved  carried: 99.9 %',
      '✓ converting to Word',
    ]);
  });

  it('of an unknown kind uses the labels of the service, not node names', () => {
    const waiting = (node: string, label: string) => ({
      status: 'running',
      label,
      waiting_for: [{ task_id: 't', task: 'tiny_shout', node }],
    });
    const told: RunEvent[] = [
      ['run_status', { status: 'running' }],
      ['node_complete', { node: 'take_2' }],
      ['run_status', waiting('shout_2', '1 words')],
      ['node_complete', { node: 'shout_2' }],
      ['run_status', waiting('choose_2', '2 words')],
      ['done', { status: 'completed' }],
    ].map(([type, data], index) => ({
      seq: index + 1,
      at: '2026-01-01T00:00:00.000Z',
      run_id: 'r',
      type: type as RunEventType,
      data: data as Record<string, unknown>,
    }));
    const lines: string[] = [];
    const plain = new LineProgress((line) => lines.push(line));
    told.forEach((event) => plain.event(event));
    expect(lines).toEqual(['1 words', '2 words']);
    let written = '';
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        written += chunk.toString();
        done();
      },
    });
    const terminal = new TtyProgress(Object.assign(stream, { columns: 80 }) as NodeJS.WriteStream);
    told.forEach((event) => terminal.event(event));
    terminal.end();
    expect(written).toContain('2 words');
    expect(written).not.toContain('_2');
  });
});
