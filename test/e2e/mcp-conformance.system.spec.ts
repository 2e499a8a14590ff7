import type { ApiClient } from '#testing/api-client.js';
import { installCheckPackages } from '#testing/check-packages.js';
import { atDepth } from '#testing/depth.js';
import { sharedStack } from '#testing/shared-stack.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { addBearer } from '../mcp/add-bearer.js';
import { CLIENT_FAILURES, SERVER_FAILURES } from '../mcp/expected-failures.js';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = join(await installCheckPackages(join(ROOT, 'test/mcp/packages')), '@modelcontextprotocol');
const LONG_MS = 290_000;

/** Returns the output of a program, however it ends. */
function output(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: ROOT, maxBuffer: 64 * 1024 * 1024, timeout: LONG_MS },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

const suite = (...args: string[]) =>
  output(['--import', './test/mcp/hooks.js', join(PACKAGES, 'conformance/dist/index.js'), ...args]);

/** Versions of the protocol, newest first; the older ones run only at full depth. */
const versionsOf = <T>(failures: Record<string, T>): [string, T][] =>
  Object.entries(failures).slice(0, atDepth({ quick: 1, full: Infinity }));

/** The names of the scenarios that failed, and how many there were. */
function failedIn(text: string): { failed: string[]; total: number } {
  const lines = [...text.matchAll(/^([✓✗]) ([\w/.-]+): \d+ passed, \d+ failed/gm)];
  return { failed: lines.filter(([, mark]) => mark === '✗').map(([, , name]) => name!), total: lines.length };
}

describe('P12 the MCP conformance suite', () => {
  let tenant: ApiClient;
  let url: string;
  beforeAll(async () => {
    const stack = await sharedStack();
    url = stack.url;
    tenant = await stack.tenant();
  });

  it.each(versionsOf(SERVER_FAILURES))(
    'P12 /mcp passes what %s requires, with the listed exceptions',
    async (version, expected) => {
      const proxy = await addBearer(url, tenant.key!);
      const { failed, total } = failedIn(
        await suite('server', '--url', `${proxy.url}/mcp`, '--requirements', version),
      );
      proxy.stop();
      expect(total).toBeGreaterThan(25);
      expect(failed.sort()).toEqual([...expected.keys()].sort());
    },
    LONG_MS,
  );

  it.each(versionsOf(CLIENT_FAILURES))(
    'P12 our client passes what %s requires, with the listed exceptions',
    async (version, expected) => {
      const client = [
        '--command',
        `${process.execPath} test/mcp/conformance-client.js`,
        '--timeout',
        `${LONG_MS}`,
      ];
      const { failed, total } = failedIn(await suite('client', ...client, '--requirements', version));
      expect(total).toBeGreaterThan(expected.size + 3);
      expect(failed.sort()).toEqual([...expected.keys()].sort());
    },
    LONG_MS,
  );

  it('P12 the command line of the official inspector lists and calls our tools', async () => {
    const inspect = (...args: string[]) =>
      output([
        '--import',
        './test/mcp/hooks.js',
        join(PACKAGES, 'inspector-cli/build/index.js'),
        `${url}/mcp`,
        '--transport',
        'http',
        ...args,
        '--header',
        `Authorization: Bearer ${tenant.key}`,
      ]);
    expect(await inspect('--method', 'tools/list')).toContain('"execute_plan"');
    const called = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'search_tools',
      '--tool-arg',
      'query=parse xml',
    );
    expect(called).toContain('parse_xml');
  });
});
