import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Traces a CSV of 20 MB to a manuscript that shows it as code, and prints the share of carried lines. */
const TRACE = `
const { buildLedger } = await import(process.argv[1]);
const row = (_, at) => 'pump-' + at + ',' + (at % 977) / 10 + ',bar,shift report of the operator about the pressure at the valve of line two,' + at;
const text = Buffer.from(Array.from({ length: 200_000 }, row).join('\\n')).toString();
const { coverage } = buildLedger('# Data\\n\\n\`\`\`csv\\n' + text + '\\n\`\`\`\\n', [{ name: 'readings.csv', text }], { policy: 'verbatim' });
console.log(coverage);`;

describe('ledger of a large table', () => {
  it('D13 traces a CSV of 20 MB within a heap of 170 MB', async () => {
    const { href } = new URL('../../dist/libs/verbatim/ledger.js', import.meta.url);
    const heap = ['--max-old-space-size=170', '--input-type=module'];
    const { stdout } = await promisify(execFile)(process.execPath, [...heap, '-e', TRACE, href]);
    expect(stdout.trim()).toBe('1');
  });
});
