import { keepCompiledCode } from '#embedded/project-root.js';
import { existsSync } from 'node:fs';
import { explain } from '#cli/cli-error.js';
import { chooseLanguage } from '#cli/language.js';
import { escapeOutput, printable } from '#cli/progress/printable.js';
import { createProgram } from './program.js';

keepCompiledCode();
// Settings of the working directory; variables that are already set have precedence.
if (existsSync('.env')) process.loadEnvFile('.env');

// Ignore EPIPE (`| head`), so that running work can finish.
for (const stream of [process.stdout, process.stderr]) {
  escapeOutput(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  await chooseLanguage(process.env);
  await (await createProgram(process.argv.slice(2))).parseAsync();
  // Flush stdout, then exit despite idle sockets.
  process.stdout.write('', () => process.exit());
} catch (error) {
  process.stderr.write(`${printable(explain(error))}\n`);
  process.exit(1);
}
