/** Builds the page of components: `node build.js FOLDER`. In a process of its own: the bundler does not run within jest. */
import { join } from 'node:path';
import { build } from 'vite';

const studio = join(import.meta.dirname, '../../../apps/studio');
await build({
  configFile: join(studio, 'vite.config.ts'),
  root: import.meta.dirname,
  logLevel: 'error',
  css: { postcss: studio },
  build: { outDir: process.argv[2], emptyOutDir: true },
});
