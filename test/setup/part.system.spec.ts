import { projectRoot } from '#embedded/project-root.js';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PART = join(projectRoot(), '.ci/part.js');
const JEST = join(projectRoot(), 'node_modules/jest/bin/jest.js');

const PASSES = `it('passes', () => {});`;
const FAILS = `it('fails', () => { throw new Error('always'); });`;
/** Fails once, and passes when repeated. */
const UNSTEADY = `
const { existsSync, writeFileSync } = require('node:fs');
it('passes the second time', () => {
  const seen = __filename + '.seen';
  if (existsSync(seen)) return;
  writeFileSync(seen, '');
  throw new Error('once');
});`;
/** Blocks its process, so that jest's time limit cannot end it. */
const HANGS = `it('hangs', () => { for (;;); });`;
const SKIPS = `it.skip('needs a program', () => {});`;

describe('.ci/part.js', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-part-'));
    await mkdir(join(folder, 'test/setup'), { recursive: true });
    await cp(join(projectRoot(), 'test/setup/spec-report.js'), join(folder, 'test/setup/spec-report.js'));
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(join(folder, 'test/setup/package.json'), '{ "type": "module" }');
    const config = {
      testMatch: ['<rootDir>/*.spec.js'],
      maxWorkers: 2,
      cacheDirectory: join(folder, 'cache'),
    };
    await writeFile(join(folder, 'jest.config.json'), JSON.stringify(config));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a part over the specs, which it writes; its exit status, its report and what it printed. */
  async function runPart(specs: Record<string, string>, minutes: number, ...flags: string[]) {
    for (const [name, text] of Object.entries(specs)) await writeFile(join(folder, name), text);
    const args = [
      PART,
      'unit',
      String(minutes),
      folder,
      ...flags,
      '--',
      process.execPath,
      JEST,
      '--rootDir',
      folder,
    ];
    const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
      const child = execFile(process.execPath, args, { cwd: folder }, (_, stdout) =>
        resolve({ code: child.exitCode!, stdout }),
      );
    });
    const report = JSON.parse(await readFile(join(folder, 'unit.json'), 'utf8')) as {
      passed: number;
      failed: number;
      unsteady: { spec: string; titles: string[] }[];
    };
    return { code, stdout, report };
  }

  it('counts a spec that passes alone as passed, and lists it', async () => {
    const { code, report } = await runPart({ 'a.spec.js': PASSES, 'b.spec.js': UNSTEADY }, 5);
    expect(report).toEqual({
      passed: 2,
      failed: 0,
      unsteady: [{ spec: 'b.spec.js', titles: ['passes the second time'] }],
    });
    expect(code).toBe(0);
  });

  it('fails on a spec that fails twice, and on a skipped test where none may be', async () => {
    const specs = { 'a.spec.js': PASSES, 'b.spec.js': FAILS, 'c.spec.js': `${PASSES}\n${SKIPS}` };
    const { code, stdout, report } = await runPart(specs, 5, '--no-skips');
    expect(report).toEqual({ passed: 2, failed: 2, unsteady: [] });
    expect(stdout).toContain('FAILED: b.spec.js: fails\n');
    expect(stdout).toContain('FAILED: c.spec.js: skipped: needs a program\n');
    expect(code).toBe(1);
  });

  it('fails when more than three specs are unsteady', async () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.spec.js`);
    const { code, report } = await runPart(Object.fromEntries(names.map((name) => [name, UNSTEADY])), 5);
    expect([code, report.failed]).toEqual([1, 4]);
  });

  it('ends at its limit and names the spec that hangs', async () => {
    const { code, stdout, report } = await runPart({ 'a.spec.js': PASSES, 'hangs.spec.js': HANGS }, 0.15);
    expect(stdout).toContain('Running after 0.15 minutes: hangs.spec.js\n');
    expect(stdout).toContain('FAILED: hangs.spec.js: did not end\n');
    expect([code, report.failed]).toEqual([1, 2]);
  });
});
