import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchOptions } from './options.js';
import { CASES } from './main-job/inputs.js';

/**
 * Measures the way from a folder to the Word file on the embedded stack: `scriptorium write` cold (the stack starts for
 * it) and warm (a stack runs), compared with `cat` of the same files and pandoc. CPU seconds are user plus system time of
 * the command and its children; in warm runs the stack does the work, so they have only elapsed seconds.
 *
 * `npm run bench:main-job -- [name…] [--json FILE]`; keys of the file: `incident.coldCpuSeconds`, `incident.coldSeconds`, and for each case
 * `seconds` (warm), `warmSeconds`, `pandocSeconds`, `pandocCpuSeconds`. A case that fails has `error`; `--quick` measures the incident.
 */

interface Measured {
  seconds: number;
  cpuSeconds: number;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLI = join(ROOT, 'dist/apps/cli/src/main.js');

/**
 * Runs a command to its end; the shell measures the CPU time of the command and its children.
 *
 * @throws Error with its output if it fails
 */
function measure(command: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const script = 'TIMEFORMAT="%R %U %S"; time "$@"';
    const child = spawn('bash', ['-c', script, 'bash', ...command], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      // The offline scribe writes: a model's time is not ours.
      env: { ...process.env, OPENAI_API_KEY: '', SCRIPTORIUM_URL: '' },
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      const [seconds, user, system] = (errors.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
      if (code !== 0 || seconds === undefined || user === undefined || system === undefined)
        reject(new Error(`${command.join(' ')} ended with ${code}: ${errors.trim()}`));
      else resolve({ seconds, cpuSeconds: user + system });
    });
  });
}

const write = (input: string, folder: string): Promise<Measured> =>
  measure([
    process.execPath,
    CLI,
    'write',
    input,
    '--output',
    join(folder, 'out.docx'),
    '--data-dir',
    join(folder, 'data'),
    '--answer',
    '*=skip',
  ]);

/** All files of a folder as one markdown file, as a person without the product would do, and pandoc on it. */
async function catAndPandoc(input: string, folder: string): Promise<Measured> {
  const names = (await readdir(input)).filter((name) => !name.endsWith('.png')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(input, name), 'utf8')));
  const one = join(folder, 'one.md');
  await writeFile(one, texts.map((text, i) => `# ${names[i]}\n\n${text}\n`).join('\n'));
  return measure(['pandoc', '-f', 'gfm', one, '-o', join(folder, 'pandoc.docx')]);
}

/** Starts a stack that runs until `stop`. */
async function startStack(dataDir: string): Promise<{ stop(): Promise<void> }> {
  const child = spawn(process.execPath, [CLI, 'start', '--data-dir', dataDir, '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, OPENAI_API_KEY: '' },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (/https?:\/\/127\.0\.0\.1:\d+/.test(output)) resolve();
    });
    void ended.then(() => reject(new Error(`the stack did not start: ${output}`)));
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function printFigures(name: string, measured: Record<string, number>): void {
  const figures = Object.entries(measured).map(([key, value]) => `${key} ${value.toFixed(1)}`);
  console.log(`${name.padEnd(12)} ${figures.join('  ')}  (load ${loadavg()[0]?.toFixed(1)})`);
}

async function main(): Promise<void> {
  const { isQuick, named, save } = benchOptions();
  const chosen = isQuick && named.length === 0 ? ['incident'] : named;
  const cases = CASES.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const results: Record<string, Record<string, number | string>> = {};
  try {
    const inputs = new Map<string, string>();
    for (const { name, make } of cases) {
      const input = join(folder, 'inputs', name);
      await mkdir(input, { recursive: true });
      await make(input, ROOT);
      inputs.set(name, input);
    }
    const [first] = cases;
    if (first) {
      // Once for the data directory, once for a start as every later one is.
      const input = inputs.get(first.name) ?? '';
      await write(input, folder);
      const cold = await write(input, folder);
      results[first.name] = { coldSeconds: cold.seconds, coldCpuSeconds: cold.cpuSeconds };
      printFigures(first.name, { coldSeconds: cold.seconds, coldCpuSeconds: cold.cpuSeconds });
    }
    const stack = await startStack(join(folder, 'data'));
    try {
      // The first document after a start waits for code and threads, so it is not measured.
      if (first) await write(inputs.get(first.name) ?? '', folder);
      for (const { name } of cases)
        results[name] = { ...results[name], ...(await warm(name, inputs.get(name) ?? '', folder)) };
    } finally {
      await stack.stop();
    }
    save(results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function warm(name: string, input: string, folder: string): Promise<Record<string, number | string>> {
  try {
    const ours = await write(input, folder);
    const theirs = await catAndPandoc(input, folder);
    const figures = {
      seconds: ours.seconds,
      warmSeconds: ours.seconds,
      pandocSeconds: theirs.seconds,
      pandocCpuSeconds: theirs.cpuSeconds,
    };
    printFigures(name, figures);
    return figures;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.log(`${name.padEnd(12)} failed: ${message}`);
    process.exitCode = 1;
    return { error: message };
  }
}

await main();
