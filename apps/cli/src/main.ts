import { existsSync } from 'node:fs';
import { explain } from './cli-error.js';
import { createProgram } from './program.js';

// Settings of the working folder; what is set already counts more.
if (existsSync('.env')) process.loadEnvFile('.env');

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
  // Idle sockets must not keep a finished command alive; what was written is to arrive first.
  process.stdout.write('', () => process.exit());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
