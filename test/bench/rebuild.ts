import { pdfFile, pdfLines, wordFile, wordParagraph } from '#testing/sample-files.js';
import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { random } from './convert/inputs.js';
import { CASES } from './main-job/inputs.js';
import { benchOptions } from './options.js';

/**
 * Measures what writing a folder again costs after one line of one of 160 files has changed (X6): CPU seconds of all
 * processes of the stack for `write --update`, by rules, compared with the first run (Linux only). Fails if a line of another
 * file differs in the manuscript.
 *
 * `npm run bench:rebuild -- [name…] [--json FILE]`; keys of the file for `code` (small Go files) and `office` (Word, PDF and Markdown):
 * `firstCpuSeconds`, `updateCpuSeconds`, `share`.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLI = join(ROOT, 'dist/apps/cli/src/main.js');
const TICKS_PER_SECOND = 100;
const LINE = 'One more line.';
const ENV = { ...process.env, OPENAI_API_KEY: '', SCRIPTORIUM_URL: '' };

/** CPU seconds that a process and its descendants have used, with those that have ended. */
async function cpuSeconds(root: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = new Map<number, { parent: number; ticks: number }>();
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    const fields = text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (fields)
      stats.set(Number(pid), { parent: fields[1]!, ticks: fields.slice(11, 15).reduce((a, b) => a + b) });
  }
  const isOwn = (pid: number): boolean => pid === root || (stats.has(pid) && isOwn(stats.get(pid)!.parent));
  return [...stats].reduce((sum, [pid, { ticks }]) => sum + (isOwn(pid) ? ticks : 0), 0) / TICKS_PER_SECOND;
}

/** 160 files as people keep them: Markdown, Word and PDF. */
async function officeFiles(folder: string): Promise<void> {
  const next = random(7);
  const words = (count: number) =>
    Array.from({ length: count }, () => Math.floor(next() * 36 ** 4).toString(36)).join(' ');
  for (let number = 100; number < 260; number++) {
    const lines = Array.from({ length: 30 }, (_, line) => `Line ${line} of ${number}: ${words(8)}.`);
    const text = `# Report ${number}\n\n${lines.join('\n\n')}\n`;
    if (number % 4 === 0) await writeFile(join(folder, `${number}.md`), text);
    else if (number % 4 === 1) await writeFile(join(folder, `${number}.pdf`), pdfFile(pdfLines(lines)));
    else
      await writeFile(
        join(folder, `${number}.docx`),
        wordFile(lines.map((line) => wordParagraph(line)).join('')),
      );
  }
}

async function main(): Promise<void> {
  const { isQuick, named, save } = benchOptions();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const stack = spawn(process.execPath, [CLI, 'start', '--data-dir', join(folder, 'data'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENV,
  });
  const ended = new Promise((resolve) => stack.once('close', resolve));
  const write = async (input: string) => {
    const before = await cpuSeconds(stack.pid!);
    const outputs = ['-o', join(folder, 'out.docx'), '--md', join(folder, 'out.md')];
    const options = ['--data-dir', join(folder, 'data'), '--update', '--answer', '*=skip'];
    await promisify(execFile)(process.execPath, [CLI, 'write', input, ...outputs, ...options], { env: ENV });
    const seconds = (await cpuSeconds(stack.pid!)) - before;
    return { seconds, text: await readFile(join(folder, 'out.md'), 'utf8') };
  };
  try {
    await new Promise<void>((resolve) =>
      stack.stdout.on('data', (data: Buffer) => /https?:\/\/127/.test(data.toString()) && resolve()),
    );
    // The first document after a start waits for code and threads, so it is not measured.
    await write(join(ROOT, 'examples/incident'));
    const code = CASES.find(({ name }) => name === 'files160')!;
    const cases = [
      { name: 'code', changed: 'job_080.go', make: (to: string) => code.make(to, ROOT) },
      { name: 'office', changed: '180.md', make: officeFiles },
    ];
    const figures: Record<string, object> = {};
    const isChosen = ({ name }: { name: string }) => named.length === 0 || named.includes(name);
    for (const { name, changed, make } of cases.filter(isChosen).slice(0, isQuick ? 1 : undefined)) {
      const input = join(folder, name);
      await mkdir(input);
      await make(input);
      const first = await write(input);
      await appendFile(join(input, changed), `\n${LINE}\n`);
      const update = await write(input);
      const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && line !== LINE);
      const isSame = linesOf(update.text).join('\n') === linesOf(first.text).join('\n');
      if (!isSame || !update.text.includes(LINE))
        throw new Error(`${name}: the update changed more than the line`);
      const share = update.seconds / first.seconds;
      figures[name] = { firstCpuSeconds: first.seconds, updateCpuSeconds: update.seconds, share };
      console.log(
        `${name.padEnd(8)} first ${first.seconds.toFixed(2)} s, update ${update.seconds.toFixed(2)} s, ${(100 * share).toFixed(1)} %`,
      );
    }
    save(figures);
  } finally {
    stack.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
