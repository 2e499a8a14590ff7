import { Command } from 'commander';
import { registerConvert } from '#document/commands/convert.js';

/** The convert command alone, as a program: `run.js input.md output.docx`; prints its peak memory in megabytes. */
const [input = '', output = ''] = process.argv.slice(2);
const program = new Command();
registerConvert(program.command('convert'));
await program.parseAsync(['convert', input, '-o', output, '--quiet'], { from: 'user' });
process.stdout.write(`${process.resourceUsage().maxRSS / 1024}\n`);
