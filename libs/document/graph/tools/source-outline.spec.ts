import { outlineOf } from './reading-tools.js';

const outline = (name: string, text: string) => outlineOf(name, text.replace(/\n$/, '').split('\n'));

describe('outlineOf', () => {
  it('lists the headings of Markdown, except in code', () => {
    expect(outline('a.md', '# One\n\ntext\n\n## Two\n\n```sh\n# no heading\n```\n')).toBe(
      '[outline of "a.md": markdown, 9 lines]\n1 # One\n5   ## Two'.replace(/#+ /g, ''),
    );
  });

  it('lists functions and classes of code, and methods below them', () => {
    const code = 'import x\n\nclass Pump:\n    def stop(self):\n        pass\n\ndef main():\n    pass\n';
    expect(outline('a.py', code)).toBe(
      '[outline of "a.py": python, 8 lines]\n3 class Pump:\n4   def stop(self):\n7 def main():',
    );
  });

  it.each([
    [
      'a.sql',
      'CREATE TABLE pump (id int);\nINSERT INTO pump VALUES (1);\n',
      ['1 CREATE TABLE', '2 INSERT INTO'],
    ],
    ['a.ini', '[server]\nport=1\n[client]\n', ['1 [server]', '3 [client]']],
    ['a.yaml', 'server:\n  port: 1\nclient: x\n', ['1 server:', '3 client: x']],
    ['a.json', '{\n  "name": "x",\n  "deep": {\n    "no": 1\n  }\n}\n', ['2   "name"', '3   "deep"']],
    ['a.sh', 'start() {\n  echo\n}\n', ['1 start() {']],
    ['a.go', 'package a\n\nfunc Stop() {}\n', ['1 package a', '3 func Stop()']],
    ['a.ts', 'export async function stop(): void {}\n', ['1 export async function stop']],
  ])('lists the parts of %s', (name, text, parts) => {
    const [, ...lines] = outline(name, text).split('\n');
    expect(lines).toHaveLength(parts.length);
    lines.forEach((line, index) => expect(line.startsWith(parts[index] ?? '')).toBe(true));
  });

  it('lists the time ranges of a log, with its warnings and errors', () => {
    const lines = Array.from({ length: 60 }, (_, line) => {
      const minute = String(line).padStart(2, '0');
      return `2026-03-01 10:${minute}:00 ${line === 4 ? 'ERROR' : 'INFO'} pump`;
    });
    const [head, ...ranges] = outlineOf('a.log', lines).split('\n');
    expect(head).toBe('[outline of "a.log": log, 60 lines]');
    expect(ranges).toHaveLength(20);
    expect(ranges[1]).toBe('4 2026-03-01 10:03:00 to 2026-03-01 10:05:00, 1 warnings or errors');
  });

  it('begins a new part of a log where its times start again, not where threads overlap', () => {
    const run = (from: number, lines: number) =>
      Array.from({ length: lines }, (_, line) => {
        const [hour, minute] = [Math.floor((from + line) / 60), (from + line) % 60].map((part) =>
          String(part).padStart(2, '0'),
        );
        return `2026-03-01T${hour}:${minute}:00Z INFO request`;
      });
    const overlapping = ['2026-03-01T01:40:20Z INFO a', '2026-03-01T01:40:05Z INFO b'];
    const [, ...ranges] = outlineOf('a.log', [...run(0, 100), ...overlapping, ...run(30, 15)]).split('\n');
    expect(ranges).toContain('97 2026-03-01T01:36:00 to 2026-03-01T01:40:05');
    expect(ranges).toContain('103 2026-03-01T00:30:00 to 2026-03-01T00:35:00, the times start again here');
    expect(ranges).toHaveLength(20);
  });

  it('lists the columns of a table and counts its records', () => {
    expect(outline('a.csv', 'part,count\n"a\nb",2\nc,3\n')).toBe(
      '[outline of "a.csv": csv, 4 lines]\n1 columns: part, count\n2 2 records',
    );
  });

  it('lists the first lines of paragraphs of plain text', () => {
    expect(outline('a.txt', 'Dear all,\n\nthe pump is new.\nIt works.\n')).toBe(
      '[outline of "a.txt": notes, 4 lines]\n1 Dear all,\n3 the pump is new.',
    );
  });

  it('stays short for files of any length', () => {
    const text = Array.from({ length: 5_000 }, (_, part) => `## ${'Part '.repeat(50)}${part}\n`).join('\n');
    expect(outline('a.md', text).length).toBeLessThan(11_000);
    expect(outline('a.md', text)).toContain('(4920 more parts; look at the lines with from_line)');
    expect(outline('a.json', JSON.stringify({ a: 'x'.repeat(1_000_000) })).length).toBeLessThan(200);
  });
});
