import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Rows of 20 MB. */
const TABLE = `
const row = (_, at) => 'pump-' + at + ',' + (at % 977) / 10 + ',bar,shift report of the operator about the pressure at the valve of line two,' + at;
const text = Buffer.from(Array.from({ length: 200_000 }, row).join('\\n')).toString();
const manuscript = '# Readings of the pressure\\n\\n\`\`\`csv\\n' + text + '\\n\`\`\`\\n';
const load = (path) => import(process.argv[1] + path);`;

/** Traces the table to a manuscript that shows it as code, and prints the share of carried lines. */
const TRACE = `${TABLE}
const { buildLedger } = await load('verbatim/ledger.js');
const { coverage } = buildLedger(manuscript, [{ name: 'readings.csv', text }], { policy: 'verbatim' });
console.log(coverage);`;

/** Writes a Word file with the table, and prints how many times the memory of the table its content takes. */
const READ = `${TABLE}
const { buildStructure } = await load('office/structure/build.js');
const { writeDocx } = await load('office/docx/write/write.js');
const { readDocx } = await load('office/docx/read/read.js');
const docx = await writeDocx(buildStructure(manuscript), () => Promise.resolve(null));
const used = () => (gc(), process.memoryUsage().heapUsed);
const before = used();
const content = readDocx(docx);
console.log((used() - before) / text.length, content.blocks.length);`;

async function run(script: string, ...options: string[]): Promise<string> {
  const { href } = new URL('../../dist/libs/', import.meta.url);
  const all = [...options, '--input-type=module', '-e', script, href];
  return (await promisify(execFile)(process.execPath, all)).stdout.trim();
}

describe('a table of 20 MB', () => {
  it('D13 is traced within a heap of 150 MB', async () => {
    expect(await run(TRACE, '--max-old-space-size=150')).toBe('1');
  });

  it('D13 is read from a Word file without the file in memory', async () => {
    const [times, blocks] = (await run(READ, '--expose-gc')).split(' ').map(Number);
    expect(times).toBeLessThan(1.2);
    expect(blocks).toBe(2);
  });
});
