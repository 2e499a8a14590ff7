import { keepCompiledCode } from '#embedded/compile-cache.js';
import { existsSync } from 'node:fs';
import { explain } from './cli-error.js';
import { escapeOutput, printable } from './progress/printable.js';
import { createProgram } from './program.js';

keepCompiledCode();
// Settings of the working folder; what is set already counts more.
if (existsSync('.env')) process.loadEnvFile('.env');

// When nobody reads the output any more (`| head`), what is under way goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  escapeOutput(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
  // Idle sockets must not keep a finished command alive; what was written is to arrive first.
  process.stdout.write('', () => process.exit());
} catch (error) {
  process.stderr.write(`${printable(explain(error))}\n`);
  process.exit(1);
}
