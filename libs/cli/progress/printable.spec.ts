import { renderLogLine } from '#embedded/render-log.js';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { planLine } from '#plan/commands/plan.js';
import { LineProgress } from './line-progress.js';
import { escapeOutput, printable } from './printable.js';
import { TtyProgress } from './progress.js';

describe('untrusted text in a terminal', () => {
  it.each([
    ['\u001b[2J\u001b]0;owned\u0007done\r', '[2J]0;owneddone'],
    ['\u001b[31mred\u001b[39m, \u001b[1A\u009b2Kgone', '\u001b[31mred\u001b[39m, [1A2Kgone'],
    ['one\n\ttwo', 'one\n\ttwo'],
    ['zażółć 👩‍👩‍👧', 'zażółć 👩‍👩‍👧'],
    ['report\u202efdp.exe\u2066x\u2069\u2028y', 'report\\u202efdp.exe\\u2066x\\u2069\\u2028y'],
  ])('keeps words and colours, but no cursor movement: %j', (said, shown) => {
    expect(printable(said)).toBe(shown);
  });

  it('escapes direction marks in text that a command writes, and does not change bytes', () => {
    const stream = new PassThrough();
    escapeOutput(stream);
    stream.write(`${JSON.stringify({ name: 'a\u202eb', path: 'c:\\' })}\n\r\u001b[2K`);
    stream.write(Buffer.from('\u202e'));
    const shown = String(stream.read());
    expect(shown).toBe('{"name":"a\\u202eb","path":"c:\\\\"}\n\r\u001b[2K\u202e');
    expect(JSON.parse(shown.split('\n')[0]!)).toEqual({ name: 'a\u202eb', path: 'c:\\' });
  });

  it('chapter titles cannot erase progress lines', () => {
    const lines: string[] = [];
    const stream = Object.assign(new PassThrough(), { columns: 200 }) as unknown as NodeJS.WriteStream;
    const title = 'a\u001b]0;owned\u0007\u202eb';
    for (const progress of [new LineProgress((line) => lines.push(line)), new TtyProgress(stream)]) {
      const event = { run_id: 'run_1', seq: 1, at: '' };
      progress.event({ ...event, type: 'node_complete', data: { node: 'agent', chapter: 1 } });
      const outline = [{ level: 1, title, line: 1 }];
      progress.event({ ...event, type: 'state_updated', data: { node: 'tools', document_outline: outline } });
      progress.end();
    }
    for (const shown of [lines.join('\n'), String(stream.read())]) {
      expect(shown).toContain('a]0;owned\\u202eb');
      expect(shown).not.toContain('\u001b]0;');
    }
  });

  it('log lines escape control characters and direction marks', () => {
    const entry = { level: 'info', msg: 'a\u202eb\u001b[2J', name: '\u001b[2K\u2066' };
    const line = stripVTControlCharacters(renderLogLine('app', JSON.stringify(entry)));
    expect(line).toContain('a\\u202eb\\u001b[2J name=\\u001b[2K\\u2066');
    expect(renderLogLine('app', 'plain \u001b[2J\u202e')).toContain('plain \\u001b[2J\\u202e');
  });

  it('P13 the error of a remote tool cannot erase lines of a plan', () => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    new LineProgress(write, (event) => [planLine(event)]).event({
      run_id: 'run_1',
      seq: 1,
      at: '',
      type: 'task_error',
      data: { task_id: 'a', tool: 's/t', error: { message: 'no\u001b[2K\rplan approved' } },
    });
    expect(lines).toEqual(['a (s/t): no[2Kplan approved']);
  });
});
